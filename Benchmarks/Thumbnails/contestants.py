"""Who takes part, and the commands that make thumbnails of given files with each.

Each gets two processes with half of the files each (photolib one, with two workers), and is asked
for the smallest scale of decoding that is not below the thumbnail: the fastest way to ask it.
"""

import os
import sys
import typing

HERE = os.path.dirname(os.path.abspath(__file__))
PEER = os.path.join(HERE, "python_peer.py")

# With OpenMP, two processes on two cores would start four threads, which wait for each other.
ENVIRONMENT = {"OMP_NUM_THREADS": "1", "MAGICK_THREAD_LIMIT": "1", "OPENBLAS_NUM_THREADS": "1"}


def looped(line, *arguments):
    """A process for each file, for a program that takes one; two arguments come first, a and b."""
    return ["sh", "-c", f"a=$1 b=$2; shift 2; for f; do {line} || exit 1; done", "sh", *arguments]


def vipsthumbnail(size, out, files):
    return ["vipsthumbnail", "-s", str(size), "-o", f"{out}/%s.jpg[Q=85,strip]", *files]


def pillow(size, out, files):
    return [sys.executable, PEER, "pillow", str(size), out, *files]


def opencv(size, out, files):
    return [sys.executable, PEER, "opencv", str(size), out, *files]


def graphicsmagick(size, out, files):
    # It puts the paths as they are given behind the output folder, so it is given bare names.
    folder = os.path.dirname(files[0])
    return [
        "env",
        "-C",
        folder,
        "gm",
        "mogrify",
        "-output-directory",
        out,
        "-format",
        "jpg",
        "-size",
        f"{size}x{size}",
        "-thumbnail",
        f"{size}x{size}",
        "+profile",
        "*",
        "-quality",
        "85",
        *map(os.path.basename, files),
    ]


def imagemagick(size, out, files):
    return [
        "mogrify",
        "-path",
        out,
        "-format",
        "jpg",
        "-define",
        f"jpeg:size={size}x{size}",
        "-thumbnail",
        f"{size}x{size}",
        "-quality",
        "85",
        *files,
    ]


def ffmpegthumbnailer(size, out, files):
    name = '"$b/$(basename "${f%.*}").jpg"'
    return looped(f'ffmpegthumbnailer -i "$f" -o {name} -s "$a" -q 8', str(size), out, *files)


def djpeg(size, out, files):
    scale = "1/8" if size <= 504 else "1/4"
    return looped('djpeg -scale "$a" -outfile "$b" "$f"', scale, "/dev/null", *files)


def turbojpeg(size, out, files):
    return [sys.executable, PEER, "turbojpeg", str(size), "-", *files]


def isal(size, out, files):
    return [sys.executable, PEER, "isal", str(size), "-", *files]


class Peer(typing.NamedTuple):
    """A program to compare with."""

    shown: str
    package: str
    command: typing.Callable
    writes: bool = True  # thumbnails; else it only decodes, and no promise is about how fast
    reads: tuple = ("jpg", "png")
    python: bool = False  # in a process of Python: what that takes to start is not counted


PEERS = {
    "vips": Peer("vipsthumbnail", "libvips-tools", vipsthumbnail),
    "pillow": Peer("Pillow, draft + LANCZOS", "python3-pil", pillow, python=True),
    "opencv": Peer("OpenCV, reduced + INTER_AREA", "python3-opencv", opencv, python=True),
    "gm": Peer("GraphicsMagick", "graphicsmagick", graphicsmagick),
    "im": Peer("ImageMagick", "imagemagick", imagemagick),
    "ffmpegthumbnailer": Peer("ffmpegthumbnailer", "ffmpegthumbnailer", ffmpegthumbnailer),
    "turbojpeg": Peer(
        "libjpeg-turbo in process, decoding only", "libturbojpeg0", turbojpeg, False, ("jpg",), True
    ),
    "djpeg": Peer("djpeg, decoding only", "libjpeg-turbo-progs", djpeg, False, ("jpg",)),
    "isal": Peer("ISA-L in process, inflating only", "libisal2", isal, False, ("png",), True),
}
