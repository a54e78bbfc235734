#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Draws each chart at 200 dpi, its SVG by Chromium and by rsvg-convert, and the same layout by the painter of the PDF, and
tells in how many pixels they differ: raster.py BUILD SAMPLE, a result of testdata/result. Needs chromium, rsvg-convert,
pdftoppm and python3-pil. In a report's own pages a chart is laid out for paper, narrower and with numbered frames, so that its
pixels are no others' there.

librsvg reads no font that a file brings along. It is given the report's own by fontconfig, so that painters are compared and
not fonts; without them it takes what the system has.

A pixel differs when a channel is more than 64 of 255 apart, after both were smoothed over 3 x 3 pixels: each painter
puts the edges of letters somewhere else within a pixel, which is no difference in what is shown.
"""
import os
import pathlib
import subprocess
import sys
import tempfile
import xml.etree.ElementTree

from PIL import Image, ImageChops, ImageFilter

ROOT = pathlib.Path(__file__).resolve().parents[2]
DPI = 200
SCALE = DPI / 96
LIMIT = 0.02
WINDOW_FRAME = 200  # a low window would show nothing of the page
APART = 64
INK_MIN = 0.005  # less than this, and the picture is blank


def run(*command, environment=None):
    subprocess.run([str(part) for part in command], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                   env={**os.environ, **(environment or {})})


def size_of(svg):
    """Returns width, height and the air around the chart."""
    box = xml.etree.ElementTree.parse(svg).getroot().get("viewBox").split()
    return float(box[2]), float(box[3]), -float(box[0])


def write_fonts(path):
    path.write_text(f"""<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><dir>{ROOT}/fonts</dir>
<cachedir>{path.parent}/font-cache</cachedir></fontconfig>""")
    return path


def draw(svg, painter, sample, scratch):
    """Returns the chart's pictures by painter."""
    width, height, air = size_of(svg)
    page = scratch / "page.html"
    page.write_text("<!doctype html><style>html,body{margin:0;background:#fff}img{display:block;width:%gpx;height:%gpx}"
                    "</style><img src='%s'>" % (width, height, svg.as_uri()))
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        f"--user-data-dir={scratch}/profile", f"--force-device-scale-factor={SCALE}", "--hide-scrollbars",
        f"--window-size={int(width) + 1},{int(height) + WINDOW_FRAME}", f"--screenshot={scratch}/chromium.png", page.as_uri())
    run("rsvg-convert", "--background-color=white", "--zoom", SCALE, "-o", scratch / "rsvg.png", svg,
        environment={"FONTCONFIG_FILE": str(write_fonts(scratch / "fonts.conf"))})
    run(painter, sample, svg.stem, air, scratch / "chart.pdf")
    run("pdftoppm", "-r", 72 * SCALE, "-png", "-singlefile", scratch / "chart.pdf", scratch / "pdf")
    return {name: Image.open(scratch / f"{name}.png").convert("RGB") for name in ("chromium", "rsvg", "pdf")}


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
    build, sample = pathlib.Path(sys.argv[1]).resolve(), sys.argv[2]
    result = ROOT / "testdata/result" / f"{sample}.json"
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        run(build / "src/heapreport", "render", result, "-q", "-o", f"{scratch}/charts/")
        for svg in sorted((scratch / "charts").glob("*.svg")):
            pictures = draw(svg, build / "tests/golden/draw-chart", sample, scratch)
            shares = {f"{one}/{other}": differing(pictures[one], pictures[other])
                      for one, other in (("chromium", "rsvg"), ("chromium", "pdf"), ("rsvg", "pdf"))}
            if not all(map(has_ink, pictures.values())):
                shares["blank"] = 1
            failed |= any(share >= LIMIT for share in shares.values())
            print(f"{svg.stem:16} " + "  ".join(f"{pair} {100 * share:5.2f} %" for pair, share in shares.items()), flush=True)
    print(f"limit {100 * LIMIT:.0f} %")
    return 1 if failed else 0


sys.exit(main())
