#!/bin/sh
# SPDX-License-Identifier: MIT
# The benchmark of reading and reporting with its aims as ratios, on the project's own program. Takes
# some ten minutes, 5 GB in the temporary directory, and a machine that does nothing else.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
. tests/support/packages.sh
# shellcheck disable=SC2086
install_packages $BUILD_PACKAGES libjemalloc-dev || exit 1
build=build-scale
[ -e "$build/build.ninja" ] || meson setup "$build" -Dbuildtype=release -Dstrip=false || exit 1
ninja -C "$build" || exit 1
python3 tests/bench/scale.py "$build" "${1:-$build/src/heapreport}"
