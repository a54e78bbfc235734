#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reads every #include below src/ and fails on an edge that docs/architecture.md's table forbids."""
import pathlib
import re
import sys

# folder: what it may include of ours, and which libraries' headers beside the C library and GLib
ALLOWED = {
    "base": ("", ""),
    "model": ("base", "xxhash"),
    "ingest": ("model base", "jansson archive protobuf xxhash"),
    "symbolize": ("model base", "libelf libdw iberty xxhash lzma zstd zlib"),
    "analysis": ("model base", ""),
    "result": ("analysis model base", "jansson libxml"),
    "night": ("result base", "jansson protobuf"),
    "document": ("result base", "jansson libxml"),
    "render": ("document base", "cairo pango fontconfig harfbuzz libxml qpdf zlib"),
    "export": ("result model base", "jansson protobuf zlib"),
    "record": ("ingest model base", "jansson"),
    "doctor": ("ingest symbolize model base", ""),
    "sandbox": ("base", "seccomp"),
    "trigger": ("", ""),
    "command": ("base model ingest symbolize analysis result night document render export record doctor "
                "sandbox",
                "jansson jemalloc"),
    "main.c": ("command", ""),
}
LIBRARIES = {
    "xxhash": r"xxhash\.h", "jansson": r"jansson\.h", "archive": r"archive(_entry)?\.h",
    "protobuf": r"protobuf-c/.*", "libelf": r"(libelf|gelf|elf)\.h",
    "libdw": r"(dwarf|elfutils/.*)\.?h?", "iberty": r"(libiberty/)?demangle\.h",
    "libxml": r"libxml/.*", "cairo": r"cairo.*\.h", "pango": r"pango/.*",
    "fontconfig": r"fontconfig/.*", "harfbuzz": r"hb.*\.h", "qpdf": r"qpdf/.*",
    "zlib": r"zlib\.h", "lzma": r"lzma\.h", "zstd": r"zstd\.h", "jemalloc": r"jemalloc/.*", "seccomp": r"seccomp\.h",
}


def library_of(header):
    for name, pattern in LIBRARIES.items():
        if re.fullmatch(pattern, header):
            return name
    return None


def problems(source, source_root):
    layer = source.relative_to(source_root).parts[0]
    if layer not in ALLOWED:
        yield f"{source}: folder {layer} is not in the table"
        return
    folders, libraries = (set(names.split()) for names in ALLOWED[layer])
    for number, line in enumerate(source.read_text().splitlines(), 1):
        ours = re.match(r'\s*#\s*include\s+"([^"]+)"', line)
        theirs = re.match(r"\s*#\s*include\s+<([^>]+)>", line)
        if ours and "/" not in ours.group(1):
            yield f"{source}:{number}: {ours.group(1)} is included without its layer"
        elif ours and ours.group(1).split("/")[0] not in folders | {layer}:
            yield f"{source}:{number}: {layer} may not include {ours.group(1)}"
        elif theirs and library_of(theirs.group(1)) not in libraries | {None}:
            yield f"{source}:{number}: {layer} may not include <{theirs.group(1)}>"


def main():
    source_root = pathlib.Path(sys.argv[1]) / "src"
    sources = sorted([*source_root.rglob("*.c"), *source_root.rglob("*.h"), *source_root.rglob("*.def")])
    found = [problem for source in sources for problem in problems(source, source_root)]
    print("\n".join(found) or f"{len(sources)} files keep to the table")
    return 1 if found or len(sources) < 20 else 0


sys.exit(main())
