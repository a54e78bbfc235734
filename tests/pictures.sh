#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes the pictures of README.md and docs/ from a real case: sh tests/pictures.sh [HEAPREPORT]
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
heapreport=${1:-$root/build/src/heapreport}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
tar -xf "$root/testdata/cases/leak/leak.tar.xz" -C "$scratch"
HEAPREPORT_DATA_DIR="$root" "$heapreport" --dir "$scratch/dumps" --binary "$scratch/demo-service" -q \
    --title "Demo: a service that leaks" --label service=demo-service -o "$scratch/report.pdf" >/dev/null
mkdir -p "$root/docs/images"
pdftoppm -r 80 -png -f 1 -l 1 -singlefile "$scratch/report.pdf" "$root/docs/images/report-page-1"
pdftoppm -r 80 -png -f 2 -l 2 -singlefile "$scratch/report.pdf" "$root/docs/images/report-page-2"
ls "$root"/docs/images/*.png
