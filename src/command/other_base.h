// SPDX-License-Identifier: MIT
// --base of another run: finding out that it is one, reading it, and putting both dumps into one
// run for the analysis.
#pragma once

#include "analysis/choice.h"
#include "command/options.h"
#include "ingest/ingest.h"
#include "symbolize/symbolize.h"

// Where the dump lies that --base names, when it is none of `run`; NULL: it is one of them, or
// --base was not given. Fails when there is no such file, or --base-binary without such a base.
// In the run's arena.
bool hr_other_base_find(struct hr_run *run, const struct hr_options *options, const char **path,
                        GError **error);

// Reads the dump into a new run of its own. NULL: it cannot be used.
struct hr_run *hr_other_base_read(const char *path, const struct hr_ingest_options *ingest,
                                  struct hr_diagnostics *diagnostics, GError **error);

// Makes the run of both dumps, final being that of `choice`, which is replaced by one for it.
// `symbolize` is how the base's own program is named. NULL: that program cannot be read.
struct hr_run *hr_other_base_join(struct hr_run *base, const struct hr_run *run,
                                  const struct hr_symbols **symbols,
                                  const struct hr_symbolize_options *symbolize,
                                  struct hr_choice *choice, struct hr_diagnostics *diagnostics,
                                  GError **error);
