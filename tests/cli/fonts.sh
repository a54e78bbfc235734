#!/bin/sh
# SPDX-License-Identifier: MIT
# No fonts: a system without any gives the same report, in which letters that ours lack are escaped; without our own
# files no page is made, which is said in one sentence, and the other formats are.
heapreport=$(realpath "$1")
hostile=$(realpath "$2")
faults=$(realpath "$3")
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/with" "$scratch/without" "$scratch/data" "$scratch/target" "$scratch/nothing"
target="$scratch/target"
printf '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig></fontconfig>\n' >"$scratch/fonts.conf"

# A system without fonts, and with a configuration of fontconfig that knows of none.
bare() {
    run env HR_FAULTS=nofonts LD_PRELOAD="$faults" FONTCONFIG_FILE="$scratch/fonts.conf" FONTCONFIG_PATH="$scratch/nothing" \
        HOME="$scratch/nothing" "$@"
}
plain_result="$(dirname "$hostile")/heap-growth.json"
for suffix in pdf html svg; do
    run "$heapreport" render "$plain_result" -o "$scratch/with/r.$suffix"
    check "$suffix with the system's fonts" status_is 0
    bare "$heapreport" render "$plain_result" -o "$scratch/without/r.$suffix"
    check "$suffix without: a report" status_is 0
    check "$suffix without: no complaint" [ ! -s "$scratch/err" ]
    check "$suffix without: the same bytes" same "$scratch/with/r.$suffix" "$scratch/without/r.$suffix"
    bare "$heapreport" render "$hostile" -o "$scratch/without/hostile.$suffix"
    check "$suffix without, letters that our fonts lack: a report" status_is 0
    check "$suffix without, letters that our fonts lack: no complaint" [ ! -s "$scratch/err" ]
done
check "nothing was laid into HOME" no_files_in "$scratch/nothing"
if command -v pdftotext >/dev/null; then
    pdftotext "$scratch/without/hostile.pdf" "$scratch/text"
    check "letters that no font has are escaped" grep -F '\u{' "$scratch/text"
else
    skip "letters that no font has are escaped" "no pdftotext"
fi

# Our own: missing, no font, cut. $HEAPREPORT_DATA_DIR has fonts/ and templates/.
cp -r "$HEAPREPORT_DATA_DIR/templates" "$scratch/data/templates"
broken() {
    name=$1
    file=$2
    for suffix in pdf html svg; do
        run env HEAPREPORT_DATA_DIR="$scratch/data" "$heapreport" render "$hostile" -o "$target/r.$suffix" -o "$target/r.txt"
        check "$name, $suffix: status 3" status_is 3
        check "$name, $suffix: one sentence, with the file" all_of one_error_line "err_has $file"
        check "$name, $suffix: no path printed" out_is_empty
        check "$name, $suffix: nothing written" no_files_in "$target"
    done
    run env HEAPREPORT_DATA_DIR="$scratch/data" "$heapreport" render "$hostile" -o "$target/r.txt" -o "$target/r.md" -o "$target/r.csv"
    check "$name: formats without pages" status_is 0
    rm -f "$target"/*
}
broken "no directory of fonts" "$scratch/data/fonts/Inter-Regular.otf"
cp -r "$HEAPREPORT_DATA_DIR/fonts" "$scratch/data/fonts"
rm "$scratch/data/fonts/JetBrainsMono-Bold.ttf"
broken "one font is missing" "$scratch/data/fonts/JetBrainsMono-Bold.ttf"
echo "no font" >"$scratch/data/fonts/JetBrainsMono-Bold.ttf"
broken "one file is no font" "$scratch/data/fonts/JetBrainsMono-Bold.ttf"
head -c 900 "$HEAPREPORT_DATA_DIR/fonts/JetBrainsMono-Bold.ttf" >"$scratch/data/fonts/JetBrainsMono-Bold.ttf"
broken "one font is cut" "$scratch/data/fonts/JetBrainsMono-Bold.ttf"
finish
