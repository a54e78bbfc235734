#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""One run in every format: the same verdict, numbers, order and ids everywhere; what the PDF carries; what is left of
names after --redact; and how large a report gets whose result is as large as one may be.

usage: documents.py HEAPREPORT LEAK_CASE_TAR      TAP on standard output
"""
import copy
import gzip
import html.parser
import json
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "support"))
from tap import check, finish  # noqa: E402  (lies beside the other helpers)

HTML_MAX_BYTES = 2 * 1024 * 1024
PDF_MAX_BYTES = 1024 * 1024
PAGES_MAX = 12
FORMATS = ["json", "pdf", "html", "md", "txt", "svg", "csv", "prom", "junit.xml", "folded", "diff.folded", "pb.gz"]
# Kept under --redact paths,symbols on purpose: what every program has, and says nothing about this one.
COMMON = {"main", "libc.so.6", "ld-linux-x86-64.so.2", "malloc", "calloc", "realloc", "[vdso]"}


def output_of(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True)
    if done.returncode != 0:
        raise SystemExit(f"Bail out! {command[0]}: status {done.returncode}: {done.stderr.decode(errors='replace')}")
    return done.stdout


def report(heapreport, case, out, *more):
    """Writes the case in every format and its charts; returns the directory."""
    out.mkdir()
    outputs = [argument for suffix in FORMATS for argument in ("-o", out / f"r.{suffix}")]
    subprocess.run([heapreport, "-q", "--dir", "dumps", "--binary", "demo-service", *more, *outputs, "-o", f"{out}/charts/"],
                   cwd=case, check=True, stdout=subprocess.DEVNULL)
    return out


class Words(html.parser.HTMLParser):
    def __init__(self):
        super().__init__()
        self.words, self.hidden = [], 0

    def handle_starttag(self, tag, attributes):
        self.hidden += tag in ("script", "style", "svg")

    def handle_endtag(self, tag):
        self.hidden -= tag in ("script", "style", "svg")

    def handle_data(self, words):
        if not self.hidden:
            self.words.append(words)


def words_of(path):
    """What a person reads, without blanks and marks, which each format has in other places."""
    if path.suffix == ".pdf":
        text = output_of("pdftotext", path, "-").decode()
    elif path.suffix == ".html":
        parser = Words()
        parser.feed(path.read_text())
        text = "".join(parser.words)
    else:
        text = path.read_text()
        if path.suffix == ".md":
            text = re.sub(r"\*\*|`|\\", "", text)
            text = re.sub(r"\]\([^)]*\)|(?<!\w)\[", "", text)
    return re.sub(r"[\s\u200b\u2066\u2069]", "", text)


def written_growth(words, suspect):
    """The growth behind the suspect's name, such as +15.3MiB(13.8to16.8); None when it is not there."""
    name = re.escape(re.sub(r"\s", "", suspect["id"] + suspect["function"]))
    found = re.search(name + r"(\+([\d.]+)(B|KiB|MiB|GiB)(\([\d.\u2212]+to[\d.\u2212]+\))?)", words)
    return found


def is_rounded(found, growth_bytes):
    unit = {"B": 1, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30}[found.group(3)]
    digits = len(found.group(2).partition(".")[2])
    return abs(float(found.group(2)) - growth_bytes / unit) <= 0.5 * 10**-digits + 1e-9


def with_second(result):
    """The result with one suspect more, of two thirds of the first's growth."""
    second = copy.deepcopy(result["suspects"][0])
    second.update(id="S2", function="other::Store::keep", fingerprint="0123456789ab")
    for key in ("growth_bytes", "growth_bytes_low", "growth_bytes_high"):
        second[key] = second[key] * 2 // 3
    result["suspects"][1:] = [second]
    return result


