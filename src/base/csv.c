// SPDX-License-Identifier: MIT
#include "base/csv.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

#define WHOLE_MAX 0x1p53 // every whole number up to it is a double

static void begin_cell(struct hr_csv *csv)
{
    g_string_append(csv->out, csv->cells_count++ > 0 ? "," : "");
}

// Spreadsheets read these as the start of a formula, and look behind blanks for one.
static bool looks_like_formula(const char *text)
{
    text += strspn(text, " \t\r\n");
    return *text != '\0' && strchr("=+-@", *text) != NULL;
}

static bool needs_quotes(const char *text)
{
    const size_t length = strlen(text);
    return strpbrk(text, ",\"\r\n\t") || *text == ' ' || (length > 0 && text[length - 1] == ' ');
}

void hr_csv_add_text(struct hr_csv *csv, const char *text)
{
    begin_cell(csv);
    if (!text) {
        return;
    }
    const bool is_formula = looks_like_formula(text);
    if (!is_formula && !needs_quotes(text)) {
        g_string_append(csv->out, text);
        return;
    }
    g_string_append(csv->out, is_formula ? "\"'" : "\"");
    for (; *text; text++) {
        g_string_append(csv->out, *text == '"' ? "\"" : "");
        g_string_append_c(csv->out, *text);
    }
    g_string_append_c(csv->out, '"');
}

// Whole numbers are sums of bytes and counts, which are to be found again digit by digit.
static bool is_exact(double number)
{
    return trunc(number) == number && fabs(number) <= WHOLE_MAX;
}

void hr_csv_add_number(struct hr_csv *csv, double number)
{
    begin_cell(csv);
    if (!isnan(number)) {
        char buffer[G_ASCII_DTOSTR_BUF_SIZE];
        const char *format = is_exact(number) ? "%.0f" : "%.15g";
        g_string_append(csv->out, g_ascii_formatd(buffer, sizeof buffer, format, number));
    }
}

void hr_csv_end_row(struct hr_csv *csv)
{
    g_string_append(csv->out, "\r\n");
    csv->cells_count = 0;
}

void hr_csv_add_head(struct hr_csv *csv, const char *const *names)
{
    for (; *names; names++) {
        hr_csv_add_text(csv, *names);
    }
    hr_csv_end_row(csv);
}
