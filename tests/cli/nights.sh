#!/bin/sh
# SPDX-License-Identifier: MIT
# Two nights of a real program from end to end: a recorder beside it, base and final dump on demand,
# the report with gate and history; the first night finds the leak new, the second knows it.
heapreport=$(realpath "$1")
library=$(realpath "$2")
. "$(dirname "$0")/../support/tap.sh"
. "$(dirname "$0")/../support/prefixed.sh"
chmod 755 "$scratch"
app="$scratch/app"
make_prefixed_library "$scratch"
link_prefixed "$scratch" "$app" -O2 -g -fno-omit-frame-pointer -Wl,-u,hr_trigger_start \
    "$programs/night-service.c" "$library"

# work N: N requests, until they are done.
work() {
    asked=$((asked + 1))
    echo "work $1" >&3
    until [ "$(grep -c done "$scratch/app.out")" -ge "$asked" ]; do sleep 0.05; done
}

start_recorder() {
    "$heapreport" record --pid "$pid" --dir "$heap" --every 1s \
        --run "'$heapreport' dump --pid $pid --stats" 2>"$scratch/recorder.err" 3>&- &
    recorder=$!
    wanted=$(($(cat "$record" 2>/dev/null | wc -l) + 3))
    tries=0
    until [ "$(cat "$record" 2>/dev/null | wc -l)" -ge "$wanted" ] || [ "$tries" -gt 200 ]; do
        sleep 0.1
        tries=$((tries + 1))
    done
}

# night NAME: plays one; its dumps and record are in $heap.
night() {
    heap="$scratch/$1"
    mkdir "$heap"
    rm -f "$scratch/requests" && mkfifo "$scratch/requests"
    : >"$scratch/app.out"
    asked=0
    HEAPREPORT_TRIGGER_DIR=$heap HEAPREPORT_TRIGGER_LIMIT_MS=0 \
        MALLOC_CONF="prof:true,prof_active:true,prof_prefix:$heap/app,lg_prof_sample:14" \
        "$app" <"$scratch/requests" >"$scratch/app.out" &
    pid=$!
    exec 3>"$scratch/requests"
    record="$heap/heapreport-record.$pid.jsonl"
    work 300
    start_recorder
    run "$heapreport" dump --pid "$pid"
    check "$1: the base, on demand" status_is 0
    work 1500
    sleep 2 # however fast the machine, the recorder must see the night
    before=$(wc -l <"$record")
    kill "$recorder"
    wait "$recorder"
    check "$1: the recorder ends at SIGTERM with status 0" [ $? -eq 0 ]
    check "$1: its last line is whole" [ "$(tail -c 1 "$record" | wc -l)" -eq 1 ]
    start_recorder
    work 1500
    sleep 2
    run "$heapreport" dump --pid "$pid"
    check "$1: the final dump, on demand" status_is 0
    exec 3>&-
    wait "$pid"
    wait "$recorder"
    check "$1: the recorder ends with its process" [ $? -eq 0 ]
    check "$1: restarted, it lost nothing" [ "$(wc -l <"$record")" -ge $((before + 3)) ]
    check "$1: every line is whole, in order, of this process" json_lines_are "$record" \
        "all(.pid == $pid and .smaps_rollup.rss_bytes > 0) and ([.[].time_s] | . == sort)"
    check "$1: the allocator's counters are in it" json_lines_are "$record" \
        'any(.allocator.allocated_bytes > 1000000)' # a busy machine may take too long for some
}

# judge NAME ARGUMENTS...: the report of a night.
judge() {
    name=$1
    shift
    run "$heapreport" --dir "$scratch/$name" --binary "$app" --label service=app "$@" \
        -o "$scratch/$name.json" -o "$scratch/$name.html" -o "$scratch/$name.junit.xml" -o "$scratch/$name.prom"
}

night first
judge first --history "$scratch/nights.jsonl" --fail-on new-suspect
check "night 1: status 1" status_is 1
check "night 1: the leak is new" json_is "$scratch/first.json" \
    '[.suspects[] | select(.significant and .status == "new").function] | any(contains("keep_session"))'
check "night 1: the gate says why" json_is "$scratch/first.json" '.gates[0].outcome == "tripped"'
check "night 1: so does JUnit" grep -q '<failure' "$scratch/first.junit.xml"
check "night 1: dumps fit the binary" json_is "$scratch/first.json" '.binary.match == "confirmed"'
check "night 1: heap growth" json_is "$scratch/first.json" '.totals.growth_bytes > 8000000 and .totals.growth_bytes < 18000000'
check "night 1: the process was measured" json_is "$scratch/first.json" '.verdict.scope == "process"'

sleep 1 # the history goes by the time of the newest dump
night second
judge second --history "$scratch/nights.jsonl" --fail-on new-suspect
check "night 2: status 0" status_is 0
check "night 2: the leak is known" json_is "$scratch/second.json" \
    '[.suspects[] | select(.function | contains("keep_session")).status] | . != [] and all(. == "known" or . == "grown")'
check "night 2: the history shows both" json_is "$scratch/second.json" '.history | length == 2'
check "night 2: one line a night" [ "$(wc -l <"$scratch/nights.jsonl")" -eq 2 ]

judge second --fail-on 'growth>1MiB'
check "a gate on growth: status 1" status_is 1
fingerprint=$(jq -r '[.suspects[] | select(.function | contains("keep_session")).fingerprint][0]' "$scratch/first.json")
cat >"$scratch/allow" <<END
[sessions]
pattern=$fingerprint
reason=sessions are kept until the next release
owner=team
expires=2099-01-01
END
judge first --history "$scratch/other.jsonl" --fail-on new-suspect --allow "$scratch/allow"
check "allowed: status 0" status_is 0
check "allowed: with its reason" json_is "$scratch/first.json" \
    '[.suspects[] | select(.allowed).allowed.owner] | index("team") != null'
run "$heapreport" trend "$scratch/nights.jsonl"
check "the trend over both nights" out_has keep_session

mkdir "$scratch/third"
judge third --history "$scratch/nights.jsonl" --fail-on new-suspect
check "a night without dumps: status 3" status_is 3
check "a night without dumps: doctor's advice" err_has "heapreport doctor"
check "a night without dumps: the usual causes, as doctor finds no other" err_has "_RJEM_MALLOC_CONF in most"
cat >"$scratch/bare.c" <<'END'
int main(void) { return 0; }
END
gcc -g -O2 -Wl,--build-id -o "$scratch/bare" "$scratch/bare.c"
run "$heapreport" --dir "$scratch/third" --binary "$scratch/bare" -o "$scratch/third.json"
check "a program without jemalloc: doctor's finding" err_has "[1] The program has no jemalloc"
check "a program without jemalloc: its remedy" err_has "LD_PRELOAD=libjemalloc.so.2"
check "a night without dumps: no line in the history" [ "$(wc -l <"$scratch/nights.jsonl")" -eq 2 ]
run "$heapreport" doctor -q --dir "$scratch/third" --binary "$app"
check "doctor finds the reason" out_has "holds no dumps"
finish
