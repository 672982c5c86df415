"""Writes the library's README.md from table.py."""
import os
import sys

from table import CAMERAS, PHOTOS

WHERE = {"exif": "", "xmp": " (XMP)", "name": " (name)"}
rows = []
for p in PHOTOS:
    what = []
    if p["kind"] == "png":
        what.append("PNG")
    elif p.get("cmyk"):
        what.append("JPEG CMYK")
    elif p.get("grey"):
        what.append("JPEG grey")
    else:
        what.append("JPEG " + p["sampling"])
    if p["kind"] == "png":
        what[0] += " %s %d-bit" % (p["colour"], p["depth"])
    for k, s in (("progressive", "progressive"), ("restart", "restarts"), ("icc", "P3"), ("interlaced", "Adam7"), ("thumb", "thumbnail"), ("gps", "GPS")):
        if p.get(k):
            what.append(s)
    if p["orient"] != 1:
        what.append("orientation %d" % p["orient"])
    date = "none"
    if p.get("date"):
        date = p["date"].replace(":", "-", 2) + ("." + p["sub"] if p.get("sub") else "") + (" " + p["off"] if p.get("off") else "") + WHERE[p["where"]]
    cam = CAMERAS.get(p.get("cam"))
    rows.append("| `%s` | %s | %d x %d | %s | %s | %s |" % (p["file"], p["covers"], p["size"][0], p["size"][1], ", ".join(what), date, cam["Make"] + " " + cam["Model"].replace(cam["Make"] + " ", "") if cam else ""))
out = sys.argv[1]
total = sum(os.path.getsize(os.path.join(out, p["file"])) for p in PHOTOS)
open(os.path.join(out, "README.md"), "w").write("""# The sample library

%d pictures, %.1f MB, in which a photo library meets most of what cameras,
telephones and editors write. They are the project's own: rendered by the path
tracer in `generator/` and developed like photographs, with lens blur, glare,
fall-off to the corners and sensor noise. No camera, place or person in them is
real, and they are under the project's licence.

    photolib add SampleLibrary

adds them all; this file and the generator's sources are not pictures and are
passed over.

## Making and checking them

    SampleLibrary/generator/make-samples     # makes every file again
    SampleLibrary/generator/verify           # checks every file, property by property

`make-samples` needs g++, python3-numpy, python3-pil, libjpeg-turbo-progs,
libimage-exiftool-perl and fonts-dejavu-core; `verify` also pngcheck. Rendering
takes about a quarter of an hour on two processors. The seed of each scene is in
`generator/shots.txt`; with the same versions of those packages the same bytes
come out. `generator/table.py` says what each file is; the files, the check and
the table below all come from it.

## The files

Times are as the camera's clock showed them, with the zone where one is stored.
"(XMP)" and "(name)" say that the date is there and nowhere else.

| File | Covers | Upright size | Format | Taken | Camera |
| --- | --- | --- | --- | --- | --- |
%s
""" % (len(PHOTOS), total / 1e6, "\n".join(rows)))
