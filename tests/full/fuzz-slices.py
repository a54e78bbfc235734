#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs one libFuzzer target until it has had so many minutes of a processor, and prints what came of it.

The clock says little on a machine that does other things too, so the fuzzer runs in slices, each as
long as what is still missing, and the user and system time of each is added up as the kernel counted
it. What a slice learns lies in the first corpus folder, where the next begins. Ends with 1 when the
target broke.

usage: fuzz-slices.py PROGRAM MINUTES LOG FOUND CORPUS...
"""
import os
import re
import subprocess
import sys

SHORTEST_SLICE_S = 20


def run_slice(program, seconds, log, found, corpora):
    """Returns status, processor seconds and the text that one run of the fuzzer wrote."""
    start = log.tell()
    child = subprocess.Popen(
        [program, f"-max_total_time={seconds}", "-timeout=100", "-rss_limit_mb=2048", "-print_final_stats=1",
         f"-artifact_prefix={found}"] + corpora,
        stdout=log, stderr=subprocess.STDOUT)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    log.flush()
    log.seek(start)
    text = log.read().decode("utf-8", "replace")
    log.seek(0, os.SEEK_END)
    return child.returncode, usage.ru_utime + usage.ru_stime, text


def figures(text):
    """Returns units run, edges and features of one slice's text."""
    units = re.findall(r"^stat::number_of_executed_units:\s*(\d+)", text, re.M)
    states = re.findall(r"^#\d+\s.*?cov: (\d+) ft: (\d+)", text, re.M)
    edges, features = states[-1] if states else (0, 0)
    return int(units[-1]) if units else 0, int(edges), int(features)


def main():
    program, minutes, log_path, found = sys.argv[1], float(sys.argv[2]), sys.argv[3], sys.argv[4]
    name = os.path.basename(program)
    spent, runs, edges, features, slices, status = 0.0, 0, 0, 0, 0, 0
    with open(log_path, "w+b", buffering=0) as log:
        while status == 0 and spent < minutes * 60:
            missing = max(SHORTEST_SLICE_S, round(minutes * 60 - spent))
            status, seconds, text = run_slice(program, missing, log, found, sys.argv[5:])
            units, edges, features = figures(text)
            spent += seconds
            runs += units
            slices += 1
    print(f"{name}: {runs:,} runs, cov {edges:,}, ft {features:,}, {spent / 60:.1f} minutes of a processor"
          f" in {slices} slices, {'no finding' if status == 0 else 'FAILED'}", flush=True)
    if status != 0:
        for line in text.splitlines():
            if re.search(r"ERROR|SUMMARY|runtime error|Test unit written", line):
                print("   ", line)
    return 0 if status == 0 else 1


sys.exit(main())
