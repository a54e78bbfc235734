// SPDX-License-Identifier: MIT
// Comma-separated values (RFC 4180) for all tables that leave as files: cells are separated, quoted
// where they must be, and never run by a spreadsheet. What stands in a table is its writer's
// matter.
#pragma once

#include <glib.h>

// The table that grows in `out`; start with .cells_count = 0.
struct hr_csv {
    GString *out;
    unsigned cells_count; // of the row that is open
};

// Adds a cell of text; NULL is an empty cell. A text that a spreadsheet would run as a formula gets
// an apostrophe in front.
void hr_csv_add_text(struct hr_csv *csv, const char *text);

// Adds a cell of a number, whole ones up to 2^53 with all their digits, others with at most 15; free
// of the locale; NAN is an empty cell.
void hr_csv_add_number(struct hr_csv *csv, double number);

void hr_csv_end_row(struct hr_csv *csv);

// Adds `names` as a row, the first that is NULL ends it.
void hr_csv_add_head(struct hr_csv *csv, const char *const *names);
