#!/bin/sh
# SPDX-License-Identifier: MIT
# A result on the terminal: the verdict and the suspects, or one suspect with its stacks.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case"
tar -xf "$case_tar" -C "$scratch/case"
result="$scratch/r.json"
run "$heapreport" --dir "$scratch/case/dumps" --binary "$scratch/case/demo-service" -o "$result"
check "a result" status_is 0

run "$heapreport" show "$result"
check "overview: status 0" status_is 0
check "overview: the verdict" out_has "$(jq -r .verdict.sentence "$result" | cut -c1-40)"
check "overview: the first suspect" out_has "$(jq -r '.suspects[0].function' "$result")"
check "overview: nothing on standard error" [ ! -s "$scratch/err" ]
run "$heapreport" show "$result" --suspect 1
check "one suspect: status 0" status_is 0
check "one suspect: its fingerprint" out_has "$(jq -r '.suspects[0].fingerprint' "$result")"
check "one suspect: a caller in its stack" out_has "$(jq -r '.suspects[0].stacks[0].frames[-1].function' "$result")"
cp "$scratch/out" "$scratch/by-number"
run "$heapreport" show "$result" --suspect S1
check "by id: the same" same "$scratch/out" "$scratch/by-number"
run "$heapreport" show "$result" --suspect "$(jq -r '.suspects[0].fingerprint' "$result" | cut -c1-8)"
check "by fingerprint: the same" same "$scratch/out" "$scratch/by-number"
run "$heapreport" show "$result" --suspect 99
check "no such suspect: status 2" status_is 2
run "$heapreport" show "$scratch/nowhere.json"
check "no such file: status 3" status_is 3
echo '{}' >"$scratch/other.json"
run "$heapreport" show "$scratch/other.json"
check "no result: status 3" status_is 3
finish
