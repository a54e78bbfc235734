#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes docs/accuracy.md anew: planted truths with fixed seeds, then a real program. Takes some minutes.
#
# usage: write.sh BUILD_DIR
set -eu
build=$(cd "$1" && pwd)
root=$(cd "$(dirname "$0")/../.." && pwd)
ninja -C "$build" tests/accuracy/accuracy tests/accuracy/measure testdata/programs/known-leak
{
    "$build/tests/accuracy/accuracy"
    python3 "$root/tests/accuracy/known-rate.py" "$build/tests/accuracy/measure" "$build/testdata/programs/known-leak" ||
        test $? -eq 1
} > "$build/accuracy.md"
mv "$build/accuracy.md" "$root/docs/accuracy.md"
