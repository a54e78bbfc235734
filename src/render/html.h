// SPDX-License-Identifier: MIT
// The inside of the HTML backend, shared by its files: the only place where HTML is escaped.
#pragma once

#include "render/render.h"

#include <glib.h>

struct hr_html {
    GString *out;
    struct hr_renderer *renderer;
    const struct hr_document *document;
    GHashTable *roles; // anchor -> role of its section
    GString *charts;   // JSON of the charts' numbers, for the script
    unsigned regions_count;
};

// Appends text content, or an attribute's value: printable, and nothing of it is markup.
void hr_html_append_text(GString *out, const char *text);

// Appends a sentence: as text, but no line breaks between a number and its unit.
void hr_html_append_prose(GString *out, const char *text);

// Appends a symbol as <code>, with places to break behind :: < , and /.
void hr_html_append_symbol(GString *out, const char *text);

// Appends a value: number and interval apart, times as <time>, symbols as code.
void hr_html_append_value(GString *out, const struct hr_value *value);

// Writes a stack, its long runs of foreign frames folded.
void hr_html_write_stack(struct hr_html *html, const struct hr_stack_listing *stack);

// Appends " name=\"value\"", escaped; nothing when the value is NULL.
void hr_html_append_attribute(GString *out, const char *name, const char *value);

// Appends <a href="#target">, with the suspect it leads to where it leads to one.
void hr_html_begin_link(struct hr_html *html, const char *target);

void hr_html_write_table(struct hr_html *html, const struct hr_node *node);
bool hr_html_write_chart(struct hr_html *html, const struct hr_node *node, GError **error);
