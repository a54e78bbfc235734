#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Planted truths as directories of dumps, through the whole program: files in, verdict out. Fixed seeds: what comes out
is the same on every machine. How often the verdict is right over many seeds stands in docs/accuracy.md.

usage: planted.py HEAPREPORT PLANT      TAP on standard output
"""
import json
import pathlib
import subprocess
import sys
import tempfile

MIB = 1 << 20
# truth, more arguments of plant (rate, dumps), class, whether one place grew by 64 MiB
CASES = [
    ("steady", [], "no_growth", False),
    ("leak", [], "heap_growth", True),
    ("leak", ["17", "10"], "heap_growth", True),
    ("leak", ["21", "200"], "heap_growth", True),
    ("step", [], "bounded_growth", False),
    ("warm-up", [], "bounded_growth", False),
    ("cache", [], "bounded_growth", False),
    ("sawtooth", [], "no_growth", False),
    ("retention", [], "allocator_retention", False),
    ("outside", [], "outside_heap", False),
]


def run(heapreport, plant, scratch, truth, more):
    directory = scratch / ("-".join([truth, *more]))
    subprocess.run([plant, directory, truth, *more], check=True)
    out = directory.with_suffix(".json")
    subprocess.run([heapreport, "-q", "--dir", directory, "-o", out], check=True, stdout=subprocess.DEVNULL)
    return json.loads(out.read_text())


def main():
    heapreport, plant = sys.argv[1:]
    print(f"1..{len(CASES)}")
    with tempfile.TemporaryDirectory() as scratch:
        for number, (truth, more, wanted, grows) in enumerate(CASES, 1):
            result = run(heapreport, plant, pathlib.Path(scratch), truth, more)
            found = result["verdict"]["class"]
            significant = [suspect for suspect in result["suspects"] if suspect["significant"]]
            place = significant[0] if significant else None
            fine = found == wanted and (not grows or (
                len(significant) == 1 and place["growth_bytes_low"] < 64 * MIB < place["growth_bytes_high"]))
            if wanted == "no_growth":
                fine = fine and not significant
            name = " ".join([truth, *more])
            print(f"{'ok' if fine else 'not ok'} {number} - {name}: {found}")
            if not fine:
                print(f"# {result['verdict']['sentence']}")
                print(f"# {[(s['function'], s['growth_bytes'], s['growth_bytes_low'], s['growth_bytes_high']) for s in significant]}")


main()
