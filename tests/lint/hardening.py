#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The built program is hardened: position-independent, relocations read-only and bound at start, no executable stack,
stack protector and FORTIFY in use, and landing pads for CET where the machine has it.

usage: hardening.py HEAPREPORT MACHINE
"""
import pathlib
import re
import subprocess
import sys

LANDING_PADS_MIN = 100


def readelf(option, path):
    return subprocess.run(["readelf", "-W", option, path], check=True, capture_output=True, text=True).stdout


def main():
    path, machine = sys.argv[1:]
    segments, dynamic, symbols = readelf("-l", path), readelf("-d", path), readelf("--dyn-syms", path)
    checks = [("position-independent", "PIE" in dynamic and "DYN" in readelf("-h", path)),
              ("relocations become read-only", "GNU_RELRO" in segments),
              ("all symbols are bound at start", "BIND_NOW" in dynamic or "NOW" in dynamic),
              ("no executable stack", re.search(r"GNU_STACK.* RW +0x", segments) is not None),
              ("no segment is writable and executable", re.search(r"LOAD.* RWE ", segments) is None),
              ("stack protector", "__stack_chk_fail" in symbols),
              ("FORTIFY", re.search(r"__\w+_chk", symbols.replace("__stack_chk_fail", "")) is not None)]
    if machine == "x86_64":
        # The mark of the whole file needs start files that are marked too; Debian 12's are not.
        landing_pads = pathlib.Path(path).read_bytes().count(b"\xf3\x0f\x1e\xfa")
        checks.append(("landing pads for CET", landing_pads > LANDING_PADS_MIN))
    failed = [name for name, holds in checks if not holds]
    for name in failed:
        print(f"{path}: not so: {name}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
