# SPDX-License-Identifier: MIT
# Sourced by the shell tests: TAP lines, a scratch directory that goes at the end, and `run`, which
# keeps a command's status, output and messages.

# The configuration file of who runs the tests is nothing to them.
export XDG_CONFIG_HOME=/nonexistent XDG_CONFIG_DIRS=/nonexistent

count=0
failures=0
scratch=$(mktemp -d "${TMPDIR:-/tmp}/heapreport-test-XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' INT TERM

# run COMMAND...: sets $status; standard output and error are in $scratch/out and $scratch/err.
run() {
    status=0
    "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
}

# check NAME COMMAND...: one test; what the last `run` said is shown when it fails.
check() {
    check_name=$1
    shift
    count=$((count + 1))
    if "$@" >/dev/null; then # a predicate says nothing of its own
        echo "ok $count - $check_name"
    else
        failures=$((failures + 1))
        echo "not ok $count - $check_name"
        echo "# failed: $*"
        echo "# status: ${status:-none}"
        sed 's/^/# err: /' "$scratch/err" 2>/dev/null | head -20
        sed 's/^/# out: /' "$scratch/out" 2>/dev/null | head -5
    fi
}

skip() {
    count=$((count + 1))
    echo "ok $count - $1 # SKIP $2"
}

finish() {
    echo "1..$count"
    exit 0
}

# Predicates for check.
status_is() { [ "$status" -eq "$1" ]; }
err_has() { grep -qF -- "$1" "$scratch/err"; }
out_has() { grep -qF -- "$1" "$scratch/out"; }
out_is_empty() { [ ! -s "$scratch/out" ]; }
json_is() { [ -s "$1" ] && jq -e "$2" "$1" >/dev/null; }
json_lines_are() { [ -s "$1" ] && jq -es "$2" "$1" >/dev/null; }
# Every line of ours says whose it is.
err_is_ours() { [ -s "$scratch/err" ] && ! grep -qv '^heapreport: ' "$scratch/err"; }
one_error_line() { err_is_ours && [ "$(wc -l <"$scratch/err")" -eq 1 ]; }
same() { cmp -s "$1" "$2"; }
no_files_in() { [ -z "$(ls -A "$1")" ]; }
all_of() { for predicate in "$@"; do $predicate || return 1; done; }
