#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Directories of dumps as they are met in the field: names that mislead, processes beside each other, lost times, cut
and foreign files, profiles that were switched off or reset. Each through the whole program, with what must come out.

usage: traps.py HEAPREPORT      TAP on standard output
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tap import check, finish  # noqa: E402  (lies beside the other helpers)

START_S = 1_796_000_000
CODE = "00400000-00500000 r-xp 00000000 fe:00 7 /srv/app\n"
STACKS = ["@ 0x401234 0x402345 0x403456\n", "@ 0x401334 0x402345 0x403456\n"]


def life(number):
    """The map of one start of a program: its stack and vdso lie elsewhere each time."""
    return CODE + f"7f{number}111111000-7f{number}111112000 r-xp 00000000 00:00 0   [vdso]\n" \
        f"7ffc{number}1100000-7ffc{number}1121000 rw-p 00000000 00:00 0   [stack]\n"


def counts(mib, births=0):
    return f"  t*: {mib}: {mib << 20} [{births}: {births << 20}]\n"


def dump(*mib, rate="1", before="", after="", stacks=STACKS, births=0, maps=life(1)):
    """A dump whose stacks hold so many objects of 1 MiB each."""
    text = f"{before}heap_v2/{rate}\n" + counts(sum(mib), births)
    text += "".join(stack + counts(held, births) for stack, held in zip(stacks, mib))
    return text + after + (f"\nMAPPED_LIBRARIES:\n{maps}" if maps else "")


def write(directory, files):
    """`files`: name -> (content, minutes); no time: all were copied within a moment."""
    for name, (content, minutes) in files.items():
        path = directory / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        os.utime(path, (START_S + 60 * minutes,) * 2)


def summary(result):
    run, totals = result["run"], result["totals"]
    return {"prefix": run["prefix"], "pid": run["pid"], "clock": run["time_axis"],
            "used": [d["file"] for d in result["dumps"] if d["used"]],
            "noted": {d["file"]: d["note"] for d in result["dumps"] if d["note"]},
            "other_runs": [(r["prefix"], r["pid"]) for r in run["other_runs"]],
            "base": run["base"]["file"], "final": run["final"]["file"],
            "MiB": [v and v / (1 << 20) for v in (totals["base_bytes"], totals["final_bytes"], totals["growth_bytes"])],
            "breaks": [(b["kind"], b["sequence"]) for b in run["breaks"]],
            "codes": {q["code"]: q["count"] for q in result["data_quality"]},
            "class": result["verdict"]["class"], "reason": run["final_reason"]}


def analyse(heapreport, files, *arguments):
    with tempfile.TemporaryDirectory() as scratch:
        directory = pathlib.Path(scratch) / "dumps"
        directory.mkdir()
        write(directory, files)
        out = pathlib.Path(scratch) / "out.json"
        done = subprocess.run([heapreport, "-q", "--dir", directory, *arguments, "-o", out], text=True, capture_output=True)
        return json.loads(out.read_text()) if done.returncode == 0 else f"status {done.returncode}: {done.stderr}"


def numbered(contents, pid=4711, start=0):
    """Interval dumps, one a minute."""
    return {f"app.{pid}.{i}.i{i}.heap": (content, start + i) for i, content in enumerate(contents)}


GROWING = [dump(mib) for mib in (100, 200, 300, 400)]
EMPTY = dump()
NO_STACK = ["@\n"]
ONE_FRAME = ["@ 0x401234\n"]
DEEP = ["@ " + " ".join(f"{0x401000 + 16 * level:#x}" for level in range(128)) + "\n"]
HIGH = ["@ 0xffffffff81000010 0xfffffffffffffff0\n"]
TWICE = [STACKS[0], STACKS[0]]
GROWN = [100, 400, 300]
FEW = {"HR-200": 1}
# Behind the last of four dumps, one a minute.
KILLED = "".join(json.dumps({"time_s": START_S + 60 * minute, "allocated": (100 + 100 * min(minute, 3)) << 20,
                             "resident": (150 + 100 * min(minute, 3)) << 20}) + "\n" for minute in range(40))


