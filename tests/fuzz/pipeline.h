// SPDX-License-Identifier: MIT
// The program's main path inside one process, without pages: a directory in, the result's tree out.
#pragma once

#include "ingest/ingest.h"
#include "result/result.h"

// What stays the same from run to run.
struct pipeline {
    struct hr_arena *arena; // owns the rules
    struct hr_rules rules;
    struct hr_text *text;
    const char *binary; // NULL: none
    const char *root;   // where libraries may be read
};

// Reads rules and sentences of HR_DATA_DIR.
void pipeline_init(struct pipeline *pipeline, const char *binary, const char *root);
void pipeline_clear(struct pipeline *pipeline);

// Runs it over a directory and checks what must hold of every run (sums, signs, a result that can
// be read back). NULL, with a reason, where the program would end with one sentence.
json_t *pipeline_run(const struct pipeline *pipeline, const char *directory, GError **error);
