#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Shows what naming costs by the units that addresses lie in and by the size of the file: the programs that
tests/full/make-cxx.py makes have a unit of equal size for each copy, in the order of their addresses.
Processor seconds (user and system) of whole processes, medians. usage: symbolize-growth.py SYMBOLIZE-ADDRESSES RUNS FILE..."""
import os
import re
import statistics
import subprocess
import sys
import tempfile

UNITS = [1, 10, 100, 140, 990]
ADDRESSES = 1000  # asked each time


def list_sites(tool, path):
    out = subprocess.run([tool, "sites", path, str(10**9)], capture_output=True, text=True).stdout
    return sorted(int(line, 16) for line in out.split())


def list_entries(path):
    """Each unit has one function that can be seen, run_N_COPY."""
    out = subprocess.run(["nm", path], capture_output=True, text=True, check=True).stdout
    return sorted(int(line.split()[0], 16) for line in out.splitlines() if re.search(r" T run_\d+_\d+$", line))


def pick(sites, entries, units):
    """Addresses spread over that many units, or None where there are too few. Those before the first entry are of
    sections that the linker puts together."""
    if units >= len(entries):
        return None
    inside = [site for site in sites if entries[0] <= site < entries[units]]
    count = min(ADDRESSES, len(inside))
    return [inside[i * len(inside) // count] for i in range(count)]


def measure(command, addresses, runs):
    with tempfile.NamedTemporaryFile("w") as file:
        file.write("".join(f"{address:#x}\n" for address in addresses))
        file.flush()
        seconds = []
        for _ in range(runs):
            with open(file.name) as stdin, open(os.devnull, "w") as null:
                process = subprocess.Popen(command, stdin=stdin, stdout=null)
                _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
            if process.returncode != 0:
                sys.exit(f"{command}: status {process.returncode}")
            seconds.append(usage.ru_utime + usage.ru_stime)
    return statistics.median(seconds), usage.ru_maxrss / 1024


def main():
    tool, runs, paths = sys.argv[1], int(sys.argv[2]), sys.argv[3:]
    print("| file | units in it | " + " | ".join(f"{units} units hit" for units in UNITS) + " | peak MiB of the last |")
    print("|---|--:|" + "--:|" * (len(UNITS) + 1))
    for path in paths:
        sites, entries = list_sites(tool, path), list_entries(path)
        cells, peak = [], 0.0
        for units in UNITS:
            addresses = pick(sites, entries, units)
            if addresses is None:
                cells.append("")
                continue
            seconds, peak = measure([tool, "raw", path], addresses, runs)
            cells.append(f"{seconds:.3f}")
        size = f"{os.path.getsize(path) / 1e6:.0f} MB"
        print(f"| {size} | {len(entries)} | " + " | ".join(cells) + f" | {peak:.0f} |", flush=True)


if __name__ == "__main__":
    main()
