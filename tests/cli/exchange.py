#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Profiles that come and go: our own pprof profile read back, in other legal encodings, as a series, and dumps that bring
their names along, all without the binary, against the report on the dumps themselves."""
import gzip
import json
import os
import pathlib
import struct
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tap import check, finish  # noqa: E402  (lies beside the other helpers)

PROGRAM, CASE = sys.argv[1:3]
MESSAGES = {1, 2, 3, 4, 5, 11}  # fields of a profile that hold messages
LISTS = {1, 2}  # of a sample


def varint(number):
    out = b""
    while True:
        number, low = number >> 7, number & 127
        out += bytes([low | (128 if number else 0)])
        if not number:
            return out


def fields(data):
    """(number, value) of a message: bytes of length-delimited fields, else the number."""
    at = 0

    def take():
        nonlocal at
        value = shift = 0
        while True:
            byte = data[at]
            at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    while at < len(data):
        key = take()
        if key & 7 == 0:
            yield key >> 3, take()
        else:
            assert key & 7 == 2, key
            size = take()
            yield key >> 3, data[at:at + size]
            at += size


def numbers(data):
    found = []
    while data:
        end = next(i for i, byte in enumerate(data) if byte < 128) + 1
        found.append(sum((byte & 127) << 7 * i for i, byte in enumerate(data[:end])))
        data = data[end:]
    return found


def field(number, value):
    if isinstance(value, bytes):
        return varint(number << 3 | 2) + varint(len(value)) + value
    return varint(number << 3) + varint(value)


UNKNOWN = field(77, 5) + field(78, b"later") + varint(79 << 3 | 1) + bytes(8) + varint(80 << 3 | 3) + field(1, 3) + varint(80 << 3 | 4)


def unpacked(number, value):
    if number in MESSAGES and number == 2:
        inner = b"".join(field(n, x) for n, v in fields(value) for x in (numbers(v) if n in LISTS else [v]))
        return field(number, inner)
    return field(number, value)


def with_unknown(number, value):
    return field(number, UNKNOWN + value + UNKNOWN) if number in MESSAGES else field(number, value)


def encode(profile, change):
    return b"".join(change(*item) for item in fields(profile))


def reversed_order(profile):
    """All but the order of the strings and sample types, which has a meaning."""
    items = list(fields(profile))
    kept = [item for item in items if item[0] in (1, 6)]
    return b"".join(field(*item) for item in [item for item in items if item[0] not in (1, 6)][::-1] + kept)


def without_optional(profile):
    """No duration, default and unnecessary parts. Mappings stay: they alone tell whose the frames without a name are."""
    out = b""
    for number, value in fields(profile):
        if number in (10, 14):
            continue
        if number == 5:
            value = b"".join(field(n, v) for n, v in fields(value) if n not in (3, 5))
        out += field(number, value)
    return out


def run(directory, *more):
    out = directory.parent / (directory.name + ".json")
    subprocess.run([PROGRAM, "-q", "--dir", directory, "-o", out, *more], check=True, stdout=subprocess.DEVNULL)
    return json.loads(out.read_text())


def totals(result):
    return [result["totals"][key] for key in ("base_bytes", "final_bytes", "growth_bytes")]


def suspects(result):
    return [(s["function"], s["growth_bytes"]) for s in result["suspects"]]


def near(left, right):
    """Equal but for the rounding of a byte or two a stack."""
    return len(left) == len(right) and all(
        (a[0] == b[0] if isinstance(a, tuple) else True) and
        abs((a[1] if isinstance(a, tuple) else a) - (b[1] if isinstance(b, tuple) else b)) <= 100
        for a, b in zip(left, right))


def stacks_of(profile):
    """Function names by address behind the call, outermost first."""
    strings = [value.decode() for number, value in fields(profile) if number == 6]
    functions = {}
    for number, value in fields(profile):
        if number == 5:
            parts = dict(fields(value))
            functions[parts[1]] = strings[parts[2]]
    names = {}
    for number, value in fields(profile):
        if number == 4:
            parts = dict(item for item in fields(value) if item[0] != 4)
            lines = [dict(fields(v))[1] for n, v in fields(value) if n == 4]
            names[parts[3]] = [functions[line] for line in lines][::-1]
    return names


def functions_of(profile):
    return b"".join(field(number, value) for number, value in fields(profile) if number in (5, 6))


def check_fields(profile, result):
    strings = [value.decode() for number, value in fields(profile) if number == 6]
    types = [strings[dict(fields(value))[1]] for number, value in fields(profile) if number == 1]
    sums = [0] * len(types)
    for number, value in fields(profile):
        if number == 2:
            sums = [a + (b - 2**64 if b >= 2**63 else b) for a, b in zip(sums, numbers(dict(fields(value))[2]))]
    by_type = dict(zip(types, sums))
    check("the profile's sums are the report's totals",
          near([by_type["base_space"], by_type["inuse_space"], by_type["growth_space"]], totals(result)), by_type, totals(result))
    names = {name for chain in stacks_of(profile).values() for name in chain}
    dropped = [strings[value].split("|") for number, value in fields(profile) if number == 7]
    check("drop_frames are the allocator's names, known or not",
          dropped == [[r"\[libjemalloc\.so\.2\]", "xmalloc"]], dropped)
    comments = [strings[value] for number, value in fields(profile) if number == 13]
    check("its comments say what wrote it, of which dumps", comments == [
        f"heapreport {result['tool']['version']}", f"base: {result['run']['base']['file']}",
        f"final: {result['run']['final']['file']}"], comments)
    unnamed = {f["function"] for f in result["functions"] if "+0x" in f["function"]}
    check("frames without a name are no functions", unnamed and not unnamed & names, unnamed & names)
    lines_in = {}
    for number, value in fields(profile):
        if number == 4:
            parts = dict(fields(value))
            lines_in[parts[2]] = lines_in.get(parts[2], False) or any(
                not name.startswith("[") for name in stacks_of(field(4, value) + functions_of(profile)).popitem()[1])
    has_functions = {dict(fields(v))[1]: bool(dict(fields(v)).get(7)) for n, v in fields(profile) if n == 3}
    said = {mapping: has for mapping, has in has_functions.items() if mapping in lines_in}
    check("has_functions: of the mappings with names alone", said == lines_in and set(said.values()) == {True, False},
          said, lines_in)
    missing = {s["function"] for s in result["suspects"]} - names
    check("the profile names every suspect", not missing, missing)


def check_symbolized(scratch, case, profile, whole):
    section = "--- symbol\nbinary=/nowhere\n" + "".join(
        f"0x{address:016x} {'--'.join(chain)}\n" for address, chain in stacks_of(profile).items() if chain) + "---\n--- heap\n"
    target = scratch / "symbolized"
    target.mkdir()
    for dump in (case / "dumps").glob("*.heap"):
        new = target / dump.name
        new.write_bytes(section.encode() + dump.read_bytes())
        stamp = dump.stat()
        os.utime(new, ns=(stamp.st_atime_ns, stamp.st_mtime_ns))
    read = run(target)
    check("symbolized dumps: the same totals", totals(read) == totals(whole), totals(read), totals(whole))
    check("symbolized dumps: the same suspects without the binary", suspects(read) == suspects(whole), suspects(read), suspects(whole))


def check_profiles(scratch, profile, whole):
    encodings = {
        "read back": profile,
        "unpacked": encode(profile, unpacked),
        "with unknown fields": encode(profile, with_unknown),
        "in another order": reversed_order(profile),
        "without what is optional": without_optional(profile),
    }
    for name, data in encodings.items():
        for packed in (True, False):
            target = scratch / f"{name.replace(' ', '-')}-{'gz' if packed else 'plain'}"
            target.mkdir()
            (target / "app.pb").write_bytes(gzip.compress(data) if packed else data)
            read = run(target)
            kind = f"{name}, {'gzip' if packed else 'plain'}"
            check(f"{kind}: the same totals", near(totals(read), totals(whole)), totals(read), totals(whole))
            check(f"{kind}: the same suspects", near(suspects(read), suspects(whole)), suspects(read), suspects(whole))
    codes = {entry["code"] for entry in read["data_quality"]}
    check("the report says that values came scaled", "HR-030" in codes, codes)


def with_build_id(profile, build_id):
    """The profile with another build-id in the mapping that had one of the program."""
    strings = [value for number, value in fields(profile) if number == 6]
    program = next(dict(fields(value)) for number, value in fields(profile)
                   if number == 3 and strings[dict(fields(value)).get(5, 0)].endswith(b"demo-service"))
    wanted = iter(range(len(strings)))
    return b"".join(field(n, build_id if n == 6 and next(wanted) == program[6] else v) for n, v in fields(profile))


def binary_of(result):
    module = next((m for m in result["symbols"]["modules"] if m["path"].endswith("demo-service")), {})
    return result["binary"], module


def check_build_ids(scratch, profile, binary):
    """A profile names the build that ran: the binary is held to it."""
    strings = [value.decode() for number, value in fields(profile) if number == 6]
    own = next(strings[dict(fields(value))[6]] for number, value in fields(profile)
               if number == 3 and strings[dict(fields(value)).get(5, 0)].endswith("demo-service"))
    other = own[:-1] + ("0" if own[-1] != "0" else "1")
    cases = {
        "its own build-id": (profile, "confirmed", own),
        "the same in capitals": (with_build_id(profile, own.upper().encode()), "confirmed", own),
        "another build-id": (with_build_id(profile, other.encode()), "mismatch", other),
        "an id of another kind": (with_build_id(profile, b"a/b/c/d"), "confirmed", own),
        "no build-id": (with_build_id(profile, b""), "confirmed", own),
    }
    for name, (data, match, built) in cases.items():
        target = scratch / name.replace(" ", "-")
        target.mkdir()
        (target / "app.pb").write_bytes(data)
        read = run(target, "--binary", binary)
        said, module = binary_of(read)
        check(f"{name}: {match}", said["match"] == match, said)
        check(f"{name}: the module's build", module.get("build_id") == built, module)
        warned = [entry["code"] for entry in read["data_quality"] if entry["code"] == "HR-100"]
        check(f"{name}: told of a mismatch alone", bool(warned) == (match == "mismatch"), read["data_quality"])
        check(f"{name}: the reason names the build-ids",
              (own in said["match_reason"] and other in said["match_reason"]) == (match == "mismatch"), said["match_reason"])
        check(f"{name}: the names are the profile's",
              all(s["function"].find("+0x") < 0 for s in read["suspects"]) and module["debug_file"] is None
              if match == "confirmed" else suspects(read), module)


def program_frames(result):
    """The frames of every suspect's stacks that lie in the program."""
    return [frame for suspect in result["suspects"] for stack in suspect["stacks"] for frame in stack["frames"]
            if frame["module"] and frame["module"].endswith("demo-service")]


