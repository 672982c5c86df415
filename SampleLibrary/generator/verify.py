"""Reads the files' own bytes and asks independent tools; compares with table.py."""
import hashlib
import io
import json
import os
import struct
import subprocess
import sys
import warnings
import zlib

import numpy as np
from PIL import Image, ImageCms, ImageOps

from table import CAMERAS, PHOTOS

ROOT = sys.argv[1]
bad = 0


def check(file, what, got, want=True):
    global bad
    ok = got == want
    bad += not ok
    print("%s  %s: %s%s" % ("ok  " if ok else "FAIL", file, what, "" if want is True else " %s" % (got,) if ok else " is %s, not %s" % (got, want)))


def segments(data):
    """The JPEG's markers and their data, up to the end of the picture."""
    assert data[:2] == b"\xff\xd8"
    i, out = 2, []
    while i < len(data):
        if data[i] != 0xFF:
            i += 1
            continue
        m = data[i + 1]
        if m in (0, 0xFF):
            i += 1 + (m == 0)
            continue
        if 0xD0 <= m <= 0xD7 or m == 0xD9:
            out.append((m, b""))
            i += 2
            continue
        n = struct.unpack(">H", data[i + 2:i + 4])[0]
        out.append((m, data[i + 4:i + 2 + n]))
        i += 2 + n
    return out


def chunks(data):
    i, out = 8, []
    while i < len(data):
        n, kind = struct.unpack(">I4s", data[i:i + 8])
        out.append((kind.decode(), data[i + 8:i + 8 + n]))
        i += 12 + n
    return out


def tool(args):
    return subprocess.run(args, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)


def mean_difference(a, b):
    """How far two pictures are apart once small: 0 is the same, 255 the opposite."""
    a, b = (np.asarray(x.convert("RGB").resize((64, 48), Image.BOX), np.float32) for x in (a, b))
    return float(np.abs(a - b).mean())


