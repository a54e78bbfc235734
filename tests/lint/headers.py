#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles every header below src/ alone: none may lean on what was included before it."""
import os
import pathlib
import shlex
import subprocess
import sys
import tempfile

LIBRARIES = "glib-2.0 jansson libxml-2.0 cairo pangocairo pangofc fontconfig harfbuzz-subset libqpdf libelf libdw"


def main():
    source_root = pathlib.Path(sys.argv[1]) / "src"
    compiler = shlex.split(os.environ.get("CC", "cc"))
    flags = subprocess.run(["pkg-config", "--cflags", *LIBRARIES.split()], check=True, text=True,
                           capture_output=True).stdout.split()
    headers = sorted(source_root.rglob("*.h"))
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        unit = pathlib.Path(directory) / "unit.c"
        for header in headers:
            # Twice: the guard is tested too.
            line = f'#include "{header.relative_to(source_root)}"\n'
            unit.write_text(line * 2 + "typedef int not_empty;\n")
            result = subprocess.run([*compiler, "-std=gnu17", "-D_GNU_SOURCE", "-Wall", "-Werror", "-fsyntax-only",
                                     f"-I{source_root}", *flags, unit], text=True, capture_output=True)
            if result.returncode != 0:
                failed += 1
                print(f"{header}:\n{result.stderr}")
    print(f"{len(headers)} headers, {failed} do not compile alone")
    return 1 if failed or not headers else 0


sys.exit(main())
