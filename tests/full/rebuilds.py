#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Gives symbolize/ the wrong binary: dumps of one program, names from 50 rebuilds of it with changes
of many kinds. Counts names printed as truth (trust symbol or exact) that are wrong: none may be.
`mismatch` must be told whenever more than a fifth of the used addresses moved, and the right binary
must be `confirmed`.

usage: rebuilds.py SYMBOLIZE-DUMP SOURCE-DIR [COUNT]"""
import os
import random
import subprocess
import sys
import tempfile

FUNCTIONS = 48
ENVIRONMENT = {**os.environ, "CCACHE_DISABLE": "1"}


def write_body(rng):
    lines = [f"    x = x * {rng.randrange(3, 99)} + {rng.randrange(1, 999)};" for _ in range(rng.randrange(1, 9))]
    lines.append(f"    for (int i = 0; i < (x & {rng.choice([3, 7, 15])}); i++) x ^= i << {rng.randrange(1, 9)};")
    return lines


def make_program(rng):
    """A list of [name, lines]; each function plants two sites and may call later ones."""
    program = []
    for i in range(FUNCTIONS):
        name = f"f{i:03}"
        calls = [f"f{rng.randrange(i + 1, FUNCTIONS):03}" for _ in range(rng.randrange(0, 2)) if i + 1 < FUNCTIONS]
        body = write_body(rng)
        body.append(f'    PLANT("{name}");')
        body += [f"    x += {call}(x & 1);" for call in calls]
        body += write_body(rng)
        body.append(f'    PLANT("{name}");')
        program.append([name, body])
    return program


def write_program(program, extra=""):
    text = ['#include "record.h"', extra]
    text += [f"int {name}(int x);" for name, _ in program]
    for name, body in program:
        text += [f"OUT_OF_LINE int {name}(int x)", "{", *body, "    return x;", "}"]
    text += ["int main(int argc, char **argv)", "{", "    int x = argc;"]
    text += [f"    x += {name}(x & 1);" for name in sorted(name for name, _ in program)]
    text += ["    return write_record(argc, argv) + (x == 77);", "}"]
    return "\n".join(text) + "\n"


def insert(rng, program, where):
    program.insert(where, [f"new{rng.randrange(1000)}", write_body(rng)])


def grow(rng, program, where):
    program[where][1][0:0] = write_body(rng) * rng.randrange(1, 4)


# Each returns (flags, extra text); changes the program in place.
CHANGES = {
    "function added at the start": lambda rng, p: insert(rng, p, 0),
    "function added in the middle": lambda rng, p: insert(rng, p, len(p) // 2),
    "function added near the end": lambda rng, p: insert(rng, p, len(p) - 3),
    "function added at the end": lambda rng, p: insert(rng, p, len(p)),
    "first body grown": lambda rng, p: grow(rng, p, 0),
    "some body grown": lambda rng, p: grow(rng, p, rng.randrange(len(p))),
    "late body grown": lambda rng, p: grow(rng, p, len(p) - 1 - rng.randrange(6)),
    "one statement dropped": lambda rng, p: p[rng.randrange(len(p))][1].pop(0) and None,
    "two functions swapped": lambda rng, p: p.insert(3, p.pop(20)),
    "neighbours swapped": lambda rng, p: p.insert(30, p.pop(31)),
    "order reversed": lambda rng, p: p.reverse(),
    "constants changed": lambda rng, p: p[5][1].__setitem__(0, "    x = x * 100003 + 7;"),
    "a comment added": lambda rng, p: p[4][1].insert(0, "    // nothing\n"),
    "read-only data added": lambda rng, p: ("", "const char table[40000] = {1};"),
    "writable data added": lambda rng, p: ("", "char buffer[9000] = {1};"),
    "optimized for size": lambda rng, p: ("-Os", ""),
    "not optimized": lambda rng, p: ("-O0", ""),
    "optimized more": lambda rng, p: ("-O3", ""),
    "functions aligned": lambda rng, p: ("-falign-functions=64", ""),
    "stack protector": lambda rng, p: ("-fstack-protector-all", ""),
    "frame pointers": lambda rng, p: ("-fno-omit-frame-pointer", ""),
    "no control-flow protection": lambda rng, p: ("-fcf-protection=none", ""),
    "another linker": lambda rng, p: ("-fuse-ld=lld", ""),
    "another compiler": lambda rng, p: ("clang", ""),
    "early code shifted by some bytes": lambda rng, p: ("", "__asm__(\".text\\n.skip 37, 0x90\\n\");"),
}


def build(work, name, source, flags):
    with open(f"{work}/{name}.c", "w") as file:
        file.write(source)
    # In the order of the source, so that a change in the middle moves what follows.
    compiler = "clang" if flags == "clang" else "gcc"
    options = [] if flags == "clang" else ["-fno-toplevel-reorder", *flags.split()]
    subprocess.run([compiler, "-g", "-O2", "-I", work, *options, f"{name}.c", "record.c", "-o", name], cwd=work,
                   check=True, capture_output=True, env=ENVIRONMENT)
    subprocess.run([f"./{name}", f"{name}.dump", f"{name}.truth"], cwd=work, check=True)


def read_truth(work, name):
    """Offset from the program's first byte in memory -> function."""
    with open(f"{work}/{name}.dump") as file:
        base = next(int(line.split("-")[0], 16) for line in file if line.rstrip().endswith(f"/{name}"))
    truth = {}
    with open(f"{work}/{name}.truth") as file:
        for row in file:
            address, _, chain = row.rstrip("\n").split("\t")
            truth[int(address, 16) - base] = chain
    return base, truth


