#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes leak.tar.xz anew: sh testdata/cases/make-leak.sh BUILD_DIRECTORY. The goldens change with it. Runs in
# /srv/demo, which must not exist yet: the path is in the dumps' memory maps.
set -eu
build=$(cd "$1" && pwd)
cases=$(cd "$(dirname "$0")" && pwd)
scratch=/srv/demo
mkdir "$scratch" "$scratch/dumps"
trap 'rm -rf "$scratch"' EXIT
cp "$build/testdata/programs/demo-service" "$scratch/demo-service"
MALLOC_CONF="prof:true,prof_prefix:$scratch/dumps/demo,lg_prof_sample:15,lg_prof_interval:22,prof_final:true" \
    "$scratch/demo-service" --seconds 12 --counters "$scratch/counters.json" &
service=$!
until [ -s "$scratch/counters.json" ]; do sleep 0.05; done
"$build/src/heapreport" record --pid "$service" --dir "$scratch/dumps" --every 250ms \
    --run "cat '$scratch/counters.json'"
wait "$service"
rm "$scratch/counters.json"
tar -C "$scratch" --sort=name --owner=0 --group=0 --numeric-owner -cJf "$cases/leak/leak.tar.xz" demo-service dumps
