// SPDX-License-Identifier: MIT
#include "analyse.h"

#include <math.h>

const struct hr_findings *test_analyse(struct test_world *world, double limit_bytes,
                                       struct hr_diagnostics *diagnostics)
{
    struct hr_run *run = test_world_run(world);
    struct hr_choice *choice = HR_ARENA_NEW(run->arena, struct hr_choice);
    const struct hr_choice_options options = {.warmup_s = NAN};
    const struct hr_analysis_options analysis = {.limit_bytes = limit_bytes};
    HR_AUTO(hr_diagnostics) own = hr_diagnostics_new();
    g_autoptr(GError) error = NULL;
    g_assert_true(
        hr_choice_compute(run->arena, run, test_world_rules(world), &options, choice, &error));
    return hr_findings_compute(run->arena, run, test_world_symbols(world), choice,
                               test_world_rules(world), &analysis, diagnostics ? diagnostics : own);
}
