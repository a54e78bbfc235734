#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Options of --help, of every command, and of the manual page are the same; the page is clean."""
import pathlib
import re
import subprocess
import sys


def help_options(program, verb):
    text = subprocess.run([program, *verb, "--help"], check=True, text=True, capture_output=True).stdout
    return set(re.findall(r"^  (?:-\w, )?--([a-z-]+)", text, re.M))


def main():
    program, page = sys.argv[1], pathlib.Path(sys.argv[2]) / "docs" / "heapreport.1"
    shown = set()
    for verb in ([], ["render"], ["record"], ["show"], ["trend"], ["doctor"], ["dump"]):
        shown |= help_options(program, verb)
    written = set(re.findall(r"^\.It (?:Fl \w , )?Fl Fl ([a-z-]+)", page.read_text(), re.M))
    found = [f"--{name} is in --help and not in the manual page" for name in sorted(shown - written)]
    found += [f"--{name} is in the manual page and not in --help" for name in sorted(written - shown)]
    lint = subprocess.run(["mandoc", "-Tlint", "-Wwarning", page], text=True, capture_output=True)
    found += lint.stdout.splitlines()
    print("\n".join(found) or f"{len(shown)} options")
    return 1 if found or len(shown) < 10 else 0


sys.exit(main())
