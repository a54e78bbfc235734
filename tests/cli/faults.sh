#!/bin/sh
# SPDX-License-Identifier: MIT
# Faults of the system under a run, made to happen (tests/support/faults.c, limits, signals): what is
# said, the exit status, and that nothing half written or foreign stays behind.
heapreport=$(realpath "$1")
case_tar=$2
faults=$(realpath "$3")
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case" "$scratch/out.d" "$scratch/plain"
tar -xf "$case_tar" -C "$scratch/case"
dumps="$scratch/case/dumps"
binary="$scratch/case/demo-service"
target="$scratch/out.d"
middle=$(ls "$dumps" | grep '\.20\.i20\.heap$')
report() { run timeout 60 "$heapreport" --dir "$dumps" --binary "$binary" "$@"; }
report -q -o "$scratch/plain/r.json" -o "$scratch/plain/r.svg"
check "without a fault" status_is 0

# faulty FAULTS PATH [OUTPUT...]: a run under these faults.
faulty() {
    what=$1
    path=$2
    shift 2
    run env HR_FAULTS="$what" HR_FAULTS_PATH="$path" LD_PRELOAD="$faults" timeout 60 \
        "$heapreport" --dir "$dumps" --binary "$binary" "$@"
}
clean() { rm -rf "$target" && mkdir "$target"; }

for fault in short interrupted "short interrupted" clock noproc; do
    faulty "$fault" none -q -o "$target/r.json" -o "$target/r.svg"
    check "$fault: a report" status_is 0
    check "$fault: the same result" same "$target/r.json" "$scratch/plain/r.json"
    check "$fault: the same picture" same "$target/r.svg" "$scratch/plain/r.svg"
    check "$fault: nothing else is left" [ "$(ls -A "$target" | wc -l)" -eq 2 ]
    clean
done

# What cannot be written: status 3, the old report stays, nothing beside it.
for fault in "full:No space left" "quota:quota exceeded" "sync:Input/output error" "close:quota exceeded"; do
    echo old >"$target/r.json"
    faulty "${fault%%:*}" none -o "$target/r.json" -o "$target/r.svg"
    check "${fault%%:*}: status 3" status_is 3
    check "${fault%%:*}: said" err_has "${fault#*:}"
    check "${fault%%:*}: names the output" err_has "$target/r."
    check "${fault%%:*}: the old report stays" [ "$(cat "$target/r.json")" = old ]
    check "${fault%%:*}: nothing beside it" [ "$(ls -A "$target")" = r.json ]
    clean
done
for fault in "readonly:Read-only file system" "denied:Permission denied"; do
    echo old >"$target/r.json"
    faulty "${fault%%:*}" none -o "$target/r.json" -o "$target/r.svg"
    check "a ${fault%%:*} directory: status 3" status_is 3
    check "a ${fault%%:*} directory: one sentence, with the output" all_of one_error_line "err_has $target/r."
    check "a ${fault%%:*} directory: said" err_has "${fault#*:}"
    check "a ${fault%%:*} directory: no path printed" out_is_empty
    check "a ${fault%%:*} directory: the old report stays" [ "$(cat "$target/r.json")" = old ]
    check "a ${fault%%:*} directory: nothing beside it" [ "$(ls -A "$target")" = r.json ]
    clean
done
faulty full none -o "$target/charts/"
check "full disk, a directory of charts: status 3" status_is 3
check "full disk, a directory of charts: nothing is left" no_files_in "$target"
# The shim does from inside what others would do; the sandbox would not let it.
faulty vanishing none --no-sandbox -o "$target/r.json"
check "the directory of the output vanishes: status 3" status_is 3
check "the directory of the output vanishes: said" err_has "cannot write $target/r.json: No such file"
mkdir -p "$target"

# A history that cannot be kept: no report either, and the nights before stay as they were.
nights="$scratch/nights"
mkdir "$nights"
report -q --history "$nights/h.jsonl" -o "$target/r.json"
check "a history is begun" [ "$(wc -l <"$nights/h.jsonl")" -eq 1 ]
cp "$nights/h.jsonl" "$scratch/kept.jsonl"
clean
for fault in "full:No space left" "quota:quota exceeded" "sync:Input/output error"; do
    run env HR_FAULTS="${fault%%:*}" HR_FAULTS_BYTES=100 LD_PRELOAD="$faults" timeout 60 \
        "$heapreport" --dir "$dumps" --binary "$binary" --history "$nights/h.jsonl" -o "$target/r.json"
    check "history, ${fault%%:*}: status 3" status_is 3
    check "history, ${fault%%:*}: one sentence, with the file" all_of one_error_line "err_has $nights/h.jsonl"
    check "history, ${fault%%:*}: said" err_has "${fault#*:}"
    check "history, ${fault%%:*}: the nights before stay" same "$nights/h.jsonl" "$scratch/kept.jsonl"
    check "history, ${fault%%:*}: no report" no_files_in "$target"
