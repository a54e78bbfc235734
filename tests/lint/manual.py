#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Options of --help, of every command, of the manual page and of each shell's completion are the same; all pages
are clean, and each shell accepts its completion. Prints TAP; a shell that is not there is skipped aloud."""
import pathlib
import re
import shutil
import subprocess
import sys

VERBS = ("report", "render", "record", "show", "trend", "doctor", "dump")
SHELLS = {"heapreport": "bash", "_heapreport": "zsh", "heapreport.fish": "fish"}


def help_options(program, verb):
    text = subprocess.run([program, *verb, "--help"], check=True, text=True, capture_output=True).stdout
    return set(re.findall(r"^  (?:-\w, )?--([a-z-]+)", text, re.M))


def completed(shell, text, verb):
    """The options that a completion offers for a verb."""
    if shell == "fish":
        return set(re.findall(rf"'__heapreport_verb {verb}' -l ([a-z-]+)", text))
    block = re.search(rf"^ *\(?{verb}\) (.*?);;$", text, re.M | re.S).group(1)
    return set(re.findall(r"--([a-z-]+)", block if shell == "bash" else re.sub(r"\[[^]]*\]", "", block)))


def completion_problems(path, options):
    shell, text = SHELLS[path.name], path.read_text()
    for verb, names in options.items():
        if completed(shell, text, verb) != names:
            yield f"{shell}: {verb} differs in {sorted(completed(shell, text, verb) ^ names)}"


def read_by_shell(number, path):
    """Prints the line of TAP on whether the shell can read its completion."""
    shell = SHELLS[path.name]
    if not shutil.which(shell):
        print(f"ok {number} - {shell} reads its completion # SKIP no {shell} on this machine")
        return
    said = subprocess.run([shell, "-n", path], text=True, capture_output=True).stderr
    print(*(f"# {line}" for line in said.splitlines()), sep="\n", end="\n" if said else "")
    print(f"{'not ok' if said else 'ok'} {number} - {shell} reads its completion")


def bash_offers(path, *words):
    script = ('source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _heapreport; '
              'printf "%s\\n" "${COMPREPLY[@]}"')
    return subprocess.run(["bash", "-c", script, "bash", path, *words], text=True, capture_output=True).stdout.split()


def main():
    program, page = sys.argv[1], pathlib.Path(sys.argv[2]) / "docs" / "heapreport.1"
    options = {verb: help_options(program, [verb] if verb != "report" else []) for verb in VERBS}
    shown = set().union(*options.values())
    written = set(re.findall(r"^\.It (?:Fl \w , )?Fl Fl ([a-z-]+)", page.read_text(), re.M))
    found = [f"--{name} is in --help and not in the manual page" for name in sorted(shown - written)]
    found += [f"--{name} is in the manual page and not in --help" for name in sorted(written - shown)]
    pages = [page, page.with_name("heapreport.json.5"), page.with_name("heapreport-method.7")]
    lint = subprocess.run(["mandoc", "-Tlint", "-Wwarning", *pages], text=True, capture_output=True)
    found += lint.stdout.splitlines()
    scripts = [pathlib.Path(path) for path in sys.argv[3:]]
    for script in scripts:
        found += completion_problems(script, options)
        if SHELLS[script.name] == "bash":
            if bash_offers(script, "heapreport", "tre") != ["trend"]:
                found.append("bash: tre does not become trend")
            if bash_offers(script, "heapreport", "show", "--sus") != ["--suspect"]:
                found.append("bash: show --sus does not become --suspect")
    complete = len(shown) >= 10 and len(scripts) == len(SHELLS)
    print(f"1..{1 + len(scripts)}", *(f"# {line}" for line in found), sep="\n")
    print(f"{'ok' if complete and not found else 'not ok'} 1 - {len(shown)} options in help, manual and completions")
    for number, script in enumerate(scripts, 2):
        read_by_shell(number, script)


main()
