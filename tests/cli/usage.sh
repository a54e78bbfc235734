#!/bin/sh
# SPDX-License-Identifier: MIT
# Help, version, and what is wrong with a command line: exit status 2, one sentence, a hint.
heapreport=$(realpath "$1")
. "$(dirname "$0")/../support/tap.sh"

for verb in "" render record show trend doctor dump; do
    # shellcheck disable=SC2086
    run "$heapreport" $verb --help
    check "help of '$verb' succeeds" status_is 0
    check "help of '$verb' goes to standard output" [ ! -s "$scratch/err" ]
    check "help of '$verb' begins with examples" [ "$(head -1 "$scratch/out")" = "Examples:" ]
    check "help of '$verb' fits 80 columns" [ -z "$(grep -E '.{81}' "$scratch/out")" ]
done
run "$heapreport" --version
check "version" out_has "heapreport "
check "version succeeds" status_is 0
for words in --version --help "doctor --help" "doctor --conf prof:true"; do
    run sh -c '"$@" >/dev/full' sh "$heapreport" $words
    check "$words where nothing can be written: status 3" status_is 3
    check "$words where nothing can be written: said" one_error_line
    run sh -c '"$@" >&-' sh "$heapreport" $words
    check "$words, nowhere to write: status 3" status_is 3
    check "$words, nowhere to write: said" one_error_line
done

usage() {
    name=$1
    hint=$2
    shift 2
    run "$heapreport" "$@"
    check "$name: status 2" status_is 2
    check "$name: one line on standard error" one_error_line
    check "$name: says $hint" err_has "$hint"
    check "$name: nothing on standard output" out_is_empty
}
usage "no arguments" "--dir DIR"
usage "unknown option" "did you mean --binary?" --dir x --binray y
usage "unknown command" "frobnicate" frobnicate
usage "no output" "-o report.pdf" --dir "$scratch"
usage "missing value" "--binary needs a value" --dir "$scratch" --binary
usage "unknown format" "unknown format" --dir "$scratch" -o "$scratch/report.docx"
check "unknown format: names each one once" [ "$(grep -o '\.json' "$scratch/err" | wc -l)" -eq 1 ]
usage "standard output without a format" "--format" --dir "$scratch" -o -
usage "bad size" "8MiB" --dir "$scratch" --limit much -o "$scratch/r.json"
usage "bad threshold" "floor_bytes" --dir "$scratch" --threshold flor_bytes=1 -o "$scratch/r.json"
usage "output twice" "named twice" --dir "$scratch" -o "$scratch/r.json" -o "$scratch/./r.json"
usage "render without a result" "RESULT.json" render -o "$scratch/r.pdf"
usage "show without a result" "RESULT.json" show
usage "trend without a history" "HISTORY.jsonl" trend
usage "trend of a kind it cannot write" "txt, csv and json" trend nights.jsonl -o nights.folded
usage "record without a process" "--pid" record --dir "$scratch"

# A value that comes back in a message is cut in its middle.
long=$(printf '%0100000d' 0 | tr 0 a)
for argument in "--label $long" "--label=$long" "--limit $long" "--base $long" "--$long" "$long" "--dir $long" "--threshold $long=1" \
    "--template $long" "--fail-on $long" "-o $scratch/$long.json"; do
    # shellcheck disable=SC2086
    run "$heapreport" --dir "$scratch" -o "$scratch/r.json" $argument
    name=$(printf '%s' "$argument" | cut -c1-11)
    check "$name, 100,000 letters: refused" [ "$status" -eq 2 -o "$status" -eq 3 ]
    check "$name, 100,000 letters: one line" one_error_line
    check "$name, 100,000 letters: the line is short" [ "$(wc -c <"$scratch/err")" -lt 2000 ]
done
run "$heapreport" --dir "$scratch" -o "$scratch/r.json" --label "start${long}end"
check "of a long value the start stays" err_has '"startaaa'
check "of a long value the end stays, and what is wrong with it" err_has 'aaaend" is not of the form KEY=VALUE'
finish
