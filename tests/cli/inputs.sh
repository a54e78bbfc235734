#!/bin/sh
# SPDX-License-Identifier: MIT
# Inputs that are missing, empty, broken or not what they seem: one clear sentence, exit status 3,
# nothing written; and what is partly usable gives a report.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case" "$scratch/empty" "$scratch/target"
tar -xf "$case_tar" -C "$scratch/case"
dumps="$scratch/case/dumps"
binary="$scratch/case/demo-service"
pid=$(ls "$dumps" | sed -n 's/^demo\.\([0-9]*\)\..*heap$/\1/p' | head -1)
result="$scratch/target/r.json"

unusable() {
    name=$1
    words=$2
    shift 2
    run "$heapreport" "$@" -o "$result"
    check "$name: status 3" status_is 3
    check "$name: speaks as heapreport" err_is_ours
    check "$name: says $words" err_has "$words"
    check "$name: writes nothing" no_files_in "$scratch/target"
    check "$name: prints no path" out_is_empty
}
unusable "missing directory" "$scratch/nowhere" --dir "$scratch/nowhere"
unusable "directory is a file" "$binary" --dir "$binary"
unusable "empty directory" "$scratch/empty" --dir "$scratch/empty"
run "$heapreport" --dir "$scratch/empty" -o "$result"
check "empty directory: names the usual causes" err_has "_RJEM_MALLOC_CONF"
unusable "no dumps of the process" "999999" --dir "$dumps" --pid 999999
unusable "missing binary" "$scratch/no-binary" --dir "$dumps" --binary "$scratch/no-binary"
echo "not a program" >"$scratch/text"
unusable "binary is no program" "$scratch/text" --dir "$dumps" --binary "$scratch/text"
run "$heapreport" --dir "$dumps" --base nothing.heap -o "$result"
check "base that is not there: usage" status_is 2
check "base that is not there: named" err_has nothing.heap
unusable "missing evidence" "$scratch/no-evidence" --dir "$dumps" --evidence "$scratch/no-evidence"
mkfifo "$scratch/fifo"
unusable "binary is a pipe" "$scratch/fifo" --dir "$dumps" --binary "$scratch/fifo"

mkdir "$scratch/mixed"
printf 'heap profile: 1: 2 [ 3: 4] @ growthz\n' >"$scratch/mixed/demo.7.0.i0.heap"
: >"$scratch/mixed/demo.7.1.i1.heap"
unusable "no usable dump" "$scratch/mixed" --dir "$scratch/mixed"
mkdir "$scratch/off" "$scratch/damaged"
printf 'heap_v2/524288\n  t*: 0: 0 [0: 0]\n' >"$scratch/off/demo.7.0.i0.heap"
unusable "profiling was not active" "prof_active:true" --dir "$scratch/off"
check "profiling was not active: one line" one_error_line
printf 'heap_v2/abc\n  t*: 0: 0 [0: 0]\n' >"$scratch/damaged/demo.7.0.i0.heap"
unusable "a damaged header" "heap_v2/ and a number" --dir "$scratch/damaged"

for bad in '' '{' '[]' '{"schema":"other"}' '{"schema":"heapreport-result","schema_version":"2.0"}'; do
    printf '%s' "$bad" >"$scratch/bad.json"
    run "$heapreport" render "$scratch/bad.json" -o "$scratch/target/r.txt"
    check "render '$bad': status 3" status_is 3
    check "render '$bad': names the file" err_has "$scratch/bad.json"
    check "render '$bad': writes nothing" no_files_in "$scratch/target"
done

# Partly usable: a report all the same.
cp -a "$dumps" "$scratch/partly"
: >"$scratch/partly/demo.$pid.900.i900.heap"
printf 'MZ' >"$scratch/partly/demo.$pid.901.i901.heap"
mkfifo "$scratch/partly/demo.$pid.902.i902.heap"
head -c 900 "$dumps/demo.$pid.1.i1.heap" >"$scratch/partly/demo.$pid.1.i1.heap"
run timeout 60 "$heapreport" --dir "$scratch/partly" --binary "$binary" -o "$result"
check "broken files among dumps: a report" status_is 0
check "broken files among dumps: said" err_is_ours
check "broken files among dumps: counted" json_is "$result" '.run.dumps_skipped_count >= 3 and (.data_quality | length) > 0'
rm -f "$result"

mkdir "$scratch/evidence"
cp -a "$dumps"/heapreport-record.*.jsonl "$scratch/evidence"
run "$heapreport" --dir "$scratch/evidence" -o "$result"
check "evidence alone: a report" status_is 0
check "evidence alone: scope process, no dumps" json_is "$result" '.verdict.scope == "process" and .run.dumps_used_count == 0'
run "$heapreport" --dir "$scratch/evidence" --pid "$pid" -o "$result"
check "evidence of the process that was asked for: a report" status_is 0
check "evidence of the process that was asked for: it is that one" json_is "$result" ".run.pid == $pid"
rm -f "$result"
unusable "evidence of another process" "999999" --dir "$scratch/evidence" --pid 999999

mkdir "$scratch/steering"
cp -a "$dumps/demo.$pid.1.i1.heap" "$(printf '%s/\033[2Jx.7.0.i0.heap' "$scratch/steering")"
run "$heapreport" --dir "$scratch/steering" --dry-run
check "a name that would steer the terminal: shown as text" out_has '\x1b[2Jx.7.0.i0.heap'
finish
