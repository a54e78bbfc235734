#!/bin/sh
# SPDX-License-Identifier: MIT
# Names against the truth and against llvm: builds of every kind, wrong builds of one program, and
# the chains of real files, address by address.
#
# SYMBOLS_MATRIX=whole runs every cell of the build matrix (an hour on 2 idle cores; matrix.py --part
# I/N runs a part) and not every 167th. Compilers and tools that the machine lacks are installed where
# that is allowed; what stays missing is skipped aloud. SYMBOLS_FILES names more files for the agreement.
root=$(cd "$(dirname "$0")/../.." && pwd)
cd "$root" || exit 1
. tests/support/packages.sh
install_packages g++ clang lld llvm binutils dwz rustc debuginfod xz-utils python3 || echo "not all tools could be installed"
build=${BUILD:-build-check}
[ -e "$build/build.ninja" ] || meson setup "$build" || exit 1
ninja -C "$build" src/heapreport tests/bench/symbolize-dump tests/bench/symbolize-addresses || exit 1
bench=$build/tests/bench
quick=--quick
[ "$SYMBOLS_MATRIX" = whole ] && quick=
failed=0
# shellcheck disable=SC2086
python3 tests/full/matrix.py "$bench/symbolize-dump" testdata/symbolize $quick || failed=1
python3 tests/full/rebuilds.py "$bench/symbolize-dump" testdata/symbolize || failed=1
if command -v llvm-symbolizer >/dev/null; then
    scratch=$(mktemp -d) || exit 1
    trap 'rm -rf "$scratch"' EXIT
    python3 tests/full/make-cxx.py "$scratch/cxx" 2 8 || failed=1
    for file in "$build/src/heapreport" "$scratch/cxx" $SYMBOLS_FILES; do
        python3 tests/full/agreement.py "$bench/symbolize-addresses" "$file" || failed=1
    done
else
    echo "skipped: no llvm-symbolizer"
fi
exit $failed
