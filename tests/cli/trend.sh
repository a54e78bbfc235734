#!/bin/sh
# SPDX-License-Identifier: MIT
# The nights of a history in one view, as text, CSV and JSON.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case"
tar -xf "$case_tar" -C "$scratch/case"
nights="$scratch/nights.jsonl"
run "$heapreport" --dir "$scratch/case/dumps" --binary "$scratch/case/demo-service" \
    --label service=demo --history "$nights" -o "$scratch/r.json"
check "a night is kept" status_is 0
function=$(jq -r '.suspects[0].function' "$scratch/r.json")

run "$heapreport" trend "$nights"
check "text: status 0" status_is 0
check "text: the service" out_has "demo"
check "text: the class" out_has "heap_growth"
check "text: the suspect" out_has "$function"
run "$heapreport" trend "$nights" -o "$scratch/t.csv" -o "$scratch/t.json" -o "$scratch/t.txt"
check "files: status 0" status_is 0
check "files: their paths" [ "$(wc -l <"$scratch/out")" -eq 3 ]
check "csv: a head and a night" [ "$(wc -l <"$scratch/t.csv")" -eq 2 ]
check "csv: the growth" grep -q "$(jq .totals.growth_bytes "$scratch/r.json")" "$scratch/t.csv"
check "json: the service and its suspect" json_is "$scratch/t.json" \
    '.schema == "heapreport-trend" and .services[0].service == "demo" and (.services[0].suspects | length) > 0'
run "$heapreport" trend "$nights" -o - --format csv
check "csv on standard output: the same" same "$scratch/out" "$scratch/t.csv"

echo 'no record' >>"$nights"
run "$heapreport" trend "$nights"
check "a broken line: the rest is shown" out_has "heap_growth"
check "a broken line: said" err_has "no record"
cp "$nights" "$nights.jsonl.csv"
run "$heapreport" trend "$nights.jsonl.csv" -o "$nights.jsonl.csv"
check "over the history: status 2" status_is 2
check "over the history: it stays" same "$nights" "$nights.jsonl.csv"
run "$heapreport" trend "$nights" -o "$scratch/t.csv" -o "$scratch/./t.csv"
check "an output twice: status 2" status_is 2
run "$heapreport" trend "$nights" -o "$scratch/t.html"
check "a format it has not: status 2" status_is 2
check "a format it has not: nothing written" [ ! -e "$scratch/t.html" ]
run "$heapreport" trend "$scratch/nowhere.jsonl"
check "no such history: status 3" status_is 3
finish
