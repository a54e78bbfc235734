#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Builds tiny programs that know their own call sites in every way the machine can, runs them, and
holds the names given by symbolize/ against the truth. A wrong name fails; so does a missing one
where the build keeps what is needed. What a machine lacks is skipped aloud.

Cells that differ only in what is done to a finished program share its build.

usage: matrix.py SYMBOLIZE-DUMP SOURCE-DIR [--quick] [--only WORD,WORD...] [--part I/N] [--keep DIRECTORY]
       --only: cells with all the words; --part: the I-th of N parts of the cells; --keep: programs stay in (some
       10 GB of) DIRECTORY, and where they are there already, only the names are made again"""
import collections
import concurrent.futures
import itertools
import os
import re
import shutil
import subprocess
import sys
import tempfile

QUICK_EVERY = 167  # of all cells; shares no factor with the axes

LINKERS = ["bfd", "gold", "lld"]
KINDS = {"pie": ["-fPIE", "-pie"], "no-pie": ["-fno-PIE", "-no-pie"], "static": ["-fno-PIE", "-static"],
         "static-pie": ["-fPIE", "-static-pie"]}
VARIANTS = ["plain", "zlib", "zlib-gnu", "zstd", "split", "dwp", "dwz", "dwz-common", "debuglink", "build-id",
            "minidebug", "no-symtab", "symtab", "dynsym", "stripped"]
OPTIMIZATIONS = {"O0": ["-O0"], "O2": ["-O2"], "lto": ["-O2", "-flto"],
                 "sections": ["-O2", "-ffunction-sections", "-Wl,--gc-sections"]}
# With large functions that the linker drops, from sections of their own and of the unit.
DROPPED = {"dropped": [*OPTIMIZATIONS["sections"], "-DWITH_DROPPED"],
           "dropped-unit": ["-O2", "-Wl,--gc-sections", "-DWITH_DROPPED"]}
DROPPED_KINDS = ["pie", "no-pie", "static-pie"]  # static programs lie too high
DROPPED_VARIANTS = ["plain", "split", "dwp", "dwz", "debuglink", "no-symtab"]
# What must at least come out: frames from debug data, the function symbol, or honestly nothing.
LEVEL = collections.defaultdict(lambda: "exact", {"zstd": "symbol", "minidebug": "symbol", "symtab": "symbol",
                                                  "dynsym": "none", "stripped": "none"})
COMPILED = ["zlib", "zlib-gnu", "split", "dwp"]  # variants that the compiler must be told
LINKED = [*COMPILED, "dynsym"]  # ... the compiler or the linker
PATIENCE_S = 300  # with any step; some tools never end on some builds


class Skip(Exception):
    pass


class Cache:
    """Directories of what several cells need. Split objects name their directory, so they are never shared."""

    def __init__(self, directory):
        self.directory = directory
        self.made = {}

    def take(self, work, kind, key, make):
        """Copies into `work` what make(directory) leaves there, made once; returns what it returned."""
        if key in ("split", "dwp"):
            return make(work)
        where = f"{self.directory}/{kind}-{key}"
        if where not in self.made:
            os.makedirs(where)
            try:
                self.made[where] = make(where)
            except Skip as skip:
                self.made[where] = skip
        if isinstance(self.made[where], Skip):
            raise self.made[where]
        shutil.copytree(where, work, dirs_exist_ok=True)
        return self.made[where]


# A compiler cache gives objects that name another directory.
ENVIRONMENT = {**os.environ, "CCACHE_DISABLE": "1"}


def run(*command, cwd):
    try:
        done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=ENVIRONMENT, timeout=PATIENCE_S)
    except subprocess.TimeoutExpired as late:
        raise Skip(f"{command[0]}: no end after {PATIENCE_S} s") from late
    if done.returncode != 0:
        lines = done.stderr.strip().splitlines() or ["failed"]
        raise Skip(f"{command[0]}: {next((line for line in lines if 'error' in line), lines[0])[:90]}")
    return done.stdout


def need(tool):
    if not shutil.which(tool):
        raise Skip(f"no {tool}")


def compile_units(cell, sources, work):
    """Returns the flags and leaves the objects in `work`."""
    language, compiler, _, kind, dwarf, variant, optimization = cell
    need(compiler)
    if compiler in ("gcc", "g++") and optimization == "lto" and variant in ("split", "dwp"):
        raise Skip("gcc has no split debug data with LTO")
    flags = [f"-gdwarf-{dwarf}", *KINDS[kind], *{**OPTIMIZATIONS, **DROPPED}[optimization], "-Wl,--build-id"]
    if variant == "zlib":
        flags.append("-gz=zlib")
    if variant == "zlib-gnu":
        flags.append("-gz=zlib-gnu")
    if variant in ("split", "dwp"):
        flags.append("-gsplit-dwarf")
    for header in ("record.h", "dropped.h"):
        shutil.copy(f"{sources}/{header}", work)
    files = {"c": ["planted.c", "other-part.c", "record.c"], "c++": ["planted.cc"]}[language]
    for file in files:
        shutil.copy(f"{sources}/{file}", work)
        run(compiler, *flags, "-c", file, "-o", file.rsplit(".", 1)[0] + ".o", cwd=work)
    if language == "c++":
        run("gcc", "-O2", "-fPIE", "-c", f"{sources}/record.c", "-o", "record.o", cwd=work)
    return flags


def build(cell, sources, work, cache):
    _, compiler, linker, *_, variant, optimization = cell
    if optimization == "lto" and compiler in ("gcc", "g++") and linker == "lld":
        raise Skip("gcc's LTO needs bfd or gold")
    flags = cache.take(work, "objects", variant if variant in COMPILED else "plain",
                       lambda directory: compile_units(cell, sources, directory))
    more = ["-rdynamic"] if variant == "dynsym" else []
    objects = sorted(name for name in os.listdir(work) if name.endswith(".o"))
    run(compiler, *flags, *more, f"-fuse-ld={linker}", *objects, "-o", "program", cwd=work)


def build_rust(cell, sources, work, _):
    _, compiler, linker, kind, dwarf, variant, optimization = cell
    need(compiler)
    if kind in ("static", "static-pie") or optimization == "sections":
        raise Skip("not built for Rust")
    run("gcc", "-O2", "-fPIE", "-c", f"{sources}/record.c", "-o", "record.o", cwd=work)
    shutil.copy(f"{sources}/planted.rs", work)
    flags = ["-g", f"-Cdwarf-version={dwarf}", "-Clink-arg=record.o", f"-Clink-arg=-fuse-ld={linker}",
             "-Clink-arg=-Wl,--build-id", f"-Copt-level={0 if optimization == 'O0' else 2}",
             f"-Crelocation-model={'pic' if kind == 'pie' else 'static'}"]
    if optimization == "lto":
        flags.append("-Clto=fat")
    if variant in ("split", "dwp"):
        flags.append("-Csplit-debuginfo=unpacked" if variant == "split" else "-Csplit-debuginfo=packed")
    if variant == "zlib":
        flags.append("-Clink-arg=-Wl,--compress-debug-sections=zlib")
    if variant == "zlib-gnu":
        raise Skip("not built for Rust")
    if variant == "dynsym":
        flags.append("-Clink-arg=-rdynamic")
    run(compiler, *flags, "planted.rs", "-o", "program", cwd=work)


def keep_debug(work, *more):
    run("objcopy", "--only-keep-debug", "program", "program.debug", cwd=work)
    run("objcopy", "--strip-all", *more, "program", cwd=work)


def pack(compiler, work):
    """With the compiler's own packer: llvm-dwp 14 never ends on what GCC makes of DWARF 5."""
    packer = "llvm-dwp" if compiler.startswith("clang") else "dwp"
    if not os.path.exists(f"{work}/program.dwp"):
        need(packer)
        run(packer, "-e", "program", "-o", "program.dwp", cwd=work)
    for name in os.listdir(work):
        if name.endswith(".dwo"):
            os.unlink(f"{work}/{name}")


