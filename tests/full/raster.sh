#!/bin/sh
# SPDX-License-Identifier: MIT
# Charts as SVG, drawn at 200 dpi by Chromium and by rsvg-convert: they differ in less than 2 % of their pixels.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
build=${BUILD:-build-check}
[ -e "$build/build.ninja" ] || meson setup "$build" || exit 1
ninja -C "$build" src/heapreport || exit 1
for tool in chromium rsvg-convert; do
    command -v "$tool" >/dev/null || { echo "skipped: no $tool"; exit 0; }
done
# Debian's Python has Debian's Pillow, another one in PATH may have none.
for python in python3 /usr/bin/python3 ''; do
    [ -n "$python" ] && "$python" -c 'import PIL' 2>/dev/null && break
done
[ -n "$python" ] || { echo "skipped: no python3-pil"; exit 0; }
scratch=$(mktemp -d) || exit 1
trap 'rm -rf "$scratch"' EXIT
tar -xf testdata/cases/leak/leak.tar.xz -C "$scratch" || exit 1
cp testdata/result/heap-growth.json "$scratch/heap-growth.json"
HEAPREPORT_DATA_DIR=$root "$build/src/heapreport" -q --dir "$scratch/dumps" --binary "$scratch/demo-service" \
    -o "$scratch/leak.json" >/dev/null || exit 1
failed=0
for result in leak heap-growth; do
    echo "$result"
    HEAPREPORT_DATA_DIR=$root "$python" tests/full/raster.py "$build/src/heapreport" "$scratch/$result.json" || failed=1
done
exit $failed
