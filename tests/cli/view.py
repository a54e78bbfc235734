#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""--metric allocated_bytes and --by thread on real dumps of a program whose allocations are known to the byte. Intervals
are asked for twice over, so that chance does not fail a test.

usage: view.py HEAPREPORT KNOWN_CHURN      TAP on standard output
"""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tap import check, finish, skip  # noqa: E402  (lies beside the other helpers)

HEAPREPORT, CHURN = sys.argv[1:3]
STEPS = 11  # between the first dump and the last, known-churn.c
PARSED = 3 * 2000 * 4096 * STEPS
KEPT = 500 * 2048 * STEPS


def profile(directory, conf):
    directory.mkdir()
    subprocess.run([CHURN, directory], env=dict(os.environ, MALLOC_CONF=f"prof:true,{conf}"), check=True)


def run(directory, *options, out=()):
    command = [HEAPREPORT, "-q", "--no-sandbox", "--dir", directory, "--binary", CHURN, *options]
    for path in out:
        command += ["-o", path]
    return subprocess.run(command, text=True, capture_output=True)


def report(directory, *options, suffixes=()):
    stem = directory.parent / re.sub(r"\W+", "-", directory.name + "".join(options))
    done = run(directory, *options, out=[f"{stem}.json", *(f"{stem}{suffix}" for suffix in suffixes)])
    assert done.returncode == 0, done.stderr
    return json.loads(pathlib.Path(f"{stem}.json").read_text()), stem


def holds(entry, truth):
    growth = entry["growth_bytes"]
    return growth - 2 * (growth - entry["growth_bytes_low"]) <= truth <= growth + 2 * (entry["growth_bytes_high"] - growth)


def suspect(result, function):
    return next(entry for entry in result["suspects"] if entry["function"] == function)


def check_folded(result, stem):
    """Two columns, the second as in the file with one; a stack that only one dump has is there, with 0."""
    alone = dict(line.rsplit(" ", 1) for line in pathlib.Path(f"{stem}.folded").read_text().splitlines())
    both = {line[0]: line[1:] for line in (row.rsplit(" ", 2) for row in pathlib.Path(f"{stem}.diff.folded").read_text().splitlines())}
    for column, view in enumerate(("base", "final")):
        total = sum(int(values[column]) for values in both.values())
        check(f"folded, two columns: {view} adds up", abs(total - result["totals"][f"{view}_bytes"]) <= 10, total)
    check("folded, two columns: the stacks of the final dump",
          alone and {stack: values[1] for stack, values in both.items() if values[1] != "0"} == alone, both, alone)
    check("folded: a stack a line, outermost call first", any(";work;keep;" in stack for stack in both), both)


def check_allocated(directory):
    live, live_stem = report(directory, suffixes=[".prom", ".folded", ".diff.folded"])
    check_folded(live, live_stem)
    result, stem = report(directory, "--metric", "allocated_bytes", suffixes=[".folded", ".prom", ".txt", ".html", ".pdf"])
    check("the metric is stated", (live["metric"], result["metric"]) == ("live_bytes", "allocated_bytes"))
    check("what is kept is the first by live bytes", live["suspects"][0]["function"] == "keep", live["suspects"][0])
    check("what churns is the first by allocated bytes", result["suspects"][0]["function"] == "parse", result["suspects"][0])
    for function, truth in (("parse", PARSED), ("keep", KEPT)):
        entry = suspect(result, function)
        check(f"{function}: as much as it allocates, within the error", holds(entry, truth) and entry["significant"],
              truth, [entry[key] for key in ("growth_bytes_low", "growth_bytes", "growth_bytes_high")])
    # Only the samples between the dumps count: far narrower than two independent dumps would be.
    parse = suspect(result, "parse")
    check("the error is that of the samples between", parse["growth_bytes_high"] - parse["growth_bytes_low"] < 0.05 * PARSED, parse)
    check("steady allocation is a straight line", parse["shape"] == "linear", parse["shape"])
    check("its rate is so much an hour", abs(parse["rate_bytes_per_hour"] / (PARSED / STEPS * 3600) - 1) < 0.1, parse["rate_bytes_per_hour"])
    verdict = result["verdict"]
    check("no leak is claimed", verdict["class"] == "inconclusive" and verdict["contributions"] == [] and
          {rule["outcome"] for rule in verdict["rules"]} == {"unknown"} and result["forecast"] is None, verdict)
    check("the sentence says what was counted", verdict["sentence"].startswith("Not judged: this report counts what was allocated")
          and "parse" in verdict["sentence"], verdict["sentence"])
    check("the list of dumps is of live bytes all the same",
          [dump["live_bytes"] for dump in result["dumps"]] == [dump["live_bytes"] for dump in live["dumps"]])
    check("no advice on leaks", {entry[key] for entry in result["suspects"] for key in ("advice", "harmless_if")} == {None})
    folded = sum(int(line.rsplit(" ", 1)[1]) for line in stem.with_suffix(".folded").read_text().splitlines())
    check("folded stacks add up to the final total", abs(folded - result["totals"]["final_bytes"]) <= 10, folded)
    prom = stem.with_suffix(".prom").read_text()
    check("Prometheus does not call it the heap", "heapreport_allocated_growth_bytes{" in prom and "heapreport_heap_" not in prom
          and "heapreport_suspect_growth" not in prom, prom[:500])
    text = stem.with_suffix(".txt").read_text()
    check("the text says it", "Counted are allocated bytes" in text and "Live bytes" not in text and "Who grew" not in text, text)
    check("an amount that was allocated has no sign", re.search(r"the\s+program\s+allocated\s+2\d\d\s+MiB", text), text[:600])
    html = re.sub(r"<script.*?</script>|<style.*?</style>", "", stem.with_suffix(".html").read_text(), flags=re.S)
    check("the page says it", "Who allocated most" in html and "Live heap by" not in html and "all live heap" not in html)
    again, _ = report(directory, "--metric", "alloc_space")
    check("pprof's name for it", again["suspects"] == result["suspects"] and again["metric"] == "allocated_bytes")
    focus, _ = report(directory, "--metric", "allocated_bytes", "--focus", "^keep$")
    check("with a filter", holds(focus["totals"], KEPT) and [entry["function"] for entry in focus["suspects"]] == ["keep"],
          focus["totals"], focus["suspects"])
    check("with a filter, the dumps' live bytes are what is left", 0 < focus["dumps"][-1]["live_bytes"] <= live["dumps"][-1]["live_bytes"])
    return result, live


def check_pprof(directory, allocated, live):
    profile_path = directory.parent / "allocated.pb.gz"
    done = run(directory, "--metric", "allocated_bytes", out=[profile_path])
    alone = directory.parent / "pprof"
    alone.mkdir()
    profile_path.rename(alone / "app.0001.pb.gz")
    check("pprof: written", done.returncode == 0, done.stderr)
    for metric, known in (("allocated_bytes", allocated), ("live_bytes", live)):
        result, _ = report(alone, "--metric", metric)
        for key in ("base_bytes", "final_bytes", "growth_bytes"):
            check(f"pprof: read back, {metric}: the same {key}", abs(result["totals"][key] - known["totals"][key]) <= 0.002 * known["totals"][key] + 8,
                  result["totals"], known["totals"])
        check(f"pprof: read back, {metric}: the same suspects", [entry["function"] for entry in result["suspects"]] ==
              [entry["function"] for entry in known["suspects"]], result["suspects"])


def check_jeprof(directory, result):
    if not shutil.which("jeprof"):
        skip("jeprof counts the same", "no jeprof on this machine")
        return
    first, last = (next(directory.glob(f"*.m{step}.heap")) for step in (0, STEPS))
    said = subprocess.run(["jeprof", "--text", "--alloc_space", f"--base={first}", CHURN, last], text=True, capture_output=True).stdout
    total = float(re.search(r"Total: ([0-9.]+) MB", said).group(1)) * 1048576
    growth = result["totals"]["growth_bytes"]
    check("jeprof counts the same", abs(total - growth) < 0.001 * growth + 52429, total, growth)


def check_refused(plain, accumulating):
    done = run(plain, "--metric", "allocated_bytes", out=[plain.parent / "no.json"])
    check("without such counts it is refused", done.returncode == 3 and done.stderr.count("\n") == 1 and "prof_accum:true" in done.stderr,
          done.returncode, done.stderr)
    mixed = plain.parent / "mixed"
    shutil.copytree(accumulating, mixed)
    for path in plain.glob("*.m5.heap"):
        shutil.copy2(path, mixed / next(mixed.glob("*.m5.heap")).name)
    done = run(mixed, "--metric", "allocated_bytes", out=[plain.parent / "no.json"])
    check("one dump without them is one too many", done.returncode == 3 and "not every dump" in done.stderr, done.stderr)
    for options in (["--fail-on", "growth>1MiB"], ["--history", plain.parent / "nights.jsonl"]):
        done = run(accumulating, "--metric", "allocated_bytes", *options, out=[plain.parent / "no.json"])
        check(f"{options[0]} judges live bytes alone", done.returncode == 2 and options[0] in done.stderr, done.stderr)
    done = run(accumulating, "--metric", "bytes", out=[plain.parent / "no.json"])
    check("another metric is no metric", done.returncode == 2 and "live_bytes nor allocated_bytes" in done.stderr, done.stderr)
    done = run(accumulating, "--by", "stack", out=[plain.parent / "no.json"])
    check("--by knows threads alone", done.returncode == 2 and "--by" in done.stderr, done.stderr)


def check_sum(name, result):
    totals, rows = result["totals"], result["threads"] + [result["threads_rest"]]
    for key in ("base_bytes", "final_bytes", "growth_bytes"):
        check(f"{name}: threads and the rest make the total ({key})", sum(row[key] for row in rows) == totals[key], rows, totals)
    check(f"{name}: next to nothing is left over", abs(result["threads_rest"]["final_bytes"]) <= 0.005 * totals["final_bytes"], rows)


def check_threads(directory):
    result, stem = report(directory, "--by", "thread", suffixes=[".html", ".pdf"])
    check_sum("live", result)
    rows = {row["name"]: row for row in result["threads"]}
    keeper = result["threads"][0]
    check("the thread without a name is called as in the dumps", re.fullmatch(r"t\d+", keeper["name"]) and keeper["threads_count"] == 1, keeper)
    check("what it keeps is its growth", abs(keeper["growth_bytes"] / KEPT - 1) < 0.15, keeper, KEPT)
    check("who freed all has no row", "worker" not in rows, rows)
    check("the page has the table", "All threads" in stem.with_suffix(".html").read_text())
    result, _ = report(directory, "--by", "thread", "--metric", "allocated_bytes")
    check_sum("allocated", result)
    rows = {row["name"]: row for row in result["threads"]}
    check("threads of one name are one row", rows["worker"]["threads_count"] == 2, rows)
    check("which allocated as much as two", abs(rows["worker"]["growth_bytes"] / (PARSED * 2 / 3) - 1) < 0.05, rows["worker"])
    focus, _ = report(directory, "--by", "thread", "--metric", "allocated_bytes", "--ignore", "^parse$")
    check_sum("filtered", focus)
    check("a filter holds for threads", "worker" not in {row["name"] for row in focus["threads"]}, focus["threads"])
    whole, _ = report(directory)
    check("without --by there are none", whole["threads"] == [] and whole["threads_rest"] is None)
    other = directory.parent / "other.heap"
    shutil.copy2(next(directory.glob("*.m0.heap")), other)
    done = run(directory, "--by", "thread", "--base", other, out=[directory.parent / "no.json"])
    check("threads of two runs are not compared", done.returncode == 2 and "--by thread" in done.stderr, done.stderr)


def check_half_told(directory):
    half = directory.parent / "half"
    shutil.copytree(directory, half)
    for path in half.glob("*.m11.heap"):
        stamp = path.stat()
        text = path.read_text()
        nameless = re.search(r"(?m)^  t(\d+): (?!0: ).*\d\]$", text).group(1)
        path.write_text(re.sub(rf"(?m)^  t{nameless}: .*\n", "", text))
        os.utime(path, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    result, _ = report(half, "--by", "thread")
    check_sum("half told", result)
    other = result["threads"][-1]
    check("what no thread's line says has a row", other["name"] == "(other)" and other["threads_count"] == 0 and
          other["final_bytes"] > 0.9 * KEPT, result["threads"])


def check_untold(directory):
    # All dumps, the one that is compared to, the one that is compared from.
    for name, of_which in (("bare", "*"), ("bare-final", "*.m11."), ("bare-base", "*.m0.")):
        bare = directory.parent / name
        shutil.copytree(directory, bare)
        for path in bare.glob(f"{of_which}heap"):
            path.write_text(re.sub(r"(?m)^  t\d+: .*\n", "", path.read_text()))
            shutil.copystat(directory / path.name, path)
        result, _ = report(bare, "--by", "thread")
        check(f"{name}: dumps that do not tell threads are reported", "HR-035" in {entry["code"] for entry in result["data_quality"]},
              result["data_quality"])
        check(f"{name}: no thread is said to have grown or shrunk", result["threads"] == [] and result["threads_rest"] is None,
              result["threads"])


def main():
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        accumulating, plain = scratch / "accumulating", scratch / "plain"
        profile(accumulating, "prof_accum:true,lg_prof_sample:14")
        profile(plain, "lg_prof_sample:14")
        result, live = check_allocated(accumulating)
        check_pprof(accumulating, result, live)
        check_jeprof(accumulating, result)
        check_refused(plain, accumulating)
        check_threads(accumulating)
        check_half_told(accumulating)
        check_untold(accumulating)
    return finish()


sys.exit(main())
