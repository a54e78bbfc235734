#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Profiles a program whose leak is known from its code, at three sampling rates, ten times each, and
counts how often the printed interval of the rate holds the truth. Prints a section for docs/accuracy.md.

usage: known-rate.py MEASURE KNOWN_LEAK [--repeats N]     exit 1 below nine of ten"""
import argparse
import os
import subprocess
import sys
import tempfile

LG_RATES = (17, 19, 21)
# known-leak: 1,000 objects of the size class of 2,048 bytes a step, and a step is a second.
TRUE_BYTES_PER_S = 1000 * 2048
AIM = 0.9
ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "..")


def read_rate(measure, directory, program):
    """The rate of the leaking place with its interval, bytes a second."""
    out = subprocess.run([measure, directory, program, ROOT], capture_output=True, text=True, check=True).stdout
    lines = out.splitlines()
    for i, line in enumerate(lines):
        if line.startswith("suspect ") and " leak " in line:
            return [float(value) / 3600 for value in lines[i + 1].split()[1:]]
    return None


def run_once(options, lg_rate):
    with tempfile.TemporaryDirectory() as directory:
        environment = dict(os.environ, MALLOC_CONF=f"prof:true,prof_final:false,lg_prof_sample:{lg_rate}")
        subprocess.run([options.program, directory], env=environment, check=True)
        return read_rate(options.measure, directory, options.program)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("measure")
    parser.add_argument("program")
    parser.add_argument("--repeats", type=int, default=10)
    options = parser.parse_args()
    print("## A real program with a known leak\n")
    print(f"`known-leak` leaks {TRUE_BYTES_PER_S / 2**20:.2f} MiB a second, by its code, beside 16 MiB of churn. Profiled with "
          f"jemalloc's own sampling, {options.repeats} times a rate, 60 dumps each: how often the printed interval of the place's "
          "rate holds the truth.\n")
    print("| R | held | medians: low, rate, high (MiB/s) |\n|---|--:|---|")
    fine = True
    for lg_rate in LG_RATES:
        rates = [run_once(options, lg_rate) for _ in range(options.repeats)]
        found = [rate for rate in rates if rate]
        held = sum(low <= TRUE_BYTES_PER_S <= high for _, low, high in found)
        middle = [sorted(column)[len(found) // 2] / 2**20 for column in zip(*found)] if found else [0, 0, 0]
        print(f"| {2**(lg_rate - 10)} KiB | {held} of {len(rates)} | {middle[1]:.2f}, {middle[0]:.2f}, {middle[2]:.2f} |",
              flush=True)
        fine = fine and held >= AIM * len(rates)
    print(f"\nAim: at least 9 of 10, **{'met' if fine else 'missed'}**.")
    return 0 if fine else 1


if __name__ == "__main__":
    sys.exit(main())
