# SPDX-License-Identifier: MIT
"""Takes single sources of evidence away from a directory of dumps, and knows what a verdict may then still say."""
import json
import os
import re
import shutil

PROC_GROUPS = {"smaps_rollup", "smaps", "status", "cgroup"}


def is_dump(name):
    return name.endswith(".heap")


def is_counters(name):
    return name.startswith(("counters", "stats"))


def is_rollup(name):
    return name.startswith("smaps_rollup")


def is_cgroup(name):
    return name.startswith("memory.")


def keep(name, text):
    return text


def strip_keys(text, keys):
    """Lines of JSON without these keys, at any depth of objects."""
    def strip(value):
        if isinstance(value, dict):
            return {key: strip(inner) for key, inner in value.items() if key not in keys}
        return value

    def strip_line(line):
        try:
            return json.dumps(strip(json.loads(line)))
        except ValueError:
            return line
    return "".join(strip_line(line) + "\n" for line in text.splitlines())


def without(keys=(), lines=(), files=lambda name: False):
    """A rewrite of one file: None drops it, the same text keeps it."""
    def rewrite(name, text):
        if files(name):
            return None
        if name.endswith((".json", ".jsonl")):
            stripped = strip_keys(text, set(keys))
            return text if json_equal(stripped, text) else stripped
        if is_rollup(name) and lines:
            return re.sub(r"(?m)^(?:%s): .*\n" % "|".join(lines), "", text)
        return text
    return rewrite


def json_equal(one, other):
    return re.sub(r"\s", "", one) == re.sub(r"\s", "", other)


def chain(*rewrites):
    def rewrite(name, text):
        for one in rewrites:
            text = one(name, text) if text is not None else None
        return text
    return rewrite


NO_DUMPS = without(files=is_dump)
NO_COUNTERS = without({"allocator"}, files=is_counters)
NO_PROC = without(PROC_GROUPS, files=lambda name: is_rollup(name) or is_cgroup(name))

# What is taken away. The first ones are single sources, or single figures of one; then each is left alone.
SUBSETS = {
    "no dumps": NO_DUMPS,
    "no counters": NO_COUNTERS,
    "no /proc": NO_PROC,
    "no smaps_rollup": without({"smaps_rollup"}, files=is_rollup),
    "no smaps": without({"smaps"}),
    "no status": without({"status"}),
    "no cgroup": without({"cgroup"}, files=is_cgroup),
    "no allocated": without({"allocated", "allocated_bytes"}),
    "no resident": without({"resident", "resident_bytes"}),
    "no retained": without({"retained", "retained_bytes"}),
    "no swap": without({"swap_bytes"}, {"Swap"}),
    "no files": without({"pss_file_bytes", "rss_file_bytes"}, {"Pss_File"}),
    "rss alone": without({"anonymous_bytes", "rss_anon_bytes"}, {"Anonymous"}),
    "dumps alone": chain(NO_COUNTERS, NO_PROC),
    "counters alone": chain(NO_DUMPS, NO_PROC),
    "/proc alone": chain(NO_DUMPS, NO_COUNTERS),
}


def make_subset(source, target, subset):
    """Copies the directory without that evidence; False when nothing was there to take, or nothing is left."""
    os.mkdir(target)
    changed = False
    for name in os.listdir(source):
        path = os.path.join(source, name)
        if os.path.isdir(path):
            continue
        with open(path, encoding="utf-8", errors="surrogateescape") as file:
            text = file.read()
        left = SUBSETS[subset](name, text)
        changed |= left != text
        if left is not None:
            copy = os.path.join(target, name)
            with open(copy, "w", encoding="utf-8", errors="surrogateescape") as file:
                file.write(left)
            shutil.copystat(path, copy)
    return changed and bool(os.listdir(target))


def names_retention(verdict):
    return any("freed memory" in text or "cannot be told apart" in text
               for text in [verdict["sentence"], *verdict["confidence_reasons"]])


def is_allowed(verdict, full, subset):
    """What may be said with less evidence: the same; nothing; that the heap did not grow, where only that is looked
    at; without the allocator's resident figure, growth outside that may be retention; or a smaller truth."""
    said = verdict["class"]
    also_true = {contribution["class"] for contribution in full["contributions"]}
    # The cache of a control group is not the process's memory: of that no_growth is true without it.
    no_group = full["class"] == "file_backed" and said == "no_growth" and subset == "no cgroup"
    # Without any figure of the heap, what the allocator keeps is growth of the process that has ended.
    no_heap = full["class"] == "allocator_retention" and said == "bounded_growth" and subset == "/proc alone"
    # Counters are believed only where allocated is among them, so without it resident is missing too.
    no_resident = subset in ("no resident", "no allocated", "no counters", "/proc alone", "dumps alone")
    return (said == full["class"] or said == "inconclusive" or said in also_true or no_group or no_heap
            or (said == "no_growth" and verdict["scope"] == "heap")
            or (said == "outside_heap" and no_resident and verdict["confidence"] == "low"
                and names_retention(verdict)))
