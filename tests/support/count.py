#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how many cases of meson's testlog.json passed, failed and were skipped.

Of a program that speaks TAP each line counts, of another its exit status. (The junit log would say the same, but holds
whatever bytes a test printed and is then no XML.)
"""
import json
import re
import sys

TAP_LINE = re.compile(r"^(not )?ok\b(.*# SKIP)?", re.MULTILINE | re.IGNORECASE)


def count(test):
    lines = [(bool(bad), bool(skip)) for bad, skip in TAP_LINE.findall(test.get("stdout", ""))]
    failed = sum(bad for bad, _ in lines)
    skipped = sum(skip and not bad for bad, skip in lines)
    passed = len(lines) - failed - skipped
    if test["result"] == "SKIP":
        return 0, 0, 1
    if test["result"] != "OK":
        return passed, max(failed, 1), skipped
    return (passed, failed, skipped) if lines else (1, 0, 0)


def main():
    totals = [0, 0, 0]
    with open(sys.argv[1], encoding="utf-8", errors="replace") as log:
        for line in log:
            totals = [total + more for total, more in zip(totals, count(json.loads(line)))]
    # A log without a case is a suite that never ran.
    print(totals[0], totals[1] or int(not any(totals)), totals[2])


main()
