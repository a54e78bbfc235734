#!/bin/sh
# SPDX-License-Identifier: MIT
# The configuration file: where it is looked for, what may stand in it, who has the last word, and
# that the report says what came from it.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
tar -xf "$case_tar" -C "$scratch"
dumps="$scratch/dumps"
conf="$scratch/shop.conf"

write() { printf '%s\n' "$@" >"$conf"; }
report() {
    out="$scratch/r.json"
    rm -f "$out"
    run "$heapreport" --dir "$dumps" -o "$out" "$@"
}

# refuse NAME SENTENCE LINE...: a file of these lines is a mistake, and the sentence says where.
refuse() {
    name=$1
    sentence=$2
    shift 2
    write "$@"
    report --config "$conf"
    check "$name: status 2" status_is 2
    check "$name: one line" one_error_line
    check "$name: said" err_has "$sentence"
    check "$name: nothing written" [ ! -e "$out" ]
}

write '# of the shop' '' 'paper = letter' '  title =  A "shop" of the  night ' 'top=3' 'full = true' 'label = service=shop' \
    'label = host=a7' 'threshold = floor_bytes=2MiB' '[record]' 'every = 10s' '[report]' 'limit = 2GiB'
report --config "$conf" --top 7 --label host=b8
check "values of the file: a report" status_is 0
check "paper" json_is "$out" '.presentation.paper == "letter"'
check "a value goes to the end of the line, blanks around it do not" json_is "$out" '.title == "A \"shop\" of the  night"'
check "a flag" json_is "$out" '.presentation.full'
check "the command line has the last word" json_is "$out" '.presentation.top == 7'
check "lists add up, pairs are told by their key" json_is "$out" '.labels == {host: "b8", service: "shop"}'
check "a threshold" json_is "$out" '[.thresholds[] | select(.changed)] | length == 1 and .[0].value == 2097152'
check "the result says what came from the file" json_is "$out" ".configuration == {file: \"$conf\", options: [\"--paper letter\",
    \"--title 'A \\\"shop\\\" of the  night'\", \"--full\", \"--label service=shop\", \"--threshold floor_bytes=2MiB\", \"--limit 2GiB\"]}"
jq -r .reproduce "$out" >"$scratch/again"
check "the command needs the file no more" grep -qF -- 'heapreport --config none --dir' "$scratch/again"
sed "s|^heapreport|\"$heapreport\"|; s|\$| -o \"$scratch/again.json\"|" "$scratch/again" >"$scratch/again.sh"
run sh "$scratch/again.sh"
jq 'del(.configuration, .reproduce)' "$out" >"$scratch/first"
jq 'del(.configuration, .reproduce)' "$scratch/again.json" >"$scratch/second"
check "the command gives the same result" same "$scratch/first" "$scratch/second"
run "$heapreport" render "$out" -o "$scratch/r.html"
tr '\n' ' ' <"$scratch/r.html" | sed 's/<[^>]*>//g' >"$scratch/words"
check "the report says what came from the file" grep -q "Set by the configuration file [^ ]*shop.conf: .*--label service=shop" "$scratch/words"
report --config "$conf" --redact paths
check "redaction replaces its path" json_is "$out" '.configuration.file | test("shop") | not'

mkdir -p "$scratch/user/heapreport" "$scratch/home/.config/heapreport" "$scratch/system/heapreport"
for place in user home/.config system; do
    printf 'title = from %s\n' "$place" >"$scratch/$place/heapreport/heapreport.conf"
done
titled() { json_is "$out" ".title == \"$1\""; }
rm -f "$out"
run env XDG_CONFIG_HOME="$scratch/user" HOME="$scratch/home" XDG_CONFIG_DIRS="/nonexistent:$scratch/system" \
    "$heapreport" --dir "$dumps" -o "$out"
