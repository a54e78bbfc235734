#!/bin/sh
# SPDX-License-Identifier: MIT
# The same input gives the same bytes: twice, with other numbers of threads, in another order of
# the directory, from a bare environment, and through render.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case" "$scratch/first" "$scratch/again"
tar -xf "$case_tar" -C "$scratch/case"
formats="json txt md html svg png pdf csv prom"

# outputs DIR COMMAND...: runs it with every format into DIR.
outputs() {
    into=$1
    shift
    for format in $formats; do set -- "$@" -o "$into/r.$format"; done
    run "$@"
}
compare() {
    for format in $formats; do
        check "$1: $format" same "$scratch/first/r.$format" "$scratch/again/r.$format"
        rm -f "$scratch/again/r.$format"
    done
}
cd "$scratch/case" || exit 1
report="$heapreport --dir dumps --binary demo-service"
# shellcheck disable=SC2086
{
    outputs ../first $report --jobs 1
    check "the first run" status_is 0
    outputs ../again $report --jobs 1
    compare "twice"
    outputs ../again $report --jobs 8
    compare "8 threads"
    outputs ../again env LC_ALL=de_DE.UTF-8 TZ=Asia/Tokyo LANG=de_DE.UTF-8 $report
    compare "another locale and zone"
    data_dir=${HEAPREPORT_DATA_DIR:-}
    # A sanitizer's settings say which leaks are the libraries'; they are no part of the environment in question.
    outputs ../again env -i ${data_dir:+HEAPREPORT_DATA_DIR="$data_dir"} \
        ${ASAN_OPTIONS:+ASAN_OPTIONS="$ASAN_OPTIONS"} ${LSAN_OPTIONS:+LSAN_OPTIONS="$LSAN_OPTIONS"} \
        ${TSAN_OPTIONS:+TSAN_OPTIONS="$TSAN_OPTIONS"} ${G_SLICE:+G_SLICE="$G_SLICE"} HOME=/nonexistent \
        FONTCONFIG_FILE=/nonexistent FONTCONFIG_PATH=/nonexistent $report
    check "no HOME, no fonts: silent about it" err_is_ours
    compare "no HOME, no fonts"
    mkdir other
    ls dumps | sort -r | while read -r file; do cp -p "dumps/$file" other/; done
    mv dumps kept
    mv other dumps
    outputs ../again $report
    compare "files made in another order"
    outputs ../again "$heapreport" render ../first/r.json
    check "render" status_is 0
    compare "render"
}
check "render needs no dumps in its place" [ -s "$scratch/first/r.json" ]
finish
