#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the pictures of README.md and docs/ from a real case: sh tests/pictures.sh [HEAPREPORT]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
heapreport=$(realpath "${1:-$root/build/src/heapreport}")
images=$root/docs/images
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tar -xf "$root/testdata/cases/leak/leak.tar.xz" -C "$scratch"
mkdir -p "$images"
cd "$scratch"
HEAPREPORT_DATA_DIR="$root" "$heapreport" --dir dumps --binary demo-service -q \
    --title "Demo: a service that leaks" --label service=demo-service -o report.pdf -o report.html >/dev/null
for page in 1 2 3; do
    pdftoppm -r 80 -png -f "$page" -l "$page" -singlefile report.pdf "$images/report-page-$page"
done
pdftoppm -r 60 -gray -png -f 1 -l 1 -singlefile report.pdf "$images/report-page-1-grey"

# screenshot NAME SCHEME: the top of the HTML; 0 is dark, 1 is light
screenshot() {
    chromium --headless --no-sandbox --disable-gpu --no-first-run --disable-background-networking \
        --user-data-dir="$scratch/profile" --hide-scrollbars --window-size=1000,1150 \
        --blink-settings=preferredColorScheme="$2" --screenshot="$images/$1.png" "file://$scratch/report.html" 2>/dev/null
}
screenshot report-html 1
screenshot report-html-dark 0
ls -s "$images"/*.png