def check_jpeg(p, f, data, meta):
    seg = segments(data)
    kinds = [m for m, _ in seg]
    r = tool(["djpeg", "-fast", "-outfile", os.devnull, f]) if not p.get("cmyk") else None
    if r:
        check(p["file"], "djpeg decodes it without a warning", (r.returncode, r.stdout), (0, b""))
    sof = next((m, d) for m, d in seg if 0xC0 <= m <= 0xCF and m not in (0xC4, 0xC8, 0xCC))
    check(p["file"], "process", {0xC0: "baseline", 0xC1: "extended", 0xC2: "progressive"}[sof[0]], "progressive" if p.get("progressive") else "baseline")
    if p.get("progressive"):
        check(p["file"], "several scans", kinds.count(0xDA) > 1)
    n = sof[1][5]
    check(p["file"], "components", n, 1 if p.get("grey") else 4 if p.get("cmyk") else 3)
    if n == 3:
        s = [(sof[1][7 + 3 * i] >> 4, sof[1][7 + 3 * i] & 15) for i in range(3)]
        name = {((1, 1), (1, 1), (1, 1)): "4:4:4", ((2, 1), (1, 1), (1, 1)): "4:2:2", ((2, 2), (1, 1), (1, 1)): "4:2:0"}.get(tuple(s), str(s))
        check(p["file"], "sampling", name, p["sampling"])
    dri = any(m == 0xDD and struct.unpack(">H", d)[0] > 0 for m, d in seg)
    check(p["file"], "restart markers", dri and any(0xD0 <= m <= 0xD7 for m in kinds), bool(p.get("restart")))
    exif = any(m == 0xE1 and d.startswith(b"Exif\0\0") for m, d in seg)
    xmp = any(m == 0xE1 and d.startswith(b"http://ns.adobe.com/xap/") for m, d in seg)
    check(p["file"], "EXIF, XMP", (exif, xmp), (p["where"] == "exif", p["where"] == "xmp"))
    iccs = b"".join(d[14:] for m, d in seg if m == 0xE2 and d.startswith(b"ICC_PROFILE\0"))
    check(p["file"], "profile", "Display P3" if iccs else "none", "Display P3" if p.get("icc") else "none")
    im = Image.open(f)
    im.load()
    if p.get("icc"):
        prof = ImageCms.ImageCmsProfile(io.BytesIO(iccs))
        check(p["file"], "profile's own name", ImageCms.getProfileDescription(prof).strip(), "Display P3")
        srgb = ImageCms.createProfile("sRGB")
        # The red primary of P3 is outside sRGB, its white is white.
        one = Image.new("RGB", (2, 1), (255, 255, 255))
        one.putpixel((1, 0), (200, 128, 64))
        q = ImageCms.profileToProfile(one, prof, srgb)
        check(p["file"], "profile's white is sRGB's white", min(q.getpixel((0, 0))) >= 253)
        back = ImageCms.profileToProfile(q, srgb, prof)
        check(p["file"], "profile goes to sRGB and back", max(abs(a - b) for a, b in zip(back.getpixel((1, 0)), (200, 128, 64))) <= 2)
        # (200, 128, 64) in P3, worked out by hand from both definitions.
        check(p["file"], "a known colour comes out right in sRGB", max(abs(a - b) for a, b in zip(q.getpixel((1, 0)), (212, 124, 47))) <= 2)
        linear = np.asarray(im, np.float64) / 255
        linear = np.where(linear <= .04045, linear / 12.92, ((linear + .055) / 1.055) ** 2.4)
        out = linear @ np.array([[1.22494, -0.04206, -0.01964], [-0.22494, 1.04206, -0.07864], [0, 0, 1.09828]])
        check(p["file"], "has colours outside sRGB", bool((out.min(axis=2) < -.003).mean() > .01))
    if p.get("cmyk"):
        adobe = [d for m, d in seg if m == 0xEE and d.startswith(b"Adobe")]
        check(p["file"], "Adobe marker, transform", (len(adobe), adobe[0][11] if adobe else None), (1, 0))
        check(p["file"], "mode", im.mode, "CMYK")
        rgb = im.convert("RGB")
        a = np.asarray(rgb.resize((64, 80), Image.BOX), np.float32)
        pot = a[32:48, 27:37].mean(axis=(0, 1))
        check(p["file"], "the kettle is copper: red over green over blue", bool(pot[0] > pot[1] * 1.2 > pot[2] * 1.2))
        # Two decoders that know the marker agree; one that took the inks the
        # wrong way round would show the negative.
        ppm = subprocess.run(["djpeg", "-ppm", f], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL).stdout
        check(p["file"], "djpeg and Pillow see the same colours", bool(ppm) and mean_difference(Image.open(io.BytesIO(ppm)), rgb) < 3)
    up = ImageOps.exif_transpose(im)
    check(p["file"], "upright size", up.size, p["size"])
    thumb = tool(["exiftool", "-b", "-ThumbnailImage", f]).stdout
    check(p["file"], "thumbnail", bool(thumb), bool(p.get("thumb")))
    if thumb:
        t = Image.open(io.BytesIO(thumb))
        check(p["file"], "thumbnail size", t.size, (160, 120))
        k = min(160 / im.width, 120 / im.height)
        w, h = round(im.width * k), round(im.height * k)
        x, y = (160 - w) // 2, (120 - h) // 2
        base = im if im.mode in ("RGB", "L") else im.convert("RGB")
        check(p["file"], "thumbnail shows this picture", mean_difference(t.crop((x, y, x + w, y + h)), base) < 6)
    return up


