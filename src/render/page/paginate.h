// SPDX-License-Identifier: MIT
// Strips onto pages: pure arithmetic over heights and wishes, so that page breaks can be tested as
// text. Keeps what wants to stay together, repeats table heads, begins pages where asked.
#pragma once

#include "render/page/strips.h"

struct hr_placement {
    guint strip;
    double y;      // from the top of the column
    bool repeated; // a table head said again: decoration, no content
};

struct hr_page {
    guint first, count; // placements
};

struct hr_pages {
    GArray *placements;
    GArray *pages;
};

// Places all strips on pages whose column is `height` points high. A strip higher than a page has a
// page of its own and runs over its end.
struct hr_pages *hr_pages_new(const struct hr_strips *strips, double height);
void hr_pages_free(struct hr_pages *pages);
HR_DEFINE_AUTO(hr_pages, hr_pages_free)

const struct hr_page *hr_pages_get(const struct hr_pages *pages, guint i);
const struct hr_placement *hr_pages_get_placement(const struct hr_pages *pages, guint i);

// One box a line under its page, for golden tests.
void hr_pages_append_text(const struct hr_pages *pages, const struct hr_strips *strips,
                          GString *out);
