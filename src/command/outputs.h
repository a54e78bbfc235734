// SPDX-License-Identifier: MIT
// Everything that -o names, checked before the work begins: which format a name asks for and where
// it goes. Knows nothing of what is in it.
#pragma once

#include "base/cleanup.h"
#include "command/options.h"
#include "command/target.h"
#include "export/export.h"
#include "render/render.h"

// One -o as it was given.
struct hr_output {
    const char *path;
    const struct hr_backend *backend; // of a document
    const struct hr_export *export;   // for machines; both NULL: the result as it is
    bool is_directory;                // gets every chart as a file of its own
    bool made_directory;              // which was not there before; it goes when it stays empty
    struct hr_target *target;         // NULL: standard output, or a directory
};

struct hr_outputs {
    const char *chart;       // NULL: the whole document
    GPtrArray *outputs;      // of struct hr_output
    bool to_standard_output; // paths are not printed then: they would end up inside the document
};

// Settles format and place of every -o; a directory is made. Fails with HR_ERROR_USAGE on a name
// whose format is not known, and with HR_ERROR_OUTPUT on a place that cannot be written to.
struct hr_outputs *hr_outputs_new(const struct hr_options *options, GError **error);
void hr_outputs_free(struct hr_outputs *outputs);
HR_DEFINE_AUTO(hr_outputs, hr_outputs_free)

// Fails (HR_ERROR_USAGE) when an output would replace this input; NULL is fine.
bool hr_outputs_keep_input(const struct hr_outputs *outputs, const char *path, GError **error);

// True when a document is needed: not all outputs come from the result or the run alone.
bool hr_outputs_need_document(const struct hr_outputs *outputs);
