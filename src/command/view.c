// SPDX-License-Identifier: MIT
#include "command/view.h"

#include <string.h>

bool hr_view_check(const struct hr_options *options, GError **error)
{
    enum hr_metric metric = HR_METRIC_LIVE_BYTES;
    if (!hr_metric_find(options->metric, &metric)) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                    "--metric: \"%s\" is neither live_bytes nor allocated_bytes", options->metric);
        hr_error_blame(error, "metric", NULL);
        return false;
    }
    if (options->by && strcmp(options->by, "thread") != 0) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--by: \"%s\" is not thread", options->by);
        hr_error_blame(error, "by", NULL);
        return false;
    }
    if (metric != HR_METRIC_LIVE_BYTES && (options->fail_on || options->history)) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                    "--%s judges what is kept, and --metric %s counts what was allocated; "
                    "make two reports",
                    options->fail_on ? "fail-on" : "history", options->metric);
        hr_error_blame(error, "metric", NULL);
        return false;
    }
    return true;
}

enum hr_metric hr_view_metric(const struct hr_options *options)
{
    enum hr_metric metric = HR_METRIC_LIVE_BYTES;
    (void)hr_metric_find(options->metric, &metric);
    return metric;
}

// Threads of two processes have no more in common than their names may have.
bool hr_view_check_base(const struct hr_options *options, const char *base_path, GError **error)
{
    if (options->by && base_path) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                    "--by %s: the threads of two runs cannot be compared; leave out --base",
                    options->by);
        hr_error_blame(error, "by", NULL);
        return false;
    }
    return true;
}

static bool counts_metric(const struct hr_run *run)
{
    return run->metric == HR_METRIC_LIVE_BYTES || (run->accumulates && hr_run_used_count(run) > 0);
}

bool hr_view_check_counts(const struct hr_run *run, const struct hr_run *base_run,
                          const struct hr_options *options, GError **error)
{
    if (counts_metric(run) && (!base_run || counts_metric(base_run))) {
        return true;
    }
    g_set_error(error, HR_ERROR, HR_ERROR_INPUT,
                "--metric %s: %s counts what was allocated since the start; run the service with "
                "prof_accum:true among its options (MALLOC_CONF)",
                options->metric, hr_run_used_count(run) == 0 ? "no dump" : "not every dump");
    hr_error_blame(error, "metric", NULL);
    return false;
}
