#!/bin/sh
# SPDX-License-Identifier: MIT
# The recorder as a command: what it writes is what a report reads; it ends with its process.
heapreport=$(realpath "$1")
refuse=$(realpath "$(dirname "$0")/../support/refuse.py")
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
# The end of the time, names, and a program that is started.
mkdir "$scratch/for" "$scratch/named" "$scratch/told"
sleep 60 &
pid=$!
run "$heapreport" record --pid "$pid" --dir "$scratch/for" --every 100ms --for 1s
check "--for: ends in time" status_is 0
check "--for: with samples" [ "$(wc -l <"$scratch/for/heapreport-record.$pid.jsonl")" -ge 5 ]
run "$heapreport" record --pid "$pid" --dir "$scratch/for" --every 100ms --for 300ms
check "restarted: onto the same file" json_lines_are "$scratch/for/heapreport-record.$pid.jsonl" \
    "length >= 7 and all(.pid == $pid) and ([.[].time_s] | . == sort)"
kill "$pid"
cp "$(command -v sleep)" "$scratch/waited-for"
"$heapreport" record --wait-for waited-for --dir "$scratch/named" --every 100ms &
recorder=$!
sleep 1
"$scratch/waited-for" 1 &
pid=$!
wait "$recorder"
check "--wait-for: finds it, and ends with it" [ $? -eq 0 ]
check "--wait-for: that process" [ -s "$scratch/named/heapreport-record.$pid.jsonl" ]
run "$heapreport" record --dir "$scratch/told" --every 100ms -- sh -c 'echo "$MALLOC_CONF"; echo "$_RJEM_MALLOC_CONF"; sleep 0.3'
check "a program that is started: both variables" [ "$(grep -c "^prof:true,.*prof_prefix:$scratch/told/sh,.*prof_final:true" "$scratch/out")" -eq 2 ]

MALLOC_CONF=retain:true, run "$heapreport" record --dir "$scratch/told" --every 100ms -- sh -c 'echo "$MALLOC_CONF"; sleep 0.3'
check "a program that is started: no empty piece behind a comma that was there" [ "$(grep -c '^retain:true,prof:true,' "$scratch/out")" -eq 1 ]
mkdir "$scratch/becomes"
run "$heapreport" record --dir "$scratch/becomes" --every 100ms -o "$scratch/becomes.json" -- sh -c 'exec "$0" 1' "$scratch/waited-for"
check "a shell that becomes the program: status 0" status_is 0
check "a shell that becomes the program: that one is named" json_is "$scratch/becomes.json" '[.. | strings | select(endswith("/waited-for"))] | length > 0'
mkdir "$scratch/hangs"
sleep 60 &
pid=$!
run timeout 30 "$heapreport" record --pid "$pid" --dir "$scratch/hangs" --every 200ms --for 1s --run 'echo "{\"allocated\":7,\"resident\":8}"; exec >&-; sleep 1000'
check "a command that hangs with its output closed: ends in time" status_is 0
check "a command that hangs: samples without it" json_lines_are "$scratch/hangs/heapreport-record.$pid.jsonl" 'length >= 2 and all(.allocator == null)'

# Where the kernel has no descriptors of processes: the same.
if python3 "$refuse" pidfd true; then
    mkdir "$scratch/older"
    run timeout 30 python3 "$refuse" pidfd "$heapreport" record --pid "$pid" --dir "$scratch/older" --every 200ms --for 2s --run 'echo "{\"allocated\":7,\"resident\":8}"'
    check "an older kernel: ends" status_is 0
    check "an older kernel: samples have the command's counters" json_lines_are "$scratch/older/heapreport-record.$pid.jsonl" \
        'length >= 2 and any(.allocator.allocated_bytes == 7)'
else
    skip "an older kernel" "calls cannot be refused here"
fi
kill "$pid"

run "$heapreport" record --dir "$scratch/nowhere" -- touch "$scratch/ran"
check "nowhere to record: the program is not started" all_of "status_is 3" "err_has nowhere" "[ ! -e $scratch/ran ]"
mkdir "$scratch/other"
echo 'kind,time' >"$scratch/other/heapreport-record.$$.jsonl"
run "$heapreport" record --pid $$ --dir "$scratch/other" --for 100ms
check "a file of that name that is no record: refused" err_has "it is no record"
check "a file of that name that is no record: left as it is" [ "$(cat "$scratch/other/heapreport-record.$$.jsonl")" = kind,time ]

# What it costs: processor time of 20 samples beyond that of one, as a share of 30 seconds each.
share=$(python3 - "$heapreport" "$scratch/for" <<'END'
import os, resource, subprocess, sys
target = subprocess.Popen([sys.executable, "-c", "import time, json, re; x = bytearray(200 << 20); time.sleep(600)"])
def cost(samples):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.argv[1], "record", "--pid", str(target.pid), "--dir", sys.argv[2], "--every", "200ms",
                    "--for", f"{samples * 200 - 100}ms"], check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
one, many = cost(1), cost(21)
target.kill()
print(f"{(many - one) / 20 / 30:.7f}")
END
)
echo "# share of one processor at 30 s: $share"
check "costs less than 0.1 % of a processor" awk "BEGIN { exit !(\"$share\" != \"\" && $share < 0.001) }"
finish
