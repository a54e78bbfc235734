#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How reading and reporting grow with the number and the size of dumps, beside cat, wc -l and jeprof.

    python3 tests/bench/scale.py BUILD BINARY [--rounds N] [--only NAME,NAME...]

BUILD is the build directory, BINARY an x86-64 program with symbols whose call sites the dumps name. Each table compares
commands that ran in turn in one run, with files in the page cache; medians of N rounds. Parts: night, threads, growth,
odd, huge. Ends with the aims and their figures, and with status 1 when one is missed.
"""
import argparse
import hashlib
import json
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile


class Bench:
    def __init__(self, build, binary, rounds, scratch):
        self.build, self.binary, self.rounds, self.scratch = build, binary, rounds, scratch
        self.aims = []

    def soak(self, name, **options):
        """Makes a directory of dumps; returns it."""
        directory = self.scratch / name
        arguments = [part for key, value in options.items()
                     for part in ([f"--{key}"] if value is True else [f"--{key}", str(value)])]
        subprocess.run([self.build / "tests/bench/make-soak", "--binary", self.binary, *arguments, directory], check=True)
        return directory

    def run(self, commands, rounds=None):
        """Runs {name: words} in turn; returns {name: {"seconds", "cpu_seconds", "peak_mib"}}."""
        lines = [command if isinstance(command, str) else shlex.join(map(str, command)) for command in commands.values()]
        output = subprocess.run([self.build / "tests/bench/interleave", str(rounds or self.rounds), *lines], check=True,
                                stdout=subprocess.PIPE).stdout
        return dict(zip(commands, json.loads(output)))

    def read(self, directory, threads):
        return [self.build / "tests/bench/read-dumps", directory, threads]

    def report(self, directory, *formats, options=()):
        outputs = [part for name in formats for part in ("-o", self.scratch / f"report.{name}")]
        return [self.build / "src/heapreport", "--dir", directory, "--binary", self.binary, "-q", *options, *outputs]

    def aim(self, what, value, limit):
        self.aims.append((what, value, limit))


def size_bytes(directory):
    return sum(path.stat().st_size for path in directory.iterdir())


def correct_path(dump, binary, into):
    """jeprof finds the binary by the path in the map alone, and wants one that is there."""
    text = dump.read_text()
    mapped = re.search(r"^[0-9a-f]+-[0-9a-f]+ r-xp .*?(/\S+)$", text, re.M).group(1)
    copy = into / dump.name
    copy.write_text(text.replace(mapped, str(binary)))
    return copy


def print_table(head, rows):
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")
    print(flush=True)


def jeprof_pair(bench, directory):
    dumps = sorted(directory.iterdir(), key=lambda path: path.stat().st_mtime)
    base, final = (correct_path(dump, bench.binary, bench.scratch) for dump in (dumps[0], dumps[-1]))
    return ["jeprof", "--text", "--show_bytes", f"--base={base}", bench.binary, final]


def print_phases(bench, directory):
    command = [part for part in bench.report(directory, "json", "pdf", "html", options=["-v"]) if part != "-q"]
    messages = subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True).stderr
    phases = re.findall(r"^heapreport: (.*): (\d+) ms$", messages, re.M)
    print_table(("phase, one run", "ms"), phases)


def night(bench):
    """200 dumps of 5,000 stacks: the reader beside cat and wc -l, the whole command beside one jeprof pair."""
    directory = bench.soak("night", dumps=200, stacks=5000, depth=33)
    size_mb = size_bytes(directory) / 1e6
    listed = shlex.join(map(str, sorted(directory.iterdir())))
    results = bench.run({"`cat >/dev/null`": f"cat {listed}", "`wc -l`": f"wc -l {listed}",
                         "read, 1 thread": bench.read(directory, 1), "read, 2 threads": bench.read(directory, 2)})
    results |= bench.run({"JSON, PDF and HTML": bench.report(directory, "json", "pdf", "html"),
                          "one jeprof pair": jeprof_pair(bench, directory)})
    lines = results["`wc -l`"]
    print(f"200 dumps x 5,000 stacks, {size_mb:.0f} MB, medians of {bench.rounds}\n")
    print_table(("what", "seconds", "MB/s", "x `wc -l`", "CPU s", "x `wc -l`", "peak MiB"),
                [(name, f"{r['seconds']:.3f}", f"{size_mb / r['seconds']:.0f}", f"{r['seconds'] / lines['seconds']:.2f}",
                  f"{r['cpu_seconds']:.3f}", f"{r['cpu_seconds'] / lines['cpu_seconds']:.2f}", f"{r['peak_mib']:.0f}")
                 for name, r in results.items()])
    print_phases(bench, directory)
    whole = results["JSON, PDF and HTML"]
    bench.aim("read, 1 thread, x wc -l", results["read, 1 thread"]["seconds"] / lines["seconds"], 3)
    bench.aim("read, 2 threads, x wc -l", results["read, 2 threads"]["seconds"] / lines["seconds"], 2)
    bench.aim("whole command, x one jeprof pair", whole["seconds"] / results["one jeprof pair"]["seconds"], 1 / 8)
    bench.aim("whole command, peak MiB", whole["peak_mib"], 300)


def threads(bench):
    """1, 2 and 8 threads write the same bytes."""
    directory = bench.soak("threads", dumps=40, stacks=2000)
    digests = set()
    for count in (1, 2, 8):
        subprocess.run(bench.report(directory, "json", "pdf", "html", options=["-j", str(count)]), check=True,
                       stdout=subprocess.DEVNULL)
        content = b"".join((bench.scratch / f"report.{name}").read_bytes() for name in ("json", "pdf", "html"))
        digests.add(hashlib.sha256(content).hexdigest())
    bench.aim("different outputs of 1, 2 and 8 threads, beyond the first", len(digests) - 1, 0)


def compare(bench, small, large):
    """Reads two directories in turn; returns the ratios of time per dump and of peak memory, and the table's row."""
    counts = [sum(1 for _ in directory.iterdir()) for directory in (small, large)]
    results = bench.run({directory.name: bench.read(directory, 2) for directory in (small, large)})
    per_dump = [results[d.name]["cpu_seconds"] / count for d, count in zip((small, large), counts)]
    peaks = [results[d.name]["peak_mib"] for d in (small, large)]
    cells = (counts[0], counts[1], f"{per_dump[0] * 1e6:.0f}", f"{per_dump[1] * 1e6:.0f}",
             f"{per_dump[1] / per_dump[0]:.2f}", f"{peaks[0]:.0f}", f"{peaks[1]:.0f}")
    return per_dump[1] / per_dump[0], peaks[1] / peaks[0], cells


