#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes the reports that are to be looked at after a change of layout, and pictures of them.

usage: looks.py HEAPREPORT DIRECTORY [CASE...]

The cases: a service that leaks, 1 and 30 suspects, no evidence, long Rust names, names in other scripts, 3 and 10,000
dumps. DIRECTORY/CASE gets the report as PDF, HTML, Markdown and text, each PDF page as CASE-N.png and in grey, and the
HTML in a light and a dark window, on a telephone, and printed. Needs pdftoppm, chromium and python3-pil.
"""
import pathlib
import random
import subprocess
import sys
import tarfile

from PIL import Image

ROOT = pathlib.Path(__file__).resolve().parent.parent
START_S = 1796170800
RATE = 524288
PAGES_IN_A_ROW = 4

WORDS = ["cache", "index", "session", "tenant", "segment", "posting", "router", "codec", "buffer", "journal"]
OTHER_SCRIPTS = ["缓存::会话存储::插入新的会话", "セッション::キャッシュ::挿入する", "캐시::세션::삽입", "חנות::שמור_ערך", "مخزن::إدراج_القيمة",
                 "хранилище::добавить_сеанс", "αποθήκη::εισαγωγή", "emoji::🦀::insert", "trick::\u202ekcart\u202c::call", "naïve::façade::größe"]


def plain_name(i):
    return f"{WORDS[i % 10]}::{WORDS[i * 7 % 9].capitalize()}Store::{WORDS[(i + 3) % 10]}_insert{i}"


def rust_name(i):
    """Of some 300 letters that no folding makes much shorter: what is long is the path."""
    types = ", ".join(f"{WORDS[(i + k) % 10]}::{WORDS[i * k % 10].capitalize()}Id" for k in range(1, 9))
    return f"<({types}) as {WORDS[i % 10]}_store::serving::InsertIntoSegments<K>>::insert_or_replace_with_postings_of_all_fields_{i}::{{{{closure}}}}"


def folded_name(i):
    key = f"{WORDS[i % 10]}::{WORDS[i * 3 % 10].capitalize()}Id"
    return f"{WORDS[i % 10]}_store::SegmentStore<{key}, alloc::sync::Arc<tokio::sync::rwlock::RwLock<index::Segment<{key}, " \
           f"alloc::boxed::Box<dyn core::future::Future<Output = core::result::Result<(), anyhow::Error>>>>>>>::insert_{i}::{{{{closure}}}}"


def other_name(i):
    return OTHER_SCRIPTS[i % len(OTHER_SCRIPTS)] + (str(i) if i >= len(OTHER_SCRIPTS) else "")


def write_dumps(directory, name_of, suspects, dumps, evidence=True):
    """Dumps that bring their own names: `suspects` places that grow, each less than the one before, and some that do not."""
    directory.mkdir(parents=True)
    rng = random.Random(7)
    callers = ["handle_request", "worker_run", "main"]
    places = [name_of(i) for i in range(suspects)] + [f"steady::table_{i}" for i in range(4)]
    symbols = "".join(f"0x{0x401000 + 16 * i:016x} {name}\n" for i, name in enumerate(places + callers))
    tail = " ".join(f"0x{0x401000 + 16 * (len(places) + i):x}" for i in range(len(callers)))
    live_bytes, record = [], []
    for at in range(dumps):
        share = at / (dumps - 1)
        counts = [20 + int(share * 600 * 0.88 ** i + rng.uniform(-2, 2)) if i < suspects else 80 + rng.randrange(3)
                  for i in range(len(places))]
        sizes = [64 * 1024 // (1 + i % 5) for i in range(len(places))]
        stacks = "".join(f"@ 0x{0x401000 + 16 * i:x} {tail}\n  t*: {count}: {count * size} [0: 0]\n"
                         for i, (count, size) in enumerate(zip(counts, sizes)))
        whole = sum(count * size for count, size in zip(counts, sizes))
        live_bytes.append(whole * 8)
        text = f"--- symbol\nbinary=/srv/app\n{symbols}---\n--- heap\nheap_v2/{RATE}\n  t*: {sum(counts)}: {whole} [0: 0]\n{stacks}\n" \
               "MAPPED_LIBRARIES:\n00400000-00500000 r-xp 00000000 fe:00 1 /srv/app\n"
        (directory / f"app.4711.{at}.i{at}.heap").write_text(text)
        if evidence and at % max(1, dumps // 200) == 0:
            record.append('{"schema":"heapreport-record","schema_version":1,"time_s":%d,"pid":4711,"smaps_rollup":{"rss_bytes":%d,'
                          '"anonymous_bytes":%d,"private_dirty_bytes":%d,"lazy_free_bytes":0,"swap_bytes":0}}'
                          % (START_S + at * 60, live_bytes[-1] * 1.3 + 8e6, live_bytes[-1] * 1.2, live_bytes[-1] * 1.2))
    if record:
        (directory / "heapreport-record.4711.jsonl").write_text("\n".join(record) + "\n")
    for at, path in enumerate(sorted(directory.glob("*.heap"), key=lambda path: int(path.name.split(".")[2]))):
        subprocess.os.utime(path, (START_S + at * 60, START_S + at * 60))
    return ["--dir", directory, "--label", "service=app", "--label", "host=node-7"]


def leak(directory, evidence=True):
    directory.mkdir(parents=True)
    with tarfile.open(ROOT / "testdata/cases/leak/leak.tar.xz") as tar:
        tar.extractall(directory)
    if not evidence:
        for path in (directory / "dumps").glob("*.jsonl"):
            path.unlink()
    return ["--dir", directory / "dumps", "--binary", directory / "demo-service", "--label", "service=demo-service"]


CASES = {
    "leak": leak,
    "no-evidence": lambda directory: leak(directory, evidence=False),
    "one": lambda directory: write_dumps(directory, plain_name, 1, 24),
    "thirty": lambda directory: write_dumps(directory, plain_name, 30, 48),
    "rust-folded": lambda directory: write_dumps(directory, folded_name, 30, 48),
    "rust": lambda directory: write_dumps(directory, rust_name, 30, 48),
    "scripts": lambda directory: write_dumps(directory, other_name, 10, 24),
    "three-dumps": lambda directory: write_dumps(directory, plain_name, 3, 3),
    "many-dumps": lambda directory: write_dumps(directory, plain_name, 8, 10000),
}


def run(*command):
    return subprocess.run([str(part) for part in command], check=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE).stdout.decode()


def sheets(out, name, pages):
    """Puts pages side by side, some to a picture."""
    for first in range(0, len(pages), PAGES_IN_A_ROW):
        images = [Image.open(page) for page in pages[first:first + PAGES_IN_A_ROW]]
        sheet = Image.new("RGB", (sum(image.width + 8 for image in images), max(image.height for image in images)), "#777")
        for i, image in enumerate(images):
            sheet.paste(image, (sum(before.width + 8 for before in images[:i]), 0))
        sheet.save(out / f"{name}-{first // PAGES_IN_A_ROW + 1}.png")


def picture_pages(pdf, name, *more):
    run("pdftoppm", "-r", "80", "-png", *more, pdf, pdf.parent / f"{name}-page")
    pages = sorted(pdf.parent.glob(f"{name}-page-*.png"))
    sheets(pdf.parent, f"{name}-sheet", pages)
    return len(pages)


def screenshot(out, name, dark, width):
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
        "--hide-scrollbars", f"--user-data-dir={out}/profile", f"--window-size={width},5200",
        f"--blink-settings=preferredColorScheme={0 if dark else 1}", f"--screenshot={out}/{name}.png", f"file://{out}/report.html")


def look(heapreport, case, out):
    arguments = CASES[case](out / "input")
    outputs = [argument for suffix in ("json", "pdf", "html", "md", "txt") for argument in ("-o", out / f"report.{suffix}")]
    run(heapreport, "-q", *arguments, *outputs)
    pages = picture_pages(out / "report.pdf", "colour")
    picture_pages(out / "report.pdf", "grey", "-gray")
    screenshot(out, "light", False, 1100)
    screenshot(out, "dark", True, 1100)
    screenshot(out, "telephone", False, 400)
    run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", f"--user-data-dir={out}/profile",
        f"--print-to-pdf={out}/printed.pdf", f"file://{out}/report.html")
    printed = picture_pages(out / "printed.pdf", "printed")
    print(f"{case}: {pages} pages, {printed} printed by a browser", flush=True)


def main():
    heapreport, directory = map(lambda path: pathlib.Path(path).resolve(), sys.argv[1:3])
    for case in sys.argv[3:] or CASES:
        look(heapreport, case, directory / case)


main()
