#!/usr/bin/env python3
"""Quality of thumbnails made of reduced planes, before encoding, beside libvips.

plane-quality.py SIZES COMBINATIONS FILE.jpg ...
plane-quality.py 256,200 1:1,1:2,1:4 *.jpg

A combination is the samples a side of a block for luma and for colour. The judge is a full decode
(Pillow), reduced by Lanczos in floating point. PSNR and SSIM are those of RGB. Needs numpy, Pillow,
vipsthumbnail, cc and libjpeg's headers.
"""
import os
import subprocess
import sys
import tempfile

import numpy as np
from PIL import Image


def weights(inputs, length, outputs, droop):
    """Lanczos with three lobes, renormalised at the edges, with [-c, 1 + 2c, -c] before it."""
    scale = length / outputs
    centre = (np.arange(outputs) + 0.5) * scale
    x = (np.arange(inputs)[None] + 0.5 - centre[:, None]) / max(1, scale)
    w = np.where(np.abs(x) < 3, np.sinc(x) * np.sinc(x / 3), 0)
    w /= w.sum(1, keepdims=True)
    k = (1 + 2 * droop) * np.eye(inputs) - droop * (np.eye(inputs, k=1) + np.eye(inputs, k=-1))
    k[0, 0] -= droop
    k[-1, -1] -= droop
    return w @ k


def scaled(prefix, sizes, i, n, whole_levels, width, height):
    (w, h, _, hmax, vmax), parts = sizes
    hs, vs, blocks = parts[i]
    plane = np.fromfile(f"{prefix}.{i}.{n}", np.uint16).reshape(-1, blocks * n) / 8
    plane = plane[: -(-h * vs * n // (vmax * 8)), : -(-w * hs * n // (hmax * 8))]
    if whole_levels:
        plane = np.floor(plane + 0.5)
    c = {1: 1 / 24, 2: 1 / 80}.get(n, 0)
    across = weights(plane.shape[1], w * hs / hmax * n / 8, width, c)
    down = weights(plane.shape[0], h * vs / vmax * n / 8, height, c)
    return down @ plane @ across.T


def psnr(a, b):
    return 10 * np.log10(255**2 / np.mean((a - b) ** 2))


def ssim(a, b):
    g = np.exp(-((np.arange(11) - 5) ** 2) / 4.5)
    g /= g.sum()

    def blur(p):
        p = sum(g[i] * p[i : p.shape[0] - 10 + i] for i in range(11))
        return sum(g[i] * p[:, i : p.shape[1] - 10 + i] for i in range(11))

    a, b = a.astype(float), b.astype(float)
    ma, mb = blur(a), blur(b)
    va, vb, both = blur(a * a) - ma * ma, blur(b * b) - mb * mb, blur(a * b) - ma * mb
    top = (2 * ma * mb + 6.5025) * (2 * both + 58.5225)
    return (top / ((ma * ma + mb * mb + 6.5025) * (va + vb + 58.5225))).mean()


def main():
    targets = [int(s) for s in sys.argv[1].split(",")]
    combinations = [tuple(map(int, c.split(":"))) for c in sys.argv[2].split(",")]
    rows = {}
    with tempfile.TemporaryDirectory() as folder:
        program = os.path.join(folder, "planes")
        source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "planes.c")
        subprocess.run(["cc", "-O2", source, "-o", program, "-ljpeg", "-lm"], check=True)
        prefix = os.path.join(folder, "p")
        for path in sys.argv[3:]:
            subprocess.run([program, path, prefix], check=True)
            with open(prefix + ".txt", encoding="ascii") as text:
                lines = [tuple(map(int, line.split())) for line in text]
            sizes = (lines[0], lines[1:])
            picture = Image.open(path)
            if picture.mode != "RGB":
                continue
            bands = [band.convert("F") for band in picture.split()]
            for target in targets:
                png = prefix + ".png"
                subprocess.run(
                    ["vipsthumbnail", "--no-rotate", path, "-s", str(target), "-o", png], check=True)
                vips = np.asarray(Image.open(png).convert("RGB")).astype(float)
                height, width = vips.shape[:2]
                judge = np.stack(
                    [np.asarray(b.resize((width, height), Image.LANCZOS)) for b in bands], 2)
                results = {"libvips": vips}
                for whole in (True, False):
                    for luma, colour in combinations:
                        y, cb, cr = (
                            scaled(prefix, sizes, i, n, whole, width, height)
                            for i, n in enumerate((luma, colour, colour)))
                        cb, cr = cb - 128, cr - 128
                        rgb = np.stack(
                            [y + 1.402 * cr, y - 0.3441363 * cb - 0.7141363 * cr, y + 1.772 * cb], 2)
                        name = f"{luma}:{colour} {'levels' if whole else 'eighths'}"
                        results[name] = np.clip(np.floor(rgb + 0.5), 0, 255)
                for name, out in results.items():
                    rows.setdefault((target, name), []).append((psnr(out, judge), ssim(out, judge)))
    for (target, name), values in rows.items():
        p, s = np.array(values).T
        print(f"{target} px  {name:12}  PSNR {p.mean():.2f} worst {p.min():.2f}  "
              f"SSIM {s.mean():.5f} worst {s.min():.5f}  ({len(p)})")


main()
