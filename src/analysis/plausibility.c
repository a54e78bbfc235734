// SPDX-License-Identifier: MIT
#include "analysis/plausibility.h"

#include "analysis/facts.h"

#include <math.h>

// A snapshot is not of the very moment of the dump: what moved in between is no contradiction.
#define BEYOND_RATIO 1.1

void hr_plausibility_report(struct hr_arena *arena, const struct hr_run *run,
                            const struct hr_findings *findings, struct hr_diagnostics *diagnostics)
{
    const struct hr_gauge heap = hr_heap_profile(findings);
    const struct hr_gauge process = hr_facts_process(arena, &run->evidence);
    if (process.count == 0 || run->metric != HR_METRIC_LIVE_BYTES) {
        return;
    }
    for (size_t i = heap.count; i-- > 0;) {
        const double held = hr_gauge_at(process, heap.time_s[i]);
        if (isnan(held)) {
            continue;
        }
        if (findings->total_series.low[i] > BEYOND_RATIO * held) {
            g_autofree char *heap_text = g_strdup_printf("%.0f", heap.value[i]);
            g_autofree char *held_text = g_strdup_printf("%.0f", held);
            hr_diagnostics_add(diagnostics, HR_DIAG_HEAP_EXCEEDS_PROCESS, NULL, "heap_bytes",
                               heap_text, "process_bytes", held_text, NULL);
        }
        return;
    }
}
