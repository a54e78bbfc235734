# SPDX-License-Identifier: MIT
"""The Test Anything Protocol for suites in Python; tap.sh is that for the shell's."""
count = failed = 0


def _line(word, name, notes=()):
    global count
    count += 1
    print(f"{word} {count} - {name}", flush=True)
    for note in notes:
        print("# " + str(note).strip().replace("\n", "\n# "), flush=True)


def check(name, good, *notes):
    """One test; the notes are printed when it fails."""
    global failed
    failed += not good
    _line("ok" if good else "not ok", name, () if good else notes)


def skip(name, why):
    _line("ok", f"{name} # SKIP {why}")


def finish():
    """Prints the plan; returns the exit status."""
    print(f"1..{count}")
    return 1 if failed else 0