done
for fault in "readonly:Read-only file system" "denied:Permission denied"; do
    faulty "${fault%%:*}" none --history "$nights/new.jsonl" -o "$target/r.json"
    check "history in a ${fault%%:*} directory: status 3" status_is 3
    check "history in a ${fault%%:*} directory: one sentence" one_error_line
    check "history in a ${fault%%:*} directory: said" err_has "${fault#*:}"
    check "history in a ${fault%%:*} directory: nothing is made" [ "$(ls -A "$nights")" = h.jsonl ]
    check "history in a ${fault%%:*} directory: no report" no_files_in "$target"
done

# The recorder: what was sampled stays whole, line by line.
recorded="$scratch/recorded"
mkdir "$recorded"
sleep 60 &
pid=$!
record() { # FAULT BYTES
    run env HR_FAULTS="$1" HR_FAULTS_BYTES="$2" LD_PRELOAD="$faults" timeout 30 \
        "$heapreport" record --pid "$pid" --dir "$recorded" --every 50ms --for 20s
}
for fault in "full:No space left" "quota:quota exceeded"; do
    record "${fault%%:*}" 3000
    check "record, ${fault%%:*}: status 3" status_is 3
    check "record, ${fault%%:*}: one sentence, with the file" all_of one_error_line "err_has $recorded/heapreport-record.$pid.jsonl"
    check "record, ${fault%%:*}: said" err_has "${fault#*:}"
    check "record, ${fault%%:*}: what was sampled before is whole" json_lines_are "$recorded/heapreport-record.$pid.jsonl" \
        'length > 1 and all(.schema == "heapreport-record")'
    check "record, ${fault%%:*}: nothing else" [ "$(ls -A "$recorded")" = "heapreport-record.$pid.jsonl" ]
    rm -f "$recorded"/*
done
for fault in "readonly:Read-only file system" "denied:Permission denied"; do
    record "${fault%%:*}" 3000
    check "record in a ${fault%%:*} directory: status 3" status_is 3
    check "record in a ${fault%%:*} directory: one sentence, with the file" all_of one_error_line "err_has $recorded"
    check "record in a ${fault%%:*} directory: said" err_has "${fault#*:}"
    check "record in a ${fault%%:*} directory: nothing is made" no_files_in "$recorded"
done
kill "$pid"

# What cannot be read is told, and the rest is used.
faulty unreadable "$middle" -o "$target/r.json"
check "a dump with read errors: a report" status_is 0
check "a dump with read errors: told" json_is "$target/r.json" 'any(.data_quality[]; .code == "HR-004") and .run.dumps_skipped_count == 1'
faulty unreadable heapreport-record -o "$target/r.json"
check "evidence with read errors: a report" status_is 0
check "evidence with read errors: told" json_is "$target/r.json" 'any(.data_quality[]; .code == "HR-021")'
faulty unreadable /templates/ -o "$target/r.json"
check "templates with read errors: status 3" status_is 3
check "templates with read errors: one sentence" one_error_line
for fault in lost truncated growing; do
    cp -a "$dumps/$middle" "$scratch/kept"
    faulty $fault "$middle" --no-sandbox -o "$target/r.json"
    cp -a "$scratch/kept" "$dumps/$middle"
    check "a dump is $fault while it is read: a report" status_is 0
    check "a dump is $fault while it is read: the verdict stays" json_is "$target/r.json" '.verdict.class == "heap_growth"'
done
check "a dump is growing while it is read: told" json_is "$target/r.json" 'any(.data_quality[]; .code == "HR-006")'
cp -a "$binary" "$scratch/kept"
faulty truncated demo-service --no-sandbox -o "$target/r.json"
cp -a "$scratch/kept" "$binary"
check "the binary is cut while it is read: a report or one sentence" [ "$status" -eq 0 -o "$status" -eq 3 ]
check "the binary is cut while it is read: said" err_is_ours
clean

# Signals: what is being written is finished or gone.
for signal in TERM INT HUP; do
    env HR_FAULTS=slow LD_PRELOAD="$faults" "$heapreport" -q --dir "$dumps" -o "$target/r.json" >/dev/null 2>&1 &
    writer=$!
    sleep 0.5
    kill -"$signal" "$writer" 2>/dev/null
    wait "$writer" 2>/dev/null
    check "SIG$signal: nothing half written is left" [ -z "$(ls -A "$target" | grep -v '^r\.json$')" ]
    clean
done

# Standard descriptors that are not there must not become those of a file.
run sh -c '"$@" <&- >&- 2>&-' sh "$heapreport" --dir "$dumps" --binary "$binary" -o "$target/r.json" -o "$target/r.svg"
check "no standard descriptors: a report" status_is 0
check "no standard descriptors: no message inside it" same "$target/r.json" "$scratch/plain/r.json"
run sh -c '"$@" >&-' sh "$heapreport" --dir "$dumps" -o - --format json
check "no standard output to write to: status 3" status_is 3
check "no standard output to write to: said" err_has "standard output"
run sh -c '{ "$@"; echo $? >&3; } 3>"$0" | head -c 1' "$scratch/status" "$heapreport" --dir "$dumps" -o - --format json
check "the reader of standard output goes away: status 3" [ "$(cat "$scratch/status")" = 3 ]
check "the reader of standard output goes away: said" err_has "standard output"
clean

# Limits of the process. GLib writes a line of its own before it gives up on a small piece of memory.
ours_is_last() { tail -n 1 "$scratch/err" | grep '^heapreport: ' >/dev/null; }
run sh -c 'ulimit -n 8; "$@"' sh "$heapreport" -q --dir "$dumps" --binary "$binary" -o "$target/r.json"
check "eight descriptors: a report" status_is 0
check "eight descriptors: the same result" same "$target/r.json" "$scratch/plain/r.json"
clean
for descriptors in 4 5 6 7; do
    run sh -c "ulimit -n $descriptors; \"\$@\"" sh "$heapreport" --dir "$dumps" --binary "$binary" -o "$target/r.json" -o "$target/r.svg"
    if [ "$status" -eq 127 ]; then # the loader did not even get us in
        skip "$descriptors descriptors" "not enough to be loaded"
        continue
    fi
    check "$descriptors descriptors: a report, or status 3 and why" \
        [ "$status" -eq 0 -o "$(grep -c 'Too many open files' "$scratch/err")" -gt 0 -a "$status" -eq 3 ]
    check "$descriptors descriptors: never as a lack of permission" [ "$(grep -c 'Permission denied' "$scratch/err")" -eq 0 ]
    check "$descriptors descriptors: all files or none" [ "$(ls -A "$target" | wc -l)" -eq "$((status == 0 ? 2 : 0))" ]
    clean
done
for megabytes in 100 140 170; do
    run sh -c "ulimit -v $((megabytes * 1024)); \"\$@\"" sh "$heapreport" --dir "$dumps" -o "$target/r.json" -o "$target/r.pdf"
    if [ "$status" -eq 127 ]; then # the loader did not even get us in
        skip "$megabytes MB of address space" "not enough to be loaded"
        continue
    fi
    check "$megabytes MB of address space: a report or status 3" [ "$status" -eq 0 -o "$status" -eq 3 ]
    check "$megabytes MB of address space: said" ours_is_last
    check "$megabytes MB of address space: all files or none" [ "$(ls -A "$target" | wc -l)" -eq "$((status == 0 ? 2 : 0))" ]
    clean
done

# The environment.
run env -i HEAPREPORT_DATA_DIR="$HEAPREPORT_DATA_DIR" "$heapreport" -q --dir "$dumps" --binary "$binary" -o "$target/r.json"
check "an empty environment: a report" status_is 0
check "an empty environment: the same result" same "$target/r.json" "$scratch/plain/r.json"
rm "$target/r.json"
for epoch in abc -1 12x 99999999999999999999; do
    run env SOURCE_DATE_EPOCH="$epoch" "$heapreport" --dir "$dumps" -o "$target/r.json"
    check "SOURCE_DATE_EPOCH=$epoch: status 2" status_is 2
    check "SOURCE_DATE_EPOCH=$epoch: said" err_has "SOURCE_DATE_EPOCH=$epoch"
    check "SOURCE_DATE_EPOCH=$epoch: nothing written" no_files_in "$target"
done

# Two runs at once: each moves all of its files, or waits.
for i in 1 2 3 4; do
    "$heapreport" -q --dir "$dumps" --title "run $i" -o "$target/r.json" -o "$target/r.txt" >/dev/null 2>"$scratch/err.$i" &
done
wait
check "four runs to one place: no complaint" [ -z "$(cat "$scratch"/err.?)" ]
check "four runs to one place: both files are of one run" grep -qF "$(jq -r .title "$target/r.json")" "$target/r.txt"
check "four runs to one place: nothing else" [ "$(ls -A "$target" | wc -l)" -eq 2 ]
(
    exec 9<"$target"
    flock 9
    exec sleep 30
) &
holder=$!
sleep 0.2
report -o "$target/r.json"
check "a place that another run keeps: status 3" status_is 3
check "a place that another run keeps: said" err_has "another run"
kill "$holder" 2>/dev/null
finish