def check_agreement(heapreport, plain, scratch):
    result = with_second(json.loads((plain / "r.json").read_text()))
    source = scratch / "two.json"
    source.write_text(json.dumps(result))
    paths = [scratch / f"two.{suffix}" for suffix in ("pdf", "html", "md", "txt")]
    output_of(heapreport, "render", source, "-q", *[argument for path in paths for argument in ("-o", path)])
    sentence = re.sub(r"\s", "", result["verdict"]["sentence"])
    seen = set()
    for path in paths:
        kind, words = path.suffix[1:], words_of(path)
        check(f"{kind}: the verdict", sentence in words, words[:400])
        found = [written_growth(words, suspect) for suspect in result["suspects"]]
        fine = all(found) and all(is_rounded(one, suspect["growth_bytes"]) for one, suspect in zip(found, result["suspects"]))
        check(f"{kind}: suspects by id and name, with their growth", fine, words)
        check(f"{kind}: in their order", all(found) and found[0].start() < found[1].start())
        seen.add(tuple(one.group(1) for one in found if one))
    check("the same numbers in every format", len(seen) == 1, seen)
    # render writes JSON too: what it says is what the others were compared with
    again = scratch / "two-again.json"
    output_of(heapreport, "render", source, "-q", "-o", again)
    kept = json.loads(again.read_text())
    for key in ("verdict", "suspects", "suspects_rest", "totals", "functions"):
        check(f"json: the same {key}", kept[key] == result[key], kept[key])


def stands_in(words, sentence):
    """The whole sentence, or both its parts around the end of a page, with a footer and a header between."""
    bare = re.sub(r"\s", "", sentence)
    if bare in words:
        return True
    return any(re.search(re.escape(bare[:cut]) + ".{1,160}?" + re.escape(bare[cut:]), words) for cut in range(8, len(bare) - 8))


def check_rules(plain):
    """Each rule with its reason, what speaks against it and what would overturn it: the same words everywhere; the
    short formats have room for those that apply."""
    rules = json.loads((plain / "r.json").read_text())["verdict"]["rules"]
    said = [rule[key] for rule in rules for key in ("title", "because", "against", "would_overturn") if rule[key]]
    check("a reason for each of the seven classes", len({rule["class"] for rule in rules if rule["because"]}) == 7, rules)
    for kind in ("pdf", "html"):
        words = words_of(plain / f"r.{kind}")
        missing = [sentence for sentence in said if not stands_in(words, sentence)]
        check(f"{kind}: the rules in the result's words", not missing, missing)
    said = [rule[key] for rule in rules if rule["outcome"] == "fired"
            for key in ("title", "because", "against", "would_overturn") if rule[key]]
    for kind in ("md", "txt"):
        words = words_of(plain / f"r.{kind}")
        missing = [sentence for sentence in said if not stands_in(words, sentence)]
        check(f"{kind}: the rules that apply, in the same words", bool(said) and not missing, missing)


def structure_elements(path):
    """The dictionaries of the tag tree, as qpdf tells them."""
    objects = json.loads(output_of("qpdf", "--json", path))
    text = json.dumps(objects)
    figures = re.findall(r'\{[^{}]*"/S": "/Figure"[^{}]*\}', text)
    return figures


def check_pdf(out):
    path = out / "r.pdf"
    check("pdf: qpdf finds no fault", b"No syntax" in output_of("qpdf", "--check", path))
    figures = structure_elements(path)
    check("pdf: each figure has an alternative", len(figures) >= 5 and all('"/Alt"' in figure for figure in figures), figures)
    tags = output_of("pdfinfo", "-struct", path).decode()
    missing = [tag for tag in ("H1", "H2", "H3", "Table", "TH", "Figure", "Caption") if not re.search(rf"^\s*{tag}\b", tags, re.M)]
    check("pdf: headings, tables and figures are tagged", not missing, missing)
    fonts = output_of("pdffonts", path).decode().splitlines()[2:]
    check("pdf: every font is inside", len(fonts) > 2 and all(" yes yes yes " in font for font in fonts), fonts)
    output_of("pdfdetach", "-savefile", "result.json", "-o", out / "attached.json", path)
    check("pdf: carries the result, byte for byte", (out / "attached.json").read_bytes() == (out / "r.json").read_bytes())
    pages = int(re.search(r"Pages:\s*(\d+)", output_of("pdfinfo", path).decode()).group(1))
    check("pdf: not too long", pages <= PAGES_MAX, pages)
    check("pdf: not too large", path.stat().st_size < PDF_MAX_BYTES, path.stat().st_size)


