// SPDX-License-Identifier: MIT
// The door of export: formats for machines. Some are written from the result alone and can be
// rendered again from it; those with whole stacks need the run and its names.
#pragma once

#include "model/rules.h"
#include "model/run.h"
#include "model/symbols.h"
#include "result/redaction.h"
#include "result/text.h"

#include <glib.h>
#include <jansson.h>

struct hr_export_model {
    const struct hr_run *run;
    const struct hr_symbols *symbols;
    const struct hr_dump *base; // both with rows
    const struct hr_dump *final;
    const enum hr_frame_kind *frame_kinds; // of the symbols' frames; NULL: not known
    struct hr_redaction *redaction;        // never NULL; of nothing (0) to show all names
};

struct hr_export {
    const char *name;   // --format
    const char *suffix; // ".csv"
    // Appends the whole output; one of the two is set.
    void (*write_result)(const json_t *result, const struct hr_text *text, GByteArray *out);
    void (*write_model)(const struct hr_export_model *model, GByteArray *out);
};

// The export of that name, or for that path's suffix; NULL when there is none.
const struct hr_export *hr_export_find_name(const char *name);
const struct hr_export *hr_export_find_path(const char *path);

// All exports, ended by one with name NULL.
const struct hr_export *hr_exports(void);
