"""What a camera writes around the picture: EXIF with a small thumbnail, and a larger preview."""

import struct

ASCII, SHORT, LONG, RATIONAL, UNDEFINED = 2, 3, 4, 5, 7


def directory(entries, start, next_offset=0):
    """A TIFF directory (TIFF 6.0, section 2), little endian, and the data that does not fit in its
    entries; `start` is where it will stand."""
    entries = sorted(entries)
    data_start = start + 2 + 12 * len(entries) + 4
    head, data = struct.pack("<H", len(entries)), b""
    for tag, kind, count, value in entries:
        if len(value) > 4:
            field = struct.pack("<L", data_start + len(data))
            data += value + b"\0" * (len(value) % 2)
        else:
            field = value.ljust(4, b"\0")
        head += struct.pack("<HHL", tag, kind, count) + field
    return head + struct.pack("<L", next_offset) + data


def text(tag, value):
    raw = value.encode("ascii") + b"\0"
    return (tag, ASCII, len(raw), raw)


def short(tag, value):
    return (tag, SHORT, 1, struct.pack("<H", value))


def long(tag, value):
    return (tag, LONG, 1, struct.pack("<L", value))


def ratio(tag, above, below):
    return (tag, RATIONAL, 1, struct.pack("<LL", above, below))


def exif(size, when, iso, thumbnail):
    """An EXIF block (EXIF 2.32) as cameras write it, with a thumbnail in its second directory."""
    stamp = when.strftime("%Y:%m:%d %H:%M:%S")

    def laid_out(exif_start, second_start, thumbnail_start):
        first = directory(
            [
                text(0x010F, "Bench"),
                text(0x0110, "Bench Camera 12"),
                short(0x0112, 1),
                ratio(0x011A, 72, 1),
                ratio(0x011B, 72, 1),
                short(0x0128, 2),
                text(0x0132, stamp),
                short(0x0213, 1),
                long(0x8769, exif_start),
            ],
            8,
            second_start,
        )
        details = directory(
            [
                ratio(0x829A, 1, 125),
                ratio(0x829D, 28, 10),
                short(0x8827, iso),
                (0x9000, UNDEFINED, 4, b"0232"),
                text(0x9003, stamp),
                text(0x9004, stamp),
                text(0x9011, "+01:00"),
                (0x9101, UNDEFINED, 4, b"\1\2\3\0"),
                ratio(0x920A, 42, 10),
                (0xA000, UNDEFINED, 4, b"0100"),
                short(0xA001, 1),
                long(0xA002, size[0]),
                long(0xA003, size[1]),
            ],
            exif_start,
        )
        second = directory(
            [
                short(0x0103, 6),
                ratio(0x011A, 72, 1),
                ratio(0x011B, 72, 1),
                short(0x0128, 2),
                long(0x0201, thumbnail_start),
                long(0x0202, len(thumbnail)),
            ],
            second_start,
        )
        return first, details, second

    first, details, second = laid_out(0, 0, 0)  # for their lengths, which the offsets do not change
    exif_start = 8 + len(first)
    second_start = exif_start + len(details)
    parts = laid_out(exif_start, second_start, second_start + len(second))
    return b"Exif\0\0" + struct.pack("<2sHL", b"II", 42, 8) + b"".join(parts) + thumbnail


def segment(marker, body):
    return struct.pack(">BBH", 0xFF, marker, len(body) + 2) + body


def headers_end(jpeg):
    """Where the APPn segments at the start of a JPEG file end."""
    at = 2
    while jpeg[at] == 0xFF and 0xE0 <= jpeg[at + 1] <= 0xEF:
        at += 2 + struct.unpack(">H", jpeg[at + 2 : at + 4])[0]
    return at


def with_comment(jpeg, comment):
    """The same picture as another file: with a comment after its first headers."""
    at = headers_end(jpeg)
    return jpeg[:at] + segment(0xFE, comment) + jpeg[at:]


def with_preview(jpeg, preview):
    """A multi-picture file (CIPA DC-007): the picture, then a larger preview behind its end."""
    at = headers_end(jpeg)

    def index(size, offset):
        entries = struct.pack("<LLLHH", 0x20030000, size, 0, 0, 0)  # the primary image
        entries += struct.pack(
            "<LLLHH", 0x00010001, len(preview), offset, 0, 0
        )  # large thumbnail, VGA
        ifd = directory(
            [
                (0xB000, UNDEFINED, 4, b"0100"),
                long(0xB001, 2),
                (0xB002, UNDEFINED, len(entries), entries),
            ],
            8,
        )
        return segment(0xE2, b"MPF\0" + struct.pack("<2sHL", b"II", 42, 8) + ifd)

    size = len(jpeg) + len(index(0, 0))
    # Offsets count from the byte order mark: behind marker and length (4 bytes) and name (4).
    block = index(size, size - (at + 8))
    return jpeg[:at] + block + jpeg[at:] + preview
