#!/usr/bin/python3
"""The peers that are libraries: a process of its own for each, as quick as it can be asked for.

    python_peer.py pillow SIZE OUTPUT FILE...
    python_peer.py opencv SIZE OUTPUT FILE...
    python_peer.py turbojpeg SIZE - FILE...     decodes only, at the scale that SIZE asks for
    python_peer.py isal SIZE - FILE...          inflates the pixels of PNG files, no more
    python_peer.py check SIZE FOLDER COUNT      whether FOLDER holds COUNT thumbnails of SIZE
"""

import ctypes
import ctypes.util
import os
import sys


def output(folder, path):
    return os.path.join(folder, os.path.splitext(os.path.basename(path))[0] + ".jpg")


def fitted(width, height, size):
    scale = min(1, size / max(width, height))
    return max(1, round(width * scale)), max(1, round(height * scale))


def pillow(size, folder, paths):
    from PIL import Image

    for path in paths:
        image = Image.open(path)
        image.draft("RGB", (size, size))  # the smallest scale that is not below it
        if image.mode != "RGB":
            image = image.convert("RGB")
        # reducing_gap=None: no second look for a scale, which would ask for a larger one.
        image.thumbnail((size, size), Image.LANCZOS, reducing_gap=None)
        image.save(output(folder, path), quality=85)


def opencv(size, folder, paths):
    import cv2
    from PIL import Image  # for the size alone, which imread does not tell before it decodes

    cv2.setNumThreads(1)  # there are two processes for two cores
    reduced = [
        (8, cv2.IMREAD_REDUCED_COLOR_8),
        (4, cv2.IMREAD_REDUCED_COLOR_4),
        (2, cv2.IMREAD_REDUCED_COLOR_2),
        (1, cv2.IMREAD_COLOR),
    ]
    for path in paths:
        with Image.open(path) as opened:
            longest = max(opened.size)
        mode = next(mode for divisor, mode in reduced if divisor == 1 or longest // divisor >= size)
        image = cv2.imread(path, mode)
        target = fitted(image.shape[1], image.shape[0], size)
        image = cv2.resize(image, target, interpolation=cv2.INTER_AREA)
        cv2.imwrite(output(folder, path), image, [cv2.IMWRITE_JPEG_QUALITY, 85])


def turbojpeg(size, _, paths):
    library = ctypes.CDLL(ctypes.util.find_library("turbojpeg"))
    library.tjInitDecompress.restype = ctypes.c_void_p
    handle = ctypes.c_void_p(library.tjInitDecompress())
    for path in paths:
        with open(path, "rb") as file:
            data = file.read()
        width, height, sampling, space = (ctypes.c_int() for _ in range(4))
        length = ctypes.c_ulong(len(data))
        header = [ctypes.byref(each) for each in (width, height, sampling, space)]
        if library.tjDecompressHeader3(handle, data, length, *header) != 0:
            sys.exit(f"no header in {path}")
        longest = max(width.value, height.value)
        divisor = next(each for each in (8, 4, 2, 1) if each == 1 or -(-longest // each) >= size)
        columns, rows = -(-width.value // divisor), -(-height.value // divisor)
        pixels = ctypes.create_string_buffer(columns * rows * 3)
        if library.tjDecompress2(handle, data, length, pixels, columns, 0, rows, 0, 0) != 0:
            sys.exit(f"could not decode {path}")


class InflateState(ctypes.Structure):
    """The start of ISA-L's inflate_state (igzip_lib.h), and room for its tables."""

    _fields_ = [
        ("next_out", ctypes.c_void_p),
        ("avail_out", ctypes.c_uint32),
        ("total_out", ctypes.c_uint32),
        ("next_in", ctypes.c_void_p),
        ("read_in", ctypes.c_uint64),
        ("avail_in", ctypes.c_uint32),
        ("read_in_length", ctypes.c_int32),
        ("rest", ctypes.c_char * (1 << 20)),
    ]


def isal(_, __, paths):
    library = ctypes.CDLL(ctypes.util.find_library("isal"))
    state = InflateState()
    pixels = ctypes.create_string_buffer(1)
    for path in paths:
        with open(path, "rb") as file:
            data = memoryview(file.read())
        at, chunks = 8, []
        while at + 12 <= len(data):
            length = int.from_bytes(data[at : at + 4], "big")
            if data[at + 4 : at + 8] == b"IHDR":
                width = int.from_bytes(data[at + 8 : at + 12], "big")
                height = int.from_bytes(data[at + 12 : at + 16], "big")
            elif data[at + 4 : at + 8] == b"IDAT":
                chunks.append(data[at + 8 : at + 8 + length])
            at += 12 + length
        packed = b"".join(chunks)
        size = (1 + 3 * width) * height  # RGB of 8 bits, as the corpus has it
        if len(pixels) < size:
            pixels = ctypes.create_string_buffer(size)
        library.isal_inflate_init(ctypes.byref(state))
        state.next_out, state.avail_out = ctypes.addressof(pixels), size
        # Behind the two bytes of zlib's header (RFC 1950): a plain deflate stream.
        state.next_in = ctypes.cast(packed, ctypes.c_void_p).value + 2
        state.avail_in = len(packed) - 2
        status = library.isal_inflate_stateless(ctypes.byref(state))
        if status != 0 or state.total_out != size:
            sys.exit(
                f"could not inflate {path}: status {status}, {state.total_out} of {size} bytes"
            )


def check(size, folder, arguments):
    from PIL import Image

    wanted = int(arguments[0])
    names = [name for name in os.listdir(folder) if name.endswith(".jpg")]
    if len(names) != wanted:
        sys.exit(f"{len(names)} files of {wanted}")
    for name in names:
        with Image.open(os.path.join(folder, name)) as image:
            image.load()
            if image.format != "JPEG" or max(image.size) != size:
                sys.exit(f"{name} is {image.format} {image.size}, not JPEG of {size}")


def main():
    sys.dont_write_bytecode = True
    task, size, folder, *rest = sys.argv[1:]
    {"pillow": pillow, "opencv": opencv, "turbojpeg": turbojpeg, "isal": isal, "check": check}[
        task
    ](int(size), folder, rest)


if __name__ == "__main__":
    main()
