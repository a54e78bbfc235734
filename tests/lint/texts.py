#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Every id that C names has words in templates/text.xml, and every diagnostic a remedy."""
import pathlib
import re
import sys
import xml.etree.ElementTree

# Calls whose argument is an id of the catalogue.
CALLS = re.compile(r'(?:hr_phrase_new\(|hr_text_get\(\w[\w>.-]*,\s*|hr_messages_phase\(\w[\w>.-]*,\s*)"([^"]+)"')
ENTRY = re.compile(r"^HR_MESSAGE\(\w+,\s*(\d+),", re.M)
THRESHOLD = re.compile(r"^HR_THRESHOLD\((\w+),", re.M)


def wanted(source_root):
    for source in sorted(source_root.rglob("*.c")):
        for name in CALLS.findall(source.read_text()):
            yield name, source
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
    found = missing + twice + empty
    print("\n".join(found) or f"{len(ids)} texts")
    return 1 if found or len(ids) < 20 else 0


sys.exit(main())
