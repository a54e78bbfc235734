#!/bin/sh
# SPDX-License-Identifier: MIT
# `go tool pprof -top` on our profiles: the totals and functions of the report. Debian's golang is
# installed where that is allowed; without it this is skipped aloud.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
. tests/support/packages.sh
command -v go >/dev/null || install_packages golang-go || { echo "skipped: no go"; exit 0; }
install_packages g++ libjemalloc-dev || { echo "skipped: no g++"; exit 0; }
build=${BUILD:-build-check}
[ -e "$build/build.ninja" ] || meson setup "$build" || exit 1
ninja -C "$build" src/heapreport || exit 1
HEAPREPORT_DATA_DIR=$root
export HEAPREPORT_DATA_DIR
exec python3 tests/full/pprof.py go "$build/src/heapreport" "$root"