def check_better_names(scratch, case, binary, whole):
    """Dumps that bring names without lines, and the binary that has them."""
    directory = scratch / "symbolized"
    alone = run(directory)
    _, module = binary_of({**alone, "binary": None})
    check("symbolized dumps alone: said whose the names are", "dumps themselves name" in (module["problem"] or ""), module)
    check("symbolized dumps alone: no line", not any(frame["line"] for frame in program_frames(alone)), program_frames(alone))
    both = run(directory, "--binary", binary)
    _, module = binary_of(both)
    check("symbolized dumps with the binary: it answers", module["problem"] is None and module["debug_file"] == str(binary), module)
    check("symbolized dumps with the binary: the frames of the binary, inlined ones and lines",
          program_frames(both) == program_frames(whole), program_frames(both), program_frames(whole))
    stripped = scratch / "stripped"
    subprocess.run(["strip", "--strip-debug", "-o", stripped, binary], check=True)
    poor = run(directory, "--binary", stripped)
    check("symbolized dumps with a binary that knows less: their names stand",
          program_frames(poor) == program_frames(alone), program_frames(poor))


def edit(message, change):
    """The profile with change(number, value) for each field of its messages of that number; None leaves it out."""
    def apply(number, value):
        if number != message:
            return field(number, value)
        kept = [(n, change(n, v)) for n, v in fields(value)]
        return field(number, b"".join(field(n, v) for n, v in kept if v is not None))
    return lambda profile: encode(profile, apply)