def cut(text, mark):
    """The text up to the middle of the last address before a mark."""
    return text[:text.rindex(mark) + 12]


def case_12_names(run):
    yield "numbers as numbers, a prefix with dots and digits", run({
        "app.9.u3.7.10.i10.heap": (GROWING[3], 4), "app.9.u3.7.9.i9.heap": (GROWING[2], 3),
        "app.9.u3.7.0001.m0.heap": (GROWING[0], 1), "app.9.u3.7.2.u0.heap": (GROWING[1], 2)}), {
        "prefix": "app.9.u3", "pid": 7, "MiB": GROWN, "clock": "mtime", "codes": FEW,
        "used": [f"app.9.u3.7.{name}.heap" for name in ("0001.m0", "2.u0", "9.i9", "10.i10")]}
    yield "a pid namespace", run(numbered(GROWING, pid="4026531836.1")), {"prefix": "app", "pid": 1, "MiB": GROWN}
    yield "own names with a time, which file times contradict", run({
        "app.1796000240.heap": (GROWING[3], 1), "app.1796000060.heap": (GROWING[0], 4),
        "app.1796000120.heap": (GROWING[1], 2)}), {"clock": "name", "MiB": GROWN, "codes": FEW}
    yield "own names of which one holds neither: by file time, and told", run({
        "app.heap": (GROWING[3], 4), "app.2.heap": (GROWING[0], 1), "app.1.heap": (GROWING[1], 2)}), {
        "clock": "mtime", "used": ["app.2.heap", "app.1.heap", "app.heap"], "MiB": GROWN, "codes": {**FEW, "HR-011": 1}}


def case_13_processes(run):
    others = [dump(50, maps=life(2))] * 4
    yield "two processes: the one with the newest dump, and told", run({**numbered(others, pid=4710), **numbered(GROWING, start=1)}), {
        "pid": 4711, "MiB": GROWN, "other_runs": [("app", 4710)], "codes": {**FEW, "HR-009": 1}}
    yield "the other by --pid", run({**numbered(others, pid=4710), **numbered(GROWING)}, "--pid", "4710"), {
        "pid": 4710, "MiB": [50, 50, 0], "other_runs": [("app", 4711)]}
    yield "pid 1 again, high numbers left behind", run({
        "app.1.0.i0.heap": (dump(10, maps=life(2)), 20), "app.1.1.i1.heap": (dump(20, maps=life(2)), 21),
        "app.1.2.i2.heap": (dump(700), 2), "app.1.3.i3.heap": (dump(800), 3), "app.1.4.f.heap": (dump(900), 4)}), {
        "used": ["app.1.0.i0.heap", "app.1.1.i1.heap"], "MiB": [10, 20, 10], "codes": {**FEW, "HR-009": 1, "HR-010": 1}}
    yield "a forked child holds a copy of its parent's heap: no growth of its own", run({
        **numbered(GROWING), **{f"app.4712.{i}.i{i}.heap": (dump(400), i + 0.5) for i in (4, 5, 6)}}), {
        "pid": 4712, "base": "app.4712.4.i4.heap", "MiB": [400, 400, 0], "class": "no_growth", "codes": {**FEW, "HR-009": 1}}


    broken = {"app.4712.0.i0.heap": (dump(10, rate="abc"), 9)}
    yield "no usable dump of the newest: refused, and which older ones there are", run({**numbered(GROWING), **broken}), (
        "the newest of another one are the 4 dumps of process 4711: --pid 4711")
    yield "the older one by --pid", run({**numbered(GROWING), **broken}, "--pid", "4711"), {"pid": 4711, "MiB": GROWN}
    yield "no usable dump of the newest, of the same pid: refused", run({
        **{f"app.1.{i}.i{i}.heap": (dump(100, maps=life(2)), i) for i in (1, 2, 3)}, "app.1.0.i0.heap": (EMPTY, 9)}), (
        "dumps of an earlier one with the same pid, 1, lie there too")


