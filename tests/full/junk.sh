#!/bin/sh
# SPDX-License-Identifier: MIT
# 100,000 other files beside the dumps.
root=$(cd "$(dirname "$0")/../.." && pwd)
HEAPREPORT_DATA_DIR=$root exec python3 "$root/tests/cli/junk.py" "$root/build-check/src/heapreport" \
    "$root/testdata/cases/leak/leak.tar.xz" 100000
