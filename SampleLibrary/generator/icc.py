"""A Display P3 profile, built from its definition: P3 primaries, a D65 white
brought to D50 with the Bradford transform, and the sRGB curve."""
import struct

import numpy as np

D50 = np.array([0.9642, 1.0, 0.8249])


def xyz(x, y):
    return np.array([x / y, 1, (1 - x - y) / y])


def rgb_to_xyz(prim, white=(0.3127, 0.3290)):
    m = np.array([xyz(*p) for p in prim]).T
    return m * np.linalg.solve(m, xyz(*white))


SRGB = rgb_to_xyz([(0.64, 0.33), (0.30, 0.60), (0.15, 0.06)])
P3 = rgb_to_xyz([(0.680, 0.320), (0.265, 0.690), (0.150, 0.060)])
SRGB_TO_P3 = np.linalg.inv(P3) @ SRGB


def adaptation():
    b = np.array([[0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296]])
    return np.linalg.inv(b) @ np.diag((b @ D50) / (b @ xyz(0.3127, 0.3290))) @ b


def s15(v):
    return b"".join(struct.pack(">i", int(round(float(x) * 65536))) for x in np.ravel(v))


def text(s):
    u = s.encode("utf-16-be")
    return b"mluc\0\0\0\0" + struct.pack(">II2s2sII", 1, 12, b"en", b"US", len(u), 28) + u


def display_p3():
    chad = adaptation()
    m = chad @ P3
    curve = b"para\0\0\0\0" + struct.pack(">HH", 3, 0) + s15([2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])
    tags = [(b"desc", text("Display P3")), (b"cprt", text("Public domain: photolib sample library")),
            (b"wtpt", b"XYZ \0\0\0\0" + s15(D50)), (b"chad", b"sf32\0\0\0\0" + s15(chad)),
            (b"rXYZ", b"XYZ \0\0\0\0" + s15(m[:, 0])), (b"gXYZ", b"XYZ \0\0\0\0" + s15(m[:, 1])), (b"bXYZ", b"XYZ \0\0\0\0" + s15(m[:, 2])),
            (b"rTRC", curve), (b"gTRC", curve), (b"bTRC", curve)]
    body, table, at, seen = b"", b"", 128 + 4 + 12 * len(tags), {}
    for sig, data in tags:
        if data not in seen:
            seen[data] = at + len(body)
            body += data + b"\0" * (-len(data) % 4)
        table += struct.pack(">4sII", sig, seen[data], len(data))
    size = at + len(body)
    head = struct.pack(">I4sI4s4s4s6H4s4sI4s4sQI12s4s", size, b"\0\0\0\0", 0x04300000, b"mntr", b"RGB ", b"XYZ ",
                       2021, 1, 1, 0, 0, 0, b"acsp", b"\0\0\0\0", 0, b"\0\0\0\0", b"\0\0\0\0", 0, 0, s15(D50), b"\0\0\0\0")
    return head + b"\0" * (128 - len(head)) + struct.pack(">I", len(tags)) + table + body
