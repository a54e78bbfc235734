#!/bin/sh
# SPDX-License-Identifier: MIT
# A night beside the ones before it, in the documents: the last 14 nights, who is new, known or gone, and
# a drift too slow for one night.
heapreport=$(realpath "$1")
case_tar=$2
. "$(dirname "$0")/../support/tap.sh"
mkdir "$scratch/case"
tar -xf "$case_tar" -C "$scratch/case"
# 20 nights of a slow drift: each 40 KiB, far within the error of one night.
python3 - "$scratch/nights.jsonl" <<'END'
import json, sys
with open(sys.argv[1], "w") as out:
    for day in range(1, 21):
        growth = 40960 + 512 * (day % 5)
        gone = [{"fingerprint": "0123456789ab", "function": "mended::since", "growth_bytes": 9437184, "significant": True}]
        out.write(json.dumps({"schema": "heapreport-history", "version": 1, "service": "demo", "run": f"demo/{day}",
                              "final_time": f"2020-01-{day:02}T06:00:00Z", "class": "no_growth", "base_bytes": 10485760,
                              "final_bytes": 10485760 + growth, "growth_bytes": growth, "growth_bytes_low": growth - 900000,
                              "growth_bytes_high": growth + 900000, "significant": False, "rate_bytes_per_hour": growth // 8,
                              "suspects_count": 1, "new_count": 0, "suspects": gone}) + "\n")
END
run "$heapreport" trend "$scratch/nights.jsonl"
check "the drift shows in no night, and in all of them" out_has "The heap grew in 14 of the last 14 nights"
check "every night is listed" [ "$(grep -c '^ *2020-01-' "$scratch/out")" -eq 20 ]

run "$heapreport" -q --dir "$scratch/case/dumps" --binary "$scratch/case/demo-service" --label service=demo \
    --history "$scratch/nights.jsonl" -o "$scratch/r.json" -o "$scratch/r.html" -o "$scratch/r.pdf" -o "$scratch/r.txt"
check "a report with a history: status 0" status_is 0
check "14 nights, this one the last" json_is "$scratch/r.json" \
    '(.history | length) == 14 and .history[0].final_time == "2020-01-08T06:00:00Z"'
check "it tells new, known and gone apart" json_is "$scratch/r.json" \
    '.history[13] | .new_count > 0 and .known_count == 0 and .grown_count == 0 and .gone_count == 1'
check "what earlier versions did not count is unknown" json_is "$scratch/r.json" '.history[0].known_count == null'
check "the record keeps the counts" json_is "$scratch/r.json" '.gone[0].function == "mended::since"'
check "page 1 says who is gone" grep -q 'Gone since the night before: mended::since' "$scratch/r.txt"
check "HTML: a row a night" [ "$(sed -n '/<table[^>]*id="history"/,/<\/table>/p' "$scratch/r.html" | grep -c '<tr><th scope="row"')" -eq 14 ]
check "HTML: the chart of the nights" grep -q 'data-chart="nights"' "$scratch/r.html"
pdftotext -layout "$scratch/r.pdf" "$scratch/pdf.txt"
check "PDF: the nights" grep -q 'Growth of each night' "$scratch/pdf.txt"
check "PDF: who is gone" grep -q 'mended::since' "$scratch/pdf.txt"

jq '.drift = [{"suspect": null, "function": null, "nights_count": 14, "positive_count": 14, "growth_bytes": 41984,
    "text": "The heap grew in 14 of the last 14 nights."}]' "$scratch/r.json" >"$scratch/drift.json"
run "$heapreport" render "$scratch/drift.json" -q -o "$scratch/drift.txt" -o "$scratch/drift.md" -o "$scratch/drift.html"
for format in txt md html; do
    check "a drift is said in $format" grep -q 'The heap grew in 14 of the last 14 nights' "$scratch/drift.$format"
done
jq 'del(.history[].known_count, .history[].gone_count, .history[].final_bytes)' "$scratch/r.json" >"$scratch/old.json"
run "$heapreport" render "$scratch/old.json" -q -o "$scratch/old.html"
check "a result without the newer counts is still rendered" status_is 0
finish
