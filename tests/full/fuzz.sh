#!/bin/sh
# SPDX-License-Identifier: MIT
# Every fuzz target, built by clang with its sanitizers and libFuzzer, from its corpus in
# testdata/fuzz for MINUTES of processor time each, and what each came to: runs, edges (cov), features
# (ft). What breaks one is left in build-fuzz/found; mend it, then add the case to the corpus, which
# every build replays.
#
# usage: fuzz.sh [MINUTES [TARGET...]]     10 minutes, every target; skipped without clang
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
command -v clang >/dev/null || { echo 'skipped: no clang'; exit 0; }
minutes=${1:-${FUZZ_MINUTES:-10}}
[ $# -gt 0 ] && shift
targets=${*:-$(for file in tests/fuzz/fuzz-*.c; do basename "$file" .c | cut -d- -f2-; done)}
build=build-fuzz
[ -e "$build/build.ninja" ] ||
    CC=clang meson setup "$build" -Dfuzzing=true -Dbuildtype=debugoptimized -Db_sanitize=address,undefined \
        -Db_lundef=false || exit 1
programs=
for target in $targets; do programs="$programs tests/fuzz/fuzz-$target"; done
# shellcheck disable=SC2086
ninja -C "$build" $programs || exit 1
HR_DATA_DIR=$root
LSAN_OPTIONS=suppressions=$root/tests/support/lsan.supp:print_suppressions=0
export HR_DATA_DIR LSAN_OPTIONS
failed=0
for target in $targets; do
    mkdir -p "$build/corpus/$target" "$build/found"
    python3 tests/full/fuzz-slices.py "$build/tests/fuzz/fuzz-$target" "$minutes" "$build/found/$target.log" \
        "$build/found/$target-" "$build/corpus/$target" "testdata/fuzz/$target" || failed=$((failed + 1))
done
[ "$failed" -eq 0 ]