RETURN_ADDRESSES = edit(4, lambda number, value: value + 1 if number == 3 else value)
WITHOUT_LINES = edit(4, lambda number, value: None if number == 4 else value)
WITHOUT_ADDRESSES = edit(4, lambda number, value: None if number == 3 else value)
WITHOUT_FILES = edit(5, lambda number, value: None if number == 4 else value)


def in_short(frames):
    return [(frame["function"], frame["file"], frame["line"], frame["offset"]) for frame in frames]


def another_build(binary, target):
    """The program with no call in it: as large, at the same places, and not the one that ran."""
    data = bytearray(binary.read_bytes())
    headers, size, count = struct.unpack_from("<Q", data, 32)[0], *struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, flags, offset, _, _, length = struct.unpack_from("<IIQQQQ", data, headers + i * size)
        if kind == 1 and flags & 1:  # PT_LOAD, executable
            data[offset:offset + length] = b"\x90" * length
    target.write_bytes(data)
    return target


def check_odd_addresses(scratch, profile, binary, whole):
    """Addresses behind the calls, and names beside a better and a wrong binary: which names stand, and that it is said."""
    bare = with_build_id(profile, b"")
    other = another_build(binary, scratch / "another-build")
    truth = in_short(program_frames(whole))
    cases = {  # profile, binary, match, words of its reason, frames, words of the module's problem
        "return addresses": (WITHOUT_LINES(RETURN_ADDRESSES(bare)), binary, "confirmed", "read as return addresses", truth, None),
        "return addresses and a build-id": (WITHOUT_LINES(RETURN_ADDRESSES(profile)), binary, "confirmed", "build-id", truth, None),
        "addresses alone, the wrong binary": (WITHOUT_LINES(bare), other, "mismatch", "Only 0 of 9", None, "another build"),
        "return addresses, the wrong binary": (WITHOUT_LINES(RETURN_ADDRESSES(bare)), other, "mismatch", "Only 0 of 9", None, "another build"),
        "names without lines, the better binary": (WITHOUT_FILES(bare), binary, "confirmed", "9 of 9", truth, None),
        "names without lines, return addresses": (WITHOUT_FILES(RETURN_ADDRESSES(bare)), binary, "confirmed", "return", truth, None),
        "names with lines, the same binary": (bare, binary, "confirmed", "9 of 9", truth, "The dumps themselves name"),
        "names with lines, the wrong binary": (bare, other, "mismatch", "Only 0 of 9", truth, "another build"),
    }
    for name, (data, program, match, reason, frames, problem) in cases.items():
        target = scratch / name.replace(" ", "-")
        target.mkdir()
        (target / "app.pb").write_bytes(data)
        read = run(target, "--binary", program)
        said, module = binary_of(read)
        check(f"{name}: {match}, and why", said["match"] == match and reason in said["match_reason"], said)
        found = in_short(program_frames(read))
        if frames is None:
            check(f"{name}: no name", found and all("demo-service+0x" in function for function, *_ in found), found)
        elif match == "mismatch":  # without a file the offset is counted from the map
            check(f"{name}: the profile's names", [item[:3] for item in found] == [item[:3] for item in frames], found)
        else:
            check(f"{name}: the right names, lines and offsets", found == frames, found, frames)
        check(f"{name}: whose the names are", problem in module["problem"] if problem else module["problem"] is None, module)


