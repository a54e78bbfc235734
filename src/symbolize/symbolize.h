// SPDX-License-Identifier: MIT
// The door of symbolize: a run's addresses and the files they came from become names. Knows no dump
// formats.
#pragma once

#include "base/diagnostics.h"
#include "base/error.h"
#include "model/run.h"
#include "model/symbols.h"
#include "symbolize/tree.h"

struct hr_symbolize_options {
    const char *binary;             // --binary, NULL: none
    const char *const *debug_dirs;  // --debug-dir, NULL-terminated, or NULL
    const char *root;               // --root, NULL: "/"
    bool debuginfod;                // --debuginfod: servers may be asked for debug files
    const struct hr_opener *opener; // NULL: this process opens files itself
    unsigned jobs;                  // threads that may work; changes no name
};

// Names every location of the run's stacks. All memory is in run->arena and its strings; the result
// is const. Fails only when --binary cannot be read as an ELF file; a binary that does not fit is a
// diagnostic, and its names are not used.
const struct hr_symbols *hr_symbolize(struct hr_run *run,
                                      const struct hr_symbolize_options *options,
                                      struct hr_diagnostics *diagnostics, GError **error);
