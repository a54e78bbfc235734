#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""A real program run twice, and once more rebuilt with its lines moved: between two runs of one program nothing grew,
and half a leak shows as half a leak. The intervals are asked for twice over, so that chance does not fail a test.

usage: two-runs.py HEAPREPORT KNOWN_LEAK KNOWN_LEAK_C CC...      TAP on standard output
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tap import check, finish  # noqa: E402  (lies beside the other helpers)

LEAK_PER_STEP_BYTES = 1000 * 2048  # known-leak.c
MOVED = "// A line that was not there.\n" * 40 + "int other_code(int value);\nint other_code(int value)\n{\n    return value * 7;\n}\n"


def dump(directory, step):
    return next(directory.glob(f"*.m{step}.heap"))


def profile(program, directory, lg_sample):
    directory.mkdir()
    environment = dict(os.environ, MALLOC_CONF=f"prof:true,prof_final:false,lg_prof_sample:{lg_sample}")
    subprocess.run([program, directory], env=environment, check=True)


def compare(heapreport, directory, program, base, *more):
    out = directory.with_suffix(".json")
    subprocess.run([heapreport, "-q", "--dir", directory, "--binary", program, "--base", base, *more, "-o", out], check=True, stdout=subprocess.DEVNULL)
    return json.loads(out.read_text())


def holds(totals, truth):
    growth = totals["growth_bytes"]
    return growth - 2 * (growth - totals["growth_bytes_low"]) <= truth <= growth + 2 * (totals["growth_bytes_high"] - growth)


def main():
    heapreport, program, source, *compiler = sys.argv[1:]
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        moved = scratch / "known-leak.c"
        moved.write_text(MOVED + pathlib.Path(source).read_text())
        rebuilt = scratch / "known-leak"
        subprocess.run([*compiler, "-O1", "-g", "-fno-optimize-sibling-calls", moved, "-o", rebuilt, "-ljemalloc"], check=True)
        first, second, third = (scratch / name for name in ("first", "second", "third"))
        profile(program, first, 17)
        profile(program, second, 17)
        profile(rebuilt, third, 18)

        result = compare(heapreport, second, program, dump(first, 59))
        check("run twice: all is told by offset", result["run"]["comparison"]["by_offset_ratio"] > 0.99, result["run"]["comparison"])
        check("run twice: 0 within its error", holds(result["totals"], 0), result["totals"])
        check("run twice: no peak at the end is told of", all(entry["code"] != "HR-208" for entry in result["data_quality"]),
              result["data_quality"])
        half = compare(heapreport, second, program, dump(first, 29))
        check("half a leak: is half a leak", holds(half["totals"], 30 * LEAK_PER_STEP_BYTES), half["totals"])
        check("half a leak: its place is the first", half["suspects"][0]["function"] == "leak" and half["suspects"][0]["significant"],
              half["suspects"][0])

        result = compare(heapreport, third, rebuilt, dump(first, 59), "--base-binary", program)
        comparison = result["run"]["comparison"]
        check("rebuilt: told by name", comparison["by_symbol_ratio"] > 0.9 and comparison["matched_ratio"] > 0.99, comparison)
        check("rebuilt, at another rate: 0 within its error", holds(result["totals"], 0), result["totals"])
        wrong = compare(heapreport, third, rebuilt, dump(first, 59))
        check("without its binary the base has no names", wrong["run"]["comparison"]["matched_ratio"] < 0.6, wrong["run"]["comparison"])
        check("which is said", any(entry["code"] == "HR-207" for entry in wrong["data_quality"]), wrong["data_quality"])
    return finish()


sys.exit(main())
