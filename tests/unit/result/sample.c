// SPDX-License-Identifier: MIT
#include "sample.h"

#include "analysis/verdict.h"

#include <math.h>

const struct hr_named_sample HR_NAMED_SAMPLES[] = {
    {"heap-growth.json",
     {.dumps_count = 48, .suspects_count = 3, .stacks_count = 2, .depth = 12, .evidence = true}},
    {"no-growth.json", {.dumps_count = 24, .suspects_count = 0, .depth = 12}},
    {"no-dumps.json", {.dumps_count = 0, .suspects_count = 0, .evidence = true}},
    {"hostile-names.json",
     {.dumps_count = 30,
      .suspects_count = 30,
      .stacks_count = 1,
      .depth = 10,
      .evidence = true,
      .names = HR_SAMPLE_HOSTILE}},
};
const size_t HR_NAMED_SAMPLES_COUNT = G_N_ELEMENTS(HR_NAMED_SAMPLES);

double hr_sample_growth_bytes(const struct hr_sample_options *options, unsigned suspect)
{
    static const double FIRST_MIB[] = {81.4, 12.7, 2.31};
    g_assert(suspect < options->suspects_count);
    const double mib =
        suspect < G_N_ELEMENTS(FIRST_MIB) ? FIRST_MIB[suspect] : 2.2 * pow(0.9, suspect);
    return round(mib * HR_SAMPLE_MIB) + 0.4;
}

double hr_sample_total_growth_bytes(const struct hr_sample_options *options)
{
    double total = options->dumps_count > 0 ? -0.31 * HR_SAMPLE_MIB : NAN; // what shrank
    for (unsigned i = 0; i < options->suspects_count; i++) {
        total += hr_sample_growth_bytes(options, i);
    }
    return total;
}

double hr_sample_noise(unsigned stream, unsigned index)
{
    uint64_t state = stream * UINT64_C(0x9e3779b97f4a7c15) + index;
    state = (state ^ (state >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    state = (state ^ (state >> 27)) * UINT64_C(0x94d049bb133111eb);
    return (double)(state >> 11) / (double)(UINT64_C(1) << 52) - 1;
}

static void fill_context(struct hr_sample *sample)
{
    static const struct hr_label LABELS[] = {{"service", "filedrive"}, {"host", "soak-3"}};
    sample->context = (struct hr_result_context){
        .labels = LABELS,
        .labels_count = G_N_ELEMENTS(LABELS),
        .generated_time_s = HR_SAMPLE_START_S + HR_SAMPLE_WINDOW_S,
        .paper = "a4",
        .top = -1,
        .reproduce = "heapreport --dir soak --binary filedrive",
    };
}

struct hr_sample *hr_sample_new(const struct hr_sample_options *options)
{
    struct hr_sample *sample = g_new0(struct hr_sample, 1);
    g_autoptr(GError) error = NULL;
    sample->text = hr_text_load(NULL, &error);
    g_assert_no_error(error);
    sample->run = hr_run_new();
    sample->diagnostics = hr_diagnostics_new();
    hr_rules_init_thresholds(&sample->rules);
    fill_context(sample);
    hr_sample_fill_run(sample, options);
    if (options->dumps_count > 0) {
        hr_sample_fill_symbols(sample, options);
    }
    hr_sample_fill_findings(sample, options);
    const struct hr_analysis_options analysis = {.limit_bytes = 2048 * HR_SAMPLE_MIB};
    hr_verdict_compute(sample->run->arena, sample->run, sample->symbols, &sample->rules, &analysis,
                       &sample->findings, sample->diagnostics);
    return sample;
}

void hr_sample_free(struct hr_sample *sample)
{
    if (!sample) {
        return;
    }
    hr_text_free(sample->text);
    hr_diagnostics_free(sample->diagnostics);
    hr_run_free(sample->run);
    g_free(sample);
}

json_t *hr_sample_compose(const struct hr_sample *sample)
{
    return hr_result_compose(sample->run, sample->symbols, &sample->findings, &sample->rules,
                             sample->diagnostics, sample->text, &sample->context);
}
