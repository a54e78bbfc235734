#!/bin/sh
# SPDX-License-Identifier: MIT
# The recorder as a command: what it writes is what a report reads; it ends with its process.
heapreport=$(realpath "$1")
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/dumps"
sleep 5 &
pid=$!
run "$heapreport" record --pid "$pid" --dir "$scratch/dumps" --every 250ms \
    --run 'echo "{\"allocated\":1048576,\"resident\":2097152}"'
record="$scratch/dumps/heapreport-record.$pid.jsonl"
check "ends with the process" status_is 0
check "a line a sample" [ "$(wc -l <"$record")" -ge 8 ]
check "every line is an object of the schema" json_lines_are "$record" 'all(.schema == "heapreport-record" and .smaps_rollup.rss_bytes > 0)'
# On a busy machine the command may take too long for a sample; never for all.
check "samples have the command's counters" json_lines_are "$record" \
    'map(select(.allocator.allocated_bytes == 1048576)) | length > 2'
run "$heapreport" --dir "$scratch/dumps" -o "$scratch/r.json"
check "a report reads it" status_is 0
check "a report knows its figures" json_is "$scratch/r.json" '[.series.evidence[].id] | contains(["rss", "anonymous", "allocated", "resident"])'

run "$heapreport" record --pid 4194305 --dir "$scratch/dumps"
check "no such process: status 3" status_is 3
check "no such process: said" err_has "4194305"
run "$heapreport" record --pid $$ --dir "$scratch/nowhere"
check "no such directory: status 3" status_is 3

mkdir "$scratch/started"
run "$heapreport" record --dir "$scratch/started" --every 100ms -o "$scratch/started.json" -- sleep 1
check "a program that writes no dump: a report all the same" status_is 0
check "a program that writes no dump: of the process alone" json_is "$scratch/started.json" \
    '.run.dumps_used_count == 0 and .verdict.scope == "process" and .run.pid > 0'
finish
