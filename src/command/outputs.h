// SPDX-License-Identifier: MIT
// Everything that -o names: checked before the work begins, prepared whole, then put in place
// together. Knows which format a name asks for, and nothing of what is in it.
#pragma once

#include "base/cleanup.h"
#include "command/messages.h"
#include "command/options.h"
#include "document/node.h"
#include "export/export.h"
#include "render/render.h"

struct hr_outputs;

// Settles format and place of every -o. Fails with HR_ERROR_USAGE on a name whose format is not
// known, and with HR_ERROR_OUTPUT on a place that cannot be written to.
struct hr_outputs *hr_outputs_new(const struct hr_options *options, GError **error);
void hr_outputs_free(struct hr_outputs *outputs);
HR_DEFINE_AUTO(hr_outputs, hr_outputs_free)

// Fails (HR_ERROR_USAGE) when an output would replace this input; NULL is fine.
bool hr_outputs_keep_input(const struct hr_outputs *outputs, const char *path, GError **error);

// True when a document is needed: not all outputs come from the result or the run alone.
bool hr_outputs_need_document(const struct hr_outputs *outputs);

// What outputs are made from; NULL where no output needs it.
struct hr_output_sources {
    const json_t *result;
    const GByteArray *result_bytes;
    const struct hr_text *text;
    struct hr_renderer *renderer;
    const struct hr_document *document;
    const struct hr_export_model *model;
};

// Renders every output into memory; touches no file.
bool hr_outputs_prepare(struct hr_outputs *outputs, const struct hr_output_sources *sources,
                        GError **error);

// Writes all outputs beside their places, then puts them in place and prints their paths.
bool hr_outputs_commit(struct hr_outputs *outputs, GError **error);
