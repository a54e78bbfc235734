#!/bin/sh
# SPDX-License-Identifier: MIT
# The recorder as a command: what it writes is what a report reads; it ends with its process.
heapreport=$(realpath "$1")
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/dumps"
sleep 2 &
pid=$!
run "$heapreport" record --pid "$pid" --dir "$scratch/dumps" --every 50ms \
    --run 'echo "{\"allocated\":1048576,\"resident\":2097152}"'
record="$scratch/dumps/heapreport-record.$pid.jsonl"
check "ends with the process" status_is 0
check "a line a sample" [ "$(wc -l <"$record")" -ge 10 ]
check "every line is an object of the schema" \
    jq -es 'all(.schema == "heapreport-record" and .smaps_rollup.rss_bytes > 0 and .allocator.allocated_bytes == 1048576)' \
    "$record" >/dev/null
run "$heapreport" --dir "$scratch/dumps" -o "$scratch/r.json"
check "a report reads it" status_is 0
check "a report knows its figures" \
    jq -e '[.series.evidence[].id] | contains(["rss", "anonymous", "allocated", "resident"])' "$scratch/r.json" >/dev/null

run "$heapreport" record --pid 4194305 --dir "$scratch/dumps"
check "no such process: status 3" status_is 3
check "no such process: said" err_has "4194305"
run "$heapreport" record --pid $$ --dir "$scratch/nowhere"
check "no such directory: status 3" status_is 3
finish
