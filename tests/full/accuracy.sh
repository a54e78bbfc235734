#!/bin/sh
# SPDX-License-Identifier: MIT
# Writes docs/accuracy.md anew and fails when an aim is missed that the committed page met. What
# changed in it stays in the working tree, to be looked at.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
build=${BUILD:-build-check}
[ -e "$build/build.ninja" ] || meson setup "$build" || exit 1
count_missed() {
    grep -c '[^a-z]missed\(\*\*\| |\)' "$1"
}
before=$(count_missed docs/accuracy.md)
sh tests/accuracy/write.sh "$build" || exit 1
now=$(count_missed docs/accuracy.md)
echo "aims missed: $now lines, committed: $before"
[ "$now" -le "$before" ]
