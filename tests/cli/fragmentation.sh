#!/bin/sh
# SPDX-License-Identifier: MIT
# Fragmentation by owner, from a program's real statistics: who holds the objects that keep poorly used memory.
heapreport=$(realpath "$1")
program=$(realpath "$2")
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/dumps"
MALLOC_CONF="prof:true,lg_prof_sample:12,prof_prefix:$scratch/dumps/fragments" \
    run "$program" "$scratch/dumps/statistics.json"
check "the program ran" status_is 0
run "$heapreport" --dir "$scratch/dumps" --binary "$program" -o "$scratch/r.json" -o "$scratch/r.html"
check "a report is made" status_is 0
# 175,000 of 200,000 objects in the class of 224 bytes were freed, one eighth is still in use. The one object in
# twenty that was sampled lies apart from the others.
check "the poorly used size is listed" json_is "$scratch/r.json" \
    '.fragmentation[0] | .size_class_bytes == 224 and .utilisation_ratio > 0.12 and .utilisation_ratio < 0.14'
check "with what it costs" json_is "$scratch/r.json" \
    '[.fragmentation[] | select(.size_class_bytes == 224).waste_bytes] | add | . > 175000 * 224 * 0.92 and . < 175000 * 224 * 0.98'
check "and who keeps it" json_is "$scratch/r.json" \
    '.fragmentation[0].suspect as $id | .suspects[] | select(.id == $id).function == "keep_one_in_eight"'
check "a size in full use is not listed" json_is "$scratch/r.json" 'all(.fragmentation[]; .size_class_bytes != 1024)'
check "the document shows it" grep -q "Objects up to" "$scratch/r.html"

# Another process's statistics say nothing of this one.
for statistics in "$scratch"/dumps/statistics.json; do mv "$statistics" "$scratch/dumps/statistics.4194000.json"; done
run "$heapreport" --dir "$scratch/dumps" --binary "$program" -o "$scratch/r.json"
check "another process's size classes are left out" json_is "$scratch/r.json" '.fragmentation == []'
finish
