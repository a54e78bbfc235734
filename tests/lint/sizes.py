#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails on functions over 60 lines and files over 600; prints the longest of both."""
import pathlib
import re
import sys

FUNCTION_MAX = 60
FILE_MAX = 600


def functions(text):
    """Yields name, first line and length; clang-format puts a body's braces in the first column."""
    lines = text.splitlines()
    start = None
    for number, line in enumerate(lines, 1):
        if line == "{" and number > 1:
            start = number
        elif line.startswith("}") and start:
            signature = " ".join(lines[max(0, start - 6):start - 1])
            names = re.findall(r"(\w+)\s*\(", re.split(r"[;}]", signature)[-1])
            yield (names[0] if names else "?"), start, number - start + 1
            start = None


def main():
    root = pathlib.Path(sys.argv[1])
    sources = sorted([*(root / "src").rglob("*.[ch]"), *(root / "tests").rglob("*.[ch]"),
                      *(root / "testdata").rglob("*.c")])
    long_functions = []
    long_files = []
    for source in sources:
        text = source.read_text()
        long_files.append((text.count("\n"), source.relative_to(root)))
        long_functions += [(length, f"{source.relative_to(root)}:{line} {name}")
                           for name, line, length in functions(text)]
    for title, rows in (("functions", long_functions), ("files", long_files)):
        print(f"longest {title}:")
        for length, where in sorted(rows, key=lambda row: (-row[0], str(row[1])))[:8]:
            print(f"  {length:4} {where}")
    failed = [row for row in long_functions if row[0] > FUNCTION_MAX]
    failed += [row for row in long_files if row[0] > FILE_MAX]
    for length, where in failed:
        print(f"too long: {where}: {length} lines")
    return 1 if failed or len(long_functions) < 100 else 0


sys.exit(main())
