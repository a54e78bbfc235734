// SPDX-License-Identifier: MIT
// --metric and --by: what is counted, and what it is listed by. Which values there are, and which
// other options and inputs they go with.
#pragma once

#include "command/options.h"
#include "model/run.h"

// Fails with HR_ERROR_USAGE on a value that does not exist, or beside an option that asks for
// another metric.
bool hr_view_check(const struct hr_options *options, GError **error);

// The metric of options that were checked.
enum hr_metric hr_view_metric(const struct hr_options *options);

// Fails with HR_ERROR_USAGE where the view cannot be had across two runs; `base_path` is the base of
// another run, or NULL.
bool hr_view_check_base(const struct hr_options *options, const char *base_path, GError **error);

// Fails with HR_ERROR_INPUT where the dumps (those of base_run too, unless it is NULL) do not count
// what is asked for.
bool hr_view_check_counts(const struct hr_run *run, const struct hr_run *base_run,
                          const struct hr_options *options, GError **error);
