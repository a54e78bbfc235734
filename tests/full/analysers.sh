#!/bin/sh
# SPDX-License-Identifier: MIT
# What reads or watches the code instead of holding its outputs to something: gcc's -fanalyzer and
# clang-tidy (.clang-tidy) over src/, valgrind's memcheck over the unit and golden suites, and clang's
# ThreadSanitizer over these and over whole runs with many threads. Each prints what it came to; one
# finding fails. What is suppressed has its reason beside it: .clang-tidy, tests/support/memcheck.supp.
#
# usage: analysers.sh [gcc|tidy|memcheck|threads ...]     all of them
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
. tests/support/packages.sh
# shellcheck disable=SC2086
install_packages $BUILD_PACKAGES $TEST_PACKAGES $ANALYSER_PACKAGES || { echo 'skipped: packages could not be installed'; exit 0; }
scratch=$(mktemp -d "${TMPDIR:-/tmp}/heapreport-analysers-XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
parts=${*:-gcc tidy memcheck threads}
failed=0

# set_up DIRECTORY ARGUMENTS...
set_up() {
    directory=$1
    shift
    [ -e "$directory/build.ninja" ] || meson setup "$directory" -Dtrigger=enabled "$@" >"$scratch/setup" ||
        { cat "$scratch/setup"; exit 1; }
}

# report NAME FINDINGS WHAT: one line a part.
report() {
    echo "$1: $3, $2 findings"
    [ "$2" -eq 0 ] || failed=$((failed + 1))
}

ours() {
    ninja -C "$1" -t targets all | sed -n 's/^\(src\/[^:]*\.[ch]\.o\): .*/\1/p'
}

# Every object of src/ anew, so that a second run says what the first said.
analyse_with_gcc() {
    build=build-analyser
    CC=gcc set_up "$build" -Dbuildtype=debug -Doptimization=1 -Dc_args=-fanalyzer
    objects=$(ours "$build")
    # shellcheck disable=SC2086
    ninja -C "$build" -t clean $objects >/dev/null
    # shellcheck disable=SC2086
    CCACHE_DISABLE=1 ninja -C "$build" -k 0 $objects >"$scratch/gcc" 2>&1
    built=$?
    grep -E ': (warning|error): ' "$scratch/gcc" | sort -u
    [ "$built" -eq 0 ] || tail -n 20 "$scratch/gcc"
    report 'gcc -fanalyzer' "$(($(grep -cE ': (warning|error): ' "$scratch/gcc") + built))" \
        "$(echo "$objects" | wc -l) files"
}

look_with_tidy() {
    build=build-tidy
    CC=clang set_up "$build"
    # What is generated must be there: built as far as the program.
    ninja -C "$build" src/heapreport >"$scratch/ninja" 2>&1 || { tail -n 20 "$scratch/ninja"; exit 1; }
    find src -name '*.c' | sort >"$scratch/files"
    # shellcheck disable=SC2046
    run-clang-tidy -p "$build" -quiet $(sed "s|^|^$root/|; s|\$|\$|" "$scratch/files") \
        >"$scratch/tidy" 2>"$scratch/tidy.err"
    ended=$?
    sed 's/\x1b\[[0-9;]*m//g' "$scratch/tidy" | grep -E '(warning|error): ' | sort -u >"$scratch/findings"
    cat "$scratch/findings"
    looked=$(sed 's/\x1b\[[0-9;]*m//g' "$scratch/tidy" | grep -c '^clang-tidy.*\.c$')
    [ "$ended" -eq 0 ] || [ -s "$scratch/findings" ] || { tail -n 20 "$scratch/tidy.err"; echo "status $ended" >>"$scratch/findings"; }
    [ "$looked" -eq "$(wc -l <"$scratch/files")" ] || echo "$looked files looked at only" | tee -a "$scratch/findings"
    report clang-tidy "$(wc -l <"$scratch/findings")" "$looked files"
}

# run_suites DIRECTORY LOG MULTIPLIER ARGUMENTS...: prints how many programs passed and failed.
run_suites() {
    directory=$1
    log=$2
    multiplier=$3
    shift 3
    rm -f "$directory/meson-logs/testlog.json"
    meson test -C "$directory" --no-rebuild -t "$multiplier" --print-errorlogs "$@" >"$log" 2>&1
    ended=$?
    sed -n '/^Summary of Failures/,$p' "$log"
    passed=$(sed -n 's/^Ok: *//p' "$log")
    unsuccessful=$(sed -n -e 's/^Fail: *//p' -e 's/^Timeout: *//p' "$log" | awk '{ n += $1 } END { print n + 0 }')
    [ "$ended" -eq 0 ] || [ "${unsuccessful:-0}" -gt 0 ] || unsuccessful=1
    [ "$ended" -eq 0 ] || grep -E '^(==[0-9]+==|WARNING: ThreadSanitizer|SUMMARY:|    #[0-9])' "$log" | head -n 60
}

watch_memory() {
    build=build-check
    set_up "$build" -Dwerror=true
    ninja -C "$build" >"$scratch/ninja" 2>&1 || { tail -n 20 "$scratch/ninja"; exit 1; }
    run_suites "$build" "$scratch/memcheck" 40 --suite unit --suite golden \
        --wrap "$root/tests/support/memcheck.sh"
    report memcheck "${unsuccessful:-0}" "${passed:-0} test programs"
}

watch_threads() {
    build=build-threads
    CC=clang CC_LD=lld set_up "$build" -Db_sanitize=thread -Db_lundef=false
    ninja -C "$build" >"$scratch/ninja" 2>&1 || { tail -n 20 "$scratch/ninja"; exit 1; }
    # Libraries that were built without it do not show their locks: pango has a thread of its own for
    # fonts, and GLib hands memory from thread to thread unless told to leave that to malloc.
    TSAN_OPTIONS=halt_on_error=1:exitcode=66:ignore_noninstrumented_modules=1
    G_SLICE=always-malloc
    export TSAN_OPTIONS G_SLICE
    run_suites "$build" "$scratch/threads" 20 --suite unit --suite golden
    suites_passed=${passed:-0}
    suites_failed=${unsuccessful:-0}
    run_suites "$build" "$scratch/threads" 20 cli-same-bytes cli-documents cli-trigger
    report ThreadSanitizer "$((suites_failed + ${unsuccessful:-0}))" \
        "$((suites_passed + ${passed:-0})) test programs"
}

for part in $parts; do
    case $part in
    gcc) analyse_with_gcc ;;
    tidy) look_with_tidy ;;
    memcheck) watch_memory ;;
    threads) watch_threads ;;
    *) echo "unknown part $part" >&2; exit 2 ;;
    esac
done
[ "$failed" -eq 0 ]
