#!/bin/sh
# SPDX-License-Identifier: MIT
# Verdicts on programs that each do one thing to memory: the right class five times out of five,
# and nothing wrong with any one source of evidence taken away.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
build=${BUILD:-build-check}
[ -e "$build/build.ninja" ] || meson setup "$build" || exit 1
programs=$(python3 -c 'import sys; sys.path.insert(0, "tests/full"); import verdicts
print(" ".join("testdata/programs/soak-" + name for name in verdicts.TRUTH))')
# shellcheck disable=SC2086
ninja -C "$build" src/heapreport $programs || exit 1
HEAPREPORT_DATA_DIR=$root
export HEAPREPORT_DATA_DIR
exec python3 tests/full/verdicts.py "$build/src/heapreport" "$build/testdata/programs" "$@"
