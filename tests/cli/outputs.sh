#!/bin/sh
# SPDX-License-Identifier: MIT
# Where outputs go, and what stays when they cannot: full disks, missing and unwritable directories,
# links, inputs under the same name.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case" "$scratch/target"
tar -xf "$case_tar" -C "$scratch/case"
dumps="$scratch/case/dumps"
binary="$scratch/case/demo-service"
target="$scratch/target"
report() { run "$heapreport" --dir "$dumps" --binary "$binary" "$@"; }

report -o "$target/r.json" -o "$target/r.txt" -o "$target/r.html" -o "$target/r.svg" -o "$target/r.pdf"
check "five outputs in one run" status_is 0
printf '%s\n' "$target/r.json" "$target/r.txt" "$target/r.html" "$target/r.svg" "$target/r.pdf" >"$scratch/paths"
check "their paths, one a line" same "$scratch/paths" "$scratch/out"
check "nothing else is left" [ "$(ls -A "$target" | wc -l)" -eq 5 ]
check "the PDF is one" [ "$(head -c 5 "$target/r.pdf")" = "%PDF-" ]

report -o - --format txt
check "to standard output: the same bytes" same "$scratch/out" "$target/r.txt"
report -o "$target/name" --format json
check "--format serves a name without a suffix" same "$target/name" "$target/r.json"
report -o "$target/r.csv" -o "$target/r.prom" -o "$target/r.junit.xml" -o "$target/r.folded" -o "$target/r.pb.gz"
check "formats for machines" status_is 0
check "folded stacks name the leak" grep -q "session_open" "$target/r.folded"
check "pprof is compressed" gzip -t "$target/r.pb.gz"
run "$heapreport" render "$target/r.json" -o "$target/again.csv"
check "render: the same table" same "$target/r.csv" "$target/again.csv"
run "$heapreport" render "$target/r.json" -o "$target/again.folded"
check "render: whole stacks need the dumps" status_is 2
check "render: says so" err_has "needs the dumps"
report -o "$target/charts/"
check "a directory of charts" [ -s "$target/charts/timeline.svg" ]
check "the numbers of each chart beside it" [ "$(ls "$target"/charts/*.csv | wc -l)" = "$(ls "$target"/charts/*.svg | wc -l)" ]
report --chart timeline -o "$target/one.svg"
check "one chart alone" same "$target/one.svg" "$target/charts/timeline.svg"
report --chart nonesuch -o "$target/two.svg"
check "an unknown chart: usage" status_is 2
check "an unknown chart: nothing written" [ ! -e "$target/two.svg" ]
for format in html txt md json csv; do
    report --chart timeline -o "$target/two.$format"
    check "one chart in $format: usage" status_is 2
    check "one chart in $format: said" err_has "--chart"
    check "one chart in $format: nothing written" [ ! -e "$target/two.$format" ]
done
report --chart timeline -o "$target/two/"
check "one chart in a directory of all: usage" status_is 2
check "one chart in a directory of all: nothing made" [ ! -e "$target/two" ]

refused() {
    name=$1
    expected=$2
    output=$3
    report -o "$output"
    check "$name: status $expected" status_is "$expected"
    check "$name: names the output" err_has "$output"
    check "$name: no path printed" out_is_empty
}
refused "missing directory" 3 "$scratch/nowhere/r.pdf"
mkdir "$target/dir.pdf"
refused "a directory stands there" 3 "$target/dir.pdf"
ln -s "$binary" "$target/link.json"
refused "a link to an input" 2 "$target/link.json"
check "the input is unharmed" [ "$(head -c 4 "$binary" | tail -c 3)" = "ELF" ]
touch "$target/nights.json"
report --history "$target/nights.json" -o "$target/nights.json"
check "the history as an output: usage" status_is 2
check "the history as an output: it stays" [ ! -s "$target/nights.json" ]
cp "$binary" "$scratch/binary"
report --history "$scratch/binary" -o "$target/r.json"
check "a history that is none: status 3" status_is 3
check "a history that is none: says so" err_has "is no history of heapreport"
check "a history that is none is left as it is" same "$scratch/binary" "$binary"
ln "$dumps/$(ls "$dumps" | grep '\.heap$' | head -1)" "$target/dump.json"
refused "a dump under another name" 2 "$target/dump.json"
mkdir -m 1777 "$scratch/sticky"
ln -s "$target/planted.json" "$scratch/sticky/r.json"
refused "a link in a sticky directory" 3 "$scratch/sticky/r.json"
check "the link was not followed" [ ! -e "$target/planted.json" ]
mkfifo "$target/pipe.json"
refused "a pipe" 3 "$target/pipe.json"
if [ "$(id -u)" -ne 0 ]; then
    mkdir -m 555 "$scratch/readonly"
    refused "a directory without write permission" 3 "$scratch/readonly/r.json"
else
    skip "a directory without write permission" "root may write everywhere"
fi

# A full disk: every output or none, and what was there stays.
mkdir "$scratch/full"
echo old >"$scratch/full/r.json"
(
    ulimit -f 8
    run "$heapreport" --dir "$dumps" --binary "$binary" -o "$scratch/full/r.json" -o "$scratch/full/r.txt" \
        -o "$scratch/full/r.pdf"
    echo "$status" >"$scratch/status"
)
status=$(cat "$scratch/status")
check "a file too large for the disk: status 3" status_is 3
check "a file too large for the disk: said" err_has "$scratch/full/r."
check "a file too large for the disk: the old report stays" [ "$(cat "$scratch/full/r.json")" = "old" ]
check "a file too large for the disk: nothing half written" [ "$(ls -A "$scratch/full")" = "r.json" ]
run sh -c '"$1" --dir "$2" --dry-run >/dev/full' sh "$heapreport" "$dumps"
check "--dry-run to a full disk: status 3" status_is 3
run sh -c '"$1" --dir "$2" -o - --format json >/dev/full' sh "$heapreport" "$dumps"
check "standard output full: status 3" status_is 3
check "standard output full: said" err_has "standard output"
finish
