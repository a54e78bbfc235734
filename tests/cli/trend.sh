#!/bin/sh
# SPDX-License-Identifier: MIT
# The nights of a history in one view, as text, CSV and JSON.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case"
tar -xf "$case_tar" -C "$scratch/case"
nights="$scratch/nights.jsonl"
run "$heapreport" --dir "$scratch/case/dumps" --binary "$scratch/case/demo-service" \
    --label service=demo --history "$nights" -o "$scratch/r.json"
check "a night is kept" status_is 0
function=$(jq -r '.suspects[0].function' "$scratch/r.json")

run "$heapreport" trend "$nights"
check "text: status 0" status_is 0
check "text: the service" out_has "demo"
check "text: the class" out_has "heap_growth"
check "text: the suspect" out_has "$function"
run "$heapreport" trend "$nights" -o "$scratch/t.csv" -o "$scratch/t.json" -o "$scratch/t.txt"
check "files: status 0" status_is 0
check "files: their paths" [ "$(wc -l <"$scratch/out")" -eq 3 ]
check "csv: a head and a night" [ "$(wc -l <"$scratch/t.csv")" -eq 2 ]
check "csv: the growth" grep -q "$(jq .totals.growth_bytes "$scratch/r.json")" "$scratch/t.csv"
check "json: the service and its suspect" json_is "$scratch/t.json" \
    '.schema == "heapreport-trend" and .services[0].service == "demo" and (.services[0].suspects | length) > 0'
run "$heapreport" trend "$nights" -o - --format csv
check "csv on standard output: the same" same "$scratch/out" "$scratch/t.csv"

echo 'no record' >>"$nights"
run "$heapreport" trend "$nights"
check "a broken line: the rest is shown" out_has "heap_growth"
check "a broken line: said" err_has "no record"
run "$heapreport" trend "$scratch/r.json"
check "a file that is no history: refused" status_is 3
check "a file that is no history: said" err_has "is no history"
cp "$nights" "$nights.jsonl.csv"
run "$heapreport" trend "$nights.jsonl.csv" -o "$nights.jsonl.csv"
check "over the history: status 2" status_is 2
check "over the history: it stays" same "$nights" "$nights.jsonl.csv"
run "$heapreport" trend "$nights" -o "$scratch/t.csv" -o "$scratch/./t.csv"
check "an output twice: status 2" status_is 2
run "$heapreport" trend "$nights" -o "$scratch/t.folded"
check "a format it has not: status 2" status_is 2
check "a format it has not: nothing written" [ ! -e "$scratch/t.folded" ]

# Documents of several services.
"$heapreport" -q --dir "$scratch/case/dumps" --binary "$scratch/case/demo-service" \
    --label 'service=<api>' --history "$scratch/two.jsonl" -o "$scratch/api.json" >/dev/null
sed -n 1p "$nights" >>"$scratch/two.jsonl"
sed 's/"final_time":"20[0-9]*/"final_time":"2020/; s/"run":"/"run":"old/' "$scratch/two.jsonl" >"$scratch/older"
cat "$scratch/older" >>"$scratch/two.jsonl"
run "$heapreport" trend "$scratch/two.jsonl" -o "$scratch/d.html" -o "$scratch/d.pdf" -o "$scratch/d.md" -o "$scratch/d.json"
check "documents: status 0" status_is 0
check "documents: two nights of each of two services" json_is "$scratch/d.json" \
    '[.services[] | .nights | length] == [2, 2] and [.services[].service] == ["<api>", "demo"]'
check "html: a section a service" [ "$(grep -c 'id="service-N[12]"' "$scratch/d.html")" -eq 2 ]
check "html: a chart a service" [ "$(grep -c 'data-chart="nights-N[12]"' "$scratch/d.html")" -eq 2 ]
check "html: a name is no markup" grep -q '&lt;api&gt;' "$scratch/d.html"
check "html: the suspect" grep -q "$function" "$scratch/d.html"
check "html: asks nobody" grep -q "default-src 'none'" "$scratch/d.html"
check "markdown: both services" [ "$(grep -c '^### ' "$scratch/d.md")" -eq 2 ]
pdfdetach -savefile trend.json -o "$scratch/attached.json" "$scratch/d.pdf"
check "pdf: carries the JSON form byte for byte" same "$scratch/attached.json" "$scratch/d.json"
run "$heapreport" trend "$scratch/two.jsonl" -o - --format html
check "the same bytes again, on standard output" same "$scratch/out" "$scratch/d.html"
if python3 -c 'import jsonschema' 2>/dev/null; then
    check "json: keeps to its schema" python3 -c 'import json, sys, jsonschema
jsonschema.validate(json.load(open(sys.argv[1])), json.load(open(sys.argv[2])))' \
        "$scratch/d.json" "$HEAPREPORT_DATA_DIR/docs/heapreport-trend.schema.json"
else
    skip "json: keeps to its schema" "python3-jsonschema is not installed"
fi
printf '<report rest="r"><section id="s"><heading>h</heading><p><value of="services_count"/></p></section></report>' >"$scratch/t.xml"
run "$heapreport" render "$scratch/r.json" --template "$scratch/t.xml" -o "$scratch/x.html"
check "a path of the other kind: file and line" all_of "status_is 3" "err_has t.xml:1:"
sed 's/<report /<report of="trend" /' "$scratch/t.xml" >"$scratch/u.xml"
run "$heapreport" render "$scratch/r.json" --template "$scratch/u.xml" -o "$scratch/x.html"
check "a template of the other kind: file and line" all_of "status_is 3" "err_has u.xml:1:"
run "$heapreport" trend "$scratch/nowhere.jsonl"
check "no such history: status 3" status_is 3
finish
