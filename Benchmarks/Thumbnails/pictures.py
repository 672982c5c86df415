"""The pictures themselves: photographs from Debian's wallpaper packages, renderings, and scenes
drawn here, brought to a camera's size and given a sensor's noise.

All follows from the picture's number: the same packages, numpy and Pillow give the same pixels.
"""

import glob
import os
import subprocess
import sys

import numpy
from PIL import Image, ImageDraw

Image.MAX_IMAGE_PIXELS = None  # our own sources, some of them large

# Only photographs: the packages hold drawings and patterns as well.
PHOTOGRAPHS = {
    "lomiri-wallpapers-16.04": """
        Bridge_by_Sander_Klootwijk Dragonfly_by_Bolly Picture_0B_by_freespace
        Picture_1A_by_freespace Wine_by_Jakkub_Mede aitzgorri_by_Aitzol_Berasategi
        analogpattern_by_Peter_Nerlich free_by_Peter_Nerlich friends_by_Aitzol_Berasategi
        greentock_by_Peter_Nerlich life_by_Aitzol_Berasategi picosdeeuropa_by_Aitzol_Berasategi
        seeding_by_Clements_Engelhardt sunset_by_Aitzol_Berasategi
    """,
    "lomiri-wallpapers-20.04": "Kleiber_by_Lukas_Baubkus",
    "mate-backgrounds": "Blinds Garden LadyBird RainDrops Storm TwoWings Wood YellowFlower",
    "plasma-workspace-wallpapers": """
        BytheWater ColdRipple ColorfulCups DarkestHour EveningGlow FallenLeaf Grey Kite OneStandsOut
        Path summer_1am
    """,
}
# Renderings of the sample library, the larger ones: a path tracer's light, lens and depth.
RENDERINGS = """
    city/night desert/dune-crests balloons/over-the-valley mountains/lake table/fruit-bowl
    coast/lighthouse night/candle architecture/colonnade
"""


# MARK: Where pixels come from


def unpack(cache):
    """Downloads the packages into `cache` and unpacks them there; installs nothing."""
    for package in PHOTOGRAPHS:
        root = os.path.join(cache, package)
        if os.path.isdir(root):
            continue
        debs = os.path.join(cache, "debs")
        os.makedirs(debs, exist_ok=True)
        print(f"fetching {package}", file=sys.stderr)
        fetched = subprocess.run(
            # As root apt would hand the download to a user that may not write here, and say so.
            ["apt-get", "-o", "APT::Sandbox::User=root", "-qq", "download", package],
            cwd=debs,
        )
        found = glob.glob(os.path.join(debs, f"{package}_*.deb"))
        if fetched.returncode != 0 or not found:
            print(
                f"no package {package} (are apt's lists there? apt-get update): other pictures "
                "take its place",
                file=sys.stderr,
            )
            continue
        subprocess.run(["dpkg-deb", "-x", found[-1], root + ".part"], check=True)
        os.rename(root + ".part", root)
        os.remove(found[-1])