check "XDG_CONFIG_HOME comes first" titled "from user"
run env -u XDG_CONFIG_HOME HOME="$scratch/home" XDG_CONFIG_DIRS="$scratch/system" "$heapreport" --dir "$dumps" -o "$out"
check "then ~/.config" titled "from home/.config"
run env XDG_CONFIG_HOME=relative HOME="$scratch/home" XDG_CONFIG_DIRS="$scratch/system" "$heapreport" --dir "$dumps" -o "$out"
check "a relative directory is ignored" titled "from home/.config"
run env -u XDG_CONFIG_HOME -u HOME XDG_CONFIG_DIRS="/nonexistent:$scratch/system" "$heapreport" --dir "$dumps" -o "$out"
check "without HOME, the system's" titled "from system"
run env -u XDG_CONFIG_HOME -u HOME "$heapreport" --dir "$dumps" -o "$out"
check "without any file: a report" json_is "$out" '.configuration == null'
for none in --config=none --config=; do
    run env XDG_CONFIG_HOME="$scratch/user" "$heapreport" --dir "$dumps" -o "$out" "$none"
    check "$none reads no file" json_is "$out" '.configuration == null and (.reproduce | contains("--config") | not)'
done
if [ "$(id -u)" -ne 0 ]; then
    chmod 0 "$scratch/home/.config"
    run env -u XDG_CONFIG_HOME HOME="$scratch/home" XDG_CONFIG_DIRS="$scratch/system" "$heapreport" --dir "$dumps" -o "$out"
    check "a HOME that is closed to us is none" titled "from system"
    chmod 700 "$scratch/home/.config"
else
    skip "a HOME that is closed to us is none" "root may read everything"
fi

refuse "unknown key" "shop.conf:2: unknown key \"papper\" in [report]; did you mean paper?" '# x' 'papper = a4'
refuse "key of another command" "shop.conf:1: unknown key \"conf\" in [report]" 'conf = prof:true'
refuse "unknown section" "shop.conf:1: [repport] is no command" '[repport]'
refuse "section without an end" "shop.conf:1: a section is such as [report]" '[report'
refuse "no key" "shop.conf:1: expected KEY = VALUE" 'paper a4'
refuse "no value" "shop.conf:1: paper needs a value: paper = SIZE" 'paper ='
refuse "bad size" "shop.conf:2: limit: " 'paper = a4' 'limit = much'
refuse "bad word" "shop.conf:3: paper: \"a3\" is neither a4 nor letter" '[report]' '' 'paper = a3'
refuse "bad flag" "shop.conf:1: full is true or false, not \"yes\"" 'full = yes'
refuse "no pair" "shop.conf:1: label: " 'label = shop'
refuse "twice" "shop.conf:2: paper stands in line 1 too" 'paper = a4' 'paper = letter'
refuse "value of a section that is not run" "shop.conf:2: every: " '[record]' 'every = often'
refuse "unknown threshold" "shop.conf:3: --threshold: no \"flor_bytes\"" 'threshold = floor_of_base_ratio=0.1' 'paper = a4' 'threshold = flor_bytes=1'
refuse "bad expression" "shop.conf:2: --focus: " 'paper = a4' 'focus = ('
refuse "base that is no dump" "shop.conf:2: --base: " 'top = 3' 'base = nonesuch.heap'
refuse "bad gate" "shop.conf:1: --fail-on: " 'fail-on = groth>1MiB'
write "evidence = $dumps" 'evidence = /nonexistent/b' 'paper = a4'
report --config "$conf"
check "of several values of one key the line of the wrong one" all_of "status_is 3" "one_error_line" "err_has shop.conf:2:"
write 'focus = x'
report --config "$conf" --focus '('
check "the command line's value in the file's place bears no line" all_of "status_is 2" "err_is_ours" "err_has --focus:"
check "the command line's value in the file's place: the file is not blamed" [ -z "$(grep shop.conf "$scratch/err")" ]
for key in help version config output dry-run pid since chart; do
    refuse "$key" "shop.conf:1: $key cannot stand in a configuration file" "$key = x"
done
printf "paper = a4\n\0" >"$conf"
report --config "$conf"
check "bytes that are no text: status 2" all_of "status_is 2" "err_has text"
report --config "$scratch/none.conf"
check "no such file: status 2" all_of "status_is 2" "err_has none.conf"
report --config "$scratch"
check "a directory: status 2" status_is 2
printf "papper = a4\n" >"$conf"
run "$heapreport" --config "$conf" --help
check "help works whatever the file says" status_is 0
write "paper = letter"
cp "$conf" "$scratch/before"
run "$heapreport" --dir "$dumps" --config "$conf" --format txt -o "$conf"
check "the file itself is no output" all_of "status_is 2" "same $conf $scratch/before"
finish
