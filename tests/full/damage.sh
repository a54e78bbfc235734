#!/bin/sh
# SPDX-License-Identifier: MIT
# One bit flipped at each of FLIPS seeded places of a small good directory of dumps, at each of
# BINARY_FLIPS of its program, and a dump cut at every STEPth byte: the outcomes are printed, and an
# untold change of the verdict fails. Without arguments: 10,000, 1,000 and every byte.
#
# usage: damage.sh [PROGRAM CASE FLIPS BINARY_FLIPS STEP]
root=$(cd "$(dirname "$0")/../.." && pwd)
program=${1:-$root/build-check/tests/fuzz/damage}
case_tar=${2:-$root/testdata/cases/leak/leak.tar.xz}
HR_DATA_DIR=${HR_DATA_DIR:-$root}
export HR_DATA_DIR
scratch=$(mktemp -d "${TMPDIR:-/tmp}/heapreport-damage-XXXXXX") || exit 1
trap 'rm -rf "$scratch"' EXIT
tar -xf "$case_tar" -C "$scratch" || exit 1
mkdir "$scratch/dumps.d" || exit 1
# Every fourth dump is enough for the verdict, and its last one is read by it.
for dump in "$scratch"/dumps/*.heap; do
    sequence=$(basename "$dump" | cut -d. -f3)
    [ $((sequence % 4)) -ne 0 ] || cp -p "$dump" "$scratch/dumps.d"
done
"$program" "$scratch/dumps.d" "$scratch/demo-service" "${3:-10000}" "${4:-1000}" "${5:-1}"
