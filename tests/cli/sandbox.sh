#!/bin/sh
# SPDX-License-Identifier: MIT
# The sandbox holds: somebody who takes the program over (tests/support/intruder.c) while it reads
# dumps, or while it writes reports, gets at nothing; without it the same attempts succeed; and a
# report is the same with it and without, but for the word that says what was in force.
heapreport=$(realpath "$1")
case_tar=$(realpath "$2")
intruder=$(realpath "$3")
built_with=$4
refuse=$(realpath "$(dirname "$0")/../support/refuse.py")
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case" "$scratch/out.d" "$scratch/plain" "$scratch/own" "$scratch/night"
tar -xf "$case_tar" -C "$scratch/case"
cd "$scratch/case" || exit 1
binary=demo-service
dump=$(ls dumps | grep '\.heap$' | head -1)
target=$scratch/out.d
plain=$scratch/plain
cp /bin/true "$scratch/own/tool"
echo secret >"$scratch/own/secret"
formats="json txt md html svg png csv prom"

landlock=false
seccomp=false
python3 "$refuse" has landlock && landlock=true
[ "$built_with" = seccomp ] && python3 "$refuse" has seccomp && seccomp=true
case "$landlock $seccomp" in
"true true") name=landlock+seccomp ;;
"true false") name=landlock ;;
"false true") name=seccomp ;;
*) name=none ;;
esac
python3 "$refuse" landlock true
refusing=$? # 77: not here

# attack COMMAND...: what the intruder could do is in $scratch/log.
attack() {
    echo victim >"$scratch/own/victim"
    : >"$scratch/log"
    run env LD_PRELOAD="$intruder" HR_INTRUDER_FD=9 HR_INTRUDER_DIR="$scratch/own" HR_INTRUDER_DUMP="$PWD/dumps/$dump" \
        "$@" 9>>"$scratch/log"
}
log_has() { grep -qxF "$1" "$scratch/log"; }
# each STAGE OUTCOME TITLE ATTEMPT...
each() {
    stage=$1
    outcome=$2
    title=$3
    shift 3
    for attempt in "$@"; do
        check "$title, $stage: $attempt is $outcome" log_has "$stage $attempt $outcome"
    done
}
file_attempts="read-passwd read-secret write create remove"
call_attempts="truncate chmod chown touch socket-inet socket-inet6 socket-unix fork exec signal ring"

# Without: the intruder can do all of it, so the attempts are real.
attack "$heapreport" -q --no-sandbox --dir dumps --binary "$binary" -o "$target/r.json"
check "no sandbox: a report" status_is 0
# shellcheck disable=SC2086
for stage in ingest render; do
    each "$stage" done "no sandbox" $file_attempts read-dump truncate chmod chown touch socket-unix fork exec signal
    each "$stage" refused "no sandbox" helper
done
check "no sandbox: said" json_is "$target/r.json" '.tool.sandbox == "none"'

# With it.
attack "$heapreport" -q --dir dumps --binary "$binary" -o "$target/r.json"
check "sandbox: a report in spite of the intruder" status_is 0
check "sandbox: $name is said" json_is "$target/r.json" ".tool.sandbox == \"$name\""
# shellcheck disable=SC2086
if $landlock; then
    for stage in ingest render; do each "$stage" refused sandbox $file_attempts; done
    each ingest done sandbox read-dump
    each render refused sandbox read-dump
    each ingest done sandbox helper helper-program
    each ingest refused sandbox helper-secret helper-passwd helper-server helper-nonsense
    each render refused sandbox helper
else
    skip "sandbox: files" "no Landlock here"
fi
# shellcheck disable=SC2086
if $seccomp; then
    for stage in ingest render; do each "$stage" refused sandbox $call_attempts; done
else
    skip "sandbox: calls" "no seccomp here"