def finish(variant, compiler, work):
    if variant == "zstd":
        run("objcopy", "--compress-debug-sections=zstd", "program", cwd=work)
    elif variant == "dwp":
        pack(compiler, work)
    elif variant == "dwz":
        need("dwz")
        run("dwz", "program", cwd=work)
    elif variant in ("dwz-common", "dwz-sup"):
        need("dwz")
        shutil.copy(f"{work}/program", f"{work}/twin")
        run("dwz", *(["-5"] if variant == "dwz-sup" else []), "-m", "common.debug", "-M", f"{work}/common.debug", "program", "twin", cwd=work)
        if not os.path.exists(f"{work}/common.debug"):
            raise Skip("dwz found nothing in common")
    elif variant == "debuglink":
        keep_debug(work, "--add-gnu-debuglink=program.debug")
    elif variant == "build-id":
        keep_debug(work)
        notes = run("readelf", "-n", "program.debug", cwd=work)
        build_id = re.search(r"Build ID: ([0-9a-f]+)", notes).group(1)
        os.makedirs(f"{work}/debug/.build-id/{build_id[:2]}")
        os.rename(f"{work}/program.debug", f"{work}/debug/.build-id/{build_id[:2]}/{build_id[2:]}.debug")
    elif variant == "minidebug":
        need("xz")
        run("objcopy", "--strip-debug", "program", "mini", cwd=work)
        run("objcopy", "--only-keep-debug", "mini", cwd=work)
        run("xz", "-k", "mini", cwd=work)
        run("objcopy", "--strip-all", "--add-section", ".gnu_debugdata=mini.xz", "program", cwd=work)
    elif variant == "no-symtab":
        run("objcopy", "--strip-all", "--keep-section=.debug_*", "program", cwd=work)
    elif variant == "symtab":
        run("objcopy", "--strip-debug", "program", cwd=work)
    elif variant in ("dynsym", "stripped"):
        run("objcopy", "--strip-all", "program", cwd=work)


