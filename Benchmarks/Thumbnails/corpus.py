"""What the corpus of the thumbnail benchmark is made of, and where it lies.

make-corpus makes the files; run and quality read them. The names here are all they share.
"""

import os

# How many pictures there are of 12 megapixels, and how many of them a quick run uses.
PICTURES = 50
SMALL = 8
BIG_PICTURES = 6
PNG_PICTURES = 12
SAMPLING_PICTURES = 6

SIZE_12 = (4032, 3024)
SIZE_48 = (8064, 6048)
SIZE_3 = (2016, 1512)

# Each kind is a folder. The value: how its pictures are called, and how many of them there are.
KINDS = {
    "baseline-12": ("p", PICTURES),
    "progressive-12": ("p", PICTURES),
    "restart-12": ("p", 12),
    "preview-12": ("p", PICTURES),
    "422-12": ("p", SAMPLING_PICTURES),
    "444-12": ("p", SAMPLING_PICTURES),
    "png-12": ("p", PNG_PICTURES),
    "baseline-3": ("p", PICTURES),
    "baseline-48": ("b", BIG_PICTURES),
    "restart-48": ("b", BIG_PICTURES),
}


def folder():
    """The corpus's folder: PHOTOLIB_BENCH_CORPUS, else one of the user's cache."""
    named = os.environ.get("PHOTOLIB_BENCH_CORPUS")
    if named:
        return os.path.abspath(named)
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    return os.path.join(cache, "photolib-bench")


def spread(count, of):
    """`count` of the numbers below `of`, evenly spread, so that few pictures have all origins."""
    count = min(count, of)
    return [index * of // count for index in range(count)]


def names(kind, small=False):
    """The names, without folder and ending, of the pictures of a kind, in order."""
    letter, count = KINDS[kind]
    of = PICTURES if letter == "p" else BIG_PICTURES
    chosen = spread(count, of)
    if small:
        chosen = [chosen[index] for index in spread(SMALL if letter == "p" else 2, len(chosen))]
    return [f"{letter}{index:03}" for index in chosen]


def files(kind, small=False, root=None):
    """The paths of the files of a kind."""
    ending = "png" if kind.startswith("png") else "jpg"
    root = root or folder()
    return [os.path.join(root, kind, f"{name}.{ending}") for name in names(kind, small)]


def is_held_out(name):
    """Whether a picture is kept back, three of ten: nothing, such as a kernel, is fitted to it."""
    return int(name[1:]) % 10 in (1, 4, 8)