def names_of(result):
    """Every name and path of the program in a result."""
    names = set()
    open_values = [result]
    while open_values:
        value = open_values.pop()
        if isinstance(value, list):
            open_values += value
        elif isinstance(value, dict):
            open_values += value.values()
            names |= {value[key] for key in ("function", "module") if isinstance(value.get(key), str)}
            names |= {value[key] for key in ("path", "debug_file") if "/" in str(value.get(key))}
            if "trust" in value and isinstance(value.get("file"), str):
                names.add(value["file"])
    names |= {name.rsplit("/", 1)[-1] for name in names if "/" in name}
    return {name for name in names if name not in COMMON and "+0x" not in name and not name.startswith("(") and len(name) > 4}


def bytes_of(path, scratch):
    """A file's content with all packing undone."""
    if path.suffix == ".gz":
        return gzip.decompress(path.read_bytes())
    if path.suffix == ".pdf":
        plain = scratch / "plain.pdf"
        output_of("qpdf", "--qdf", "--object-streams=disable", path, plain)
        return plain.read_bytes() + output_of("pdftotext", path, "-") + output_of("pdftotext", "-layout", path, "-")
    return path.read_bytes()


def left_in(path, names, scratch):
    content = bytes_of(path, scratch)
    return sorted(name for name in names if re.search(rb"(?<![\w])" + re.escape(name.encode()) + rb"(?![\w])", content))


def check_redaction(heapreport, case, plain, scratch):
    names = names_of(json.loads((plain / "r.json").read_text()))
    check("names to look for", {"session_open", "cache_insert", "demo-service"} <= names, sorted(names))
    check("which are found where nothing is redacted", left_in(plain / "r.pdf", names, scratch))
    out = report(heapreport, case, scratch / "redacted", "--redact", "paths,symbols")
    for path in sorted(path for path in out.rglob("*") if path.is_file()):
        left = left_in(path, names, scratch)
        check(f"redacted: {path.relative_to(out)}", not left, left)


LONG_NAME = "<(tenants::TenantId, alloc::sync::Arc<secret::Vault<secret::Key, secret::Value>>) as secret::Insert<secret::Key>>::" \
    "insert_or_replace_with_postings_of_all_fields_and_their_positions::{{closure}}"


def write_long_names(directory):
    """Eight dumps that bring a name which sentences and cells have to fold."""
    directory.mkdir()
    for i in range(8):
        live = (40 + 40 * i) * 65536
        (directory / f"app.4711.{i}.i{i}.heap").write_text(
            f"--- symbol\nbinary=/srv/secret-service\n0x0000000000401000 {LONG_NAME}\n0x0000000000402000 main\n---\n--- heap\n"
            f"heap_v2/524288\n  t*: {40 + 40 * i}: {live} [0: 0]\n@ 0x401001 0x402001\n  t*: {40 + 40 * i}: {live} [0: 0]\n\n"
            "MAPPED_LIBRARIES:\n00400000-00500000 r-xp 00000000 fe:00 1 /srv/secret-service\n")


def check_long_names(heapreport, scratch):
    """--redact where every output but the JSON holds the name only in parts."""
    directory = scratch / "long"
    write_long_names(directory)
    secret = {"secret", "Vault", "TenantId", "tenants", "secret-service", "insert_or_replace_with_postings_of_all_fields_and_their_positions"}
    for name, more in (("long-plain", []), ("long-redacted", ["--redact", "paths,symbols"])):
        out = scratch / name
        out.mkdir()
        outputs = [argument for suffix in FORMATS for argument in ("-o", out / f"r.{suffix}")]
        output_of(heapreport, "-q", "--dir", directory, *more, *outputs, "-o", f"{out}/charts/")
        for path in sorted(path for path in out.rglob("*") if path.is_file()):
            left = left_in(path, secret, scratch)
            if more:
                check(f"long name redacted: {path.relative_to(out)}", not left, left)
            elif path.suffix in (".json", ".pdf", ".html", ".md", ".txt", ".folded"):
                check(f"long name, plain: {path.relative_to(out)} has parts of it", left, path)