def fold(name):
    """Template arguments and parameters off: the truth cannot know how a compiler writes them."""
    while True:
        shorter = re.sub(r"<[^<>]*>(?=::|\(|$)", "", name) if not name.startswith("<") else name
        if shorter == name:
            return re.sub(r"::$", "", name)
        name = shorter


def same_name(truth, got):
    if truth == got or fold(truth) == fold(got):
        return True
    bare = re.sub(r"\(.*\)(\[.*\])?$", "", got)
    if "(" not in truth or "<" in got:
        return fold(truth) == fold(bare)
    # Without a linkage name no parameters are known, and of what is local to a function only the bare name.
    plain = re.sub(r"\([^()]*\)$", "", truth)
    return bare == got and got == (plain.rsplit("::", 1)[-1] if "()::" in plain else plain)


def judge(language, truth, frames):
    """Returns exact, symbol, none, guessed, or what is wrong."""
    chain, line = truth
    trust = {frame[0] for frame in frames}
    if trust == {"none"}:
        return "none"
    if trust == {"symbol"}:
        return "symbol" if same_name(chain[-1], frames[0][1]) else f"WRONG {frames} for {chain}"
    if trust == {"guessed"}:
        return "guessed"
    level = "exact"
    if len(frames) < len(chain):  # inlined frames lost: what is there must still be true
        chain, level = chain[-len(frames):], "partial"
    for want, frame in zip(chain, frames):
        if frame[0] == "none":
            level = "partial"
        elif not same_name(want, frame[1]):
            return f"WRONG {frames} for {chain}"
    if language != "rust" and frames[0][2].rsplit(":", 1)[1] != str(line):
        return f"WRONG line {frames} for {chain} line {line}"
    return level


def make_program(cell, sources, work, cache):
    """Leaves a program with what it said of itself in `work`; returns why there is none, "" if there is."""
    language, compiler, linker, *_, variant, _ = cell
    try:
        make = build_rust if language == "rust" else build
        linked = variant if variant in LINKED else "plain"
        cache.take(work, f"program-{linker}", linked, lambda directory: make(cell, sources, directory, cache))
        finish(variant, compiler, work)
        run("./program", "dump", "truth", cwd=work)
    except Skip as skip:
        return str(skip)
    return ""


def check(cell, tool, sources, cache, keep):
    work = f"{keep or cache.directory}/{'-'.join(map(str, cell))}"
    done = f"{work}/made"  # written last: what has it is whole
    if not os.path.exists(done):
        shutil.rmtree(work, ignore_errors=True)
        os.makedirs(work)
        why = make_program(cell, sources, work, cache)
        with open(done, "w") as file:
            file.write(why)
    with open(done) as file:
        why = file.read()
    outcome = (cell, "skipped", why) if why else hold(cell, tool, work)
    if not keep:
        shutil.rmtree(work)
    return outcome


