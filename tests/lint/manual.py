#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Options of --help, of every command, of the manual page and of each shell's completion are the same; the keys of a
result in its schema and its manual page are the same; all pages are clean, and each shell accepts its completion. Prints TAP; a shell that is not there is skipped aloud."""
import json
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tap import check, finish, skip  # noqa: E402  (lies beside the other helpers)

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


def check_keys(docs):
    """Each key of a result has its entry in heapreport.json(5), but for the two that its first section explains."""
    text = (docs / "heapreport.json.5").read_text()
    entries = re.findall(r"^\.It Cm (.*)", text[text.index(".Ss Keys"):], re.M)
    written = [key for entry in entries for key in entry.split(" , ")]
    schema = json.loads((docs / "heapreport.schema.json").read_text())
    wanted = set(schema["properties"]) - {"schema", "schema_version"}
    check(f"{len(wanted)} keys in schema and manual", len(wanted) >= 30 and sorted(written) == sorted(wanted),
          sorted(wanted - set(written)), sorted(set(written) - wanted))


def check_reading(path):
    shell = SHELLS[path.name]
    name = f"{shell} reads its completion"
    if not shutil.which(shell):
        skip(name, f"no {shell} on this machine")
        return
    said = subprocess.run([shell, "-n", path], text=True, capture_output=True).stderr
    check(name, not said, said)


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
    check(f"{len(shown)} options in help, manual and completions", complete and not found, *found)
    check_keys(page.parent)
    for script in scripts:
        check_reading(script)
    return finish()


sys.exit(main())
