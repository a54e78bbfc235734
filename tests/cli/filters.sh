#!/bin/sh
# SPDX-License-Identifier: MIT
# --focus, --ignore, --show and --hide: what is left, that the parts make the whole, and that the
# report says it.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case"
tar -xf "$case_tar" -C "$scratch/case"

# filtered NAME OPTION...: writes NAME.json and NAME.txt.
filtered() {
    name=$1
    shift
    run "$heapreport" -q --dir "$scratch/case/dumps" --binary "$scratch/case/demo-service" "$@" \
        -o "$scratch/$name.json" -o "$scratch/$name.txt"
}

final() {
    jq '.totals.final_bytes' "$scratch/$1.json"
}

functions() {
    jq -r '.suspects[].function' "$scratch/$1.json"
}

filtered whole
check "without filters: status 0" status_is 0
check "without filters: none is said" test "$(jq -c .filters "$scratch/whole.json")" = "[]"
for name in focus ignore show hide; do
    filtered "$name" "--$name" '^session_open$'
    check "--$name: status 0" status_is 0
    check "--$name: said in the result" test "$(jq -r '.filters[0]' "$scratch/$name.json")" = "--$name ^session_open\$"
    check "--$name: said in the report" grep -q "Filtered by" "$scratch/$name.txt"
    check "--$name: a part of the heap is not held against the process" \
        test "$(jq -r '.verdict.scope + " " + (.balance | map(.id) | join(" "))' "$scratch/$name.json")" = "heap heap_profile"
    check "--$name: in the command that repeats it" grep -q -e "--$name '^session_open" "$scratch/$name.json"
done
check "--focus leaves one suspect" test "$(functions focus)" = session_open
check "--ignore leaves the others" test "$(functions ignore | grep -c session_open)" = 0
difference=$(($(final focus) + $(final ignore) - $(final whole)))
check "what is in focus and what is ignored make the whole" test "${difference#-}" -le 2
difference=$(($(final hide) - $(final whole)))
check "--hide takes no bytes away" test "${difference#-}" -le 2
check "--hide takes the function away" test "$(grep -c '"function": "session_open"' "$scratch/hide.json")" = 0
check "--show leaves only that function" test "$(jq -r '[.suspects[].stacks[].frames[].function] | unique | join(" ")' "$scratch/show.json")" = session_open
filtered file --focus 'demo-service\.c$'
check "a file's name counts too" test "$(final file)" -gt 0
filtered bad --focus '('
check "no regular expression: status 2" status_is 2
check "no regular expression: said" err_has "--focus"
for option in focus ignore show hide; do
    filtered endless "--$option" '(?R)'
    check "--$option: what gives up half way has not matched nothing: status 2" status_is 2
    check "--$option: said in one line" all_of one_error_line "err_has --$option:"
    check "--$option: no report" test ! -e "$scratch/endless.json"
done
finish
