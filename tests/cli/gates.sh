#!/bin/sh
# SPDX-License-Identifier: MIT
# Gates decide the exit status, outputs are written all the same; history and names.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case"
tar -xf "$case_tar" -C "$scratch/case"
result="$scratch/r.json"
report() { run "$heapreport" --dir "$scratch/case/dumps" --binary "$scratch/case/demo-service" -o "$result" "$@"; }

report --fail-on 'class=heap_growth'
check "a gate trips: status 1" status_is 1
check "a gate trips: the output is there" json_is "$result" '.gates[0].outcome == "tripped"'
report --fail-on 'growth>1GiB,class=outside_heap'
check "gates pass: status 0" status_is 0
report --fail-on 'growth>1MiB'
check "growth over its limit: status 1" status_is 1
low=$(jq .totals.growth_bytes_low "$result") high=$(jq .totals.growth_bytes_high "$result")
report --fail-on "growth>$low"
check "a limit at the lower bound: status 4" status_is 4
check "a limit at the lower bound: it says why" json_is "$result" '.gates[0].because | test("interval")'
report --fail-on "growth>$high"
check "a limit at the upper bound: status 0" status_is 0
report --fail-on 'rate>1KiB/h'
check "a rate over its limit: status 1" status_is 1
mkdir "$scratch/one"
cp -p "$(ls "$scratch"/case/dumps/*.heap | head -1)" "$scratch/one"
run "$heapreport" --dir "$scratch/one" -o "$result" --fail-on 'growth>1GiB'
check "one dump passes no limit of growth: status 4" status_is 4
check "one dump: its growth is unknown" json_is "$result" '.totals.final_bytes > 0 and .totals.growth_bytes == null'
report --fail-on 'growth>'
check "no rule: usage" status_is 2
report --fail-on 'new-suspect'
check "new-suspect without a history: usage" status_is 2
report --fail-on 'new-suspect' --history "$scratch/nights.jsonl"
check "the first night is all new: status 1" status_is 1
check "the night is kept" [ "$(wc -l <"$scratch/nights.jsonl")" -eq 1 ]
report --redact paths,symbols
check "redacted: no name of a function" [ "$(grep -c session_open "$result")" -eq 0 ]
check "redacted: said" json_is "$result" '.redaction != null'
set --
for output in r.folded r.diff.folded r.csv r.md r.txt r.html r.prom r.junit.xml r.pb.gz; do
    set -- "$@" -o "$scratch/$output"
done
run "$heapreport" --dir "$scratch/case/dumps" --label service=demo-service --redact paths -o "$result" "$@"
gzip -dc "$scratch/r.pb.gz" >"$scratch/r.pb"
rm "$scratch/r.pb.gz"
check "paths redacted, addresses without names: in no format a word of the module" \
    [ "$(cat "$result" "$scratch"/r.* | grep -ac 'demo.service')" -eq 0 ]
check "paths redacted: addresses stay" [ "$(grep -c 'path_[0-9a-f]*+0x' "$scratch/r.folded")" -gt 0 ]
report --redact everything
check "redact what: usage" status_is 2
finish
