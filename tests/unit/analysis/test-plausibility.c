// SPDX-License-Identifier: MIT
#include "analysis/plausibility.h"

#include "scene.h"

#define MIB 1048576.0

struct sides {
    const char *what;
    double heap_bytes, band, process_bytes;
    double process_s; // how long the process was measured; the dumps take 600
    enum hr_metric metric;
    bool told;
};

static const struct sides SIDES[] = {
    {"a heap inside its process", 80 * MIB, 2 * MIB, 100 * MIB, 600, HR_METRIC_LIVE_BYTES, false},
    {"far beyond", 300 * MIB, 2 * MIB, 100 * MIB, 600, HR_METRIC_LIVE_BYTES, true},
    {"measured for the first half", 300 * MIB, 2 * MIB, 100 * MIB, 300, HR_METRIC_LIVE_BYTES, true},
    {"within its error", 130 * MIB, 40 * MIB, 100 * MIB, 600, HR_METRIC_LIVE_BYTES, false},
    {"by what moves in a moment", 106 * MIB, MIB, 100 * MIB, 600, HR_METRIC_LIVE_BYTES, false},
    {"all that was ever allocated", 300 * MIB, MIB, 100 * MIB, 600, HR_METRIC_ALLOCATED_BYTES,
     false},
    {"the process was not measured", 300 * MIB, MIB, 0, 0, HR_METRIC_LIVE_BYTES, false},
};

static void test_sides(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(SIDES); i++) {
        const struct sides *sides = &SIDES[i];
        g_test_message("%s", sides->what);
        struct scene scene;
        scene_init(&scene);
        const double live_bytes[] = {sides->heap_bytes, sides->heap_bytes, sides->heap_bytes,
                                     sides->heap_bytes};
        scene_add_dumps(&scene, 600, live_bytes, G_N_ELEMENTS(live_bytes), sides->band);
        if (sides->process_bytes > 0) {
            scene_add_evidence(&scene, HR_EVIDENCE_ANONYMOUS, sides->process_s, 20,
                               SCENE_SHAPE(sides->process_bytes, sides->process_bytes), 0);
        }
        scene.run->metric = sides->metric;
        struct hr_diagnostics *diagnostics = hr_diagnostics_new();
        hr_plausibility_report(scene.arena, scene.run, &scene.findings, diagnostics);
        g_assert_cmpuint(hr_diagnostics_count(diagnostics), ==, sides->told);
        if (sides->told) {
            const struct hr_diagnostic *told = hr_diagnostics_get(diagnostics, 0);
            g_assert_cmpint(told->code, ==, HR_DIAG_HEAP_EXCEEDS_PROCESS);
        }
        hr_diagnostics_free(diagnostics);
        scene_clear(&scene);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/plausibility/sides", test_sides);
    return g_test_run();
}