def sources(cache, samples):
    """What there is to make pictures of: (label, path), the scenes with no path.

    Mixed in a fixed order, so that every stretch of it has some of each origin.
    """
    photographs, renderings = [], []
    for package, wanted in PHOTOGRAPHS.items():
        for name in wanted.split():
            root = os.path.join(cache, package, "usr/share")
            found = glob.glob(f"{root}/backgrounds/**/{name}.*", recursive=True)
            found += glob.glob(f"{root}/wallpapers/{name}/contents/images/*")
            sized = [(os.path.getsize(path), path) for path in found]
            if sized:
                photographs.append((f"{package}/{name}", max(sized)[1]))
    for name in RENDERINGS.split():
        path = os.path.join(samples, f"{name}.jpg")
        if os.path.exists(path):
            renderings.append((f"samples/{name}", path))
    order = numpy.random.default_rng(1).permutation(len(photographs))
    photographs = [photographs[index] for index in order]
    scenes = [(f"scene/{scene.__name__}", None) for scene in SCENES]
    others = [entry for pair in zip(renderings, scenes) for entry in pair]
    mixed, step = [], max(1, len(photographs) // max(1, len(others)))
    while photographs or others:
        mixed += photographs[:step] + others[:1]
        photographs, others = photographs[step:], others[1:]
    return mixed


def picture(source, size, seed):
    """A picture as float32 RGB, 0 to 255, before noise."""
    label, path = source
    generator = numpy.random.default_rng([seed, 2])
    if path is None:
        scene = next(each for each in SCENES if label.endswith("/" + each.__name__))
        return scene(*size, generator)
    with Image.open(path) as opened:
        original = opened.convert("RGB")
    width, height = original.size
    aspect = size[0] / size[1]
    cut = (min(width, round(height * aspect)), min(height, round(width / aspect)))
    left, top = (width - cut[0]) // 2, (height - cut[1]) // 2
    original = original.crop((left, top, left + cut[0], top + cut[1]))
    scale = size[0] / cut[0]
    pixels = numpy.asarray(original.resize(size, Image.LANCZOS), dtype=numpy.float32)
    if scale > 1.1:
        pixels = pixels + fine_detail(numpy.asarray(original), size, 1 - 1 / scale)[..., None]
    return pixels


def fine_detail(original, size, amount):
    """Texture for the octaves that enlarging leaves empty.

    It is the original's own finest detail, at its own scale, as strong at each place as the
    original is busy there.
    """
    luma = original.astype(numpy.float32) @ numpy.array([0.299, 0.587, 0.114], numpy.float32)
    high = luma - blurred(luma, 3)
    strength = numpy.sqrt(blurred(high * high, 16)) + 0.25
    unit = numpy.clip(high / strength, -3, 3)
    # Mirrored at its edges until it covers the picture.
    across = [unit, unit[:, ::-1]] * (size[0] // (2 * unit.shape[1]) + 1)
    row = numpy.concatenate(across, axis=1)[:, : size[0]]
    tiled = numpy.concatenate([row, row[::-1]] * (size[1] // (2 * row.shape[0]) + 1))[: size[1]]
    return amount * tiled * resized(strength, size)


def resized(plane, size, how=Image.BILINEAR):
    return numpy.asarray(Image.fromarray(plane.astype(numpy.float32), "F").resize(size, how))


def blurred(plane, radius):
    height, width = plane.shape
    small = (max(1, width // radius), max(1, height // radius))
    return resized(resized(plane, small, Image.BOX), (width, height))


# MARK: The sensor


def develop(pixels, generator, gain):
    """Noise as a sensor and its demosaicing leave it, then rounding to 8 bits.

    Two of four sites are green, one is red, one blue; what lies between is interpolated, so red and
    blue noise is coarser. Its strength follows the light. In strips, to keep memory low.
    """
    height, width, _ = pixels.shape
    out = numpy.empty((height, width, 3), numpy.uint8)
    for top in range(0, height, 512):
        strip = pixels[top : top + 512]
        rows = strip.shape[0]
        light = numpy.clip(strip.mean(axis=2) / 255, 0, 1)
        sigma = gain * (0.55 + 1.1 * numpy.sqrt(light) - 0.7 * light)
        green = generator.standard_normal((rows, width), dtype=numpy.float32)
        sites = numpy.indices((rows, width), dtype=numpy.uint8).sum(axis=0) % 2 == 0
        around = (
            numpy.roll(green, 1, 0)
            + numpy.roll(green, -1, 0)
            + numpy.roll(green, 1, 1)
            + numpy.roll(green, -1, 1)
        ) / 4
        noise = numpy.empty((rows, width, 3), numpy.float32)
        noise[..., 1] = numpy.where(sites, green, around)
        # What the channels have in common is left by the interpolation of red and blue along green.
        for channel, strength in ((0, 1.1), (2, 1.3)):
            coarse = generator.standard_normal(
                ((rows + 1) // 2, (width + 1) // 2), dtype=numpy.float32
            )
            own = resized(coarse, (width, rows))
            noise[..., channel] = 0.75 * noise[..., 1] + strength * 0.65 * own
        out[top : top + 512] = numpy.clip(strip + noise * sigma[..., None] + 0.5, 0, 255)
    return out


# MARK: Scenes made here, drawn at full size so that they have detail at every scale


def fractal(width, height, generator, roughness=0.5, first=3, stretch=1.0):
    """Octaves of smooth noise, each finer by half and weaker by `roughness`; -1 to 1."""
    total = numpy.zeros((height, width), numpy.float32)
    strength, cells = 1.0, first
    while cells * 2 < width:
        rows = max(2, round(cells * height / width * stretch))
        grid = generator.standard_normal((rows, cells)).astype(numpy.float32)
        total += strength * resized(grid, (width, height), Image.BICUBIC)
        strength *= roughness
        cells *= 2
    return total / (numpy.abs(total).max() + 1e-6)


def toned(plane, dark, light):
    """A plane of 0 to 1 as colours between two."""
    dark, light = numpy.array(dark, numpy.float32), numpy.array(light, numpy.float32)
    return dark + numpy.clip(plane, 0, 1)[..., None] * (light - dark)


def ridges(width, height, generator):
    """Mountains behind each other under a sky, paler with distance."""
    rows = numpy.linspace(0, 1, height, dtype=numpy.float32)[:, None]
    clouds = numpy.clip(fractal(width, height, generator, 0.55) * 1.6 - 0.2, 0, 1)
    image = toned(numpy.broadcast_to(rows * 1.6, (height, width)), (70, 120, 200), (225, 225, 235))
    image += clouds[..., None] * (245 - image)
    for layer in range(4):
        crest = fractal(width, 64, generator, 0.55, 3 + layer)[32] * 0.16 + 0.35 + 0.15 * layer
        texture = fractal(width, height, generator, 0.72, 12) * 0.5 + 0.5
        haze = 1 - layer / 4
        rock = toned(texture * 1.1, (28, 34, 30), (120, 118, 88)) * (1 - 0.6 * haze)
        rock += 0.6 * haze * numpy.array([170, 190, 215], numpy.float32)
        image = numpy.where((rows > crest[None, :])[..., None], rock, image)
    return image


def leaves(width, height, generator):
    """A bush: many leaves, the nearer ones larger and lighter, with veins."""
    canvas = Image.new("RGB", (width, height), (14, 22, 10))
    draw = ImageDraw.Draw(canvas)
    count = 9000
    for index in range(count):
        near = index / count
        length = width * (0.006 + 0.028 * near * generator.random())
        x, y = generator.random() * width, generator.random() * height
        angle, bend = generator.random() * 6.2832, 0.25 + 0.2 * generator.random()
        along = numpy.array([numpy.cos(angle), numpy.sin(angle)])
        across = numpy.array([-along[1], along[0]])
        steps = numpy.linspace(0, 1, 9)
        side = numpy.sin(steps * 3.1416) * bend
        points = [
            tuple(numpy.array([x, y]) + length * (s * along + w * across))
            for s, w in list(zip(steps, side)) + list(zip(steps[::-1], -side[::-1]))
        ]
        light = 0.25 + 0.75 * near * generator.random()
        colour = tuple(int(light * c) for c in (90 + 60 * generator.random(), 190, 70))
        draw.polygon(points, fill=colour)
        vein = tuple(min(255, int(c * 1.25)) for c in colour)
        tip = tuple(numpy.array([x, y]) + length * along)
        draw.line([(x, y), tip], fill=vein, width=max(1, int(length / 40)))
    shade = 0.85 + 0.35 * fractal(width, height, generator, 0.65, 4)
    return numpy.asarray(canvas, dtype=numpy.float32) * shade[..., None]


def pebbles(width, height, generator):
    """A beach of stones, each lit from above."""
    canvas = Image.new("RGB", (width, height), (30, 28, 26))
    draw = ImageDraw.Draw(canvas)
    for _ in range(7000):
        size = width * (0.003 + 0.014 * generator.random() ** 2)
        x, y = generator.random() * width, generator.random() * height
        flat = 0.6 + 0.4 * generator.random()
        grey = 60 + 130 * generator.random()
        warm = generator.random() * 26
        for ring in range(8):
            inner = size * (1 - ring / 8)
            light = 0.55 + 0.06 * ring
            fill = tuple(int(min(255, light * c)) for c in (grey + warm, grey + warm / 2, grey))
            drop = size * ring / 30
            draw.ellipse(
                (x - inner, y - drop - inner * flat, x + inner, y - drop + inner * flat), fill
            )
    grain = 1 + 0.45 * fractal(width, height, generator, 0.85, 40)
    return numpy.asarray(canvas, dtype=numpy.float32) * grain[..., None]


def windows(width, height, generator):
    """A town at dusk: fronts with rows of windows, some lit."""
    rows = numpy.linspace(0, 1, height, dtype=numpy.float32)[:, None]
    sky = toned(numpy.broadcast_to(rows, (height, width)), (30, 40, 90), (240, 150, 90))
    canvas = Image.fromarray(sky.astype(numpy.uint8))
    draw = ImageDraw.Draw(canvas)
    for layer in range(3):
        left = -width * 0.02
        while left < width:
            wide = width * (0.05 + 0.07 * generator.random())
            top = height * (0.15 + 0.2 * layer + 0.3 * generator.random())
            wall = 30 + 25 * layer + 30 * generator.random()
            draw.rectangle(
                (left, top, left + wide, height), (int(wall), int(wall * 0.95), int(wall))
            )
            pane = width * (0.004 + 0.003 * layer)
            y = top + pane
            while y < height:
                x = left + pane
                while x < left + wide - pane * 1.5:
                    lit = generator.random() < 0.4
                    fill = (
                        (255, 220, 140) if lit else (int(wall / 2), int(wall / 2), int(wall * 0.7))
                    )
                    draw.rectangle((x, y, x + pane, y + pane * 1.5), fill)
                    x += pane * 1.8
                y += pane * 2.6
            left += wide * 1.03
    texture = 1 + 0.15 * fractal(width, height, generator, 0.8, 30)
    return numpy.asarray(canvas, dtype=numpy.float32) * texture[..., None]


def water(width, height, generator):
    """A sea to the horizon, waves finer with distance, the sun on it."""
    rows = numpy.linspace(0.02, 1, height, dtype=numpy.float32)[:, None]
    columns = numpy.linspace(-1, 1, width, dtype=numpy.float32)[None, :]
    depth = 1 / (rows + 0.05)
    waves = numpy.zeros((height, width), numpy.float32)
    for _ in range(14):
        across, away = generator.normal(0, 12), 20 + 60 * generator.random()
        waves += numpy.sin((columns * across + away) * depth + generator.random() * 6.28)
    waves = waves / 8 + 0.5 * fractal(width, height, generator, 0.7, 20, 4)
    image = toned(waves * 0.5 + 0.5, (10, 50, 80), (120, 180, 200))
    glitter = numpy.clip(waves - 0.4, 0, 1) * numpy.exp(-((columns / (0.15 + 0.3 * rows)) ** 2))
    return image + glitter[..., None] * numpy.array([420, 360, 240], numpy.float32)


def page(width, height, generator):
    """A page of small writing, photographed: thin dark strokes on paper."""
    canvas = Image.new("L", (width, height), 225)
    draw = ImageDraw.Draw(canvas)
    line = height / 70
    for row in range(3, 67):
        x = width * 0.07
        while x < width * 0.92:
            for _ in range(int(generator.integers(2, 10))):
                steps = generator.random((4, 2)) * (line * 0.35, line * 0.5)
                points = [(x + a, row * line + b) for a, b in steps]
                draw.line(
                    points, fill=int(30 + 40 * generator.random()), width=max(1, int(line / 14))
                )
                x += line * 0.4
            x += line * 0.4
    paper = numpy.asarray(canvas, dtype=numpy.float32)
    shade = 0.9 + 0.1 * fractal(width, height, generator, 0.6, 3)
    return toned(paper / 255 * shade, (10, 10, 20), (250, 240, 220))


def cloth(width, height, generator):
    """A woven cloth in folds: fine regular lines, which alias where a filter is poor."""
    folds = fractal(width, height, generator, 0.4, 3)
    columns = numpy.arange(width, dtype=numpy.float32)[None, :]
    rows = numpy.arange(height, dtype=numpy.float32)[:, None]
    pitch = 11.0
    warp = numpy.sin((columns + 60 * folds) * (6.2832 / pitch))
    weft = numpy.sin((rows + 60 * folds) * (6.2832 / pitch))
    weave = 0.5 + 0.25 * warp * weft + 0.25 * numpy.maximum(warp, weft)
    stripes = 0.5 + 0.5 * numpy.sign(numpy.sin((columns + 90 * folds) * (6.2832 / (width / 18))))
    image = toned(stripes, (150, 30, 40), (230, 215, 190)) * (0.55 + 0.45 * weave[..., None])
    return image * (0.8 + 0.5 * folds[..., None])


def clouds(width, height, generator):
    """Only sky: smooth, so that most blocks have little beyond their mean."""
    cover = fractal(width, height, generator, 0.5, 4) * 1.5 + 0.3
    rows = numpy.linspace(0, 0.3, height, dtype=numpy.float32)[:, None]
    return toned(cover * 0.7 + rows, (60, 110, 190), (245, 245, 250))


SCENES = [ridges, leaves, pebbles, windows, water, page, cloth, clouds]