fi
cp "$target/r.json" "$scratch/result.json"
for verb in render trend; do
    case $verb in
    render) set -- render "$scratch/result.json" -o "$target/n.html" ;;
    trend)
        "$heapreport" -q --dir dumps --history "$scratch/night/h.jsonl" -o "$target/h.json" >/dev/null 2>&1
        set -- trend "$scratch/night/h.jsonl" -o "$target/n.html"
        ;;
    esac
    attack "$heapreport" "$@"
    check "$verb: written in spite of the intruder" status_is 0
    # shellcheck disable=SC2086
    $landlock && each render refused "$verb" $file_attempts read-dump helper
    # shellcheck disable=SC2086
    $seccomp && each render refused "$verb" $call_attempts
done

# The same bytes but for the word.
with_formats() { # DIR COMMAND...
    into=$1
    shift
    for format in $formats; do set -- "$@" -o "$into/r.$format"; done
    run "$@"
}
neutral() { sed "s/landlock+seccomp\|landlock\|seccomp/none/g" "$1"; }
same_but_for_name() {
    [ -s "$1" ] || return 1
    neutral "$1" >"$scratch/left"
    neutral "$2" >"$scratch/right"
    same "$scratch/left" "$scratch/right"
}
rm -rf "$target" && mkdir "$target"
with_formats "$target" "$heapreport" -q --dir dumps --binary "$binary" -o "$target/charts/"
check "in every format: a report" status_is 0
with_formats "$plain" "$heapreport" -q --no-sandbox --dir dumps --binary "$binary" -o "$plain/charts/"
check "in every format, no sandbox: a report" status_is 0
for format in $formats; do
    check "$format: the same bytes" same_but_for_name "$target/r.$format" "$plain/r.$format"
done
check "a directory of charts: the same" diff -r "$target/charts" "$plain/charts"
check "a directory of charts: is not empty" [ -s "$target/charts/timeline.svg" ]
with_formats "$plain" "$heapreport" render "$target/r.json"
for format in txt md html svg png; do
    check "render: the same bytes: $format" same "$target/r.$format" "$plain/r.$format"
done
check "the report says it" grep -qF "$name" "$target/r.html"