def case_14_times(run):
    yield "reversed by a copy: by sequence, no clock", run(
        {name: (content, 9 - minutes) for name, (content, minutes) in numbered(GROWING).items()}), {
        "clock": "sequence", "MiB": GROWN, "codes": {**FEW, "HR-012": 1}}
    yield "lost in a copy", run({name: (content, 0) for name, (content, _) in numbered(GROWING).items()}), {
        "clock": "sequence", "MiB": GROWN, "codes": {**FEW, "HR-012": 1}}
    one_off = {**numbered([dump(100 + 10 * i) for i in range(10)]), "app.4711.3.i3.heap": (dump(130), 90)}
    yield "one that does not fit is replaced", run(one_off), {
        "clock": "mtime", "MiB": [100, 190, 90], "codes": {"HR-013": 1}, "breaks": []}


    level = [dump(100) for _ in range(12)]
    back = {name: (content, minutes - 60 * (minutes > 5)) for name, (content, minutes) in numbered(level).items()}
    yield "the clock set back by an hour: one process by its maps, no clock", run(back), {
        "clock": "sequence", "other_runs": [], "MiB": [100, 100, 0], "codes": {"HR-012": 1}}
    no_maps = {name: (dump(100, maps=None), minutes) for name, (_, minutes) in back.items()}
    yield "the same without maps: perhaps two processes, and told", run(no_maps), {
        "final": "app.4711.5.i5.heap", "codes": {**FEW, "HR-009": 1, "HR-036": 1}}
    ahead = {name: (content, minutes + 432_000 * (minutes > 5)) for name, (content, minutes) in numbered(level).items()}
    yield "the clock set ahead by 300 days: the time is in doubt", run(ahead), {
        "clock": "mtime", "breaks": [("gap", 6)], "codes": {"HR-210": 1}, "told": "Of the 300 d between"}
    measured = "".join(json.dumps({"time_s": START_S + 86400 * day, "allocated": 100 << 20, "resident": 120 << 20}) + "\n"
                       for day in range(301))
    yield "300 days that were measured: no doubt", run({**ahead, "counters.jsonl": (measured, 433_000)}), {
        "breaks": [("gap", 6)], "codes": {}}


def case_15_final(run):
    yield "written at exit, all freed: the one before", run({**numbered(GROWING), "app.4711.4.f.heap": (dump(3), 4)}), {
        "final": "app.4711.3.i3.heap", "MiB": GROWN, "codes": FEW}
    level = numbered([dump(100 + i % 2) for i in range(8)] + [dump(2000)])
    peak = {"final": "app.4711.7.i7.heap", "codes": {"HR-208": 1}, "told": "service held 1.95 GiB, the"}
    yield "a peak at the end: passed over, and told", run(level), dict(peak)
    yield "a peak before all is freed: the peak is told", run({**level, "app.4711.9.f.heap": (dump(3), 9)}), dict(peak)
    yield "killed: the last one, and how old it is", run({**numbered(GROWING), "counters.jsonl": (KILLED, 40)}), {
        "final": "app.4711.3.i3.heap", "MiB": GROWN, "codes": {**FEW, "HR-209": 1}}
    yield "measured to the end: nothing to tell", run({
        **numbered(GROWING), "counters.jsonl": ("".join(KILLED.splitlines(True)[:5]), 5)}), {"codes": FEW}


def case_16_leading_lines(run):
    told = {**numbered(GROWING), "app.4711.3.i3.heap": (dump(400, before="<jemalloc>: one\n\nthe service says\n"), 3)}
    yield "skipped, and told", run(told), {"MiB": GROWN, "codes": {**FEW, "HR-007": 1}}


