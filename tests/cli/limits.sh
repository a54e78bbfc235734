#!/bin/sh
# SPDX-License-Identifier: MIT
# Each limit that --max can raise (src/model/limits.def): reached, it is told with its value and the
# option, and the rest is used; raised, nothing is told and all is used.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case"
tar -xf "$case_tar" -C "$scratch/case"
dumps="$scratch/case/dumps"
binary="$scratch/case/demo-service"
out="$scratch/r.json"
report() {
    rm -f "$out"
    run timeout 60 "$heapreport" -q --binary "$binary" -o "$out" "$@"
}
told() { json_is "$out" ".data_quality | any(.code == \"$1\" and (.text | contains(\"$2\")) and (.remedy | contains(\"--max\")))"; }
untold() { json_is "$out" ".data_quality | all(.code != \"$1\")"; }
reproduced() { json_is "$out" ".reproduce | contains(\"--max $1\")"; }

says_nothing_of() { ! err_has "$1"; }

# limit NAME CODE SMALL SHOWN LARGE DIR: reached with SMALL, which is told as SHOWN; not with LARGE.
limit() {
    report --dir "$6" --max "$1=$3"
    check "$1=$3: a report" status_is 0
    check "$1=$3: told as $2, with its value and the option" told "$2" "$4"
    check "$1=$3: stated in the report" reproduced "$1=$3"
    report --dir "$6" --max "$1=$5"
    check "$1=$5: a report" status_is 0
    check "$1=$5: nothing is told" untold "$2"
    report --dir "$6"
    check "$1 unsaid: nothing is told" untold "$2"
}
tar -C "$scratch/case" -cf "$scratch/case.tar" dumps
tar -C "$scratch/case" -czf "$scratch/case.tgz" dumps
limit archive_bytes HR-018 40KiB "40 KiB" 64MiB "$scratch/case.tar"
limit archive_members_count HR-018 5 "5 members" 500 "$scratch/case.tgz"
limit evidence_file_bytes HR-037 1KiB "1 KiB" 64MiB "$dumps"
report --dir "$dumps" --max evidence_file_bytes=1KiB
check "evidence_file_bytes: the file is not used" json_is "$out" '.series.evidence == []'
limit map_bytes HR-038 200 "200 B" 1MiB "$dumps"

# 320 MiB of blanks in some 30 KB are more than a thousand times; one who means it may.
pid=$(ls "$dumps" | sed -n 's/^demo\.\([0-9]*\)\..*heap$/\1/p' | head -1)
bomb="$dumps/demo.$pid.900.i900.heap"
{
    printf 'heap_v2/1\n  t*: 1: 1 [0: 0]\n@ 0x1\n  t*: 1: 1 [0: 0]\n'
    python3 -c 'import sys
for _ in range(320): sys.stdout.write(" " * 1048575 + "\n")'
} | zstd -q >"$bomb"
report --dir "$dumps"
check "unpacked_times unsaid: told as HR-015, with its value and the option" told HR-015 "1000 times"
check "unpacked_times unsaid: not used" json_is "$out" '[.dumps[] | select(.used and .sequence == 900)] == []'
report --dir "$dumps" --max unpacked_times=1000000
check "unpacked_times=1000000: nothing is told" untold HR-015
check "unpacked_times=1000000: stated in the report" reproduced unpacked_times=1000000
report --dir "$dumps" --max unpacked_times=7
check "unpacked_times=7: told as HR-015, with its value and the option" told HR-015 "7 times"
rm "$bomb"

# What an archive holds beside files counts as well: a member whose name leads out, and directories without end.
hollow() {
    python3 - "$1" "$dumps" <<'EOF' | zstd -q >"$scratch/$1.tar.zst"
import pathlib, sys, tarfile
out = sys.stdout.buffer
mebibytes = 320
if sys.argv[1] == "leads-out":
    entry = tarfile.TarInfo("../zeros")
    entry.size = mebibytes << 20
    out.write(entry.tobuf(tarfile.GNU_FORMAT))
    block = bytes(1 << 20)
else:
    entry = tarfile.TarInfo("directory")
    entry.type = tarfile.DIRTYPE
    block = entry.tobuf(tarfile.GNU_FORMAT) * 2048
for _ in range(mebibytes):
    out.write(block)
out.flush()
with tarfile.open(fileobj=out, mode="w|") as archive:
    for path in sorted(pathlib.Path(sys.argv[2]).iterdir()):
        archive.add(path, path.name)
EOF
}
for kind in leads-out directories; do
    hollow "$kind"
    report --dir "$scratch/$kind.tar.zst"
    check "an archive of $kind: refused" status_is 3
    check "an archive of $kind: the limit is told, and the option" all_of "err_has 1000" "err_has unpacked_times=N"
    check "an archive of $kind: nothing is said of where a program should write" says_nothing_of "is no directory"
    report --dir "$scratch/$kind.tar.zst" --max unpacked_times=1000000
    check "an archive of $kind: read by one who means it" json_is "$out" '.run.dumps_used_count > 10'
    rm "$scratch/$kind.tar.zst"
done

# What is no limit, and no value of one.
for wrong in "frames_count=1:there are archive_bytes" "map_bytes=0:map_bytes" "map_bytes=lots:no size" "archive_members_count=0:archive_members_count" \
    "archive_members_count=1KiB:archive_members_count" "map_bytes=1TiB:bytes" "map_bytes:KEY=VALUE"; do
    report --dir "$dumps" --max "${wrong%%:*}"
    check "--max ${wrong%%:*}: usage" status_is 2
    check "--max ${wrong%%:*}: said" all_of one_error_line "err_has ${wrong##*:}"
done
report --dir "$dumps" --max archive_bytes=1PiB --max evidence_file_bytes=1TiB --max map_bytes=4GiB
check "the most that is stated can be said as it is stated" status_is 0
report --dir "$dumps" --max map_bytes=200 --max map_bytes=1MiB
check "--max twice: the last one holds" untold HR-038
sed -n 's/^HR_LIMIT(\([a-z_]*\),.*/\1/p' "$(dirname "$0")/../../src/model/limits.def" >"$scratch/keys"
check "there are limits" [ -s "$scratch/keys" ]
while read -r key; do
    check "the manual page names $key" grep -q "^\.It Li $key" "$(dirname "$0")/../../docs/heapreport.1"
    check "docs/robustness.md names $key" grep -qF "\`$key\`" "$(dirname "$0")/../../docs/robustness.md"
done <"$scratch/keys"
finish
