#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""`go tool pprof -top` on our profiles against the report: the total, and flat and cumulated bytes of every named function,
of the final dump, of the base and of the difference. pprof.py GO PROGRAM TREE"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tarfile
import tempfile

GO, PROGRAM, TREE = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3])
VIEWS = {"inuse_space": "final", "base_space": "base", "growth_space": "growth"}
ROW = re.compile(r"\s*(-?\d+)B?\s+-?[\d.]+%\s+-?[\d.]+%\s+(-?\d+)B?\s+-?[\d.]+%\s+(.*)")
UNNAMED = re.compile(r".*\+0x[0-9a-f]+|0x[0-9a-f]+|\[no stack recorded\]")
SERVICE = {"MALLOC_CONF": "prof:true,lg_prof_sample:12,prof_final:false,abort_conf:true"}


def top(profile, sample, scratch):
    """(sum of all flat bytes, {function: (flat, cum)}) as pprof prints them; unnamed code stands as [file]."""
    out = subprocess.run([GO, "tool", "pprof", "-top", "-nodecount=0", "-nodefraction=0", "-edgefraction=0", "-trim=false",
                          "-symbolize=none", "-unit=B", f"-sample_index={sample}", profile], check=True, text=True,
                         capture_output=True, env={**os.environ, "PPROF_TMPDIR": str(scratch), "HOME": str(scratch)}).stdout
    rows, total = {}, 0
    for line in out.split("cum%\n", 1)[1].splitlines():
        flat, cum, name = ROW.fullmatch(line).groups()
        total += int(flat)
        name = name.removesuffix(" (inline)").removesuffix(" (partial-inline)")
        before = rows.get(name, (0, 0))  # pprof has a row more for what is inlined in part
        rows[name] = (before[0] + int(flat), before[1] + int(cum))
    return total, rows


def compare(result, sample, total, rows):
    """What differs. A sample is rounded to whole bytes in the profile, a sum in the report: a byte a stack."""
    view = VIEWS[sample]
    near = 1 + sum(len(suspect["stacks"]) for suspect in result["suspects"])
    if abs(total - result["totals"][f"{view}_bytes"]) > near:
        yield f"{sample}: total {total}, the report says {result['totals'][f'{view}_bytes']}"
    named = {f["function"]: f for f in result["functions"] if not UNNAMED.fullmatch(f["function"])}
    allocators = {frame["function"] for suspect in result["suspects"] for stack in suspect["stacks"]
                  for frame in stack["frames"] if frame["kind"] == "allocator"}
    for name, function in named.items():
        said = [function[f"{view}_{cost}_bytes"] for cost in ("flat", "cum")]
        if name in allocators and name not in rows:
            continue  # pprof was told to drop it
        seen = rows.get(name, (0, 0))
        if any(abs(a - b) > near for a, b in zip(seen, said)):
            yield f"{sample}: {name}: flat and cum {seen}, the report says {said}"
    modules = {f"[{pathlib.PurePath(f['module'] or '').name}]" for f in result["functions"]}
    for name, (flat, cum) in rows.items():
        if name not in named and name not in modules | {"<unknown>"} and (flat or cum):
            yield f"{sample}: {name}: not in the report"


def cases(scratch):
    """(name, arguments, whether there are names, whether code was inlined)"""
    leak = scratch / "leak"
    with tarfile.open(TREE / "testdata/cases/leak/leak.tar.xz") as tar:
        tar.extractall(leak)
    dumps = ["--dir", leak / "dumps", "--root", leak / "dumps"]
    yield "a leak with its binary", [*dumps, "--binary", leak / "demo-service"], True, True
    yield "the same without names", dumps, False, False
    yield "growth that was filtered", [*dumps, "--binary", leak / "demo-service", "--focus", "session_open"], True, True
    directory = scratch / "names"
    directory.mkdir()
    program = scratch / "odd-names"
    subprocess.run(["g++", "-O2", "-g", "-o", program, TREE / "testdata/programs/odd-names.cc", "-ljemalloc"], check=True)
    subprocess.run([program, directory], check=True, env={**os.environ, **SERVICE})
    yield "C++ with odd names, inlined", ["--dir", directory, "--binary", program], True, True


def check(name, arguments, has_names, has_inlined, scratch):
    out, profile = scratch / "result.json", scratch / "result.pb.gz"
    subprocess.run([PROGRAM, "-q", *arguments, "-o", out, "-o", profile], check=True, stdout=subprocess.DEVNULL)
    result = json.loads(out.read_text())
    problems, functions = [], 0
    if has_names != any(not UNNAMED.fullmatch(f["function"]) for f in result["functions"]):
        problems.append("the case is not what it says: names")
    if has_inlined != (result["symbols"]["inlined_frames_count"] > 0):
        problems.append("the case is not what it says: inlined frames")
    comments = subprocess.run([GO, "tool", "pprof", "-comments", profile], check=True, text=True, capture_output=True,
                              env={**os.environ, "PPROF_TMPDIR": str(scratch), "HOME": str(scratch)}).stdout.splitlines()
    dumps = [f"{which}: {result['run'][which]['file']}" for which in ("base", "final")]
    if comments != [f"heapreport {result['tool']['version']}", *dumps]:
        problems.append(f"comments: {comments}")
    for sample in VIEWS:
        total, rows = top(profile, sample, scratch)
        functions += len(rows)
        problems += compare(result, sample, total, rows)
    print(f"{'failed' if problems else 'passed'}: {name}: {result['totals']['final_bytes']} bytes, {functions} rows of three views")
    for problem in problems:
        print(f"  {problem}")
    return not problems


def main():
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        good = [check(*case, scratch) for case in cases(scratch)]
    print(f"pprof: {sum(good)} passed, {len(good) - sum(good)} failed")
    return not all(good)


sys.exit(main())
