#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs each case of testdata/cases and compares whole outputs with the files beside it.

A case is a directory with case.json: `archive` (a tar that keeps file times), `remove` (globs taken out of it before
the run), `move` (files of it to other places: a base of another run), `arguments`, `expected` (file names, told by suffix what they are). With HR_UPDATE_GOLDEN=1 the files are
rewritten instead; that belongs into the commit whose cause they show. (--root keeps the machine's own libraries out. What the kernel offers for a sandbox stands in a result, so there is
none; tests/cli/sandbox.sh compares with and without.)
"""
import difflib
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile


def run_case(program, case, description):
    """Returns the outputs by name; runs inside the unpacked archive, so that paths are the same everywhere."""
    names = description["expected"]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        with tarfile.open(case / description["archive"]) as tar:
            tar.extractall(scratch)
        for pattern in description.get("remove", []):
            for path in scratch.glob(pattern):
                path.unlink()
        for source, target in description.get("move", {}).items():
            (scratch / target).parent.mkdir(exist_ok=True)
            (scratch / source).rename(scratch / target)
        outputs = [argument for name in names for argument in ("-o", name)]
        result = subprocess.run([program, "-q", "--no-sandbox", *description["arguments"], *outputs], cwd=scratch, text=True,
                                capture_output=True)
        if result.returncode != 0:
            return None, f"status {result.returncode}: {result.stderr.strip()}"
        return {name: (scratch / name).read_text() for name in names}, result.stderr.strip()


def main():
    program, cases = os.path.realpath(sys.argv[1]), pathlib.Path(sys.argv[2])
    update = os.environ.get("HR_UPDATE_GOLDEN") == "1"
    count = 0
    for description_file in sorted(cases.glob("*/case.json")):
        case = description_file.parent
        description = json.loads(description_file.read_text())
        outputs, said = run_case(program, case, description)
        for name in description["expected"]:
            count += 1
            golden = case / name
            if outputs is None:
                print(f"not ok {count} - {case.name}: {name}\n# {said}")
                continue
            if update:
                golden.write_text(outputs[name])
            expected = golden.read_text() if golden.exists() else ""
            if outputs[name] == expected:
                print(f"ok {count} - {case.name}: {name}")
                continue
            print(f"not ok {count} - {case.name}: {name}")
            difference = difflib.unified_diff(expected.splitlines(), outputs[name].splitlines(), "expected", "now", n=1)
            for line in list(difference)[:40]:
                print(f"# {line}")
    print(f"1..{count}" if count else "Bail out! no cases")


main()
