// SPDX-License-Identifier: MIT
// The door of render: a document becomes bytes. One backend a format, in one table. Knows nodes and
// nothing of results, dumps or findings.
#pragma once

#include "base/cleanup.h"
#include "base/error.h"
#include "document/node.h"

#include <glib.h>

// Fonts, theme and the files of the data directory that backends share; made once for all outputs
// of a run.
struct hr_renderer;

// Loads fonts and style from `data_dir` (which holds fonts/ and templates/). Fails when they are
// missing.
struct hr_renderer *hr_renderer_new(const char *data_dir, GError **error);
void hr_renderer_free(struct hr_renderer *renderer);
HR_DEFINE_AUTO(hr_renderer, hr_renderer_free)

struct hr_backend {
    const char *name;   // --format
    const char *suffix; // ".pdf"
    bool needs_fonts;   // else the renderer may be NULL
    bool draws_one;     // can be one chart alone
    // Appends the whole output. `chart` names one chart to draw alone, NULL the document (SVG: the
    // timeline).
    bool (*write)(struct hr_renderer *renderer, const struct hr_document *document,
                  const char *chart, GByteArray *out, GError **error);
};

// The backend for that name, or for that path's suffix; NULL when there is none.
const struct hr_backend *hr_backend_find_name(const char *name);
const struct hr_backend *hr_backend_find_path(const char *path);

// All backends, ended by one with name NULL.
const struct hr_backend *hr_backends(void);
