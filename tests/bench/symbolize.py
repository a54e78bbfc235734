#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Times symbolize/ beside llvm-symbolizer and addr2line: whole processes, the same addresses, runs
interleaved, medians of wall and of processor time (which a busy machine disturbs least). usage: symbolize.py SYMBOLIZE-ADDRESSES FILE [COUNT [RUNS]]"""
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time


def run_once(command, addresses_path):
    with open(addresses_path) as stdin, open(os.devnull, "w") as null:
        started = time.monotonic()
        process = subprocess.Popen(command, stdin=stdin, stdout=null, stderr=null)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        return (time.monotonic() - started, usage.ru_maxrss, process.returncode,
                usage.ru_utime + usage.ru_stime)


def main():
    tool, path = sys.argv[1:3]
    count = sys.argv[3] if len(sys.argv) > 3 else "20000"
    runs = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    addresses = subprocess.run([tool, "sites", path, count], capture_output=True, text=True).stdout
    with tempfile.NamedTemporaryFile("w", suffix=".txt") as file:
        file.write(addresses)
        file.flush()
        commands = {
            "llvm-symbolizer --inlines": ["llvm-symbolizer", "--inlines", "--obj=" + path],
            "addr2line -f -i -C": ["addr2line", "-f", "-i", "-C", "-e", path],
            "heapreport (libdw)": [tool, "libdw", path],
            "heapreport": [tool, "names", path],
        }
        measured = {}
        for name, command in commands.items():
            if shutil.which(command[0]):
                measured[name] = []
            else:
                print(f"skipped: no {command[0]}")
        for _ in range(runs):
            for name in measured:
                measured[name].append(run_once(commands[name], file.name))
    print(f"{os.path.basename(path)}: {addresses.count(chr(10))} addresses, medians of {runs} interleaved runs")
    base = statistics.median(r[0] for r in next(iter(measured.values())))
    cpu_base = statistics.median(r[3] for r in next(iter(measured.values())))
    for name, results in measured.items():
        wall = statistics.median(r[0] for r in results)
        cpu = statistics.median(r[3] for r in results)
        rss = max(r[1] for r in results)
        failed = "" if all(r[2] == 0 for r in results) else "  FAILED"
        print(f"  {name:28} wall {wall:7.3f} s {wall / base:5.2f}x   processor {cpu:7.3f} s {cpu / cpu_base:5.2f}x  {rss / 1024:7.0f} MiB{failed}")


if __name__ == "__main__":
    main()
