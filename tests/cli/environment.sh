#!/bin/sh
# SPDX-License-Identifier: MIT
# The service's MALLOC_CONF around our own run: no dump of ours may appear among the service's, or
# it would be its newest run.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case"
tar -xf "$case_tar" -C "$scratch/case"
dumps="$scratch/case/dumps"
ls "$dumps" >"$scratch/before"
for interval in 26 20 10; do
    conf="prof:true,prof_active:true,prof_prefix:$dumps/demo,lg_prof_sample:10,lg_prof_interval:$interval,prof_final:true,prof_gdump:true,prof_leak:true"
    run env MALLOC_CONF="$conf" _RJEM_MALLOC_CONF="$conf" \
        "$heapreport" --dir "$dumps" --binary "$scratch/case/demo-service" -o "$scratch/r.pdf" -o "$scratch/r.json"
    check "an interval of 2^$interval bytes: a report" status_is 0
    ls "$dumps" >"$scratch/after"
    check "an interval of 2^$interval bytes: no dump of ours" same "$scratch/before" "$scratch/after"
done
run env MALLOC_CONF="$conf" "$heapreport" --help
ls "$dumps" >"$scratch/after"
check "help: no dump of ours" same "$scratch/before" "$scratch/after"
finish
