#!/bin/sh
# SPDX-License-Identifier: MIT
# --base of another run: the two dumps are compared, what was matched is said, and a base that makes no
# sense is one clear sentence.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case" "$scratch/other"
tar -xf "$case_tar" -C "$scratch/case"
dumps="$scratch/case/dumps"
binary="$scratch/case/demo-service"
cp -p "$dumps"/demo.*.46.i46.heap "$scratch/other/last.heap"
cp -p "$dumps"/demo.*.5.i5.heap "$scratch/other/demo.99.5.i5.heap"
result="$scratch/r.json"

run "$heapreport" --dir "$dumps" --binary "$binary" --base "$scratch/other/last.heap" -o "$result"
check "the same dump as another run: status" status_is 0
check "the same dump: nothing grew" json_is "$result" '.totals.growth_bytes == 0 and .totals.significant == false'
check "the same dump: told by offset, all of it" json_is "$result" \
    '.run.comparison.by_offset_ratio == 1 and .run.comparison.found_again_ratio == 1'
check "the same dump: no time between two runs" json_is "$result" '.run.duration_s == null'

run "$heapreport" --dir "$dumps" --binary "$binary" --base "$scratch/other/demo.99.5.i5.heap" -o "$result" -o "$scratch/r.md"
check "an earlier state: grown" json_is "$result" '.totals.significant and .verdict.class == "heap_growth"'
check "an earlier state: two dumps are used" json_is "$result" \
    '.run.dumps_used_count == 2 and .run.comparison.pid == 99 and (.series.sequence | length) == 2'
check "an earlier state: the document says what is compared" grep -q "another run" "$scratch/r.md"
run "$heapreport" --dir "$dumps" --binary "$binary" --base "$(ls "$dumps"/demo.*.5.i5.heap)" -o "$scratch/own.json"
check "its own dump by path is its own" json_is "$scratch/own.json" '.run.comparison == null and .run.duration_s > 0'
check "both ways give one growth" [ "$(jq .totals.growth_bytes "$result")" = "$(jq .totals.growth_bytes "$scratch/own.json")" ]

run "$heapreport" --dir "$dumps" --binary "$binary" --base "$scratch/other/demo.99.5.i5.heap" -o "$result"
cp "$result" "$scratch/first.json"
run "$heapreport" --dir "$dumps" --binary "$binary" --base "$scratch/other/demo.99.5.i5.heap" -o "$result" --jobs 4
check "the same bytes every time" same "$result" "$scratch/first.json"
run "$heapreport" --dir "$dumps" --base "$scratch/other/last.heap" --dry-run
check "--dry-run names the base" out_has "$scratch/other/last.heap"

run "$heapreport" --dir "$dumps" --base-binary "$binary" -o "$result"
check "--base-binary alone: usage" status_is 2
run "$heapreport" --dir "$dumps" --base "$binary" -o "$result"
check "a base that is no dump" status_is 3
check "a base that is no dump: one line" one_error_line
run "$heapreport" --dir "$dumps" --base "$scratch/other/last.heap" --base-binary "$scratch/none" -o "$result"
check "a base binary that is not there" status_is 3
run "$heapreport" --dir "$dumps" --base "$scratch/other/last.heap" -o "$scratch/other/last.heap" --format text
check "the base is never written over" cmp -s "$dumps"/demo.*.46.i46.heap "$scratch/other/last.heap"
finish
