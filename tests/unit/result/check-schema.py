#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Validates results against the schema: check-schema.py SCHEMA WRITE_SAMPLES STORED...

Freshly composed samples must be valid, and be what is stored; results with a fault must not be valid.
With HR_UPDATE_GOLDEN=1 the stored ones are written instead. Exit 77: cannot run."""
import copy
import json
import os
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("SKIP: python3-jsonschema is not installed; results were not checked against the schema")
    sys.exit(77)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def check(validator, path):
    faults = sorted(validator.iter_errors(load(path)), key=lambda fault: list(map(str, fault.path)))
    for fault in faults[:20]:
        print(f"{path}: /{'/'.join(map(str, fault.path))}: {fault.message[:300]}")
    return not faults


def remove(result):
    del result["totals"]["growth_bytes_low"]


def add(result):
    result["suspects"][0]["leaked_bytes"] = 1


def change_type(result):
    result["run"]["duration_s"] = "13 h"


def change_word(result):
    result["verdict"]["class"] = "leak"


def exceed(result):
    result["suspects"] = result["suspects"] * 11


def check_faults(validator, path):
    found_all = True
    for fault in (remove, add, change_type, change_word, exceed):
        result = copy.deepcopy(load(path))
        fault(result)
        if validator.is_valid(result):
            print(f"the schema does not see: {fault.__name__}")
            found_all = False
    return found_all


def compare(fresh, stored):
    """What is stored is read by the tests of documents: it must not stay behind what is composed."""
    kept = {pathlib.Path(path).name: pathlib.Path(path) for path in stored}
    if os.environ.get("HR_UPDATE_GOLDEN") == "1":
        for path in fresh:
            kept[path.name].write_bytes(path.read_bytes())
    stale = [path.name for path in fresh if path.read_bytes() != kept[path.name].read_bytes()]
    for name in stale:
        print(f"testdata/result/{name} is not what is composed (HR_UPDATE_GOLDEN=1 writes it)")
    return not stale


def main(schema_path, write_samples, *stored):
    schema = load(schema_path)
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([write_samples, directory], check=True)
        fresh = sorted(pathlib.Path(directory).iterdir())
        outcomes = [check(validator, path) for path in [*fresh, *stored]]
        outcomes.append(compare(fresh, stored))
        outcomes.append(check_faults(validator, pathlib.Path(directory) / "heap-growth.json"))
    print(f"{len(fresh) + len(stored)} results checked")
    return 0 if all(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
