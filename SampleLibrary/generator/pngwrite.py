"""A PNG writer: Pillow writes neither 16-bit colour nor interlaced files."""
import struct
import zlib

import numpy as np

ADAM7 = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def filtered(rows, bpp, fixed):
    """Each row with the filter that leaves the smallest differences."""
    h, n = rows.shape
    up = np.vstack([np.zeros((1, n), np.uint8), rows[:-1]]).astype(np.int16)
    cur = rows.astype(np.int16)
    left = np.hstack([np.zeros((h, bpp), np.int16), cur[:, :-bpp]])
    ul = np.hstack([np.zeros((h, bpp), np.int16), up[:, :-bpp]])
    p = left + up - ul
    pa, pb, pc = abs(p - left), abs(p - up), abs(p - ul)
    paeth = np.where((pa <= pb) & (pa <= pc), left, np.where(pb <= pc, up, ul))
    kinds = [cur, cur - left, cur - up, cur - (left + up) // 2, cur - paeth]
    kinds = np.stack([k.astype(np.uint8) for k in kinds])
    if fixed is None:
        best = np.abs(kinds.astype(np.int8).astype(np.int32)).sum(axis=2).argmin(axis=0)
    else:
        best = np.full(h, fixed)
    out = np.empty((h, n + 1), np.uint8)
    out[:, 0] = best
    out[:, 1:] = kinds[best, np.arange(h)]
    return out.tobytes()


def write(path, px, colour, interlaced=False, palette=None):
    """px: height x width (x channels), uint8 or uint16; colour: rgb, rgba or palette."""
    if px.ndim == 2:
        px = px[:, :, None]
    h, w, c = px.shape
    bits = px.dtype.itemsize * 8
    raw = b""
    for x0, y0, dx, dy in (ADAM7 if interlaced else [(0, 0, 1, 1)]):
        part = px[y0::dy, x0::dx]
        if not part.size:
            continue
        rows = np.ascontiguousarray(part.astype(">u%d" % px.dtype.itemsize)).view(np.uint8).reshape(part.shape[0], -1)
        # Neighbouring palette numbers mean nothing to each other.
        raw += filtered(rows, c * px.dtype.itemsize, 0 if colour == "palette" else None)
    with open(path, "wb") as f:
        f.write(b"\x89PNG\r\n\x1a\n")
        f.write(chunk(b"IHDR", struct.pack(">IIBBBBB", w, h, bits, {"rgb": 2, "rgba": 6, "palette": 3}[colour], 0, 0, int(interlaced))))
        f.write(chunk(b"sRGB", b"\0"))
        if palette is not None:
            f.write(chunk(b"PLTE", np.asarray(palette, np.uint8).tobytes()))
        z = zlib.compress(raw, 9)
        for i in range(0, len(z), 65536):
            f.write(chunk(b"IDAT", z[i:i + 65536]))
        f.write(chunk(b"IEND", b""))
