#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compares symbolize/ with llvm-symbolizer --inlines, address by address: the innermost function,
file:line and the whole inline chain. Prints each kind of difference with its count and one example.

usage: agreement.py SYMBOLIZE-ADDRESSES FILE [COUNT [MODE]]     exit 1 below 99.9 %"""
import collections
import os
import subprocess
import sys

AIM = 0.999


def read_blocks(text):
    blocks = []
    for block in text.split("\n\n"):
        lines = block.strip("\n").split("\n")
        if lines == [""]:
            continue
        frames = [(lines[i], lines[i + 1]) for i in range(0, len(lines) - 1, 2)]
        blocks.append(frames)
    return blocks


def read_llvm(path, addresses):
    out = subprocess.run(["llvm-symbolizer", "--inlines", "--no-demangle", "--obj=" + path],
                         input=addresses, capture_output=True, text=True, check=True).stdout
    # file:line:column
    return [[(name, place.rsplit(":", 1)[0]) for name, place in frames] for frames in read_blocks(out)]


def clean(place):
    path, line = place.rsplit(":", 1)
    return (os.path.normpath(path) if path != "??" else path, line)


def classify(ours, theirs):
    if [f for f, _ in ours] != [f for f, _ in theirs]:
        if len(ours) != len(theirs):
            return "chain length"
        if ours[:-1] == theirs[:-1]:
            return "outermost name"
        return "inner name"
    for (_, a), (_, b) in zip(ours, theirs):
        (path_a, line_a), (path_b, line_b) = clean(a), clean(b)
        if line_a != line_b:
            return "line"
        if path_a != path_b:
            return "file of line 0" if line_a == "0" else "file"
    return None


def count_oracle_differences(tool, path, addresses, ours):
    """Addresses that libdw answers otherwise than the own reader does. It gives no line behind a row of no length."""
    theirs = read_blocks(subprocess.run([tool, "libdw-raw", path], input=addresses, capture_output=True, text=True,
                                        check=True).stdout)
    count = 0
    for address, a, b in zip(addresses.split(), ours, theirs, strict=True):
        plain = [(name, place) for (name, place), (_, other) in zip(a, b) if not other.endswith(":0")]
        if len(a) != len(b) or plain != [pair for pair in b if not pair[1].endswith(":0")] or \
                [name for name, _ in a] != [name for name, _ in b]:
            count += 1
            if count == 1:
                print(f"  libdw differs, as {address}\n    ours  {a}\n    libdw {b}")
    return count


def main():
    tool, path = sys.argv[1:3]
    count = sys.argv[3] if len(sys.argv) > 3 else "20000"
    mode = sys.argv[4] if len(sys.argv) > 4 else "raw"
    addresses = subprocess.run([tool, "sites", path, count], capture_output=True, text=True).stdout
    total = addresses.count("\n")
    ours = read_blocks(subprocess.run([tool, mode, path], input=addresses, capture_output=True,
                                      text=True, check=True).stdout)
    theirs = read_llvm(path, addresses)
    if not total or len(ours) != total or len(theirs) != total:
        print(f"answers: ours {len(ours)}, llvm-symbolizer {len(theirs)} of {total}")
        return 1
    kinds = collections.Counter()
    examples = collections.defaultdict(list)
    for address, a, b in zip(addresses.split(), ours, theirs):
        kind = classify(a, b)
        if kind:
            kinds[kind] += 1
            examples[kind].append((address, a, b))
    same = total - sum(kinds.values())
    forgiven = kinds["file of line 0"]  # llvm-symbolizer prints the symbol table's STT_FILE there
    print(f"{os.path.basename(path)}: {total} addresses, {same} equal, "
          f"{100 * (same + forgiven) / total:.3f} % in agreement")
    for kind, number in kinds.most_common():
        address, a, b = examples[kind][0]
        print(f"  {kind}: {number}, as {address}\n    ours {a}\n    llvm {b}")
    by_oracle = count_oracle_differences(tool, path, addresses, ours) if mode == "raw" else 0
    print(f"  libdw as oracle: {total - by_oracle} of {total} equal")
    return 0 if (same + forgiven) / total >= AIM and by_oracle == 0 else 1


if __name__ == "__main__":
    sys.exit(main())
