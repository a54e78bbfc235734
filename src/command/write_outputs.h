// SPDX-License-Identifier: MIT
// Outputs are rendered side by side, written beside their places, and then put in place together: a
// failure or an interrupt leaves what was there before.
#pragma once

#include "command/messages.h"
#include "command/outputs.h"
#include "document/node.h"

#include <jansson.h>

// What outputs are made from; NULL where no output needs it.
struct hr_output_sources {
    const json_t *result;
    const GByteArray *result_bytes;
    const struct hr_text *text;
    const char *data_dir; // fonts and style of documents
    const struct hr_document *document;
    const struct hr_export_model *model;
    unsigned jobs; // threads, at least 1; what is written does not depend on it
};

// Writes all outputs and prints their paths.
bool hr_write_outputs(struct hr_outputs *outputs, const struct hr_output_sources *sources,
                      struct hr_messages *messages, GError **error);
