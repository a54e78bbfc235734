#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Dumps whose counts mislead, through the whole program: what a report may say of them. The rows of `mixed` are one and
the same live heap (8 objects of 16 MiB, 8,000 of 64 bytes) as four processes dumped it; those of `known answer` have a
sum that was published with them.

usage: odd-dumps.py HEAPREPORT      TAP on standard output
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

START_S = 1_796_000_000
MIB = 1 << 20
RATE = 1 << 19
MIXED = [(8, 134217728), (253, 4157273), (256, 2112216), (258, 1423002)]
MIXED_BYTES = 8 * (16 << 20) + 8000 * 64
KNOWN = [(1, 5121), (25, 128032), (1, 128), (3, 247015), (2, 164677), (129, 10621636), (1, 128)]


def write_dump(directory, sequence, rate, rows):
    """`rows`: objects and bytes by stack; a row may be missing (None)."""
    kept = [(stack, row) for stack, row in enumerate(rows) if row]
    objects, size = (sum(row[i] for _, row in kept) for i in (0, 1))
    text = [f"heap_v2/{rate}\n  t*: {objects}: {size} [0: 0]\n  t0: {objects}: {size} [0: 0]\n"]
    for stack, (count, held) in kept:
        text.append(f"@ {0x401234 + 0x100 * stack:#x} 0x402345\n  t*: {count}: {held} [0: 0]\n  t0: {count}: {held} [0: 0]\n")
    text.append("\nMAPPED_LIBRARIES:\n00400000-00500000 r-xp 00000000 fe:00 7 /srv/app\n")
    path = directory / f"app.4711.{sequence}.i{sequence}.heap"
    path.write_text("".join(text))
    os.utime(path, (START_S + 60 * sequence,) * 2)


def analyse(heapreport, dumps):
    """The result of dumps given as (rate, rows)."""
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch) / "dumps"
        directory.mkdir()
        for sequence, (rate, rows) in enumerate(dumps):
            write_dump(directory, sequence, rate, rows)
        out = pathlib.Path(scratch) / "out.json"
        subprocess.run([heapreport, "-q", "--dir", directory, "-o", out], check=True, stdout=subprocess.DEVNULL)
        return json.loads(out.read_text())


def near(value, wanted, share=1e-6):
    return abs(value - wanted) <= share * abs(wanted)


def claims_growth(result):
    return (result["verdict"]["class"] == "heap_growth" or result["totals"]["significant"]
            or any(suspect["significant"] for suspect in result["suspects"]))


def same_twice(heapreport, rate, rows):
    return analyse(heapreport, [(rate, rows), (rate, rows)])


def check_known_answer(heapreport):
    totals = same_twice(heapreport, RATE, KNOWN)["totals"]
    yield "90,662,471 bytes", abs(totals["final_bytes"] - 90662471) <= 1, totals["final_bytes"]
    # Published as 11,792: the sum of seven rows that were each rounded.
    yield "11,792 objects", abs(totals["final_objects"] - 11792) <= len(KNOWN) / 2, totals["final_objects"]
    yield "no growth", totals["growth_bytes"] == 0 and not totals["significant"], totals["growth_bytes"]


