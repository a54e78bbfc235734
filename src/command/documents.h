// SPDX-License-Identifier: MIT
// From a result to the files that -o names: what `report` and `render` have in common, so that both
// write the same bytes.
#pragma once

#include "command/messages.h"
#include "command/options.h"
#include "command/outputs.h"

#include <jansson.h>

// The layout that a result asks for by its path; NULL: ours.
const char *hr_documents_template(const json_t *result);

// Composes the document (by --template, else the one the result names, else ours) and writes all
// outputs. `model` is NULL where there are no dumps at hand.
bool hr_documents_write(const json_t *result, const struct hr_options *options,
                        const char *data_dir, const struct hr_export_model *model,
                        struct hr_outputs *outputs, struct hr_messages *messages, GError **error);
