#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD WRITE-DOCUMENT HEAPREPORT CASE-TAR: the HTML report, and that of some nights, in Chromium. The modules of package.json are expected in BUILD/browser
# (npm install --install-links --no-save --prefix BUILD/browser ./tests/browser) or where NODE_PATH says; without them, or without node
# or chromium, the test is skipped and says so.
set -eu
here=$(dirname "$0")
modules=${NODE_PATH:-$1/browser/node_modules}
skip() {
    echo "1..0 # SKIP $1"
    exit 77
}
command -v node >/dev/null || skip "node is not installed"
chromium=$(command -v chromium || command -v chromium-browser || command -v google-chrome) ||
    skip "chromium is not installed"
[ -d "$modules/puppeteer-core" ] && [ -d "$modules/axe-core" ] || skip "no puppeteer-core and axe-core in $modules"
# No configuration of who runs this; not for the browser, which makes the directory that it is told.
report() { XDG_CONFIG_HOME=/nonexistent XDG_CONFIG_DIRS=/nonexistent "$program" "$@" >/dev/null; }
program=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
for sample in heap-growth hostile-names; do
    "$2" "$sample" html "$work/$sample.html"
    NODE_PATH=$modules node "$here/report.cjs" "$chromium" "$work/$sample.html" || status=1
done
# two nights of a service, the first of them a year earlier
mkdir "$work/case"
tar -xf "$4" -C "$work/case"
report -q --dir "$work/case/dumps" --binary "$work/case/demo-service" --label service=demo --history "$work/last.jsonl" \
    -o "$work/r.json"
sed 's/"final_time":"20[0-9]*/"final_time":"2020/; s/"run":"/"run":"old/' "$work/last.jsonl" >"$work/nights.jsonl"
cat "$work/last.jsonl" >>"$work/nights.jsonl"
report trend "$work/nights.jsonl" -o "$work/trend.html" || status=1
NODE_PATH=$modules node "$here/report.cjs" "$chromium" "$work/trend.html" trend || status=1
exit $status
