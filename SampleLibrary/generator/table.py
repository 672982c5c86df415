"""What the library holds: one entry per file. make.py makes the files from it,
verify.py checks the files against it, and the table in README.md is printed
from it, so that the three cannot disagree."""

# Invented makers: a picture must not claim to come from a real camera.
CAMERAS = {
    "aria": dict(Make="Lindhof", Model="Aria 35", LensModel="Lindhof Summa 35mm F2", FocalLength=35),
    "ostra": dict(Make="Ostra", Model="K2 Mark II", LensModel="Ostra Telar 85mm F1.8", FocalLength=85),
    "mirlo": dict(Make="Mirlo", Model="Mirlo M5", LensModel="Mirlo M5 back camera 6.1mm F1.8", FocalLength=6.1),
}

BREST = (48.3304, -4.7701, 12.0)
SIERRA = (37.6108, -119.0212, 2744.5)
VALLEY = (36.6060, -117.1150, -21.0)
SEDONA = (34.8697, -111.7610, 1512.0)
ALPS = (46.5586, 7.8354, 795.0)

# shot:   scene and size of the rendering (see shots.txt)
# look:   how it is developed; size: the finished width and height
# kind:   jpeg | png; sampling, progressive, restart, grey, cmyk, icc;
#         depth, colour (rgb, palette, rgba), interlaced
# date, sub, off: when it was taken; where the date is written: "in" (exif|xmp|name|none)
PHOTOS = [
    dict(file="coast/lighthouse.jpg", shot="coast-day", look=dict(key=.20, sat=1.08), size=(1024, 683), sampling="4:2:0", q=84,
         date="2018:07:14 11:22:07", sub="250", off="+02:00", cam="aria", gps=BREST, thumb=True, covers="the plain case: baseline 4:2:0, EXIF, GPS, thumbnail"),
    dict(file="coast/sunset.jpg", shot="coast-sunset", look=dict(key=.15, sat=1.15, bloom=1.5), size=(960, 640), sampling="4:2:0", progressive=True, q=84,
         date="2018:07:14 21:31:40", sub="500", off="+02:00", cam="aria", gps=BREST, thumb=True, covers="progressive JPEG"),
    dict(file="coast/IMG_0412.jpg", shot="coast-fog", look=dict(key=.26, sat=.9, contrast=1.35), size=(800, 533), sampling="4:2:2", q=86,
         date="2019:09:03 07:48:15", off="+02:00", cam="ostra", thumb=True, covers="4:2:2 sampling; same name as mountains/IMG_0412.jpg"),
    dict(file="coast/pebbles.jpg", shot="pebbles", look=dict(key=.17, sat=1.05), size=(800, 533), sampling="4:4:4", q=80,
         date="2019:09:03 18:05:33", sub="120", off="+02:00", cam="ostra", covers="4:4:4 sampling"),
    dict(file="mountains/lake.jpg", shot="alps-noon", look=dict(key=.19, sat=1.1), size=(1200, 800), sampling="4:2:0", restart=True, q=82,
         date="2020:06:21 12:14:09", sub="030", off="-07:00", cam="aria", gps=SIERRA, thumb=True, covers="restart markers"),
    dict(file="mountains/IMG_0412.jpg", shot="alps-stars", look=dict(key=.045, sat=.95, noise=1.6, bloom=.12), size=(900, 600), sampling="4:2:0", q=82,
         date="2020:06:21 23:52:00", off="-07:00", cam="aria", covers="same name as coast/IMG_0412.jpg"),
    dict(file="mountains/alpenglow.png", shot="alps-glow", look=dict(key=.17, sat=1.15, noise=.15), size=(480, 320), kind="png", depth=16, colour="rgb",
         date="2022:10:08 18:40:12", off="+02:00", cam="ostra", gps=ALPS, covers="PNG, 16 bits a channel; date in an eXIf chunk"),
    dict(file="mountains/winter-forest.jpg", shot="forest-winter", look=dict(key=.27, sat=.95, contrast=1.2), size=(800, 533), sampling="4:2:0", q=82,
         date="2017:01:22 09:10:44", cam="ostra", covers="EXIF date without a time zone"),
    dict(file="forest/misty-morning.jpg", shot="forest-fog", look=dict(key=.21, sat=1.0, contrast=1.25, vignette=.5, wb=(1.03, 1, .98)), size=(560, 840), sampling="4:2:0", orient=6, q=84,
         date="2021:10:17 08:03:51", sub="777", off="+02:00", cam="mirlo", thumb=True, covers="a telephone's upright picture: stored lying, orientation 6"),
    dict(file="desert/dune-crests.jpg", shot="dunes-low", look=dict(key=.18, sat=1.08), size=(1600, 1067), sampling="4:2:0", progressive=True, q=80,
         date="2023:03:11 17:58:20", sub="004", off="-07:00", cam="aria", gps=VALLEY, thumb=True, covers="progressive, 1600 wide, altitude below the sea"),
    dict(file="desert/haze.jpg", shot="dunes-dusk", look=dict(key=.16, sat=1.05, bloom=1.3), size=(800, 533), sampling="4:2:0", q=82,
         date="2023:03:12 07:05:00", off="-07:00", where="xmp", covers="date only in XMP"),
    dict(file="meadow/poppies.jpg", shot="meadow-back", look=dict(key=.19, sat=1.3, bloom=1.3), size=(800, 533), sampling="4:4:4", icc=True, q=84,
         date="2024:06:02 19:44:08", sub="310", off="+02:00", cam="aria", thumb=True, covers="Display P3 profile; the reds lie outside sRGB"),
    dict(file="meadow/daisies.jpg", shot="meadow-noon", look=dict(key=.20, sat=1.05), size=(720, 540), sampling="4:2:0", q=82,
         where="none", covers="no date anywhere: the file's own time is used"),
    dict(file="balloons/over-the-valley.jpg", shot="balloons-day", look=dict(key=.19, sat=1.12), size=(1200, 800), sampling="4:2:0", q=84,
         date="2022:09:24 06:41:10", sub="125", off="-07:00", cam="aria", gps=SEDONA, thumb=True, covers="the same instant as balloons/first-light.jpg"),
    dict(file="balloons/first-light.jpg", shot="balloons-dawn", look=dict(key=.17, sat=1.12, bloom=1.4), size=(900, 600), sampling="4:2:2", q=84,
         date="2022:09:24 06:41:10", sub="125", off="-07:00", cam="ostra", gps=SEDONA, thumb=True, covers="the same instant as balloons/over-the-valley.jpg"),
    dict(file="balloons/cutout.png", shot="balloons-alone", look=dict(key=.20, sat=1.12, noise=.25, bloom=0, vignette=0), size=(400, 480), kind="png", depth=8, colour="rgba",
         date="2022:09:25 10:02:30", off="-07:00", where="xmp", covers="PNG with alpha: soft edges, half-seen balloon behind; date in XMP"),
    dict(file="table/fruit-bowl.jpg", shot="still-bowl", look=dict(key=.15, sat=1.05, vignette=1.3), size=(1024, 768), sampling="4:2:0", q=85,
         date="2025:02:16 15:12:01", sub="900", off="+01:00", cam="aria", thumb=True, covers="4:3, thumbnail without bars"),
    dict(file="table/fruit-close.png", shot="still-focus", look=dict(key=.16, sat=1.05, noise=.3), size=(640, 426), kind="png", depth=8, colour="rgb",
         date="2025:02:16 15:20:45", sub="050", off="+01:00", cam="aria", covers="PNG, 8 bits a channel; date in an eXIf chunk"),
    dict(file="table/copper-kettle.jpg", shot="still-copper", look=dict(key=.15, sat=1.08, vignette=1.3), size=(560, 700), cmyk=True, q=84,
         date="2021:12:05 16:30:00", off="+01:00", cam="ostra", covers="CMYK JPEG with an Adobe marker, inks stored inverted"),
    dict(file="table/marbles.jpg", shot="marbles-a", look=dict(key=.18, sat=1.1), size=(720, 480), sampling="4:2:0", q=84,
         date="2019:04:28 17:09:26", sub="640", off="+02:00", cam="ostra", covers="shallow focus, EXIF with fractions of a second"),
    dict(file="table/marbles-above.png", shot="marbles-b", look=dict(key=.18, sat=1.1, noise=.2), size=(480, 480), kind="png", depth=8, colour="palette",
         date="2019:04:28 17:15:02", off="+02:00", where="xmp", covers="PNG with a palette; date in XMP"),
    dict(file="table/chess.jpg", shot="chess-a", look=dict(key=.16, sat=1.0, vignette=1.2), size=(1024, 683), sampling="4:2:0", restart=True, progressive=True, q=84,
         date="2020:11:29 20:15:37", sub="410", off="+01:00", cam="aria", thumb=True, covers="progressive with restart markers"),
    dict(file="table/endgame.png", shot="chess-b", look=dict(key=.16, sat=1.0, noise=.2), size=(600, 400), kind="png", depth=8, colour="rgb", interlaced=True,
         date="2020:11:29 20:58:12", off="+01:00", cam="aria", covers="PNG, interlaced (Adam7); date in an eXIf chunk"),
    dict(file="architecture/colonnade.jpg", shot="hall-near", look=dict(key=.17, sat=0, contrast=1.15, noise=1.5, vignette=1.2), size=(800, 1067), grey=True, q=82,
         date="2017:05:06 10:31:18", sub="005", off="+02:00", cam="aria", thumb=True, covers="greyscale JPEG"),
    dict(file="architecture/arcade.jpg", shot="hall-far", look=dict(key=.17, sat=1.0), size=(800, 533), sampling="4:2:0", q=84,
         date="2017:05:06 10:40:02", off="+02:00", cam="aria", covers="baseline, no fractions of a second"),
    dict(file="city/dusk.jpg", shot="skyline-dusk", look=dict(key=.12, sat=1.15, bloom=1.3), size=(1024, 576), sampling="4:2:0", q=84,
         date="2023:08:19 21:02:44", sub="333", off="-07:00", cam="mirlo", thumb=True, covers="16:9"),
    dict(file="city/night.jpg", shot="skyline-night", look=dict(key=.055, sat=1.15, bloom=1.6, noise=1.2), size=(2000, 1333), sampling="4:2:0", progressive=True, q=78,
         date="2023:08:19 22:37:09", sub="871", off="-07:00", cam="aria", thumb=True, covers="the largest, 2000 wide"),
    dict(file="night/candle.jpg", shot="bokeh-a", look=dict(key=.05, sat=1.1, bloom=1.3, noise=1.2), size=(1200, 800), sampling="4:2:0", q=84,
         date="2024:12:13 21:20:16", sub="062", off="+01:00", cam="ostra", thumb=True, covers="lights out of focus"),
    dict(file="night/baubles.jpg", shot="bokeh-b", look=dict(key=.06, sat=1.1, bloom=1.2, noise=1.1), size=(720, 480), sampling="4:4:4", q=82,
         date="2024:12:24 18:03:55", off="+01:00", cam="ostra", covers="4:4:4 sampling"),
]
for k in range(1, 9):
    PHOTOS.append(dict(file="orientation/orientation-%d.jpg" % k, shot="harbour", look=dict(key=.17, sat=1.08, bloom=1.2), size=(800, 533), sampling="4:2:0", orient=k, q=78,
                       date="2021:08:07 19:%02d:00" % (10 + k), sub="%03d" % k, off="+02:00", cam="mirlo", thumb=True,
                       covers="orientation %d; all eight look the same when shown upright" % k))
PHOTOS.append(dict(file="screenshots/Screenshot 2024-01-31 at 14.22.33.png", shot=None, size=(1280, 800), kind="png", depth=8, colour="rgb",
                   where="name", date="2024:01:31 14:22:33", covers="a screenshot: its only date is in its name"))
for p in PHOTOS:
    p.setdefault("kind", "jpeg"); p.setdefault("where", "exif"); p.setdefault("orient", 1)
