#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes gperftools/gperftools.tar.xz anew (needs gcc and libgoogle-perftools-dev): real dumps of
# gperftools' heap profiler, whose growth its program tells to the byte: 2,048,000.
set -eu
root=$(cd "$(dirname "$0")/../.." && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir -p "$scratch/dumps" "$root/testdata/cases/gperftools"
gcc -O2 -g -fno-optimize-sibling-calls -ffile-prefix-map="$root"=/srv/source -o "$scratch/service" \
    "$root/testdata/programs/gperftools-leak.c" -ltcmalloc
(cd "$scratch" && ./service dumps/service)
# The map names where it ran.
sed -i "s|$scratch/|/srv/demo/|" "$scratch"/dumps/*.heap
touch -d '2026-12-01T21:00:00Z' "$scratch/dumps/service.0001.heap"
touch -d '2026-12-01T22:00:00Z' "$scratch/dumps/service.0002.heap"
tar -C "$scratch" --owner=0 --group=0 --sort=name --numeric-owner -cJf "$root/testdata/cases/gperftools/gperftools.tar.xz" dumps service
