#!/bin/sh
# SPDX-License-Identifier: MIT
# Charts at 200 dpi as SVG by Chromium and by rsvg-convert, and as the painter of the PDF draws them: any two differ in
# less than 2 % of their pixels.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
build=${BUILD:-build-check}
[ -e "$build/build.ninja" ] || meson setup "$build" || exit 1
ninja -C "$build" src/heapreport tests/golden/draw-chart || exit 1
for tool in chromium rsvg-convert pdftoppm; do
    command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 0; }
done
# Debian's Python has Debian's Pillow, another one in PATH may have none.
for python in python3 /usr/bin/python3 ''; do
    [ -n "$python" ] && "$python" -c 'import PIL' 2>/dev/null && break
done
[ -n "$python" ] || { echo "skipped: no python3-pil"; exit 0; }
failed=0
for sample in heap-growth hostile-names; do
    echo "$sample"
    HEAPREPORT_DATA_DIR=$root HR_DATA_DIR=$root "$python" tests/full/raster.py "$build" "$sample" || failed=1
done
exit $failed