def case_17_cut(run):
    half = cut(dump(300, 700, maps=None), STACKS[1])
    yield "the newest: what is whole stays, the one before is compared", run({**numbered(GROWING), "app.4711.4.i4.heap": (half, 4)}), {
        "final": "app.4711.3.i3.heap", "MiB": GROWN, "codes": {**FEW, "HR-001": 1},
        "noted": {"app.4711.4.i4.heap": "ends inside a stack; 30 % of its bytes kept"}}
    yield "beside one whole dump: no figure of growth", run({"app.4711.0.i0.heap": (GROWING[0], 0), "app.4711.1.f.heap": (half, 1)}), {
        "class": "inconclusive", "MiB": [100, 100, None], "codes": {**FEW, "HR-001": 1}}
    no_map = dump(400, maps=None)
    yield "behind the last stack, where others have a map: cut", run({**numbered(GROWING), "app.4711.4.i4.heap": (no_map, 4)}), {
        "final": "app.4711.3.i3.heap", "codes": {**FEW, "HR-001": 1}}
    yield "the map of a sibling names its code", run({"app.4711.0.i0.heap": (GROWING[0], 0), "app.4711.1.i1.heap": (no_map, 1)},
                                                     "--final", "app.4711.1.i1.heap"), {"MiB": GROWN, "names": "app+0x1234"}


def case_17_damaged(run):
    threads = GROWING[2].replace(counts(300), counts(300) + "  t1: 300: 314572800 [0: 0]\n")
    broken = dump(900).replace(counts(900), counts(900) + "  t1: 100: 104857600 [0: 0]\n")
    lines = dump(100, 800).replace(STACKS[1], "@ 0x40!\n")
    for what, last, code in (("threads", broken, "HR-027"), ("a line", lines, "HR-008")):
        damaged = run({**numbered([*GROWING[:2], threads]), "app.4711.3.i3.heap": (last, 3)})
        yield f"the newest, {what}: the one before is compared", damaged, {
            "final": "app.4711.2.i2.heap", "MiB": [100, 300, 200], "told": code,
            "reason": "The last dump that nothing shows to be damaged; app.4711.3.i3.heap after it is."}
    yield "the newest, by --final: compared, and told", run({**numbered([*GROWING[:2], threads]), "app.4711.3.i3.heap": (broken, 3)},
                                                            "--final", "app.4711.3.i3.heap"), {
        "final": "app.4711.3.i3.heap", "MiB": [100, 900, 800], "codes": {**FEW, "HR-027": 1}}
    yield "all of them: no reason to leave the newest out", run(numbered([
        text.replace(counts(mib), counts(mib) + "  t1: 9: 9437184 [0: 0]\n") for text, mib in zip(GROWING, (100, 200, 300, 400))])), {
        "final": "app.4711.3.i3.heap", "MiB": GROWN, "codes": {**FEW, "HR-027": 4}, "reason": "The last whole dump."}
    yield "the first: the one after it is compared", run({**numbered(GROWING), "app.4711.0.i0.heap": (
        dump(7).replace(counts(7), counts(7) + "  t1: 100: 104857600 [0: 0]\n"), 0)}), {
        "base": "app.4711.1.i1.heap", "MiB": [200, 400, 200], "codes": {**FEW, "HR-027": 1}}


def case_18_stacks(run):
    yield "none recorded: the bytes stay", run(numbered([dump(100, stacks=NO_STACK), dump(400, stacks=NO_STACK)])), {
        "MiB": GROWN, "names": "[no stack recorded]", "codes": FEW}
    yield "one frame each: how to mend the build", run(numbered([dump(100, stacks=ONE_FRAME), dump(400, stacks=ONE_FRAME)])), {
        "MiB": GROWN, "codes": {**FEW, "HR-203": 1}, "steps": "-fno-omit-frame-pointer"}
    yield "128 frames: cut, not hung under another root", run(numbered([dump(50, 50, stacks=DEEP + STACKS), dump(350, 50, stacks=DEEP + STACKS)])), {
        "MiB": GROWN, "codes": {**FEW, "HR-204": 1}, "roots": ["app+0x17f0", "app+0x3456"]}


