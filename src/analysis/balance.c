// SPDX-License-Identifier: MIT
#include "analysis/balance.h"

#include <math.h>

static const enum hr_evidence_id ROWS[] = {
    HR_EVIDENCE_ALLOCATED,     HR_EVIDENCE_ACTIVE,        HR_EVIDENCE_RESIDENT,
    HR_EVIDENCE_ANONYMOUS,     HR_EVIDENCE_PRIVATE_DIRTY, HR_EVIDENCE_LAZY_FREE,
    HR_EVIDENCE_SWAP,          HR_EVIDENCE_FILE,          HR_EVIDENCE_SHMEM,
    HR_EVIDENCE_THREAD_STACKS, HR_EVIDENCE_GLIBC_ARENAS,  HR_EVIDENCE_RSS,
};
// Those, the heap profile in front and the unexplained rest behind.
#define ROWS_MAX (G_N_ELEMENTS(ROWS) + 2)

static double peak_of(struct hr_gauge gauge)
{
    double peak = NAN;
    for (size_t i = 0; i < gauge.count; i++) {
        peak = fmax(peak, gauge.value[i]);
    }
    return peak;
}

static struct hr_balance_row row_of_gauge(const char *id, const char *source, struct hr_gauge gauge,
                                          const struct hr_facts *facts)
{
    struct hr_movement movement = hr_movement_compute(gauge, facts->windows.dumps);
    if (isnan(movement.growth.value)) {
        movement = hr_movement_compute(gauge, facts->windows.longer);
    }
    return (struct hr_balance_row){.id = id,
                                   .source = source,
                                   .base_bytes = movement.base,
                                   .final_bytes = movement.final,
                                   .peak_bytes = peak_of(gauge),
                                   .last_bytes = gauge.value[gauge.count - 1],
                                   .growth = movement.growth};
}

static struct hr_balance_row row_of_profile(const struct hr_findings *findings)
{
    const struct hr_totals *totals = &findings->totals;
    return (struct hr_balance_row){.id = "heap_profile",
                                   .source = "heap_v2",
                                   .base_bytes = totals->base.value,
                                   .final_bytes = totals->final.value,
                                   .peak_bytes = totals->peak.value,
                                   .last_bytes = totals->final.value,
                                   .growth = totals->growth};
}

// What the process holds beyond the allocator and what else can be named.
static struct hr_gauge compute_unexplained(struct hr_arena *arena,
                                           const struct hr_evidence *evidence)
{
    static const enum hr_evidence_id NAMED[] = {HR_EVIDENCE_THREAD_STACKS,
                                                HR_EVIDENCE_GLIBC_ARENAS};
    struct hr_gauge rest = hr_gauge_combine(arena, hr_facts_process(arena, evidence), -1,
                                            hr_gauge_of_evidence(evidence, HR_EVIDENCE_RESIDENT));
    for (size_t i = 0; i < G_N_ELEMENTS(NAMED); i++) {
        const struct hr_gauge named = hr_gauge_of_evidence(evidence, NAMED[i]);
        if (named.count > 0) {
            rest = hr_gauge_combine(arena, rest, -1, named);
        }
    }
    return rest;
}

void hr_balance_compute(struct hr_arena *arena, const struct hr_run *run,
                        const struct hr_facts *facts, struct hr_findings *findings)
{
    struct hr_balance_row *rows = HR_ARENA_ARRAY(arena, struct hr_balance_row, ROWS_MAX);
    size_t count = 0;
    if (facts->dumps_count > 0 && run->metric == HR_METRIC_LIVE_BYTES) {
        rows[count++] = row_of_profile(findings);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(ROWS); i++) {
        const struct hr_gauge gauge = hr_gauge_of_evidence(&run->evidence, ROWS[i]);
        if (gauge.count > 0) {
            rows[count++] = row_of_gauge(hr_evidence_name(ROWS[i]),
                                         run->evidence.series[ROWS[i]].source, gauge, facts);
        }
    }
    const struct hr_gauge rest = compute_unexplained(arena, &run->evidence);
    if (rest.count > 0) {
        rows[count++] = row_of_gauge("unexplained", NULL, rest, facts);
    }
    findings->balance = rows;
    findings->balance_count = count;
}
