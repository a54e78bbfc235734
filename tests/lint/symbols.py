#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Fails when a library of ours defines an external symbol whose name does not start with hr_, or that another of them
defines too: the program is linked from all."""
import pathlib
import subprocess
import sys


def main():
    libraries = sorted((pathlib.Path(sys.argv[1]) / "src").rglob("*.a"))
    count = 0
    foreign = []
    owners = {}
    for library in libraries:
        lines = subprocess.run(["nm", "--defined-only", "--extern-only", library], check=True, text=True,
                               capture_output=True).stdout.splitlines()
        names = [line.split()[2] for line in lines if len(line.split()) == 3]
        count += len(names)
        # What a sanitizer adds is the compiler's.
        foreign += [f"{library.name}: {name} is also in {owners[name]}" for name in names if name in owners]
        owners.update((name, library.name) for name in names if name.startswith("hr_"))
        foreign += [f"{library.name}: {name}" for name in names
                    if not name.startswith(("hr_", "__asan_", "__odr_asan", "asan."))]
    print("\n".join(foreign) or f"{count} symbols in {len(libraries)} libraries")
    return 1 if foreign or count < 20 else 0


sys.exit(main())