def check_names_alone(scratch, profile, whole):
    """Locations without addresses: what stands for these inside is never shown, and no unwinder is blamed."""
    target = scratch / "names-alone"
    target.mkdir()
    (target / "app.pb").write_bytes(WITHOUT_ADDRESSES(profile))
    again = scratch / "names-alone.pb.gz"
    read = run(target, "-o", again)
    frames = [frame for suspect in read["suspects"] for stack in suspect["stacks"] for frame in stack["frames"]]
    check("names without addresses: the same suspects", near(suspects(read), suspects(whole)), suspects(read))
    check("names without addresses: no offset", frames and all(f["offset"] is None and f["module"] is None for f in frames), frames)
    nameless = {f["function"] for f in frames if f["trust"] == "none"}
    check("names without addresses: the nameless are called so", nameless == {"[no address recorded]"}, nameless)
    check("names without addresses: nothing of the unwinder", "HR-205" not in {e["code"] for e in read["data_quality"]}, read["data_quality"])
    data = gzip.decompress(again.read_bytes())
    made_up = [value for number, value in fields(data) if number == 4 and 3 in dict(fields(value))]
    check("names without addresses: none in a profile of ours", not made_up, made_up)


def check_broken(scratch, profile):
    target = scratch / "broken"
    target.mkdir()
    (target / "app.pb.gz").write_bytes(gzip.compress(profile[:len(profile) // 2]))
    done = subprocess.run([PROGRAM, "--dir", target, "-o", scratch / "b.json"], text=True, capture_output=True)
    check("a profile that is cut: status 3", done.returncode == 3, done.returncode, done.stderr)
    check("a profile that is cut: said", "heapreport: " in done.stderr, done.stderr)


def main():
    with tempfile.TemporaryDirectory() as name:
        scratch = pathlib.Path(name)
        case = scratch / "case"
        with tarfile.open(CASE) as tar:
            tar.extractall(case)
        binary = ("--binary", case / "demo-service")
        exported = scratch / "app.pb.gz"
        two = run(case / "dumps", *binary, "-o", exported)
        profile = gzip.decompress(exported.read_bytes())
        check_fields(profile, two)
        check_profiles(scratch, profile, two)
        check_symbolized(scratch, case, profile, two)
        check_build_ids(scratch, profile, case / "demo-service")
        check_better_names(scratch, case, case / "demo-service", two)
        check_odd_addresses(scratch, profile, case / "demo-service", two)
        check_names_alone(scratch, profile, two)
        check_broken(scratch, profile)
    return finish()


sys.exit(main())
