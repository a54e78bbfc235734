// SPDX-License-Identifier: MIT
// Escaping for HTML: every name and number goes through here.
#include "base/format.h"
#include "document/value.h"
#include "render/html.h"
#include "render/printable.h"

#include <string.h>

static void append_escaped(GString *out, const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        switch (text[i]) {
        case '&':
            g_string_append(out, "&amp;");
            break;
        case '<':
            g_string_append(out, "&lt;");
            break;
        case '>':
            g_string_append(out, "&gt;");
            break;
        case '"':
            g_string_append(out, "&quot;");
            break;
        case '\'':
            g_string_append(out, "&#39;");
            break;
        default:
            g_string_append_c(out, text[i]);
        }
    }
}

void hr_html_append_text(GString *out, const char *text)
{
    g_autofree char *printable = hr_printable(text);
    append_escaped(out, printable, strlen(printable));
}

void hr_html_append_prose(GString *out, const char *text)
{
    g_autofree char *printable = hr_printable(text);
    const char *from = printable;
    for (const char *p = printable; (p = strchr(p, ' ')); p++) {
        if (hr_format_is_unit_gap(printable, p)) {
            append_escaped(out, from, (size_t)(p - from));
            g_string_append(out, "&nbsp;");
            from = p + 1;
        }
    }
    append_escaped(out, from, strlen(from));
}

// A break is welcome behind "::", "<", "," and "/".
static bool is_joint(const char *start, const char *p)
{
    if (strchr("<,/", *p)) {
        return p[1] != '\0';
    }
    return *p == ':' && p > start && p[-1] == ':' && p[1] != '\0';
}

void hr_html_append_symbol(GString *out, const char *text)
{
    g_autofree char *printable = hr_printable(text);
    g_string_append(out, "<code>");
    for (const char *p = printable; *p; p++) {
        append_escaped(out, p, 1);
        if (is_joint(printable, p)) {
            g_string_append(out, "<wbr>");
        }
    }
    g_string_append(out, "</code>");
}

void hr_html_append_attribute(GString *out, const char *name, const char *value)
{
    if (value) {
        g_string_append_printf(out, " %s=\"", name);
        hr_html_append_text(out, value);
        g_string_append_c(out, '"');
    }
}

// "+96 MiB (85 to 107)": the interval is set smaller than its number.
static void append_number(GString *out, const struct hr_value *value)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hr_value_append(text, value);
    const char *interval = strstr(text->str, " (");
    size_t length = interval ? (size_t)(interval - text->str) : text->len;
    g_string_append(out, "<span class=\"num\">");
    append_escaped(out, text->str, length);
    g_string_append(out, "</span>");
    if (interval) {
        g_string_append(out, " <span class=\"interval\">");
        append_escaped(out, interval + 1, strlen(interval + 1));
        g_string_append(out, "</span>");
    }
}

void hr_html_append_value(GString *out, const struct hr_value *value)
{
    g_autoptr(GString) text = g_string_new(NULL);
    switch (value->kind) {
    case HR_VALUE_NUMBER:
        append_number(out, value);
        break;
    case HR_VALUE_SYMBOL:
        hr_html_append_symbol(out, value->text);
        break;
    case HR_VALUE_TIME:
        g_string_append(out, "<time");
        hr_html_append_attribute(out, "datetime", value->text);
        g_string_append_c(out, '>');
        hr_value_append(text, value);
        hr_html_append_text(out, text->str);
        g_string_append(out, "</time>");
        break;
    case HR_VALUE_NULL:
    case HR_VALUE_TEXT:
    case HR_VALUE_BOOLEAN:
        hr_value_append(text, value);
        hr_html_append_prose(out, text->str);
        break;
    }
}

// The number at the end of "suspect-S3" names its colour.
static const char *suspect_colour(const char *target)
{
    static const char *const colours[] = {"s1", "s2", "s3", "s4", "s5", "s6", "s7"};
    const char *digits = target + strlen(target);
    while (digits > target && g_ascii_isdigit(digits[-1])) {
        digits--;
    }
    guint64 number = g_ascii_strtoull(digits, NULL, 10);
    return number >= 1 && number <= G_N_ELEMENTS(colours) ? colours[number - 1] : "s0";
}

void hr_html_begin_link(struct hr_html *html, const char *target)
{
    const char *role = g_hash_table_lookup(html->roles, target);
    g_string_append(html->out, "<a href=\"#");
    hr_html_append_text(html->out, target);
    g_string_append_c(html->out, '"');
    if (g_strcmp0(role, "suspect") == 0) {
        g_string_append_printf(html->out, " class=\"chip %s\"", suspect_colour(target));
        hr_html_append_attribute(html->out, "data-suspect", target);
    }
    g_string_append_c(html->out, '>');
}
