#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Prints how many cases of a meson junit log passed, failed and were skipped."""
import sys
import xml.etree.ElementTree


def main():
    counts = {"passed": 0, "failed": 0, "skipped": 0}
    for case in xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase"):
        kinds = {child.tag for child in case}
        key = "failed" if kinds & {"failure", "error"} else "skipped" if "skipped" in kinds else "passed"
        counts[key] += 1
    # A log without a case is a suite that never ran.
    print(counts["passed"], counts["failed"] or int(not any(counts.values())), counts["skipped"])


main()
