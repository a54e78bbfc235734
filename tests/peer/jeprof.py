#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Our numbers beside jeprof's on the same dumps: totals within 0.1 %, bytes of each address within 1 %.

jeprof finds the binary by its path in the map, so it gets copies of the dumps in which that path is where the
binary lies now. It takes 1 from return addresses and drops the allocator's own frames; docs/jeprof.md says what
else differs and why.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tap import check, finish  # noqa: E402  (lies beside the other helpers)

ENOUGH_BYTES = 4096  # rounding aside, what jeprof prints is exact to the byte


def mapped_path(dump, binary_name):
    paths = re.findall(r"^[0-9a-f]+-[0-9a-f]+ r-xp .*?(/\S.*)$", dump, re.M)
    return next(path for path in paths if pathlib.Path(path).name == binary_name)


def jeprof(binary, dump, *arguments):
    text = subprocess.run(["jeprof", "--text", "--show_bytes", "--addresses", "--nodecount=1000000", "--nodefraction=0",
                           "--edgefraction=0", *arguments, binary, dump], check=True, text=True,
                          capture_output=True).stdout
    total = int(re.search(r"^Total: (-?\d+) B$", text, re.M).group(1))
    rows = {}
    for line in text.splitlines():
        match = re.match(r"\s*-?\d+\s+\S+%\s+\S+%\s+(-?\d+)\s+\S+%\s+([0-9a-f]{16})\b", line)
        if match:
            rows[int(match.group(2), 16)] = int(match.group(1))
    return total, rows


def jeprof_functions(binary, dump):
    """Bytes by function; what the compiler adds to a name is left out."""
    text = subprocess.run(["jeprof", "--text", "--cum", "--show_bytes", "--nodecount=1000000", "--nodefraction=0",
                           "--edgefraction=0", binary, dump], check=True, text=True, capture_output=True).stdout
    rows = re.findall(r"^\s*-?\d+\s+\S+%\s+\S+%\s+(-?\d+)\s+\S+%\s+(\S+)(?: \(inline\))?$", text, re.M)
    return {re.sub(r"\.(isra|constprop|part|cold)\.\d+$", "", name): int(size) for size, name in rows}


def compare_names(heapreport, binary, directory):
    """The functions of the report beside jeprof's, those of the binary: jeprof cuts and merges others' names."""
    output = directory.parent / "result.json"
    subprocess.run([heapreport, "-q", "--dir", directory, "--binary", binary, "-o", output], check=True,
                   stdout=subprocess.DEVNULL)
    result = json.loads(output.read_text())
    theirs = jeprof_functions(binary, directory / result["run"]["final"]["file"])
    rows = [row for row in result["functions"]
            if row["module"] == str(binary) and row["final_cum_bytes"] >= ENOUGH_BYTES]
    wrong = [f"{row['function']}: {row['final_cum_bytes']}, jeprof {theirs.get(row['function'])}" for row in rows
             if row["function"] not in theirs or not near(row["final_cum_bytes"], theirs[row["function"]], 0.01)]
    check(f"{len(rows)} functions by name", len(rows) >= 5 and not wrong, "; ".join(wrong[:5]))


def ours(program, directory, name):
    text = subprocess.run([program, directory, name], check=True, text=True, capture_output=True).stdout
    lines = [line.split() for line in text.splitlines()]
    return int(lines[0][1]), {int(address, 16): int(size) for address, size in lines[1:]}


def near(a, b, ratio):
    return abs(a - b) <= max(ratio * max(abs(a), abs(b)), 2)


def compare(program, binary, directory, name):
    their_total, their_rows = jeprof(binary, directory / name)
    our_total, our_rows = ours(program, directory, name)
    check(f"{name}: total", near(our_total, their_total, 0.001), f"{our_total}, jeprof {their_total}")
    matched = [(address, size, our_rows.get(address, our_rows.get(address + 1)))
               for address, size in their_rows.items() if size >= ENOUGH_BYTES]
    wrong = [f"0x{address:x}: {mine}, jeprof {size}" for address, size, mine in matched
             if mine is None or not near(mine, size, 0.01)]
    check(f"{name}: {len(matched)} addresses", len(matched) >= 5 and not wrong, "; ".join(wrong[:5]))
    return our_total, their_total


def main():
    program, heapreport = (os.path.realpath(path) for path in sys.argv[1:3])
    case, binary_name = sys.argv[3:5]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        with tarfile.open(case) as tar:
            tar.extractall(scratch)
        binary = scratch / binary_name
        dumps = sorted((scratch / "dumps").glob("*.heap"), key=lambda path: int(path.name.split(".")[2]))
        copies = scratch / "copies"
        copies.mkdir()
        for dump in dumps:
            text = dump.read_text()
            (copies / dump.name).write_text(text.replace(mapped_path(text, binary_name), str(binary)))
        chosen = [dumps[0].name, dumps[len(dumps) // 2].name, dumps[-2].name]
        totals = [compare(program, binary, copies, name) for name in chosen]
        difference, _ = jeprof(binary, copies / chosen[-1], f"--base={copies / chosen[0]}")
        mine = totals[-1][0] - totals[0][0]
        check("difference of base and final", near(mine, difference, 0.002), f"{mine}, jeprof {difference}")
        compare_names(heapreport, binary, copies)
    return finish()


sys.exit(main())
