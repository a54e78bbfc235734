#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs programs that each do one thing to memory, records them, and compares the verdict with the
truth: with all evidence, and with each single source of it taken away.

usage: verdicts.py HEAPREPORT PROGRAMS_DIR [--repeats N] [--seconds N] [--only NAME,...] [--keep DIR]
                   [--no-subsets]                                exit 1 when any verdict is wrong"""
import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "support"))
import evidence  # noqa: E402  (lies beside the other helpers)

CONF = ("prof:true,prof_final:true,prof_prefix:{dir}/soak,lg_prof_sample:14,lg_prof_interval:20,"
        "dirty_decay_ms:500,muzzy_decay_ms:0")

# The row of the balance that must hold most of what grew outside the heap.
NAMED = {"threads": "thread_stacks", "libc": "glibc_arenas", "mmap": "unexplained"}

# program: (the right class, what to add to the configuration)
TRUTH = {
    "heap": ("heap_growth", ""),
    "cache": ("bounded_growth", ""),
    "mmap": ("outside_heap", ""),
    "threads": ("outside_heap", ""),
    "libc": ("outside_heap", ""),
    "file": ("file_backed", ""),
    "retention": ("allocator_retention", ",dirty_decay_ms:-1,lg_prof_interval:22"),
    "late": ("heap_growth", ",prof_active:false"),
    "two": ("outside_heap", ""),
    "nothing": ("no_growth", ""),
}


def run_program(heapreport, program, directory, conf, seconds):
    counters = os.path.join(directory, "counters.jsonl")
    environment = dict(os.environ, MALLOC_CONF=CONF.format(dir=directory) + conf)
    service = subprocess.Popen([program, "--seconds", str(seconds), "--counters", counters],
                               env=environment)
    # The program counts from the end of its warm-up on; so does the recorder.
    while not os.path.exists(counters) and service.poll() is None:
        time.sleep(0.01)
    recorder = subprocess.run([heapreport, "record", "--pid", str(service.pid), "--dir", directory,
                               "--every", "100ms"], capture_output=True, text=True)
    if service.wait() != 0:
        sys.exit(f"{program} failed")
    if recorder.returncode != 0:
        sys.exit(f"record failed: {recorder.stderr}")


def judge(heapreport, program, directory):
    out = os.path.join(directory, "..", "result.json")
    done = subprocess.run([heapreport, "--dir", directory, "--binary", program, "-q", "-o", out],
                          capture_output=True, text=True)
    if done.returncode != 0:
        return None, done.stderr.strip()
    with open(out, encoding="utf-8") as file:
        return json.load(file), ""


def names_the_cause(name, result):
    """What grew outside the heap stands in the row it belongs to, and the other rows stay."""
    growth = {row["id"]: row["growth_bytes"] for row in result["balance"]}
    outside = growth["anonymous"] - growth["resident"]
    rows = {row: growth[row] for row in NAMED.values()}
    named = rows.pop(NAMED[name])
    return named > 0.6 * outside and all(abs(rest) < 0.3 * outside for rest in rows.values())


def check_program(options, name, repeat):
    right_class, conf = TRUTH[name]
    program = os.path.join(options.programs, "soak-" + name)
    base = options.keep or tempfile.mkdtemp(prefix="verdicts-")
    work = os.path.join(base, f"{name}-{repeat}")
    shutil.rmtree(work, ignore_errors=True)
    directory = os.path.join(work, "all")
    os.makedirs(directory)
    wrong = 0
    try:
        run_program(options.heapreport, program, directory, conf, options.seconds)
        result, error = judge(options.heapreport, program, directory)
        said = result["verdict"]["class"] if result else error
        good = said == right_class and (name not in NAMED or names_the_cause(name, result))
        wrong += report(name, repeat, "all", good, result, said)
        if not result or options.no_subsets:
            return wrong
        full = result["verdict"]
        for subset in evidence.SUBSETS:
            target = os.path.join(work, subset.replace(" ", "-").replace("/", ""))
            if not evidence.make_subset(directory, target, subset):
                continue
            result, error = judge(options.heapreport, program, target)
            verdict = result["verdict"] if result else None
            good = verdict is not None and evidence.is_allowed(verdict, full, subset)
            wrong += report(name, repeat, subset, good, result, error)
    finally:
        if not options.keep:
            shutil.rmtree(base, ignore_errors=True)
    return wrong


def report(name, repeat, subset, good, result, error):
    word = "ok   " if good else "WRONG"
    if result:
        verdict = result["verdict"]
        print(f"{word} {name:10} {repeat} {subset:13} {verdict['class']:20} {verdict['scope']:8}"
              f"{verdict['confidence']:7} {verdict['sentence']}", flush=True)
    else:
        print(f"{word} {name:10} {repeat} {subset:13} {error}", flush=True)
    return 0 if good else 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heapreport")
    parser.add_argument("programs")
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=6)
    parser.add_argument("--only", default=",".join(TRUTH))
    parser.add_argument("--keep")
    parser.add_argument("--no-subsets", action="store_true")
    options = parser.parse_args()
    options.heapreport = os.path.abspath(options.heapreport)
    options.programs = os.path.abspath(options.programs)
    wrong = 0
    for repeat in range(1, options.repeats + 1):
        for name in options.only.split(","):
            wrong += check_program(options, name, repeat)
    print("all right" if wrong == 0 else f"{wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
