#!/bin/sh
# SPDX-License-Identifier: MIT
# run.sh BUILD WRITE-DOCUMENT: the HTML report in Chromium. The modules of package.json are expected in BUILD/browser
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
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
for sample in heap-growth hostile-names; do
    "$2" "$sample" html "$work/$sample.html"
    NODE_PATH=$modules node "$here/report.cjs" "$chromium" "$work/$sample.html" || status=1
done
exit $status
