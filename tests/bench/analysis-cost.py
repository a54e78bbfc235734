#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What analysis costs beside reading, in the same runs: 200 dumps of 5,000 stacks through the whole program with one
thread, times as it says them itself. Prints medians, and fails when analysis takes more than a quarter of reading.

usage: analysis-cost.py HEAPREPORT MAKE_SOAK PROGRAM [REPEATS]      PROGRAM: an ELF file that call sites are taken from
"""
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

PHASES = ("Reading the dumps", "Looking up names", "Analysing")
AIM = 0.25


def run_once(heapreport, directory, program, out):
    done = subprocess.run([heapreport, "-v", "--jobs", "1", "--dir", directory, "--binary", program, "-o", out],
                          capture_output=True, text=True, check=True)
    return [float(re.search(rf"{phase}: ([0-9.]+) ms", done.stderr).group(1)) for phase in PHASES]


def main():
    heapreport, make_soak, program = sys.argv[1:4]
    repeats = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch) / "soak"
        subprocess.run([make_soak, "--binary", program, "--depth", "33", directory], check=True)
        megabytes = sum(path.stat().st_size for path in directory.iterdir()) / 1e6
        runs = [run_once(heapreport, directory, program, pathlib.Path(scratch) / "out.json") for _ in range(repeats)]
    medians = [statistics.median(column) for column in zip(*runs)]
    ratio = statistics.median(run[2] / run[0] for run in runs)
    print(f"200 dumps x 5,000 stacks, {megabytes:.0f} MB, {repeats} runs, one thread:")
    for phase, median in zip(PHASES, medians):
        print(f"  {phase}: {median:.0f} ms")
    print(f"  analysis / reading: {ratio:.2f} (aim: at most {AIM})")
    return 0 if ratio <= AIM else 1


sys.exit(main())
