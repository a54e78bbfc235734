#!/bin/sh
# SPDX-License-Identifier: MIT
# Every fuzz target, built by clang with its sanitizers and libFuzzer, from its corpus in
# testdata/fuzz for MINUTES each. What breaks one is left in build-fuzz/found; mend it, then add
# the case to the corpus, which every build replays.
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
export HR_DATA_DIR
failed=0
for target in $targets; do
    mkdir -p "$build/corpus/$target" "$build/found"
    echo "== $target, $minutes minutes"
    if ! "$build/tests/fuzz/fuzz-$target" -max_total_time=$((minutes * 60)) -timeout=100 -rss_limit_mb=2048 \
        -artifact_prefix="$build/found/$target-" -print_final_stats=1 "$build/corpus/$target" \
        "testdata/fuzz/$target" >"$build/found/$target.log" 2>&1; then
        failed=$((failed + 1))
        echo "$target failed:"
        grep -E 'ERROR|SUMMARY|runtime error|Test unit written' "$build/found/$target.log" | head -5
    fi
    grep -E '^stat::number_of_executed_units' "$build/found/$target.log"
done
[ "$failed" -eq 0 ]