# same_runs TITLE ARGUMENT...: status, messages and result are the same with and without.
same_runs() {
    title=$1
    shift
    run "$heapreport" "$@" -o "$target/one.json"
    mv "$scratch/err" "$scratch/err.with"
    with=$status
    run "$heapreport" --no-sandbox "$@" -o "$plain/one.json"
    check "$title: the same status" [ "$with" -eq "$status" ]
    sed "s|$plain|$target|g" "$scratch/err" >"$scratch/err.without"
    check "$title: the same messages" same "$scratch/err.with" "$scratch/err.without"
    if [ "$status" -eq 0 ]; then
        check "$title: the same result" same_but_for_name "$target/one.json" "$plain/one.json"
    fi
    rm -f "$target/one.json" "$plain/one.json"
}
mkdir "$scratch/links" "$scratch/none" "$scratch/debug"
for file in dumps/*; do ln -s "$PWD/$file" "$scratch/links/"; done
ln -s "$PWD/$binary" "$scratch/program"
tar -cf "$scratch/dumps.tar" dumps
same_runs "dumps behind links" --dir "$scratch/links" --binary "$scratch/program"
same_runs "an archive" --dir "$scratch/dumps.tar" --binary "$binary"
same_runs "no dumps" --dir "$scratch/none" --binary "$binary"
same_runs "no such process" --dir dumps --pid 1
same_runs "a binary that is none" --dir dumps --binary "$scratch/own/secret"
same_runs "a binary that is not there" --dir dumps --binary "$scratch/nowhere"
same_runs "a base of another run" --dir dumps --base "$scratch/links/$dump"
same_runs "dumps that nobody may read" --dir /root/nowhere
same_runs "evidence elsewhere" --dir dumps --evidence "$scratch/links"
same_runs "debug files and a root" --dir dumps --debug-dir "$scratch/debug" --root "$scratch/none"
same_runs "gates and history" --dir dumps --fail-on 'growth>1GiB' --history "$scratch/night/fresh.jsonl"
run "$heapreport" --dir dumps --binary "$binary" --dry-run
check "--dry-run: status 0" status_is 0
check "--dry-run: the choice" out_has "$dump"
run "$heapreport" --dir dumps -o "$target/none/" -o "$target/nowhere/r.json"
check "a directory that stays empty goes" [ ! -e "$target/none" ]

# A data directory of links, as a whole, by directory and file by file.
data=${HEAPREPORT_DATA_DIR:?}
mkdir -p "$scratch/by-directory" "$scratch/by-file/fonts"
ln -s "$data" "$scratch/as-whole"
ln -s "$data/templates" "$data/fonts" "$scratch/by-directory/"
for file in "$data"/fonts/*; do ln -s "$file" "$scratch/by-file/fonts/"; done
(cd "$data" && find templates -type d) | while read -r part; do
    mkdir -p "$scratch/by-file/$part"
    for file in "$data/$part"/*; do [ ! -f "$file" ] || ln -s "$file" "$scratch/by-file/$part/"; done
done
for way in as-whole by-directory by-file; do
    run env HEAPREPORT_DATA_DIR="$scratch/$way" "$heapreport" -q --dir dumps --binary "$binary" -o "$target/one.json" -o "$target/one.html"
    check "a data directory of links, $way: a report" status_is 0
    check "a data directory of links, $way: $name is said" json_is "$target/one.json" ".tool.sandbox == \"$name\""
    check "a data directory of links, $way: the same page" same "$target/one.html" "$target/r.html"
    rm -f "$target"/one.*
done

# A template of one's own, and what it includes.
cp -r "$data/templates" "$scratch/layout"
echo '<template/>' >"$scratch/outside.xml"
run "$heapreport" -q --dir dumps --binary "$binary" --template "$scratch/layout/report.xml" -o "$target/one.json" -o "$target/one.html"
check "a template that includes: a report" status_is 0
check "a template that includes: $name is said" json_is "$target/one.json" ".tool.sandbox == \"$name\""
run "$heapreport" render -q "$target/one.json" -o "$target/two.html"
check "a template that includes, from the result: a report" status_is 0
check "a template that includes, from the result: the same page" same "$target/one.html" "$target/two.html"
sed 's|file="report/names.xml"|file="../outside.xml"|' "$scratch/layout/report.xml" >"$scratch/layout/leads-out.xml"
run "$heapreport" -q --dir dumps --template "$scratch/layout/leads-out.xml" -o "$target/three.html"
$landlock && check "a template that leads out: refused" status_is 3
$landlock && check "a template that leads out: the file is named" err_has outside.xml
rm -f "$target"/one.* "$target"/two.* "$target"/three.*

# debuginfod is asked by the helper.
mkdir "$scratch/bin"
cat >"$scratch/bin/debuginfod-find" <<END
#!/bin/sh
echo "\$@" >>"$scratch/asked"
exit 1
END
chmod +x "$scratch/bin/debuginfod-find"
run env PATH="$scratch/bin:$PATH" DEBUGINFOD_URLS=http://127.0.0.1:1 "$heapreport" -q --debuginfod --dir dumps -o "$target/r.json"
check "debuginfod: a report" status_is 0
if [ -s "$scratch/asked" ]; then
    check "debuginfod: the client was asked" grep -q '^debuginfo [0-9a-f]*$' "$scratch/asked"
else
    skip "debuginfod: the client was asked" "no library of the dumps is on this machine"
fi

# Kernels without: a report all the same, which says so.
for case in landlock:seccomp seccomp:landlock both:none; do
    lacking=${case%:*}
    left=${case#*:}
    [ "$left" = landlock ] && ! $landlock && left=none
    [ "$left" = seccomp ] && ! $seccomp && left=none
    if [ "$refusing" -ne 0 ]; then
        skip "without $lacking" "calls cannot be refused here"
        continue
    fi
    run python3 "$refuse" "$lacking" "$heapreport" -q --dir dumps --binary "$binary" -o "$target/r.json" -o "$target/r.svg"
    check "without $lacking: a report" status_is 0
    check "without $lacking: $left is said" json_is "$target/r.json" ".tool.sandbox == \"$left\""
    check "without $lacking: the same result" same_but_for_name "$target/r.json" "$plain/r.json"
done
finish