def stretch(result):
    """The result as large as composing ever lets one be in what a page shows, with long names."""
    rng = random.Random(1)

    def name(i):
        return "<alloc::collections::btree::map::BTreeMap<tenants::TenantId, alloc::sync::Arc<tokio::sync::RwLock<index::Segment<" \
               f"{i}>>>> as cache::Insert<K, V>>::insert_or_replace_with_postings_of_all_fields_and_their_positions::{{{{closure}}}}"

    series, points = result["series"], 512
    start, held = series["time_s"][0], len(series["time_s"])
    series["sequence"] = [20 * i for i in range(points)]
    series["time_s"] = [round(start + 97.377 * i, 3) for i in range(points)]

    def spread(values):
        values = values or [0]
        return [int((values[i * len(values) // points] or 0) + rng.randrange(99999)) for i in range(points)]

    for key in ("live_bytes", "live_bytes_low", "live_bytes_high"):
        series[key] = spread(series[key])
    for line in series["evidence"]:
        line["time_s"] = series["time_s"]
        for key in ("value_bytes", "value_count"):
            if line.get(key):
                line[key] = spread(line[key])
    first, line = result["suspects"][0], series["suspects"][0]
    result["suspects"], series["suspects"] = [], []
    for i in range(30):
        suspect = copy.deepcopy(first)
        suspect.update(id=f"S{i + 1}", function=name(i), fingerprint=f"{rng.getrandbits(48):012x}")
        result["suspects"].append(suspect)
        series["suspects"].append({key: spread(value) if isinstance(value, list) else f"S{i + 1}" for key, value in line.items()})
    tree = [result["flame"][0]]
    while len(tree) < 4000:
        parent = rng.randrange(max(0, len(tree) - 60), len(tree))
        final = int(tree[parent]["final_bytes"] * rng.uniform(0.02, 0.4))
        tree.append(dict(parent_index=parent, function=name(len(tree) % 300), base_bytes=final // 2, final_bytes=final,
                         growth_bytes=final - final // 2, suspect=None))
    result["flame"] = tree
    result["functions"] = [dict(result["functions"][0], function=name(i)) for i in range(200)]
    result["dumps"] = [dict(result["dumps"][0], file=f"{i}.{result['dumps'][0]['file']}") for i in range(500)]
    return result


def check_bounds(heapreport, plain, scratch):
    large = scratch / "large.json"
    large.write_text(json.dumps(stretch(json.loads((plain / "r.json").read_text()))))
    outputs = {suffix: scratch / f"large.{suffix}" for suffix in ("html", "pdf", "md", "txt")}
    arguments = [argument for path in outputs.values() for argument in ("-o", path)]
    output_of(heapreport, "render", large, "-q", *arguments)
    sizes = {suffix: path.stat().st_size for suffix, path in outputs.items()}
    check("a result at its bounds: HTML", sizes["html"] < HTML_MAX_BYTES, sizes)
    check("PDF", sizes["pdf"] < PDF_MAX_BYTES, sizes)
    pages = int(re.search(r"Pages:\s*(\d+)", output_of("pdfinfo", outputs["pdf"]).decode()).group(1))
    check("PDF: pages", pages <= PAGES_MAX + 1, pages)
    for suffix, most in (("md", 60), ("txt", 100)):
        lines = outputs[suffix].read_text().count("\n")
        check(f"{suffix} of at most {most} lines", lines <= most, lines)
    print(f"# bytes at the bounds: {sizes}")


def main():
    heapreport = str(pathlib.Path(sys.argv[1]).resolve())
    missing = [tool for tool in ("qpdf", "pdftotext", "pdfdetach") if not shutil.which(tool)]
    if missing:
        print(f"1..0 # SKIP not installed: {', '.join(missing)}")
        return
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        with tarfile.open(sys.argv[2]) as tar:
            tar.extractall(scratch / "case")
        plain = report(heapreport, scratch / "case", scratch / "plain")
        check_rules(plain)
        check_agreement(heapreport, plain, scratch)
        check_pdf(plain)
        check_redaction(heapreport, scratch / "case", plain, scratch)
        check_long_names(heapreport, scratch)
        check_bounds(heapreport, plain, scratch)
    return finish()


sys.exit(main())
