// SPDX-License-Identifier: MIT
// The numbers behind a chart as CSV (RFC 4180): raw values in bytes, seconds or dumps, nothing
// thinned and nothing rounded for looks.
#pragma once

#include "document/node.h"

#include <glib.h>

// Appends a head line and one line a point, bar or frame. Unknown numbers are empty. A text that a
// spreadsheet would take for a formula starts with an apostrophe.
void hr_chart_append_csv(const struct hr_chart *chart, GString *out);
