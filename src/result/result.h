// SPDX-License-Identifier: MIT
// The door of result: findings become the one JSON tree from which every document is rendered
// (docs/result.md), with all its sentences filled in. Knows nothing of pages.
#pragma once

#include "analysis/findings.h"
#include "base/diagnostics.h"
#include "base/error.h"
#include "result/text.h"

#include <jansson.h>

#define HR_RESULT_SCHEMA "heapreport-result"
#define HR_RESULT_MAX_BYTES (4 * 1024 * 1024)

struct hr_label {
    const char *key;
    const char *value;
};

// What the command line adds to the findings.
struct hr_result_context {
    const char *title; // NULL: a default
    const struct hr_label *labels;
    size_t labels_count;
    double generated_time_s; // NAN: SOURCE_DATE_EPOCH or the newest input
    const char *paper;       // "a4" or "letter"
    bool full;
    int top;                        // -1: default
    const char *template_name;      // NULL: the default
    const char *reproduce;          // the canonical command
    const char *const *filters;     // --focus, --ignore... as given, NULL-terminated, or NULL
    const char *configuration_file; // NULL: none was read
    const char *sandbox;            // what was in force, "none" or NULL: nothing
    const char *const *configured;  // what it set, as it would be given, NULL-terminated
};

// Composes the tree. The caller owns the reference. Cannot fail: what is unknown is null.
json_t *hr_result_compose(const struct hr_run *run, const struct hr_symbols *symbols,
                          const struct hr_findings *findings, const struct hr_rules *rules,
                          const struct hr_diagnostics *diagnostics, const struct hr_text *text,
                          const struct hr_result_context *context);

// Adds what was found out after composing to "data_quality", in its order.
void hr_result_add_diagnostics(json_t *result, const struct hr_text *text,
                               const struct hr_diagnostics *diagnostics);

// Serializes the tree in the one canonical form (indented, key order as composed, final newline).
void hr_result_write(const json_t *result, GByteArray *out);

// Bytes that hr_result_write() would append.
size_t hr_result_size(const json_t *result);

// Reads a result back from bytes, checking schema name, major version, size and the shape that
// documents rely on.
json_t *hr_result_read(const char *bytes, size_t size, GError **error);