def check(tool, work, binary, base, truth):
    out = subprocess.run([tool, "--table", "program.dump", binary], cwd=work, capture_output=True, text=True,
                         check=True).stdout
    trusted = wrong = 0
    match = None
    for row in out.splitlines():
        address, *frames = row.split("\t")
        if address == "match":
            match = frames[0]
            continue
        offset = int(address, 16) - base
        trust, name, _ = frames[0].split("|")
        if trust in ("exact", "symbol"):
            trusted += 1
            wrong += name != truth[offset]
    return match, trusted, wrong


def main():
    tool, sources = (os.path.abspath(path) for path in sys.argv[1:3])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 50
    failures = 0
    with tempfile.TemporaryDirectory() as work:
        for file in ("record.c", "record.h"):
            subprocess.run(["cp", f"{sources}/{file}", work], check=True)
        build(work, "program", write_program(make_program(random.Random(1))), "")
        base, truth = read_truth(work, "program")
        # The mapped path must not lead to the right one when the wrong one is given.
        os.rename(f"{work}/program", f"{work}/right")
        match, trusted, wrong = check(tool, work, "right", base, truth)
        print(f"right binary: {match}, {trusted} of {len(truth)} named, {wrong} wrong")
        failures += match != "confirmed" or wrong > 0 or trusted < len(truth)
        names = list(CHANGES)
        for i in range(count):
            change = names[i % len(names)]
            rng = random.Random(1000 + i)
            program = make_program(random.Random(1))
            flags, extra = CHANGES[change](rng, program) or ("", "")
            build(work, f"rebuilt{i}", write_program(program, extra), flags)
            _, other = read_truth(work, f"rebuilt{i}")
            moved = sum(other.get(offset) != name for offset, name in truth.items()) / len(truth)
            match, trusted, wrong = check(tool, work, f"rebuilt{i}", base, truth)
            untold = moved > 0.2 and match != "mismatch"
            failures += wrong > 0 or untold
            print(f"{change:34} moved {100 * moved:5.1f} %  {match:9} trusted {trusted:3}  wrong {wrong}"
                  f"{'  FAILED' if wrong or untold else ''}", flush=True)
    print(f"{count} rebuilds, {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
