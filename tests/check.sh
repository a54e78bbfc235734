#!/bin/sh
# SPDX-License-Identifier: MIT
# The one command before a commit: installs what is missing, builds with gcc (warnings are errors)
# and with clang's address and undefined behaviour sanitizers, runs the quick suites in both, and
# ends with "N passed, N failed".
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
. tests/support/packages.sh
passed=0
failed=0
skipped=0

# Adds the cases of a build directory's last test run to the counts.
count() {
    # shellcheck disable=SC2046
    set -- $(python3 tests/support/count.py "$1/meson-logs/testlog.json")
    passed=$((passed + ${1:-0}))
    failed=$((failed + ${2:-1}))
    skipped=$((skipped + ${3:-0}))
}

# build DIRECTORY SETUP_ARGUMENTS...: one build counts as one test.
build() {
    directory=$1
    shift
    echo "== building $directory"
    if { [ -e "$directory/build.ninja" ] || meson setup "$directory" "$@"; } && ninja -C "$directory"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        return 1
    fi
}

# suites DIRECTORY SUITE...
suites() {
    directory=$1
    shift
    echo "== testing $directory: $*"
    rm -f "$directory/meson-logs/testlog.json"
    arguments=""
    for suite in "$@"; do arguments="$arguments --suite $suite"; done
    # shellcheck disable=SC2086
    meson test -C "$directory" --no-rebuild --print-errorlogs $arguments
    count "$directory"
}

# shellcheck disable=SC2086
if ! install_packages $BUILD_PACKAGES $TEST_PACKAGES; then
    echo "packages could not be installed" >&2
    failed=$((failed + 1))
fi

# The modules that drive the browser come from npm; without it that suite is skipped, and says so.
# Debian's npm has 200 packages: a machine that has another keeps it.
browser_modules() {
    command -v npm >/dev/null || install_packages nodejs npm || return 0
    npm install --silent --no-fund --no-audit --no-save --install-links --prefix "$1/browser" ./tests/browser ||
        echo "npm could not install what drives the browser" >&2
}

build build-check -Dwerror=true -Dtrigger=enabled && browser_modules build-check &&
    suites build-check unit golden cli peer lint fuzz browser

CC=clang CC_LD=lld
export CC CC_LD
# A run in its sandbox may start no symbolizer, and says so for each try; what is found bears addresses
# then. For names: the same command without symbolize=0 and with --no-sandbox.
ASAN_OPTIONS=abort_on_error=0:detect_stack_use_after_return=1:strict_string_checks=1:symbolize=0
UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
LSAN_OPTIONS=suppressions=$root/tests/support/lsan.supp:print_suppressions=0
export ASAN_OPTIONS UBSAN_OPTIONS LSAN_OPTIONS
build build-sanitized -Dwerror=true -Db_sanitize=address,undefined -Db_lundef=false &&
    suites build-sanitized unit golden cli fuzz

summary="$passed passed, $failed failed"
[ "$skipped" -eq 0 ] || summary="$summary, $skipped skipped"
echo "$summary"
[ "$failed" -eq 0 ]
