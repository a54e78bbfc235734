#!/bin/sh
# SPDX-License-Identifier: MIT
# From nothing to a report: installs what is missing, builds, runs a service that leaks for some
# seconds with a recorder beside it, and writes report.pdf and report.html from what they left.
#
#   sh tests/demo.sh [DIR]     DIR: where dumps and report go (build-demo/soak)
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
. "$root/tests/support/packages.sh"
build="$root/build-demo"
soak=${1:-$build/soak}
seconds=${DEMO_SECONDS:-12}
export XDG_CONFIG_DIRS=/nonexistent XDG_CONFIG_HOME=/nonexistent # no configuration file of who runs this

# shellcheck disable=SC2086
install_packages $BUILD_PACKAGES
[ -e "$build/build.ninja" ] || meson setup "$build" "$root" --buildtype=release -Ddebug=true >&2
ninja -C "$build" src/heapreport testdata/programs/demo-service >&2

rm -rf "$soak/dumps"
mkdir -p "$soak/dumps"
MALLOC_CONF="prof:true,prof_prefix:$soak/dumps/demo,lg_prof_sample:15,lg_prof_interval:22,prof_final:true" \
    "$build/testdata/programs/demo-service" --seconds "$seconds" --counters "$soak/counters.json" &
service=$!
# Its counters must be there for the first sample.
until [ -s "$soak/counters.json" ]; do sleep 0.05; done
"$build/src/heapreport" record --pid "$service" --dir "$soak/dumps" --every 250ms \
    --run "cat '$soak/counters.json'"
wait "$service"

"$build/src/heapreport" --dir "$soak/dumps" --binary "$build/testdata/programs/demo-service" \
    --title "Demo: a service that leaks" --label "service=demo-service" \
    -o "$soak/report.pdf" -o "$soak/report.html"