PAIR_HEAD = ("what", "dumps", "and", "CPU us a dump", "and", "ratio", "peak MiB", "and")


def growth(bench):
    """Ten times the dumps: time per dump and memory stay."""
    rows = []
    time, peak, cells = compare(bench, bench.soak("d1000", dumps=1000, stacks=300),
                                bench.soak("d10000", dumps=10000, stacks=300))
    rows.append(("300 stacks", *cells))
    bench.aim("10,000 dumps against 1,000: time per dump", time, 1.3)
    bench.aim("10,000 dumps against 1,000: peak memory", peak, 1.2)
    time, peak, cells = compare(bench, bench.soak("t10000", dumps=10000, stacks=1),
                                bench.soak("t100000", dumps=100000, stacks=1))
    rows.append(("1 stack", *cells))
    bench.aim("100,000 tiny dumps against 10,000: time per dump", time, 1.5)
    print_table(PAIR_HEAD, rows)


ODD = {"another order in each dump": dict(stacks=5000, shuffle=True),
       "other stacks in each dump": dict(stacks=2000, renew=True),
       "stacks of 128 frames": dict(stacks=500, depth=128)}


def odd(bench):
    """Inputs that a careless reader takes quadratic time for: twice the dumps, the same time for each."""
    rows = []
    for what, options in ODD.items():
        name = what.replace(" ", "-")
        time, _, cells = compare(bench, bench.soak(f"{name}-100", dumps=100, **options),
                                 bench.soak(f"{name}-200", dumps=200, **options))
        rows.append((what, *cells))
        bench.aim(f"{what}: time per dump, 200 against 100", time, 1.3)
    time, _, cells = compare(bench, bench.soak("header-8", dumps=8, stacks=1, threads=50000),
                             bench.soak("header-8b", dumps=8, stacks=1, threads=100000))
    rows.append(("100,000 thread lines against 50,000", *cells))
    bench.aim("thread lines in header and stack: time, 100,000 against 50,000", time, 2.6)
    print_table(PAIR_HEAD, rows)


def huge(bench):
    """One dump of 2 GB with four million stacks."""
    directory = bench.soak("huge", dumps=1, stacks=4000000, depth=36)
    size_mib = size_bytes(directory) / 1048576
    file = next(directory.iterdir())
    results = bench.run({"`wc -l`": ["wc", "-l", file], "read": bench.read(directory, 1),
                         "JSON": bench.report(directory, "json")}, rounds=1)
    print(f"one dump of {size_mib:.0f} MiB, 4,000,000 stacks, one run\n")
    print_table(("what", "seconds", "CPU s", "peak MiB", "x file"),
                [(name, f"{r['seconds']:.1f}", f"{r['cpu_seconds']:.1f}", f"{r['peak_mib']:.0f}",
                  f"{r['peak_mib'] / size_mib:.2f}") for name, r in results.items()])
    bench.aim("2 GB dump: peak memory of the report, x file", results["JSON"]["peak_mib"] / size_mib, 1.5)


PARTS = {"night": night, "threads": threads, "growth": growth, "odd": odd, "huge": huge}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--only", default=",".join(PARTS))
    arguments = parser.parse_args()
    missed = 0
    for name in arguments.only.split(","):
        with tempfile.TemporaryDirectory(prefix="heapreport-scale-") as scratch:
            bench = Bench(arguments.build.resolve(), arguments.binary.resolve(), arguments.rounds, pathlib.Path(scratch))
            PARTS[name](bench)
        for what, value, limit in bench.aims:
            met = value <= limit
            missed += not met
            print(f"{'met   ' if met else 'missed'} {what}: {value:.3g} (at most {limit:.3g})", flush=True)
        print(flush=True)
    return 1 if missed else 0


sys.exit(main())
