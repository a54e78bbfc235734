#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every id that C names has words in templates/text.xml, and every diagnostic a remedy; no id stands in a document."""
import pathlib
import re
import sys
import xml.etree.ElementTree

# Calls whose argument is an id of the catalogue.
CALLS = re.compile(r'(?:hr_phrase_new\(|hr_text_get\(\w[\w>.-]*,\s*|hr_messages_phase\(\w[\w>.-]*,\s*)"([^"]+)"'
                   r'|\.id = "(doctor-[^"]+)"')
ENTRY = re.compile(r"^HR_MESSAGE\(\w+,\s*(\d+),", re.M)
THRESHOLD = re.compile(r"^HR_THRESHOLD\((\w+),", re.M)


# Ids made of a fixed part and a name that stands in a table of src/result/names.c.
FAMILIES = {"dump-note-": "hr_name_dump_note"}
# What makes the verdict's sentence on page 1, and words in it that only those know who know an allocator's or the
# kernel's books.
SENTENCES = ("verdict-", "where-", "window-", "pace-", "place-", "process-", "subject-")
BOOKWORDS = re.compile(r"\b(jemalloc|arenas?|slack|slabs?|extents?|bins?|muzzy|dirty|decay|retained?|retention|resident|rss|pss|smaps\w*"
                       r"|anonymous|mallctl|malloc_conf|prof\w*_\w+|lg_\w+|stats\.\w+|tcache|coverage|outlier|median|z-score)\b", re.I)
DOCUMENTS = (".json", ".md", ".txt", ".html", ".xml")


def names_of(source, table):
    body = re.search(rf"DEFINE_NAMES\(\s*{table},(.*?)\)\n", source.read_text(), re.S).group(1)
    return re.findall(r'= "(\w+)"', body)


def documents_with_ids(root, ids):
    """An id in a golden document is a text that was not found, or one that was never looked up."""
    spoken = re.compile(r"(?<![\w./-])(" + "|".join(re.escape(name) for name in ids if not name.startswith("HR-") and "-" in name) + r")(?![\w-])")
    for path in sorted((root / "testdata").rglob("*")):
        if path.suffix in DOCUMENTS and "fuzz" not in path.parts:
            for name in spoken.findall(path.read_text(errors="replace")):
                yield f"{path.relative_to(root)}: the id {name} stands in a document"


def bookish(texts):
    """Page 1's sentence is for one who runs a service and has never heard of the allocator below it."""
    for text in texts:
        words = re.sub(r"{[^}]*}", "", text.text or "")
        if text.get("id").startswith(SENTENCES):
            for word in BOOKWORDS.findall(words):
                yield f"text {text.get('id')}: page 1 says \"{word}\", which not everybody knows"


# A number, and the words up to the next mark or slot.
COUNTED = re.compile(r"{\w*count}((?: [a-z-]+)+)")
NO_PLURALS = {"its", "is", "was", "has", "this"}


def plurals(texts):
    """"1 dump files": what stands behind a number follows it, {count|file|files}."""
    for text in texts:
        for words in COUNTED.findall(text.text or ""):
            for word in words.split():
                if word.endswith("s") and word not in NO_PLURALS:
                    yield f"text {text.get('id')}: \"{word}\" behind a number is no word for one of them"


def wanted(source_root):
    for prefix, table in FAMILIES.items():
        for name in names_of(source_root / "result" / "names.c", table):
            yield prefix + name, source_root / "result" / "names.c"
    for source in sorted(source_root.rglob("*.c")):
        for names in CALLS.findall(source.read_text()):
            yield names[0] or names[1], source
    messages = source_root / "base" / "messages.def"
    for number in ENTRY.findall(messages.read_text()):
        yield f"HR-{int(number):03}", messages
        yield f"HR-{int(number):03}-remedy", messages
    thresholds = source_root / "model" / "thresholds.def"
    for key in THRESHOLD.findall(thresholds.read_text()):
        yield f"threshold-{key}", thresholds


def main():
    root = pathlib.Path(sys.argv[1])
    texts = xml.etree.ElementTree.parse(root / "templates" / "text.xml").getroot()
    ids = [text.get("id") for text in texts]
    missing = sorted({f"{source.relative_to(root)}: no text {name}"
                      for name, source in wanted(root / "src") if name not in ids})
    twice = sorted({f"text {name} stands there twice" for name in ids if ids.count(name) > 1})
    empty = [f"text {text.get('id')} is empty" for text in texts if not (text.text or "").strip()]
    found = missing + twice + empty + list(bookish(texts)) + list(plurals(texts)) + sorted(set(documents_with_ids(root, ids)))
    print("\n".join(found) or f"{len(ids)} texts")
    return 1 if found or len(ids) < 20 else 0


sys.exit(main())
