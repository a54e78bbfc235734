#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A directory in which COUNT other files lie beside the dumps (and one huge sparse file, a socket and a link to a device):
the same verdict, in bounded time and memory.

usage: junk.py HEAPREPORT CASE COUNT      TAP on standard output
"""
import json
import os
import pathlib
import resource
import socket
import subprocess
import sys
import tarfile
import tempfile
import time

SECONDS_MAX = 60
KIB_MAX = 300 * 1024


def verdict(heapreport, dumps, out):
    subprocess.run([heapreport, "-q", "--dir", dumps, "-o", out], check=True, stdout=subprocess.DEVNULL)
    result = json.loads(out.read_text())
    return result["verdict"]["class"], result["run"]["dumps_used_count"], result["totals"]["growth_bytes"]


def fill(dumps, count):
    for i in range(count):
        os.close(os.open(dumps / f"core.{i}.tmp", os.O_CREAT | os.O_WRONLY))
    with open(dumps / "heapreport-record.1.jsonl.old", "wb") as sparse:
        sparse.truncate(1 << 40)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(dumps / "s"))
    os.symlink("/dev/zero", dumps / "zero.7.0.i0.heap")
    os.symlink("/proc/self/environ", dumps / "smaps_rollup.1.txt")
    return listener


def main():
    heapreport, case, count = sys.argv[1], sys.argv[2], int(sys.argv[3])
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        with tarfile.open(case) as archive:
            archive.extractall(scratch)
        plain = verdict(heapreport, scratch / "dumps", scratch / "plain.json")
        listener = fill(scratch / "dumps", count)
        started = time.monotonic()
        crowded = verdict(heapreport, scratch / "dumps", scratch / "crowded.json")
        took = time.monotonic() - started
        listener.close()
        largest = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    checks = [(f"{count} other files: the same verdict and figures", crowded == plain, (crowded, plain)),
              (f"within {SECONDS_MAX} s", took < SECONDS_MAX, took),
              (f"within {KIB_MAX} KiB", largest < KIB_MAX, largest)]
    for number, (name, holds, said) in enumerate(checks, 1):
        print(f"{'ok' if holds else 'not ok'} {number} - {name}" + ("" if holds else f"\n# {said}"))
    print(f"1..{len(checks)}\n# {took:.1f} s, {largest} KiB")
    return 0 if all(holds for _, holds, _ in checks) else 1


if __name__ == "__main__":
    sys.exit(main())