def hold(cell, tool, work):
    """Holds the names of a program that was run against its truth."""
    language, *_, variant, _ = cell
    out = subprocess.run([tool, "--table", "dump", "program", "debug"], cwd=work, capture_output=True, text=True)
    if out.returncode != 0:
        return cell, "FAILED", out.stderr
    got = {}
    for row in out.stdout.splitlines():
        address, *frames = row.split("\t")
        got[address] = [frame.split("|") for frame in frames]
    if got["match"][0][0] == "mismatch":
        return cell, "FAILED", f"the right binary was called a mismatch: {out.stdout.splitlines()[-1]}"
    levels = collections.Counter()
    with open(f"{work}/truth") as file:
        for row in file:
            address, line, chain = row.rstrip("\n").split("\t")
            levels[judge(language, (chain.split(";"), int(line)), got[address])] += 1
    wrong = [level for level in levels if level.startswith("WRONG")]
    if wrong:
        return cell, "FAILED", wrong[0]
    order = ["none", "guessed", "symbol", "partial", "exact"]
    lowest = min(levels, key=order.index)
    wanted = min(LEVEL[variant], get_best(cell), key=order.index)
    if order.index(lowest) < order.index(wanted):
        return cell, "FAILED", f"only {lowest}, wanted {wanted}: {dict(levels)}"
    return cell, lowest, ""


def get_best(cell):
    """What the compiler leaves possible. GCC writes the empty first range of an inlined call at the very start of
    a section as (0, 0), which in DWARF 4 ends the list: no reader can see the rest."""
    _, compiler, _, _, dwarf, _, _ = cell
    return "partial" if compiler in ("gcc", "g++") and dwarf == 4 else "exact"


def list_cells(quick):
    cells = list(itertools.product(["c"], ["gcc", "clang"], LINKERS, KINDS, [4, 5], VARIANTS, OPTIMIZATIONS))
    cells += itertools.product(["c++"], ["g++", "clang++"], LINKERS, KINDS, [4, 5], VARIANTS, OPTIMIZATIONS)
    cells += itertools.product(["rust"], ["rustc"], LINKERS, KINDS, [4, 5], VARIANTS, OPTIMIZATIONS)
    cells += itertools.product(["c"], ["gcc", "clang"], LINKERS, DROPPED_KINDS, [4, 5], DROPPED_VARIANTS, DROPPED)
    cells += itertools.product(["c++"], ["g++", "clang++"], LINKERS, DROPPED_KINDS, [4, 5], DROPPED_VARIANTS, ["dropped"])
    cells += itertools.product(["c"], ["gcc"], LINKERS, KINDS, [5], ["dwz-sup"], OPTIMIZATIONS)
    cells += itertools.product(["c++"], ["g++"], LINKERS, KINDS, [5], ["dwz-sup"], OPTIMIZATIONS)
    return cells[::QUICK_EVERY] if quick else cells


def group_cells(cells):
    """Cells that share objects: all but linker and variant are equal."""
    groups = collections.defaultdict(list)
    for cell in cells:
        language, compiler, _, kind, dwarf, _, optimization = cell
        groups[language, compiler, kind, dwarf, optimization].append(cell)
    return list(groups.values())


def check_group(group, tool, sources, keep):
    with tempfile.TemporaryDirectory() as directory:
        cache = Cache(directory)
        return [check(cell, tool, sources, cache, keep) for cell in group]


def main():
    tool, sources = (os.path.abspath(path) for path in sys.argv[1:3])
    cells = list_cells("--quick" in sys.argv)
    if "--only" in sys.argv:
        words = sys.argv[sys.argv.index("--only") + 1].split(",")
        cells = [cell for cell in cells if set(words) <= {str(part) for part in cell}]
    if "--part" in sys.argv:
        part, parts = map(int, sys.argv[sys.argv.index("--part") + 1].split("/"))
        cells = [cell for i, group in enumerate(group_cells(cells)) if i % parts == part - 1 for cell in group]
    keep = os.path.abspath(sys.argv[sys.argv.index("--keep") + 1]) if "--keep" in sys.argv else None
    return report(cells, lambda group: check_group(group, tool, sources, keep))


def report(cells, check_one):
    outcomes = collections.Counter()
    skipped = collections.Counter()
    failed = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for cell, outcome, why in itertools.chain.from_iterable(pool.map(check_one, group_cells(cells))):
            outcomes[outcome] += 1
            if outcome == "skipped":
                skipped[why] += 1
            if outcome == "FAILED":
                failed.append((cell, why))
                print("FAILED", *cell, why, flush=True)
    print(f"{len(cells)} cells: " + ", ".join(f"{n} {name}" for name, n in sorted(outcomes.items())))
    for why, number in skipped.most_common():
        print(f"  skipped {number}: {why}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
