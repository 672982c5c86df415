"""Develops the renderings into the files of table.py."""
import os
import shutil
import subprocess
import sys
import tempfile
import zlib

import numpy as np
from PIL import Image, ImageDraw, ImageFont

import icc
import pngwrite
from table import CAMERAS, PHOTOS

HERE = os.path.dirname(os.path.abspath(__file__))
LUMA = np.array([0.2126, 0.7152, 0.0722], np.float32)


def shots():
    for line in open(os.path.join(HERE, "shots.txt")):
        if line.strip() and not line.startswith("#"):
            name, w, h, spp, seed = line.split()
            yield name, int(w), int(h), int(spp), int(seed)


def raw(work, shot):
    for name, w, h, spp, seed in shots():
        if name == shot:
            return np.fromfile(os.path.join(work, "%s-%dx%d-%d-%d.raw" % (name, w, h, spp, seed)), "<f4").reshape(h, w, 4)
    raise KeyError(shot)


def plane(a, f):
    return np.stack([np.asarray(f(Image.fromarray(np.ascontiguousarray(a[:, :, i]), "F"))) for i in range(a.shape[2])], axis=2)


def resize(a, w, h):
    if (a.shape[1], a.shape[0]) == (w, h):
        return a
    return plane(a, lambda im: im.resize((w, h), Image.LANCZOS if w < im.width else Image.BICUBIC))


