#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Heap profiles with counts and stack in one line, of known content: counted ones (gperftools) are exact, sampled ones
(tcmalloc, mimalloc) give what jemalloc's form of the same samples gives, and lines of two sizes are scaled one by one."""
import json
import math
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tap import check, finish  # noqa: E402  (lies beside the other helpers)

PROGRAM = sys.argv[1]
R = 524288
MAP = "\nMAPPED_LIBRARIES:\n00400000-00500000 r-xp 00000000 fe:00 7   /srv/app\n"
BASE = {0x401000: (20, 20 * 4096), 0x402000: (5, 5 * 1048576)}
FINAL = {0x401000: (21, 21 * 4096), 0x402000: (40, 40 * 1048576)}


def one_line(kind, rows):
    """rows: [(address, objects, bytes)]"""
    objects, size = sum(row[1] for row in rows), sum(row[2] for row in rows)
    lines = [f"heap profile: {objects:6}: {size:8} [{objects:6}: {size:8}] @ {kind}"]
    lines += [f"{n:6}: {b:8} [{n:6}: {b:8}] @ 0x{address:x} 0x400100" for address, n, b in rows]
    return "\n".join(lines) + "\n" + MAP


def jemalloc(rows):
    lines = [f"heap_v2/{R}", f"  t*: {sum(row[1] for row in rows)}: {sum(row[2] for row in rows)} [0: 0]"]
    for address, n, b in rows:
        lines += [f"@ 0x{address:x} 0x400100", f"  t*: {n}: {b} [0: 0]"]
    return "\n".join(lines) + "\n" + MAP


def run(scratch, name, dumps, stem="app.{:04}.heap"):
    directory = scratch / name
    directory.mkdir()
    for i, text in enumerate(dumps):
        path = directory / stem.format(i + 1)
        path.write_text(text)
        os.utime(path, (1700000000 + 60 * i,) * 2)
    out = scratch / f"{name}.json"
    subprocess.run([PROGRAM, "-q", "--dir", directory, "-o", out], check=True, stdout=subprocess.DEVNULL)
    return json.loads(out.read_text())


def rows(counts):
    return [(address, n, b) for address, (n, b) in counts.items()]


def totals(result):
    return [result["totals"][key] for key in ("base_bytes", "final_bytes", "growth_bytes", "growth_bytes_low", "growth_bytes_high")]


def scaled(n, b):
    return b / (1 - math.exp(-b / n / R))


def codes(result):
    return {entry["code"] for entry in result["data_quality"]}


def check_counted(scratch):
    base, final = sum(b for _, b in BASE.values()), sum(b for _, b in FINAL.values())
    for kind in ("heapprofile", "heap_v2/1"):
        result = run(scratch, kind.replace("/", "-"), [one_line(kind, rows(BASE)), one_line(kind, rows(FINAL))])
        check(f"{kind}: exact, without an interval", totals(result) == [base, final] + [final - base] * 3, totals(result))
        check(f"{kind}: every allocation was counted", result["run"]["sampling"] == "every_allocation" and
              "HR-033" in codes(result), result["run"]["sampling"], codes(result))


def check_sampled(scratch):
    known = run(scratch, "jemalloc", [jemalloc(rows(BASE)), jemalloc(rows(FINAL))])
    for kind in ("heapz_v2", "heap_v2"):
        for stem in ("app.{:04}.heap", "app.77.{0}.m{0}.heap"):
            name = f"{kind}-{stem.count('.')}"
            result = run(scratch, name, [one_line(f"{kind}/{R}", rows(BASE)), one_line(f"{kind}/{R}", rows(FINAL))], stem)
            check(f"{name}: as the same samples of jemalloc", totals(result) == totals(known), totals(result), totals(known))
            check(f"{name}: says whose samples", "HR-034" in codes(result), codes(result))
    mixed = [(0x401000, 1000, 1000 * 64), (0x401000, 8, 8 * 16777216)]
    truth = scaled(1000, 64000) + scaled(8, 8 * 16777216)
    result = run(scratch, "mixed", [one_line(f"heapz_v2/{R}", mixed[:1]), one_line(f"heapz_v2/{R}", mixed)])
    seen = result["totals"]["final_bytes"]
    check("lines of two sizes of one stack are scaled one by one", abs(seen - truth) <= 1e-4 * truth, seen, truth)


with tempfile.TemporaryDirectory() as place:
    check_counted(pathlib.Path(place))
    check_sampled(pathlib.Path(place))
sys.exit(finish())
