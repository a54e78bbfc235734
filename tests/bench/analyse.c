// SPDX-License-Identifier: MIT
// Times the analysis of many stacks over many dumps (defaults: 5,000 and 200), which should take no
// more than a quarter of reading them.
//
//   analyse [STACKS [DUMPS]]
#include "trial.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define REPEATS 5

int main(int argc, char **argv)
{
    const size_t stacks = argc > 1 ? strtoul(argv[1], NULL, 10) : 5000;
    const size_t dumps = argc > 2 ? strtoul(argv[2], NULL, 10) : 200;
    g_autofree struct truth_site *sites = g_new(struct truth_site, stacks);
    for (size_t i = 0; i < stacks; i++) {
        sites[i] = (struct truth_site){.size_bytes = 320,
                                       .mean_bytes = 4e6,
                                       .lifetime = 0.2,
                                       .batch = 1,
                                       .shape = i == 0 ? TRUTH_LEAK : TRUTH_STEADY,
                                       .growth_bytes = i == 0 ? 1e8 : 0};
    }
    struct random_source source = {1};
    const struct truth_run truth = {sites, stacks, dumps, 524288, TIMES_EVEN, 86400, false};
    HR_AUTO(test_world) world = trial_plant(&source, &truth, NULL);
    struct hr_run *run = test_world_run(world);
    const struct hr_symbols *symbols = test_world_symbols(world);
    const struct hr_rules *rules = test_world_rules(world);
    const struct hr_choice_options options = {.warmup_s = NAN};
    const struct hr_analysis_options analysis = {.limit_bytes = NAN};
    double best_s = INFINITY;
    for (int i = 0; i < REPEATS; i++) {
        HR_AUTO(hr_arena) arena = hr_arena_new();
        HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
        const clock_t start = clock();
        struct hr_choice choice;
        if (!hr_choice_compute(arena, run, rules, &options, &choice, NULL)) {
            return 1;
        }
        hr_findings_compute(arena, run, symbols, &choice, rules, &analysis, diagnostics);
        best_s = fmin(best_s, (double)(clock() - start) / CLOCKS_PER_SEC);
    }
    printf("%zu stacks, %zu dumps: %.3f s of processor time\n", stacks, dumps, best_s);
    return 0;
}