def blur(a, radius):
    h, w = a.shape[:2]
    k = max(1, int(radius / 1.5))
    small = plane(a, lambda im: im.resize((max(2, w // k), max(2, h // k)), Image.BOX))
    for axis in (0, 1, 0, 1):
        pad = [(0, 0)] * 3
        pad[axis] = (2, 2)
        q = np.pad(small, pad, "edge")
        n = small.shape[axis]
        small = sum(wt * np.take(q, range(i, i + n), axis) for i, wt in enumerate((1, 4, 6, 4, 1))) / 16
    return plane(small.astype(np.float32), lambda im: im.resize((w, h), Image.BICUBIC))


def encode(x):
    x = np.clip(x, 0, 1)
    return np.where(x <= 0.0031308, 12.92 * x, 1.055 * np.power(x, 1 / 2.4) - 0.055)


def develop(px, seed, key=.18, sat=1.0, contrast=1.0, bloom=1.0, vignette=1.0, noise=1.0, wb=(1, 1, 1)):
    """Linear light to linear display light: exposure, the lens's glare, fall-off
    and colour fringes, the sensor's noise, and a film-like curve. Saturated
    colours may leave 0...1, so that a wider space can keep them."""
    h, w = px.shape[:2]
    x = px.astype(np.float32) * np.asarray(wb, np.float32)
    lum = x @ LUMA
    x = x * (key / np.exp(np.mean(np.log(lum + 1e-3 * np.mean(lum) + 1e-8))))
    if bloom:
        hi = np.minimum(x, 30)
        x = x + bloom * (0.035 * blur(hi, w * .004) + 0.022 * blur(hi, w * .016) + 0.012 * blur(hi, w * .06)) - bloom * 0.05 * hi
    # The sensor is full well below this; steeper edges would ring when moved.
    x = np.minimum(x, 8)
    yy, xx = np.mgrid[0:h, 0:w].astype(np.float32)
    r2 = ((xx / w - .5) ** 2 + ((yy - h / 2) / w) ** 2) / .36
    x = x * (1 / (1 + 0.42 * vignette * r2) ** 2)[:, :, None]
    if noise:
        rng = np.random.RandomState(seed)
        one = rng.standard_normal((h, w, 1)).astype(np.float32)
        col = rng.standard_normal((h, w, 3)).astype(np.float32)
        # Light arrives in grains, so noise grows with its square root; the
        # readout adds a floor that shows only in the dark.
        sigma = np.sqrt(np.maximum(x, 0) * 0.00030 + 0.0000025) * noise
        x = x + sigma * (0.85 * one + 0.5 * col)
    x = np.maximum(x, 0)
    fringe = []
    for i, k in ((0, 1.0006), (1, 1.0), (2, .9995)):
        im = Image.fromarray(np.ascontiguousarray(x[:, :, i]), "F")
        fringe.append(np.asarray(im if k == 1 else im.transform((w, h), Image.AFFINE, (1 / k, 0, (w - w / k) / 2, 0, 1 / k, (h - h / k) / 2), Image.BICUBIC)))
    x = np.maximum(np.stack(fringe, axis=2), 0)
    x = np.power(x / .18, contrast) * .18
    x = x * (2.51 * x + .03) / (x * (2.43 * x + .59) + .14)
    g = (x @ LUMA)[:, :, None]
    x = g + (x - g) * sat
    e = x - blur(x, 1.6)
    return x + 0.45 * np.clip(e, -.12, .12)


def dither8(x, seed):
    return np.clip(np.floor(encode(x) * 255 + np.random.RandomState(seed + 1).uniform(0.25, 0.75, x.shape)), 0, 255).astype(np.uint8)


# The stored pixels that a reader turns upright by the orientation's number.
STORE = {1: None, 2: Image.FLIP_LEFT_RIGHT, 3: Image.ROTATE_180, 4: Image.FLIP_TOP_BOTTOM,
         5: Image.TRANSPOSE, 6: Image.ROTATE_90, 7: Image.TRANSVERSE, 8: Image.ROTATE_270}


def stored(im, orient):
    return im if STORE[orient] is None else im.transpose(STORE[orient])


def run(args, **kw):
    subprocess.run(args, check=True, **kw)


def cjpeg(im, path, p, tmp, quality, icc_file=None):
    args = ["cjpeg", "-quality", str(quality), "-optimize"]
    if p.get("grey"):
        args.append("-grayscale")
    else:
        args += ["-sample", {"4:4:4": "1x1", "4:2:2": "2x1", "4:2:0": "2x2"}[p["sampling"]]]
    args += ["-progressive"] if p.get("progressive") else ["-baseline"]
    if p.get("restart"):
        args += ["-restart", "4"]
    if icc_file:
        args += ["-icc", icc_file]
    ppm = os.path.join(tmp, "in.ppm")
    im.convert("RGB").save(ppm)
    run(args + ["-outfile", path, ppm])


def cmyk(rgb):
    """Inks whose plain mixing gives the colours back, with most of the grey in
    the black ink as a press would have it."""
    x = rgb.astype(np.float32) / 255
    k = (1 - x.max(axis=2)) * .85
    c = 1 - x / np.maximum(1 - k, 1e-3)[:, :, None]
    q = np.concatenate([np.clip(c, 0, 1), k[:, :, None]], axis=2)
    return Image.fromarray(np.round(q * 255).astype(np.uint8), "CMYK")


def thumbnail(im, path, tmp):
    t = Image.new("RGB", (160, 120))
    s = im.convert("RGB")
    s.thumbnail((160, 120), Image.LANCZOS)
    t.paste(s, ((160 - s.width) // 2, (120 - s.height) // 2))
    cjpeg(t, path, dict(sampling="4:2:0"), tmp, 78)


def metadata(p, path, thumb):
    a, off = [], p.get("off", "")
    if p["where"] == "exif":
        a += ["-EXIF:DateTimeOriginal=" + p["date"], "-EXIF:CreateDate=" + p["date"], "-EXIF:ModifyDate=" + p["date"]]
        if off:
            a += ["-EXIF:OffsetTimeOriginal=" + off, "-EXIF:OffsetTimeDigitized=" + off, "-EXIF:OffsetTime=" + off]
        if p.get("sub"):
            a += ["-EXIF:SubSecTimeOriginal=" + p["sub"], "-EXIF:SubSecTimeDigitized=" + p["sub"]]
    if p["where"] == "xmp":
        a += ["-XMP-exif:DateTimeOriginal=" + p["date"] + off]
    if p.get("cam"):
        c = CAMERAS[p["cam"]]
        h = zlib.crc32(p["shot"].encode())
        a += ["-EXIF:Make=" + c["Make"], "-EXIF:Model=" + c["Model"], "-EXIF:LensModel=" + c["LensModel"], "-EXIF:FocalLength=%s" % c["FocalLength"],
              "-EXIF:FNumber=%s" % [1.8, 2.8, 4, 5.6, 8][h % 5], "-EXIF:ISO=%d" % [100, 200, 400, 800][h // 7 % 4], "-EXIF:ExposureTime=%s" % ["1/60", "1/125", "1/250", "1/640"][h // 31 % 4]]
        if p["kind"] == "jpeg":
            a += ["-EXIF:Orientation#=%d" % p["orient"]]
    if p.get("gps"):
        lat, lon, alt = p["gps"]
        # Each picture a few metres from the last.
        d = (zlib.crc32(p["file"].encode()) % 997 - 498) * 1e-6
        a += ["-GPSLatitude=%.6f" % abs(lat + d), "-GPSLatitudeRef=" + ("N" if lat >= 0 else "S"), "-GPSLongitude=%.6f" % abs(lon - d), "-GPSLongitudeRef=" + ("E" if lon >= 0 else "W"),
              "-GPSAltitude=%.1f" % abs(alt), "-GPSAltitudeRef=" + ("above sea level" if alt >= 0 else "below sea level")]
    if thumb:
        a += ["-ThumbnailImage<=" + thumb]
    if a:
        run(["exiftool", "-q", "-overwrite_original"] + a + [path])


def cut_out(work, p):
    """The balloon without its sky, from the same view with and without it."""
    full, empty = raw(work, "balloons-alone"), raw(work, "balloons-empty")
    a = np.clip(full[:, :, 3:], 0, 1)
    obj = np.where(a > .01, (full[:, :, :3] - (1 - a) * empty[:, :, :3]) / np.maximum(a, .05), 0)
    obj = np.maximum(obj, 0)
    w, h = p["size"]
    pre = resize((obj * a).astype(np.float32), w, h)
    a = np.clip(resize(a.astype(np.float32), w, h), 0, 1)
    obj = np.maximum(pre, 0) / np.maximum(a, .02)
    # Nothing lies outside the balloon: fill it with its mean, so that the
    # exposure is measured on the balloon and no dark fringe shows.
    mean = pre.sum(axis=(0, 1)) / a.sum()
    obj = np.where(a > .04, obj, mean).astype(np.float32)
    x = dither8(develop(obj, 5, **p["look"]), 5)
    x = np.where(a > .002, x, 0)
    return np.dstack([x, np.round(a * 255).astype(np.uint8)]).astype(np.uint8)


def font(size, bold=False):
    for name in ("DejaVuSans-Bold.ttf" if bold else "DejaVuSans.ttf", "LiberationSans-Regular.ttf"):
        try:
            return ImageFont.truetype(name, size)
        except OSError:
            pass
    return ImageFont.load_default()


def screenshot(made, size):
    """A desktop: a picture browser over a wallpaper, and a note in front."""
    W, H = size
    wall = made["mountains/alpenglow.png"].resize((W, W * 2 // 3), Image.BICUBIC).crop((0, 20, W, 20 + H))
    im = wall.copy()
    d = ImageDraw.Draw(im, "RGBA")
    f11, f12, f13, b13, b15 = font(11), font(12), font(13), font(13, True), font(15, True)

    def shadow(x0, y0, x1, y1):
        a = np.zeros((H, W, 1), np.float32)
        a[y0 + 10:y1 + 14, x0 - 4:x1 + 4] = .55
        a = blur(a, 16)
        im.paste(Image.fromarray((np.asarray(im) * (1 - a)).astype(np.uint8)))

    d.rectangle((0, 0, W, 26), fill=(250, 250, 252, 200))
    x = 16
    for i, s in enumerate(["Pictures", "File", "Edit", "View", "Album", "Window", "Help"]):
        d.text((x, 5), s, font=b13 if i == 0 else f13, fill=(20, 20, 24))
        x += d.textlength(s, font=b13 if i == 0 else f13) + 20
    d.text((W - 16, 5), "Wed 31 Jan  14:22", font=f13, fill=(20, 20, 24), anchor="ra")
    X0, Y0, X1, Y1 = 96, 64, 1150, 730
    shadow(X0, Y0, X1, Y1)
    d.rounded_rectangle((X0, Y0, X1, Y1), 11, fill=(255, 255, 255))
    d.rounded_rectangle((X0, Y0, X0 + 200, Y1), 11, fill=(236, 237, 241))
    d.rectangle((X0 + 188, Y0, X0 + 200, Y1), fill=(236, 237, 241))
    d.line((X0 + 200, Y0, X0 + 200, Y1), fill=(210, 211, 216))
    for i, c in enumerate([(236, 106, 94), (244, 191, 79), (97, 197, 84)]):
        d.ellipse((X0 + 16 + i * 21, Y0 + 15, X0 + 28 + i * 21, Y0 + 27), fill=c)
    y = Y0 + 52
    for s, kind in [("Library", 0), ("All Photos", 2), ("Favourites", 1), ("Recently Added", 1), ("Imports", 1), ("", 0), ("Albums", 0), ("Coast", 1), ("Mountains", 1), ("Balloons", 1), ("Table", 1), ("City", 1)]:
        if kind == 2:
            d.rounded_rectangle((X0 + 10, y - 5, X0 + 190, y + 20), 6, fill=(52, 120, 246))
        if kind == 0:
            d.text((X0 + 18, y), s, font=font(11, True), fill=(130, 132, 140))
        else:
            c = (255, 255, 255) if kind == 2 else (52, 120, 246)
            d.rounded_rectangle((X0 + 22, y + 1, X0 + 36, y + 13), 3, outline=c, width=2)
            d.text((X0 + 46, y - 1), s, font=f13, fill=(255, 255, 255) if kind == 2 else (40, 40, 46))
        y += 29
    d.text((X0 + 222, Y0 + 13), "All Photos", font=b15, fill=(20, 20, 24))
    d.rounded_rectangle((X1 - 190, Y0 + 10, X1 - 18, Y0 + 34), 7, fill=(240, 240, 244), outline=(220, 220, 226))
    d.text((X1 - 178, Y0 + 14), "Search", font=f12, fill=(150, 150, 158))
    d.line((X0 + 200, Y0 + 46, X1, Y0 + 46), fill=(228, 228, 232))
    names = ["coast/sunset.jpg", "balloons/over-the-valley.jpg", "mountains/lake.jpg", "desert/dune-crests.jpg", "table/chess.jpg", "forest/misty-morning.jpg", "table/fruit-bowl.jpg", "city/night.jpg",
             "coast/lighthouse.jpg", "meadow/poppies.jpg", "night/candle.jpg", "balloons/first-light.jpg", "architecture/arcade.jpg", "coast/pebbles.jpg", "table/marbles.jpg", "mountains/winter-forest.jpg"]
    cell = 200
    for i, n in enumerate(names):
        cx, cy = X0 + 216 + (i % 4) * (cell + 8), Y0 + 86 + (i // 4) * 148
        t = made[n].convert("RGB")
        k = max(cell / t.width, 138 / t.height)
        t = t.resize((int(t.width * k + .5), int(t.height * k + .5)), Image.LANCZOS)
        ox, oy = (t.width - cell) // 2, (t.height - 138) // 2
        im.paste(t.crop((ox, oy, ox + cell, oy + 138)), (cx, cy))
        if i == 1:
            d.rectangle((cx - 3, cy - 3, cx + cell + 2, cy + 140), outline=(52, 120, 246), width=3)
    d.text((X0 + 218, Y0 + 58), "2017 - 2024", font=b13, fill=(20, 20, 24))
    d.text((X0 + 316, Y0 + 59), "38 photos", font=f12, fill=(130, 132, 140))
    N0, M0, N1, M1 = 850, 470, 1216, 752
    shadow(N0, M0, N1, M1)
    d.rounded_rectangle((N0, M0, N1, M1), 10, fill=(255, 250, 214))
    d.rounded_rectangle((N0, M0, N1, M0 + 32), 10, fill=(247, 226, 134))
    d.rectangle((N0, M0 + 20, N1, M0 + 32), fill=(247, 226, 134))
    d.text(((N0 + N1) // 2, M0 + 8), "Trip notes", font=b13, fill=(90, 74, 20), anchor="ma")
    for i, s in enumerate(["Saturday, up at five.", "Meet the balloon crew at the north field,", "bring gloves and the 85.", "", "To do", "[x] copy the cards", "[x] choose twelve for the wall", "[ ] ask Ines for the harbour pictures", "[ ] print the lighthouse, 30 x 20"]):
        d.text((N0 + 18, M0 + 46 + i * 24), s, font=b13 if s == "To do" else f13, fill=(60, 52, 24))
    d.polygon([(700, 420), (700, 440), (705, 435), (709, 444), (712, 442), (708, 434), (715, 434)], fill=(0, 0, 0), outline=(255, 255, 255))
    return im


def main():
    work, out = sys.argv[1], sys.argv[2]
    made = {}
    tmp = tempfile.mkdtemp(prefix="samples-")
    icc_file = os.path.join(tmp, "p3.icc")
    open(icc_file, "wb").write(icc.display_p3())
    for n, p in enumerate(PHOTOS):
        path = os.path.join(out, p["file"])
        os.makedirs(os.path.dirname(path), exist_ok=True)
        w, h = p["size"]
        seed = 1000 + zlib.crc32(p["shot"].encode()) % 100000 if p["shot"] else 0
        if p["shot"] is None:
            im = screenshot(made, p["size"])
            pngwrite.write(path, np.asarray(im), "rgb")
        elif p.get("colour") == "rgba":
            px = cut_out(work, p)
            pngwrite.write(path, px, "rgba")
            im = Image.fromarray(px, "RGBA")
        else:
            try:
                light = raw(work, p["shot"])
            except FileNotFoundError:
                if not os.environ.get("SAMPLES_PARTIAL"):
                    raise
                print("not rendered yet:", p["file"])
                continue
            x = develop(resize(np.ascontiguousarray(light[:, :, :3]), w, h), seed, **p["look"])
            rgb = dither8(x, seed)
            im = Image.fromarray(rgb)
            if p["kind"] == "png":
                if p["colour"] == "palette":
                    q = im.quantize(256, method=Image.MEDIANCUT, dither=Image.FLOYDSTEINBERG)
                    pal = q.getpalette()[:768]
                    pngwrite.write(path, np.asarray(q), "palette", palette=pal)
                elif p["depth"] == 16:
                    pngwrite.write(path, np.round(encode(x) * 65535).astype(np.uint16), "rgb")
                else:
                    pngwrite.write(path, rgb, "rgb", interlaced=p.get("interlaced", False))
            elif p.get("cmyk"):
                cmyk(rgb).save(path, "JPEG", quality=p["q"], optimize=True, subsampling=2)
            elif p.get("icc"):
                cjpeg(Image.fromarray(dither8(x @ icc.SRGB_TO_P3.T.astype(np.float32), seed)), path, p, tmp, p["q"], icc_file)
            else:
                cjpeg(stored(im, p["orient"]), path, p, tmp, p["q"])
        made[p["file"]] = im
        thumb = None
        if p.get("thumb"):
            thumb = os.path.join(tmp, "thumb.jpg")
            thumbnail(stored(im, p["orient"]), thumb, tmp)
        metadata(p, path, thumb)
        print("%-62s %7d bytes" % (p["file"], os.path.getsize(path)))
    shutil.rmtree(tmp)


main()
