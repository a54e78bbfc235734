// SPDX-License-Identifier: MIT
#include "model/metric.h"

#include <glib.h>
#include <string.h>

static const struct {
    const char *name;
    const char *pprof_name;
} metrics[] = {
    [HR_METRIC_LIVE_BYTES] = {"live_bytes", "inuse_space"},
    [HR_METRIC_ALLOCATED_BYTES] = {"allocated_bytes", "alloc_space"},
};

const char *hr_metric_name(enum hr_metric metric)
{
    return metrics[metric].name;
}

bool hr_metric_find(const char *name, enum hr_metric *metric)
{
    for (size_t i = 0; i < G_N_ELEMENTS(metrics); i++) {
        if (strcmp(name, metrics[i].name) == 0 || strcmp(name, metrics[i].pprof_name) == 0) {
            *metric = (enum hr_metric)i;
            return true;
        }
    }
    return false;
}

struct hr_row hr_metric_order_row(enum hr_metric metric, struct hr_row row)
{
    if (metric == HR_METRIC_LIVE_BYTES) {
        return row;
    }
    return (struct hr_row){.stack = row.stack,
                           .objects = row.accum_objects,
                           .bytes = row.accum_bytes,
                           .accum_objects = row.objects,
                           .accum_bytes = row.bytes};
}
