#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws each chart's SVG at 200 dpi by Chromium and by rsvg-convert and tells in how many pixels they differ:
raster.py HEAPREPORT RESULT.json. Needs chromium, rsvg-convert and python3-pil.

A pixel differs when a channel is more than 64 of 255 apart, after both were smoothed over 3 x 3 pixels: each painter
puts the edges of letters somewhere else within a pixel, which is no difference in what is shown.
"""
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from PIL import Image, ImageChops, ImageFilter

DPI = 200
SCALE = DPI / 96
LIMIT = 0.02
WINDOW_FRAME = 200  # a low window would show nothing of the page
APART = 64
INK_MIN = 0.005  # less than this, and the picture is blank


def run(*command):
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def size_of(svg):
    box = xml.etree.ElementTree.parse(svg).getroot().get("viewBox").split()
    return float(box[2]), float(box[3])


def draw(svg, scratch):
    """Returns the chart's pictures by painter."""
    width, height = size_of(svg)
    page = scratch / "page.html"
    page.write_text("<!doctype html><style>html,body{margin:0;background:#fff}img{display:block;width:%gpx;height:%gpx}"
                    "</style><img src='%s'>" % (width, height, svg.as_uri()))
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        f"--user-data-dir={scratch}/profile", f"--force-device-scale-factor={SCALE}", "--hide-scrollbars",
        f"--window-size={int(width) + 1},{int(height) + WINDOW_FRAME}", f"--screenshot={scratch}/chromium.png", page.as_uri())
    run("rsvg-convert", "--background-color=white", "--zoom", SCALE, "-o", scratch / "rsvg.png", svg)
    return {name: Image.open(scratch / f"{name}.png").convert("RGB") for name in ("chromium", "rsvg")}


def has_ink(image):
    levels = image.convert("L").histogram()
    return sum(levels[:250]) >= INK_MIN * sum(levels)


def differing(first, second):
    size = (min(first.width, second.width), min(first.height, second.height))
    smoothed = [image.crop((0, 0, *size)).filter(ImageFilter.BoxBlur(1)) for image in (first, second)]
    red, green, blue = ImageChops.difference(*smoothed).split()
    largest = ImageChops.lighter(ImageChops.lighter(red, green), blue)
    return sum(largest.histogram()[APART + 1:]) / (size[0] * size[1])


def main():
    heapreport, result = map(lambda path: pathlib.Path(path).resolve(), sys.argv[1:3])
    worst = 0
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        run(heapreport, "render", result, "-q", "-o", f"{scratch}/charts/")
        for svg in sorted((scratch / "charts").glob("*.svg")):
            pictures = draw(svg, scratch)
            share = differing(pictures["chromium"], pictures["rsvg"])
            if not all(map(has_ink, pictures.values())):
                share = 1
            worst = max(worst, share)
            print(f"{svg.stem:16} chromium/rsvg {100 * share:5.2f} %", flush=True)
    print(f"worst {100 * worst:.2f} %, limit {100 * LIMIT:.0f} %")
    return 1 if worst >= LIMIT else 0


sys.exit(main())
