#!/bin/sh
# SPDX-License-Identifier: MIT
# The long suites: everything of check.sh, then each script in tests/full/ (accuracy, fuzzing, build
# matrix, agreement with other tools), each of which ends with status 0 when it passed.
root=$(cd "$(dirname "$0")/.." && pwd)
cd "$root" || exit 1
# No configuration file of who runs this; a browser must be able to write there.
XDG_CONFIG_HOME=$(mktemp -d) || exit 1
trap 'rm -rf "$XDG_CONFIG_HOME"' EXIT
XDG_CONFIG_DIRS=$XDG_CONFIG_HOME
export XDG_CONFIG_HOME XDG_CONFIG_DIRS
passed=0
failed=0
for step in tests/check.sh tests/full/*.sh; do
    [ -e "$step" ] || continue
    echo "== $step"
    if sh "$step"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "== $step failed"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
