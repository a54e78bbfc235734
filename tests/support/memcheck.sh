#!/bin/sh
# SPDX-License-Identifier: MIT
# Runs a test of ours under valgrind's memcheck: a compiled one as it is; of a script every run of
# heapreport that it makes. An error or a lost block ends a run with status 99.
#
# usage: memcheck.sh PROGRAM ARGUMENTS...      (meson test --wrap)
support=$(cd "$(dirname "$0")" && pwd)
watch="valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite
    --show-leak-kinds=definite --num-callers=30 --suppressions=$support/memcheck.supp"
case $(basename "$1") in
python3* | sh | dash) ;;
# One of its tests measures the memory of its own process, which is valgrind's here.
# shellcheck disable=SC2086
test-record) exec $watch "$@" -s /record/names-stacks-and-arenas ;;
# shellcheck disable=SC2086
*) exec $watch "$@" ;;
esac
stand_in=$(mktemp -d "${TMPDIR:-/tmp}/heapreport-memcheck-XXXXXX") || exit 1
trap 'rm -rf "$stand_in"' EXIT
for argument in "$@"; do
    shift
    case $argument in
    */src/heapreport)
        printf '#!/bin/sh\nexec %s "%s" "$@"\n' "$(echo $watch)" "$(realpath "$argument")" >"$stand_in/heapreport"
        chmod +x "$stand_in/heapreport"
        argument=$stand_in/heapreport
        ;;
    esac
    set -- "$@" "$argument"
done
"$@"
