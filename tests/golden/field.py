#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The small cases of testdata/field/cases.json, numbers of services seen in the field, from files to verdict: the class
each must get, everything the verdict says as a golden (verdicts.txt, HR_UPDATE_GOLDEN=1 rewrites it), and no wrong
class when any one source of evidence is taken away (--subsets; the recorded cases of testdata/cases go through that too).

usage: field.py HEAPREPORT SOURCE_ROOT [--subsets]"""
import difflib
import json
import math
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
import evidence  # noqa: E402  (lies beside the other helpers)
from tap import check, finish  # noqa: E402

START_S = 1_796_000_000
OBJECT_BYTES = 1000
PID = 4711
# Irregular, with a mean of nothing.
SWING = (0.3, -0.8, 1, -0.1, -0.6, 0.9, -1, 0.2, 0.7, -0.4, -0.2)


def values(shape, count, noise=0.0):
    """`count` values along a shape whose own lie at equal distances."""
    for index in range(count):
        place = index / (count - 1) * (len(shape) - 1)
        before = min(int(place), len(shape) - 2)
        level = shape[before] + (place - before) * (shape[before + 1] - shape[before])
        yield max(0.0, level + noise * SWING[index % len(SWING)])


def times(case, count):
    return [START_S + case["hours"] * 3600 * index / (count - 1) for index in range(count)]


def write_dumps(directory, case):
    dumps = case["dumps"]
    interval = dumps["interval_bytes"]
    sampled = 1 - math.exp(-OBJECT_BYTES / interval)
    shape = dumps.get("samples") or [live * case["unit_bytes"] * sampled / OBJECT_BYTES for live in dumps["live"]]
    for sequence, (time_s, count) in enumerate(zip(times(case, dumps["count"]), values(shape, dumps["count"]))):
        row = f"{round(count)}: {round(count) * OBJECT_BYTES} [0: 0]"
        path = directory / f"app.{PID}.{sequence}.i{sequence}.heap"
        path.write_text(f"heap_v2/{interval}\n  t*: {row}\n  t0: {row}\n@ 0x401234 0x402345\n  t*: {row}\n  t0: {row}\n"
                        "\nMAPPED_LIBRARIES:\n00400000-00500000 r-xp 00000000 fe:00 7 /srv/app\n")
        os.utime(path, (time_s, time_s))


def read_series(case, kind):
    """The quantities of one kind of evidence by name, each as whole bytes, and the times."""
    described = dict(case[kind])
    count, noise = described.pop("count"), described.pop("noise")
    series = {name: [round(value * case["unit_bytes"]) for value in values(shape, count, noise)]
              for name, shape in described.items()}
    return times(case, count), series


def write_evidence(directory, case):
    if "counters" in case:
        moments, series = read_series(case, "counters")
        (directory / "counters.jsonl").write_text("".join(
            json.dumps({"time_s": time_s, **{name: column[i] for name, column in series.items()}}) + "\n"
            for i, time_s in enumerate(moments)))
    if "rollup" in case:
        moments, series = read_series(case, "rollup")
        header = "00400000-7ffc664ef000 ---p 00000000 00:00 0                          [rollup]\n"
        (directory / f"smaps_rollup.{PID}.txt").write_text("".join(
            f"# time {time_s}\n{header}" + f"Rss: {sum(c[i] for c in series.values()) // 1024} kB\n"
            + "".join(f"{name}: {column[i] // 1024} kB\n" for name, column in series.items())
            for i, time_s in enumerate(moments)))
    if "cgroup" in case:
        moments, series = read_series(case, "cgroup")
        for name, column in series.items():
            key = "file " if name == "memory.stat" else ""
            (directory / name).write_text("".join(
                f"# time {time_s}\n{key}{column[i]}\n" for i, time_s in enumerate(moments)))


def run(program, directory, arguments=()):
    """The result, or None where nothing was left to judge, or an error's text."""
    out = directory.parent / "result.json"
    done = subprocess.run([program, "-q", "--dir", str(directory), *arguments, "-o", str(out)], text=True,
                          capture_output=True)
    if done.returncode == 3:
        return None
    return json.loads(out.read_text()) if done.returncode == 0 else f"status {done.returncode}: {done.stderr.strip()}"


def describe(case, result):
    verdict, totals = result["verdict"], result["totals"]
    lines = [f"== {case['name']}: {case['story']}",
             f"{verdict['class']}, scope {verdict['scope']}, confidence {verdict['confidence']}", verdict["sentence"]]
    for key in ("base_bytes", "final_bytes", "thirds_growth_bytes", "smallest_detectable_bytes", "coverage_ratio"):
        lines.append(f"  {key}: {json.dumps(totals[key])}")
    lines += [f"  contribution {c['class']} {c['part']}: {c['growth_bytes']} bytes, share {c['share_ratio']}"
              for c in verdict["contributions"]]
    lines += [f"  confidence: {reason}" for reason in verdict["confidence_reasons"]]
    lines += [f"  {rule['outcome']} {rule['id']}: {rule['because']}" for rule in verdict["rules"]]
    lines += [f"  next: {step['text']}" for step in verdict["next_steps"]]
    return lines


def check_subsets(program, name, directory, full, arguments=()):
    """No single source taken away, and none left alone, turns the class into a wrong one."""
    for subset in evidence.SUBSETS:
        target = directory.parent / (directory.name + "-" + subset.replace(" ", "-").replace("/", ""))
        if not evidence.make_subset(directory, target, subset):
            continue
        result = run(program, target, arguments)
        verdict = result["verdict"] if isinstance(result, dict) else None
        good = result is None or (verdict is not None and evidence.is_allowed(verdict, full, subset))
        check(f"{name}: {subset}", good, f"{full['class']} became {verdict['class']}, scope {verdict['scope']}, "
                  f"confidence {verdict['confidence']}: {verdict['sentence']}" if verdict else result)


def check_golden(path, text):
    if os.environ.get("HR_UPDATE_GOLDEN") == "1":
        path.write_text(text)
    expected = path.read_text() if path.exists() else ""
    difference = difflib.unified_diff(expected.splitlines(), text.splitlines(), "expected", "now", n=1)
    check("what the verdicts say", text == expected, *list(difference)[:60])


def check_recorded(program, cases):
    for archive in sorted(cases.glob("*/*.tar.xz")):
        with tempfile.TemporaryDirectory() as scratch, tarfile.open(archive) as tar:
            tar.extractall(scratch)
            directory = pathlib.Path(scratch) / "dumps"
            check_subsets(program, archive.parent.name, directory, run(program, directory)["verdict"])


def main():
    program, root, subsets = os.path.realpath(sys.argv[1]), pathlib.Path(sys.argv[2]), "--subsets" in sys.argv[3:]
    field = root / "testdata" / "field"
    said = []
    for case in json.loads((field / "cases.json").read_text()):
        with tempfile.TemporaryDirectory() as scratch:
            directory = pathlib.Path(scratch) / "case"
            directory.mkdir()
            if "dumps" in case:
                write_dumps(directory, case)
            write_evidence(directory, case)
            result = run(program, directory)
            if not isinstance(result, dict):
                check(case["name"], False, result)
                continue
            verdict = result["verdict"]
            check(f"{case['name']}: {case['class']}", verdict["class"] == case["class"], verdict["sentence"])
            said += describe(case, result) + [""]
            if subsets:
                check_subsets(program, case["name"], directory, verdict)
    if subsets:
        check_recorded(program, root / "testdata" / "cases")
    else:
        check_golden(field / "verdicts.txt", "\n".join(said))
    return finish()


sys.exit(main())