def check_mixed(heapreport):
    for name, rows in [("each count as final", MIXED), ("and backwards", MIXED[::-1])]:
        results = [analyse(heapreport, [(RATE, [rows[0]]), (RATE, [row])]) for row in rows[1:]]
        yield f"{name}: no growth in two dumps", not any(map(claims_growth, results)), name
    for row in MIXED:
        final = same_twice(heapreport, RATE, [row])["totals"]
        held = final["final_bytes"]
        yield f"{row[0]} objects: the same heap within 1 %", near(held, MIXED_BYTES, 0.01), held
    result = analyse(heapreport, [(RATE, [MIXED[i * 4 // 40]]) for i in range(40)])
    yield "counts that rise over 40 dumps are no growth", not claims_growth(result), result["verdict"]["sentence"]
    told = [suspect for suspect in result["suspects"] if not suspect["mixed_sizes"] or suspect["sampled_final_count"]]
    yield "no count is shown as one of samples", not told, told


def check_doubling_vector(heapreport):
    result = analyse(heapreport, [(RATE, [(1, 65536 << (i // 2)), (100, 6400)]) for i in range(20)])
    vector = result["suspects"][0]
    yield "mixed sizes", vector["mixed_sizes"] and vector["sampled_final_count"] is None, vector["sampled_final_count"]
    yield "32 MiB at the end", near(vector["final_bytes"], 32 * MIB, 0.001), vector["final_bytes"]
    held = vector["growth_bytes_low"] <= 32 * MIB <= vector["growth_bytes_high"]
    yield "the interval holds it", held, (vector["growth_bytes_low"], vector["growth_bytes_high"])


def check_no_objects(heapreport):
    totals = same_twice(heapreport, RATE, [(0, 4096), (10, 640)])["totals"]
    ten = same_twice(heapreport, RATE, [None, (10, 640)])["totals"]
    yield "bytes without objects as they are", totals["final_bytes"] - ten["final_bytes"] == 4096, totals["final_bytes"]
    grown = analyse(heapreport, [(RATE, [None, (10, 640)]), (RATE, [(0, 4096), (10, 640)])])
    yield "and never significant", not claims_growth(grown), grown["verdict"]["sentence"]


def check_rates(heapreport):
    every = analyse(heapreport, [(1, [(1000, 64000)]), (1, [(1001, 64064)])])
    totals = every["totals"]
    yield "R = 1: exact", every["run"]["sampling"] == "every_allocation" and totals["growth_bytes_low"] == totals[
        "growth_bytes_high"] == 64 and totals["final_bytes"] == 64064, (every["run"]["sampling"], totals["final_bytes"])
    coarse = analyse(heapreport, [(1 << 30, [(0, 0)]), (1 << 30, [(6, 6 * 4096)])])
    totals = coarse["totals"]
    yield "R = 2^30: six samples stand for 6 GiB", near(totals["final_bytes"], 6 << 30, 0.001), totals["final_bytes"]
    yield "R = 2^30: no place is named", not any(s["significant"] for s in coarse["suspects"]), coarse["suspects"]
    yield "R = 2^30: not called level", coarse["verdict"]["class"] != "no_growth", coarse["verdict"]["class"]
    off = analyse(heapreport, [(1 << 63, [(1, 81920)]), (1 << 63, [(9, 9 * 81920)])])
    yield "R = 2^63: nothing is scaled", off["totals"]["final_bytes"] == 9 * 81920, off["totals"]["final_bytes"]
    yield "R = 2^63: said", off["run"]["sampling"] == "effectively_off", off["run"]["sampling"]
    yield "R = 2^63: no verdict on the heap", off["verdict"]["class"] == "inconclusive", off["verdict"]["class"]
    yield "R = 2^63: no claim of what would be seen", off["totals"]["smallest_detectable_bytes"] is None, off["totals"]
    steps = [step["command"] for step in off["verdict"]["next_steps"]]
    yield "R = 2^63: what to do", "MALLOC_CONF=...,lg_prof_sample:19" in steps, steps


def check_rate_change(heapreport):
    result = analyse(heapreport, [(RATE if i < 2 else RATE // 4, [(10 if i < 2 else 40, 640 if i < 2 else 2560)]) for i in range(6)])
    breaks = [(b["kind"], b["sequence"]) for b in result["run"]["breaks"]]
    yield "the series splits", breaks == [("rate_change", 2)], breaks
    yield "each dump by its own rate", near(result["totals"]["final_bytes"], 5 * MIB, 0.001), result["totals"]["final_bytes"]
    yield "no difference across", result["totals"]["growth_bytes"] == 0, result["totals"]["growth_bytes"]


def main():
    heapreport = sys.argv[1]
    number = failed = 0
    for name, check in sorted(globals().items()):
        if not name.startswith("check_"):
            continue
        for text, fine, found in check(heapreport):
            number += 1
            failed += not fine
            print(f"{'ok' if fine else 'not ok'} {number} - {name[6:].replace('_', ' ')}: {text}")
            if not fine:
                print(f"# found {found}")
    print(f"1..{number}")
    return 1 if failed else 0


sys.exit(main())
