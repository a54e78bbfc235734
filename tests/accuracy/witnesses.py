#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The heap has two witnesses: the dumps, which are samples with an interval, and the allocator's own count, which is
exact. Over the window that both cover, the count's growth (without what profiling itself adds) must lie within the
interval that is printed around the dumps' growth.

usage: witnesses.py MEASURE CASE...      a directory of dumps, or a tar of one in `dumps`; TAP on standard output
"""
import contextlib
import pathlib
import subprocess
import sys
import tarfile
import tempfile

MIB = 1 << 20


@contextlib.contextmanager
def dumps_of(case):
    if case.is_dir():
        yield case
        return
    with tempfile.TemporaryDirectory() as scratch, tarfile.open(case) as tar:
        tar.extractall(scratch)
        yield pathlib.Path(scratch) / "dumps"


def compare(measure, directory):
    """(agree, text) of one directory."""
    done = subprocess.run([measure, directory], capture_output=True, text=True, check=True)
    lines = dict(line.split(" ", 1) for line in done.stdout.splitlines())
    if "by_count" not in lines:
        return False, "no count of the allocator beside these dumps"
    shared_s, window_s = float(lines["shared_window_s"]), float(lines["window_s"])
    growth, low, high = (float(number) / MIB for number in lines["by_dumps"].split())
    count = float(lines["by_count"]) / MIB
    text = f"dumps {growth:.1f} MiB ({low:.1f} to {high:.1f}), count {count:.1f} MiB in {shared_s:.1f} of {window_s:.1f} s"
    return shared_s > 0.9 * window_s and low <= count <= high, text


def main():
    measure, cases = sys.argv[1], [pathlib.Path(case) for case in sys.argv[2:]]
    failed = 0
    print(f"1..{len(cases)}")
    for number, case in enumerate(cases, 1):
        with dumps_of(case) as directory:
            agree, text = compare(measure, directory)
        failed += not agree
        print(f"{'ok' if agree else 'not ok'} {number} - {case.name}: {text}")
    return 1 if failed else 0


sys.exit(main())
