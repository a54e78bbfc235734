#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles every header below src/ alone: none may lean on what was included before it."""
import concurrent.futures
import hashlib
import os
import pathlib
import re
import shlex
import subprocess
import sys

LIBRARIES = "glib-2.0 jansson libxml-2.0 cairo pangocairo pangofc fontconfig harfbuzz-subset libqpdf libelf libdw"


def fingerprint(header, source_root, seen):
    """Changes when the header does, or anything of ours that it includes."""
    if header in seen:
        return b""
    seen.add(header)
    text = header.read_text()
    parts = [fingerprint(source_root / name, source_root, seen)
             for name in re.findall(r'#\s*include\s+"([^"]+)"', text) if (source_root / name).exists()]
    return hashlib.sha256(b"".join([text.encode(), *parts])).digest()


def main():
    source_root = pathlib.Path(sys.argv[1]) / "src"
    # What compiled once need not be compiled again until it changes.
    stamps = pathlib.Path(sys.argv[2]) / "headers-that-compile"
    stamps.mkdir(parents=True, exist_ok=True)
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = subprocess.run(["pkg-config", "--cflags", *LIBRARIES.split()], check=True, text=True,
                           capture_output=True).stdout.split()
    headers = sorted(source_root.rglob("*.h"))
    def compile_alone(header):
        """What the compiler has against it: "" is nothing."""
        name = str(header.relative_to(source_root))
        stamp = stamps / hashlib.sha256(name.encode() + fingerprint(header, source_root, set())).hexdigest()
        if stamp.exists():
            return ""
        # Twice: the guard is tested too.
        unit = f'#include "{name}"\n' * 2 + "typedef int not_empty;\n"
        result = subprocess.run([*compiler, "-std=gnu17", "-D_GNU_SOURCE", "-Wall", "-Werror", "-fsyntax-only",
                                 f"-I{source_root}", *flags, "-x", "c", "-"], text=True, capture_output=True, input=unit)
        if result.returncode == 0:
            stamp.touch()
            return ""
        return f"{header}:\n{result.stderr or result.returncode}"

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = [complaint for complaint in pool.map(compile_alone, headers) if complaint]
    for complaint in complaints:
        print(complaint)
    failed = len(complaints)
    print(f"{len(headers)} headers, {failed} do not compile alone")
    return 1 if failed or not headers else 0


sys.exit(main())
