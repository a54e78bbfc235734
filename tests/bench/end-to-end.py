#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""All five outputs beside one `jeprof --text --base` pair of the same case, in the same run.

    python3 tests/bench/end-to-end.py build/src/heapreport DUMPS BINARY [ROUNDS]

Prints the medians of interleaved rounds, their ratio, the peak of memory and the time of each phase. Fails when the
ratio is above 0.5 or the peak above 250 MiB.
"""
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

RATIO_MAX = 0.5
PEAK_MAX_MIB = 250
FORMATS = ("json", "pdf", "html", "svg", "txt")


def measure(command, output=subprocess.DEVNULL):
    """Returns seconds, peak MiB and what was written to standard error."""
    with tempfile.TemporaryFile("w+") as messages:
        began = time.monotonic()
        process = subprocess.Popen(command, stdout=output, stderr=messages)
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        took = time.monotonic() - began
        messages.seek(0)
        text = messages.read()
    if process.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: status {process.returncode}\n{text}")
    return took, usage.ru_maxrss / 1024, text


def correct_path(dump, binary, into):
    """jeprof finds the binary by its path in the map alone."""
    text = dump.read_text()
    mapped = re.search(r"^[0-9a-f]+-[0-9a-f]+ r-xp .*?(/\S+)$", text, re.M).group(1)
    copy = into / dump.name
    copy.write_text(text.replace(mapped, str(binary)))
    return copy


def main():
    program, dumps, binary = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3]).resolve()
    rounds = int(sys.argv[4]) if len(sys.argv) > 4 else 5
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        outputs = [argument for name in FORMATS for argument in ("-o", str(scratch / f"r.{name}"))]
        ours = [program, "--dir", dumps, "--binary", binary, "-v", *outputs]
        measure(ours)
        run = json.loads((scratch / "r.json").read_text())["run"]
        base, final = (correct_path(dumps / run[name]["file"], binary, scratch) for name in ("base", "final"))
        jeprof = ["jeprof", "--text", "--show_bytes", f"--base={base}", binary, final]
        measure(jeprof)
        pairs = [(measure(ours), measure(jeprof)) for _ in range(rounds)]
    our_s = statistics.median(pair[0][0] for pair in pairs)
    their_s = statistics.median(pair[1][0] for pair in pairs)
    peak = max(pair[0][1] for pair in pairs)
    ratio = our_s / their_s
    print(f"all outputs   {our_s:8.3f} s\njeprof pair   {their_s:8.3f} s\nratio         {ratio:8.2f}\n"
          f"peak          {peak:8.1f} MiB")
    for line in pairs[0][0][2].splitlines():
        phase = re.fullmatch(r"heapreport: (.*): (\d+) ms", line)
        if phase:
            print(f"  {phase.group(1):24} {phase.group(2):>6} ms")
    return 0 if ratio <= RATIO_MAX and peak <= PEAK_MAX_MIB else 1


sys.exit(main())
