#!/bin/sh
# SPDX-License-Identifier: MIT
# Packed dumps, and an archive in place of the directory: the same result as from the directory,
# apart from paths; and archives that are hostile, cut or no archive.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case" "$scratch/target"
tar -xf "$case_tar" -C "$scratch/case"
dumps="$scratch/case/dumps"
binary="$scratch/case/demo-service"
# An archive keeps whole seconds, so the directory has no more than these either.
for file in "$dumps"/*; do touch -d "@$(stat -c %Y "$file")" "$file"; done

# plain RESULT: what must not depend on how the inputs are stored.
plain() {
    jq -S 'del(.reproduce) | walk(if type == "string" then gsub("\\.heap\\.(gz|xz|zst)"; ".heap") | gsub("\\.jsonl\\.gz"; ".jsonl") else . end)' "$1"
}
report() { run "$heapreport" --dir "$1" --binary "$binary" -o "$2"; }

report "$dumps" "$scratch/directory.json"
check "a directory: a report" status_is 0
plain "$scratch/directory.json" >"$scratch/wanted"
check "evidence beside the dumps is used" json_is "$scratch/directory.json" '[.inputs[] | select(.role == "evidence")] | length > 0'

same_from() {
    name=$1
    source=$2
    report "$source" "$scratch/packed.json"
    check "$name: a report" status_is 0
    plain "$scratch/packed.json" >"$scratch/got"
    check "$name: the same result" same "$scratch/wanted" "$scratch/got"
}
tar -C "$scratch/case" -czf "$scratch/case.tar.gz" dumps
same_from "tar.gz of a folder" "$scratch/case.tar.gz"
tar -C "$dumps" --zstd -cf "$scratch/case.tar.zst" .
same_from "tar.zst of what is in it" "$scratch/case.tar.zst"
tar -C "$dumps" -cf "$scratch/case.tar" .
same_from "tar" "$scratch/case.tar"
python3 - "$dumps" "$scratch/case.zip" <<'PYTHON'
import pathlib, struct, sys, zipfile
with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as archive:
    for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
        member = zipfile.ZipInfo("nightly/" + path.name)
        member.compress_type = zipfile.ZIP_DEFLATED
        member.external_attr = 0o100644 << 16
        member.create_system = 3
        member.extra = struct.pack("<HHBi", 0x5455, 5, 1, int(path.stat().st_mtime))
        archive.writestr(member, path.read_bytes())
PYTHON
same_from "zip with Unix times" "$scratch/case.zip"

for method in gzip xz zstd; do
    cp -a "$dumps" "$scratch/$method"
    for file in "$scratch/$method"/*.heap; do "$method" -q --rm "$file" 2>/dev/null || "$method" -q "$file"; done
    same_from "dumps packed with $method" "$scratch/$method"
done
gzip -q "$scratch/gzip"/*.jsonl
same_from "evidence packed too" "$scratch/gzip"
tar -C "$scratch/gzip" -cJf "$scratch/twice.tar.xz" .
same_from "packed dumps in a packed archive" "$scratch/twice.tar.xz"
mkdir "$scratch/apart" "$scratch/apart/dumps" "$scratch/apart/proc"
cp -a "$dumps"/*.heap "$scratch/apart/dumps"
cp -a "$dumps"/*.jsonl "$scratch/apart/proc"
tar -C "$scratch/apart" -czf "$scratch/apart.tar.gz" dumps proc
report "$scratch/apart.tar.gz" "$scratch/packed.json"
check "evidence in another folder of the archive is used" json_is "$scratch/packed.json" '[.inputs[] | select(.role == "evidence" and (.path | startswith("proc/")))] | length > 0'

# Nothing is left behind, and nothing is written under a name out of the archive.
mkdir "$scratch/tmp"
(cd "$scratch/target" && TMPDIR="$scratch/tmp" run "$heapreport" --dir "$scratch/case.tar.gz" --dry-run)
check "nothing is left in TMPDIR" no_files_in "$scratch/tmp"
chmod 500 "$scratch/tmp"
TMPDIR="$scratch/tmp/none" run "$heapreport" --dir "$scratch/case.tar.gz" --dry-run
check "without a TMPDIR it works too" status_is 0
chmod 700 "$scratch/tmp"

python3 - "$scratch/hostile.tar" "$dumps" <<'PYTHON'
import io, pathlib, sys, tarfile
with tarfile.open(sys.argv[1], "w") as archive:
    for path in sorted(pathlib.Path(sys.argv[2]).iterdir()):
        archive.add(path, "dumps/" + path.name)
    def member(name, kind=tarfile.REGTYPE, link="", content=b""):
        info = tarfile.TarInfo(name)
        info.type, info.linkname, info.size = kind, link, len(content)
        archive.addfile(info, io.BytesIO(content))
    member("../outside.heap", content=b"heap_v2/1\n")
    member("/absolute.heap", content=b"heap_v2/1\n")
    member("dumps/demo.1.9.i9.heap", tarfile.SYMTYPE, "/etc/passwd")
    member("dumps/hard.heap", tarfile.LNKTYPE, "/etc/passwd")
    member("dumps/device.heap", tarfile.CHRTYPE)
    member("dumps/fifo.heap", tarfile.FIFOTYPE)
PYTHON
report "$scratch/hostile.tar" "$scratch/hostile.json"
check "links, devices and names that lead out: a report" status_is 0
check "links, devices and names that lead out: six left out, said" json_is "$scratch/hostile.json" '.data_quality[] | select(.code == "HR-016") | .count == 6'
jq -S 'del(.data_quality, .reproduce)' "$scratch/hostile.json" >"$scratch/got"
jq -S 'del(.data_quality, .reproduce)' "$scratch/directory.json" >"$scratch/wanted-inside"
check "links, devices and names that lead out: the rest counts" same "$scratch/wanted-inside" "$scratch/got"

head -c $(($(stat -c %s "$scratch/case.tar") * 2 / 3)) "$scratch/case.tar" >"$scratch/cut.tar"
report "$scratch/cut.tar" "$scratch/cut.json"
check "a cut archive: a report of what is there" status_is 0
check "a cut archive: said" json_is "$scratch/cut.json" '.data_quality | any(.code == "HR-017")'
first=$(find "$scratch/xz" -name 'demo.*.i1.heap.xz')
head -c $(($(stat -c %s "$first") / 2)) "$first" >"$first.half" && mv "$first.half" "$first"
report "$scratch/xz" "$scratch/cut.json"
check "a cut packed dump: a report" status_is 0
check "a cut packed dump: said" json_is "$scratch/cut.json" '.data_quality | any(.code == "HR-001" or .code == "HR-002")'

# 320 MiB of blanks in some 30 KB: stopped at the limit.
pid=$(ls "$dumps" | sed -n 's/^demo\.\([0-9]*\)\..*heap$/\1/p' | head -1)
bomb="$scratch/zstd/demo.$pid.900.i900.heap"
printf 'heap_v2/1\n  t*: 1: 1 [0: 0]\n@ 0x1\n  t*: 1: 1 [0: 0]\n' >"$bomb"
python3 -c 'import sys
for _ in range(320): sys.stdout.write(" " * 1048575 + "\n")' >>"$bomb"
cp -a "$dumps" "$scratch/bomb"
cp "$bomb" "$scratch/bomb/zzz.txt"
zstd -q --rm "$bomb"
report "$scratch/zstd" "$scratch/bomb.json"
check "a bomb among the dumps: a report" status_is 0
check "a bomb among the dumps: said" json_is "$scratch/bomb.json" '.data_quality | any(.code == "HR-015")'
check "a bomb among the dumps: not used" json_is "$scratch/bomb.json" '[.dumps[] | select(.used and .sequence == 900)] == []'
tar -C "$scratch/bomb" --zstd -cf "$scratch/bomb.tar.zst" --sort=name .
report "$scratch/bomb.tar.zst" "$scratch/bomb.json"
check "a bomb in the archive: a report without it" status_is 0
check "a bomb in the archive: said" json_is "$scratch/bomb.json" '.data_quality | any(.code == "HR-018")'
finish