def case_19_profiling(run):
    yield "inactive: refused with the reason", run(numbered([EMPTY] * 3)), "prof_active:true"
    yield "switched on late: from the first stacks on, with their names", run(numbered([EMPTY, EMPTY] + GROWING)), {
        "base": "app.4711.2.i2.heap", "MiB": GROWN, "names": "app+0x1234", "codes": {**FEW, "HR-002": 2}}
    yield "switched on late beside a larger count of the allocator: no verdict", run({
        **numbered([EMPTY, EMPTY] + GROWING), "counters.jsonl": ("".join(json.dumps({
            "time_s": START_S + 60 * minute, "allocated": 4000 << 20, "resident": 4100 << 20}) + "\n" for minute in range(6)), 6)}), {
        "class": "inconclusive"}
    changed = [dump(100, rate="1"), dump(100, rate="1"), *(dump(mib, rate="2") for mib in (110, 120, 130, 140))]
    yield "another interval: no difference across", run(numbered(changed)), {
        "breaks": [("rate_change", 2)], "base": "app.4711.2.i2.heap", "MiB": [110, 140, 30], "codes": {**FEW, "HR-201": 1}}
    reset = [dump(mib, births=births) for mib, births in ((100, 5000), (110, 6000), (3, 20), (4, 30), (5, 40), (6, 50))]
    yield "reset: no difference across", run(numbered(reset)), {
        "breaks": [("reset", 2)], "base": "app.4711.2.i2.heap", "MiB": [3, 6, 3], "codes": {**FEW, "HR-201": 1}}


def case_20_odd_content(run):
    for rate in ("9223372036854775807", "9223372036854775808"):
        yield f"an interval of {rate}: as recorded, no verdict", run(numbered([dump(100, rate=rate), dump(400, rate=rate)])), {
            "MiB": GROWN, "class": "inconclusive", "codes": {**FEW, "HR-202": 1}}
    yield "an interval of 0: every allocation", run(numbered([dump(100, rate="0"), dump(400, rate="0")])), {"MiB": GROWN, "codes": FEW}
    for rate in ("abc", "", "-1", "18446744073709551616"):
        yield f"heap_v2/{rate}: refused", run(numbered([dump(100, rate=rate)] * 2)), "heap_v2/ and a number"
        yield f"heap_v2/{rate} among good ones: left out", run({**numbered(GROWING), "app.4711.4.i4.heap": (dump(7, rate=rate), 4)}), {
            "MiB": GROWN, "codes": {**FEW, "HR-005": 1}}
    yield "files called heap", run({**numbered(GROWING), "heap": ("heap\n", 5), "heap.heap": ("heap\n", 5)}), {
        "MiB": GROWN, "noted": {"heap.heap": "no jemalloc dump"}, "codes": {**FEW, "HR-003": 1}}
    yield "addresses above 2^63", run(numbered([dump(100, stacks=HIGH), dump(400, stacks=HIGH)])), {
        "MiB": GROWN, "names": "0xffffffff81000010", "codes": {**FEW, "HR-205": 1}}
    spaced = dump(100).replace("[0: 0]\n", "[0: 0] \t\r\n").replace("@ 0x401234 ", "@  0X0401234\t")
    threads = dump(400, after="  t0: 397: 416284672 [0: 0]\n  t100000: 3: 3145728 [0: 0]\n  f: 99: 99\n")
    yield "blanks, other spellings, thread numbers with gaps, lines of forks", run(numbered([spaced, threads])), {
        "MiB": GROWN, "codes": FEW, "suspects": 1}