def check_png(p, f, data):
    r = tool(["pngcheck", "-q", f])
    check(p["file"], "pngcheck", (r.returncode, r.stdout), (0, b""))
    ch = chunks(data)
    w, h, bits, colour, _, _, lace = struct.unpack(">IIBBBBB", ch[0][1])
    check(p["file"], "size", (w, h), p["size"])
    check(p["file"], "bits, colour", (bits, {2: "rgb", 3: "palette", 6: "rgba", 0: "grey"}[colour]), (p["depth"], p["colour"]))
    check(p["file"], "interlaced", bool(lace), bool(p.get("interlaced")))
    names = [k for k, _ in ch]
    check(p["file"], "eXIf chunk", "eXIf" in names, p["where"] == "exif")
    xmp = [d for k, d in ch if k == "iTXt" and d.startswith(b"XML:com.adobe.xmp\0")]
    check(p["file"], "XMP in iTXt", bool(xmp), p["where"] == "xmp")
    check(p["file"], "no tIME, no text", [k for k in names if k in ("tIME", "tEXt", "zTXt")], [])
    raw = zlib.decompress(b"".join(d for k, d in ch if k == "IDAT"))
    if bits == 16:
        row = 1 + 6 * w
        check(p["file"], "bytes of 16-bit rows", len(raw), row * h)
        # Undo the filters just enough to see that the low bytes are not copies
        # of the high ones or nought: a true 16-bit picture uses them.
        prev, lows = np.zeros(6 * w, np.int32), []
        for y in range(h):
            kind, line = raw[y * row], np.frombuffer(raw[y * row + 1:(y + 1) * row], np.uint8).astype(np.int32)
            cur = np.zeros(6 * w, np.int32)
            for i in range(0, 6 * w, 6):
                a = cur[i - 6:i] if i else np.zeros(6, np.int32)
                b = prev[i:i + 6]
                c = prev[i - 6:i] if i else np.zeros(6, np.int32)
                pr = a + b - c
                paeth = np.where((abs(pr - a) <= abs(pr - b)) & (abs(pr - a) <= abs(pr - c)), a, np.where(abs(pr - b) <= abs(pr - c), b, c))
                cur[i:i + 6] = (line[i:i + 6] + [0, a, b, (a + b) // 2, paeth][kind]) & 255
            prev = cur
            if y < 8:
                lows.append((cur[0::2], cur[1::2]))
            else:
                break
        hi, lo = (np.concatenate([q[k] for q in lows]) for k in (0, 1))
        check(p["file"], "low bytes carry detail of their own", len(np.unique(lo)) > 128 and bool((hi != lo).mean() > .9))
    im = Image.open(f)
    im.load()
    if colour == 3:
        check(p["file"], "palette entries", len(dict(ch)["PLTE"]) // 3, 256)
    if colour == 6:
        a = np.asarray(im)[:, :, 3]
        check(p["file"], "alpha: clear, solid and many steps between", bool((a == 0).mean() > .2 and (a == 255).mean() > .1 and len(np.unique(a)) > 60))
    return ImageOps.exif_transpose(im)


def main():
    warnings.simplefilter("ignore")
    meta = json.loads(subprocess.run(["exiftool", "-j", "-G1", "-n", "-r", "-ext", "jpg", "-ext", "png", ROOT], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=True).stdout)
    meta = {os.path.relpath(m["SourceFile"], ROOT): m for m in meta}
    found, total, sums = set(), 0, {}
    for d, dirs, names in os.walk(ROOT):
        rel = os.path.relpath(d, ROOT)
        if rel.split(os.sep)[0] == "generator":
            continue
        for n in names:
            if n == "README.md" and rel == ".":
                continue
            f = os.path.join(d, n)
            found.add(os.path.relpath(f, ROOT))
            total += os.path.getsize(f)
            sums.setdefault(hashlib.sha256(open(f, "rb").read()).digest(), []).append(n)
    check("library", "holds the files of the table and no others", sorted(found ^ {p["file"] for p in PHOTOS}), [])
    check("library", "24 pictures or more (%d)" % len(found), len(found) >= 24)
    check("library", "8 MB at most (%d bytes)" % total, total <= 8000000)
    check("library", "no two files alike", len(sums), len(found))
    upright = {}
    for p in PHOTOS:
        f = os.path.join(ROOT, p["file"])
        if not os.path.exists(f):
            continue
        data, m = open(f, "rb").read(), meta.get(p["file"], {})
        check(p["file"], "longer side over 256", max(p["size"]) > 256)
        im = check_jpeg(p, f, data, m) if p["kind"] == "jpeg" else check_png(p, f, data)
        upright[p["file"]] = im
        small = np.asarray(im.convert("RGB").resize((32, 24), Image.BOX), np.float32)
        check(p["file"], "is a picture, not a flat colour", bool(small.std() > 9))
        exif, off = p["where"] == "exif", p.get("off")
        check(p["file"], "EXIF date", m.get("ExifIFD:DateTimeOriginal"), p["date"] if exif else None)
        check(p["file"], "EXIF time zone", m.get("ExifIFD:OffsetTimeOriginal"), off if exif else None)
        sub = m.get("ExifIFD:SubSecTimeOriginal")
        check(p["file"], "EXIF fraction", None if sub is None else str(sub).zfill(3), p.get("sub") if exif else None)
        check(p["file"], "XMP date", m.get("XMP-exif:DateTimeOriginal"), p["date"] + off if p["where"] == "xmp" else None)
        others = [k for k in m if ("Date" in k or "Time" in k) and not k.startswith(("System:", "Composite:")) and k.split(":")[1] not in ("DateTimeOriginal", "OffsetTimeOriginal", "SubSecTimeOriginal", "CreateDate", "ModifyDate", "OffsetTime", "OffsetTimeDigitized", "SubSecTimeDigitized", "ExposureTime", "ProfileDateTime")]
        check(p["file"], "no other dates", others, [])
        if p["where"] in ("name", "none"):
            check(p["file"], "no date inside", [k for k in m if k.endswith(("DateTimeOriginal", "CreateDate", "ModifyDate")) and not k.startswith("System:")], [])
        cam = CAMERAS.get(p.get("cam"), {})
        check(p["file"], "camera", (m.get("IFD0:Make"), m.get("IFD0:Model")), (cam.get("Make"), cam.get("Model")))
        if p["kind"] == "jpeg":
            check(p["file"], "orientation", m.get("IFD0:Orientation", 1), p["orient"])
        if p.get("gps"):
            lat, lon, alt = p["gps"]
            near = abs(m.get("Composite:GPSLatitude", 99) - lat) < .002 and abs(m.get("Composite:GPSLongitude", 999) - lon) < .002
            check(p["file"], "place", near)
            check(p["file"], "place's directions", (m.get("GPS:GPSLatitudeRef"), m.get("GPS:GPSLongitudeRef")), ("N" if lat >= 0 else "S", "E" if lon >= 0 else "W"))
            check(p["file"], "altitude", round(m.get("Composite:GPSAltitude", 1e9), 1), alt)
        else:
            check(p["file"], "no place", [k for k in m if k.startswith("GPS:")], [])
    o = [upright.get("orientation/orientation-%d.jpg" % k) for k in range(1, 9)]
    if all(o):
        for k in range(2, 9):
            check("orientation/orientation-%d.jpg" % k, "upright it is orientation-1", mean_difference(o[0], o[k - 1]) < 2)
        for t in (Image.FLIP_LEFT_RIGHT, Image.FLIP_TOP_BOTTOM, Image.ROTATE_180):
            check("orientation/orientation-1.jpg", "its scene turned or mirrored (%d) is another" % t, mean_difference(o[0], o[0].transpose(t)) > 12)
    both = [p for p in PHOTOS if p["file"].startswith("balloons/") and p["file"].endswith(".jpg")]
    inst = {tuple(str(meta.get(p["file"], {}).get("ExifIFD:" + k)) for k in ("DateTimeOriginal", "SubSecTimeOriginal", "OffsetTimeOriginal")) for p in both}
    check("library", "two pictures of the same instant", (len(both), len(inst)), (2, 1))
    if all(p["file"] in upright for p in both):
        check("library", "those two differ", mean_difference(*(upright[p["file"]] for p in both)) > 8)
    names = [os.path.basename(p["file"]) for p in PHOTOS]
    check("library", "a name twice", sorted({n for n in names if names.count(n) > 1}), ["IMG_0412.jpg"])
    years = sorted({p["date"][:4] for p in PHOTOS if p.get("date")})
    check("library", "years %s to %s" % (years[0], years[-1]), len(years) >= 8)
    check("library", "time zones", {"+02:00", "-07:00"} <= {p.get("off") for p in PHOTOS})
    print("%d wrong" % bad if bad else "all as the table says")
    return 1 if bad else 0


sys.exit(main())