def case_21_other_formats(run):
    others = {"growth.0001.heap": "heap profile: 1: 8 [ 1: 8] @ growthz\n", "go.heap": "heap profile: 1: 8 [ 1: 8] @ heap/1048576\n",
              "java.heap": "JAVA PROFILE 1.0.2\0", "cpu.heap": "--- cpu\n", "elf.heap": b"\x7fELF\2\1", "json.heap": "{}",
              "text.heap": "what\n"}
    kinds = {"growth.0001.heap": "gperftools growth profile", "go.heap": "Go heap profile", "java.heap": "Java heap dump",
             "cpu.heap": "symbolized profile", "elf.heap": "ELF file", "json.heap": "JSON file"}
    yield "newer than the dumps: named by content, never fatal", run({
        **numbered(GROWING), **{name: (content, 9) for name, content in others.items()}}), {
        "pid": 4711, "MiB": GROWN, "codes": {**FEW, "HR-003": len(others)},
        "noted": {"text.heap": "no jemalloc dump", **{name: f"no jemalloc dump: {kind}" for name, kind in kinds.items()}}}


def case_22_many(run):
    burst = run({f"app.1.{i}.i{i}.heap": (dump(100 + i), i * 60 // 500 / 60) for i in range(500)})
    yield "500 dumps in a minute: whole seconds are spread", burst, {
        "clock": "mtime", "MiB": [100, 599, 499], "codes": {}, "class": "heap_growth", "breaks": []}


def case_24_words(run):
    shrinking = run(numbered([dump(400 - 10 * i) for i in range(12)]))
    yield "a heap that shrinks: by how much of what it was", shrinking, {"says": "of 380 MiB it changed by \u221290 MiB"}
    sizes = [f"heap_v2/1\n  t*: {i % 3 + 1}: {(i % 5 + 1) << 20} [0: 0]\n@ 0x401234\n  t*: {i % 3 + 1}: {(i % 5 + 1) << 20} [0: 0]\n"
             f"\nMAPPED_LIBRARIES:\n{life(1)}" for i in range(20)]
    yield "every allocation recorded, of mixed sizes: no interval", run(numbered(sizes)), {"exact": True}


def case_23_equal_stacks(run):
    yield "they add up", run(numbered([dump(40, 60, stacks=TWICE), dump(150, 250, stacks=TWICE)])), {
        "MiB": GROWN, "suspects": 1, "codes": FEW}


def look(result, key):
    if key == "names":
        return result["suspects"][0]["function"]
    if key == "suspects":
        return len(result["suspects"])
    if key == "exact":
        totals = result["totals"]
        return totals["growth_bytes_low"] == totals["growth_bytes"] == totals["growth_bytes_high"] and \
            result["series"]["live_bytes_low"] == result["series"]["live_bytes_high"]
    if key == "roots":
        return sorted(node["function"] for node in result["flame"] if node["parent_index"] == 0)
    return summary(result)[key]


def judge(name, result, expected):
    if isinstance(expected, str):
        said = isinstance(result, str) and result.startswith("status 3: heapreport: ") and expected in result
        check(name, said, result if isinstance(result, str) else summary(result))
    elif isinstance(result, str):
        check(name, False, result)
    else:
        steps, told, says = (expected.pop(key, "") for key in ("steps", "told", "says"))
        found = {key: look(result, key) for key in expected}
        said = steps in json.dumps(result["verdict"]["next_steps"]) and told in json.dumps(result["data_quality"]) \
            and says in result["verdict"]["sentence"]
        check(name, found == expected and said, found, expected)


def main():
    heapreport = os.path.realpath(sys.argv[1])
    for name, case in sorted(globals().items()):
        if name.startswith("case_"):
            for text, result, expected in case(lambda *given: analyse(heapreport, *given)):
                judge(f"{name[5:].replace('_', ' ')}: {text}", result, expected)
    return finish()


if __name__ == "__main__":
    sys.exit(main())
