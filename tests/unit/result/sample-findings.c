// SPDX-License-Identifier: MIT
// Totals, suspects, series, call tree and sizes of the sample, all from the planted growth.
#include "sample.h"

#include <math.h>

static struct hr_estimate around(double value, double error)
{
    return (struct hr_estimate){value, value - error, value + error};
}

// About the error of a sum of small objects at R = 512 KiB.
static double sampling_error(double bytes)
{
    return 1.96 * sqrt(512.0 * 1024 * fmax(bytes, 1));
}

static struct hr_points make_series(struct hr_arena *arena, unsigned count, double base,
                                    double growth, unsigned stream)
{
    double *value = HR_ARENA_ARRAY(arena, double, count);
    double *low = HR_ARENA_ARRAY(arena, double, count);
    double *high = HR_ARENA_ARRAY(arena, double, count);
    for (unsigned i = 0; i < count; i++) {
        const double elapsed = (double)i / (count - 1);
        const double exact = base + growth * elapsed;
        const bool end = i == 0 || i + 1 == count;
        value[i] =
            fmax(0, exact + (end ? 0 : 0.4 * sampling_error(exact) * hr_sample_noise(stream, i)));
        low[i] = fmax(0, value[i] - sampling_error(exact));
        high[i] = value[i] + sampling_error(exact);
    }
    return (struct hr_points){value, low, high};
}

static struct hr_trend make_trend(double growth, double error, bool counts)
{
    struct hr_trend trend = {.shape = counts ? HR_SHAPE_LINEAR : HR_SHAPE_FLAT,
                             .counts = counts,
                             .growth = around(growth, error)};
    for (int i = 0; i < 3; i++) {
        trend.thirds_growth_bytes[i] = growth / 3;
    }
    const double hours = HR_SAMPLE_WINDOW_S / 3600;
    trend.rate_bytes_per_hour = around(growth / hours, error / hours);
    return trend;
}

static const struct hr_suspect_stack *make_stacks(struct hr_arena *arena,
                                                  const struct hr_sample_options *options,
                                                  unsigned suspect, double growth, double final)
{
    struct hr_suspect_stack *stacks =
        HR_ARENA_ARRAY(arena, struct hr_suspect_stack, options->stacks_count);
    double share = 1;
    for (unsigned i = 0; i < options->stacks_count; i++) {
        share *= 0.6;
        stacks[i] = (struct hr_suspect_stack){suspect * options->stacks_count + i, share * growth,
                                              share * final};
    }
    return stacks;
}

static void fill_suspect(struct hr_sample *sample, const struct hr_sample_options *options,
                         struct hr_suspect *suspect, unsigned number)
{
    static const char *const KEYWORDS[] = {"MetadataCache", "insert", "grow_amortized", NULL};
    static const char *const CATEGORIES[] = {"cache", "session", "buffer"};
    struct hr_arena *arena = sample->run->arena;
    const double growth = hr_sample_growth_bytes(options, number);
    const double base = number == 2 ? 0 : 0.1 * growth;
    const double final = base + growth;
    const double error = sampling_error(final);
    const uint32_t frame = sample->findings.responsible_frames[number * options->stacks_count];
    *suspect = (struct hr_suspect){
        .id = hr_arena_printf(arena, "S%u", number + 1),
        .fingerprint =
            hr_arena_printf(arena, "%04x%08x", number + 0x1a2b, 0x9e3779b9u * (number + 1)),
        .function = sample->symbols->frames[frame].function,
        .file = "src/cache.rs",
        .line = 88,
        .module = sample->symbols->modules[0].path,
        .keywords = KEYWORDS,
        .category = number < G_N_ELEMENTS(CATEGORIES) ? CATEGORIES[number] : "other",
        .base = around(base, sampling_error(base)),
        .final = around(final, error),
        .growth = around(growth, error),
        .significant = growth > 2 * error,
        .growth_objects = growth / 4096,
        .mean_object_bytes = 4096,
        .mixed_sizes = number == 1,
        .share_ratio = growth / (hr_sample_total_growth_bytes(options) + 0.31 * HR_SAMPLE_MIB),
        .sampled_base_count = floor(base / 524288),
        .sampled_final_count = ceil(final / 524288),
        .trend = make_trend(growth, error, growth > 2 * error),
        .series = make_series(arena, options->dumps_count, base, growth, number + 10),
        .stacks = make_stacks(arena, options, number, growth, final),
        .stacks_count = options->stacks_count,
        .stacks_total = options->stacks_count + 3,
    };
}

// Three quarters through one call, the rest through others; all of it through the suspect's own.
static struct hr_call_tree make_call_tree(struct hr_arena *arena, const struct hr_suspect *suspect)
{
    static const struct {
        int32_t parent_index;
        const char *function; // NULL: the suspect's
        uint32_t frames_count;
        double share_ratio;
    } LINES[] = {{-1, NULL, 8, 1},
                 {0, "alloc::vec::Vec<T,A>::push", 3, 0.75},
                 {0, "filedrive::util::copy_name", 2, 0.2},
                 {0, "(other)", 0, 0.05}};
    struct hr_call *calls = HR_ARENA_ARRAY(arena, struct hr_call, G_N_ELEMENTS(LINES));
    for (size_t i = 0; i < G_N_ELEMENTS(LINES); i++) {
        const double share = LINES[i].share_ratio;
        const double growth = share * suspect->growth.value;
        calls[i] = (struct hr_call){
            .parent_index = LINES[i].parent_index,
            .depth = LINES[i].parent_index + 1,
            .function = LINES[i].function ? LINES[i].function : suspect->function,
            .frames_count = LINES[i].frames_count,
            .responsible =
                LINES[i]
                    .parent_index<0, .base_bytes = share * suspect->base.value,
                                  .final_bytes = share * suspect->final.value,
                                  .growth =
                                      around(growth, sampling_error(share * suspect->final.value)),
                                  .significant = share> 0.1,
            .share_ratio = share,
        };
    }
    return (struct hr_call_tree){calls, G_N_ELEMENTS(LINES)};
}

static void fill_totals(struct hr_sample *sample, const struct hr_sample_options *options)
{
    const double growth = hr_sample_total_growth_bytes(options);
    const double base = HR_SAMPLE_HEAP_BASE_BYTES;
    const double error = sampling_error(base + growth);
    sample->findings.totals = (struct hr_totals){
        .base = around(base, sampling_error(base)),
        .final = around(base + growth, error),
        .peak = around(base + growth, error),
        .growth = around(growth, error),
        .significant = growth > error,
        .base_objects = 40213.4,
        .final_objects = 40213.4 + growth / 4096,
        .growth_objects = growth / 4096,
        .grown_bytes = growth + 0.31 * HR_SAMPLE_MIB,
        .shrunk_bytes = 0.31 * HR_SAMPLE_MIB,
        .trend = make_trend(growth, error, growth > error),
        .smallest_detectable_bytes = 4.1 * HR_SAMPLE_MIB,
        .coverage_ratio = options->evidence ? 0.99 : NAN,
    };
    sample->findings.total_series =
        make_series(sample->run->arena, options->dumps_count, base, growth, 2);
}

static void fill_suspects(struct hr_sample *sample, const struct hr_sample_options *options)
{
    struct hr_suspect *suspects =
        HR_ARENA_ARRAY(sample->run->arena, struct hr_suspect, options->suspects_count);
    struct hr_call_tree *trees =
        HR_ARENA_ARRAY(sample->run->arena, struct hr_call_tree, options->suspects_count);
    for (unsigned i = 0; i < options->suspects_count; i++) {
        fill_suspect(sample, options, &suspects[i], i);
        // the stacks of the second all lead the same way
        trees[i] =
            i == 1 ? (struct hr_call_tree){0} : make_call_tree(sample->run->arena, &suspects[i]);
    }
    sample->findings.call_trees = trees;
    static const struct hr_shrinker SHRUNK[] = {
        {"filedrive::startup::read_index", "/opt/filedrive/bin/filedrive", 0.6 * HR_SAMPLE_MIB,
         0.29 * HR_SAMPLE_MIB, -0.31 * HR_SAMPLE_MIB}};
    struct hr_findings *findings = &sample->findings;
    findings->suspects = suspects;
    findings->suspects_count = options->suspects_count;
    findings->suspects_rest_count = 212;
    findings->suspects_rest = around(-0.31 * HR_SAMPLE_MIB, 1.6 * HR_SAMPLE_MIB);
    findings->shrunk = SHRUNK;
    findings->shrunk_count = G_N_ELEMENTS(SHRUNK);
}

// root -> start_thread -> poll -> each suspect, and a rest.
static void fill_flame(struct hr_sample *sample, const struct hr_sample_options *options)
{
    struct hr_findings *findings = &sample->findings;
    const struct hr_totals *totals = &findings->totals;
    const unsigned count = 4 + options->suspects_count;
    struct hr_flame_node *flame = HR_ARENA_ARRAY(sample->run->arena, struct hr_flame_node, count);
    static const char *const TRUNK[] = {"(all)", "start_thread", "tokio::runtime::task::raw::poll"};
    for (unsigned i = 0; i < 3; i++) {
        flame[i] = (struct hr_flame_node){(int32_t)i - 1,       TRUNK[i],
                                          totals->base.value,   totals->final.value,
                                          totals->growth.value, -1};
    }
    struct hr_flame_node rest = flame[2];
    for (unsigned i = 0; i < options->suspects_count; i++) {
        const struct hr_suspect *suspect = &findings->suspects[i];
        flame[3 + i] = (struct hr_flame_node){2,
                                              suspect->function,
                                              suspect->base.value,
                                              suspect->final.value,
                                              suspect->growth.value,
                                              (int32_t)i};
        rest.base_bytes -= suspect->base.value;
        rest.final_bytes -= suspect->final.value;
    }
    rest.function = "(other)";
    rest.parent_index = 2;
    rest.growth_bytes = rest.final_bytes - rest.base_bytes;
    flame[count - 1] = rest;
    findings->flame = flame;
    findings->flame_count = count;
}

static void fill_functions(struct hr_sample *sample, const struct hr_sample_options *options)
{
    struct hr_findings *findings = &sample->findings;
    struct hr_function_cost *costs =
        HR_ARENA_ARRAY(sample->run->arena, struct hr_function_cost, options->suspects_count + 1);
    const struct hr_totals *totals = &findings->totals;
    costs[0] = (struct hr_function_cost){.function = "tokio::runtime::task::raw::poll",
                                         .module = "/opt/filedrive/bin/filedrive",
                                         .base_cum_bytes = totals->base.value,
                                         .final_cum_bytes = totals->final.value,
                                         .growth_cum_bytes = totals->growth.value};
    for (unsigned i = 0; i < options->suspects_count; i++) {
        const struct hr_suspect *suspect = &findings->suspects[i];
        costs[i + 1] = (struct hr_function_cost){suspect->function,     suspect->module,
                                                 suspect->base.value,   suspect->final.value,
                                                 suspect->growth.value, suspect->base.value,
                                                 suspect->final.value,  suspect->growth.value};
    }
    findings->functions = costs;
    findings->functions_count = options->suspects_count + 1;
}

static void fill_sizes(struct hr_findings *findings)
{
    static const struct hr_size_bucket SIZES[] = {
        {0, 64, 1.1e6, 1.2e6, 31000},         {64, 512, 2.4e6, 2.3e6, 9800},
        {512, 4096, 5.1e6, 8.2e6, 4100},      {4096, 16384, 3.3e6, 91.7e6, 21900},
        {16384, 1048576, 7.9e6, 14.1e6, 120}, {1048576, 16777216, 2.5e6, 3.1e6, 2}};
    findings->sizes = SIZES;
    findings->sizes_count = G_N_ELEMENTS(SIZES);
}

static void fill_times(struct hr_sample *sample)
{
    const size_t count = sample->choice.points_count;
    double *times = HR_ARENA_ARRAY(sample->run->arena, double, count);
    for (size_t i = 0; i < count; i++) {
        times[i] = sample->run->dumps[sample->choice.points[i]].taken_at_s;
    }
    sample->findings.point_times_s = times;
}

void hr_sample_fill_findings(struct hr_sample *sample, const struct hr_sample_options *options)
{
    struct hr_findings *findings = &sample->findings;
    findings->choice = &sample->choice;
    findings->sampling = HR_SAMPLING_SAMPLED;
    findings->sample_interval_bytes = 512 * 1024;
    findings->teardown_survived_ratio = NAN;
    findings->suspects_rest = HR_ESTIMATE_UNKNOWN;
    if (options->dumps_count == 0) {
        findings->totals = (struct hr_totals){.base = HR_ESTIMATE_UNKNOWN,
                                              .final = HR_ESTIMATE_UNKNOWN,
                                              .peak = HR_ESTIMATE_UNKNOWN,
                                              .growth = HR_ESTIMATE_UNKNOWN,
                                              .smallest_detectable_bytes = NAN,
                                              .coverage_ratio = NAN};
        return;
    }
    findings->symbol_quality = (struct hr_symbol_quality){.named_bytes_ratio = 0.991,
                                                          .exact_bytes_ratio = 0.962,
                                                          .named_count = 409,
                                                          .inlined_frames_count = 188};
    fill_totals(sample, options);
    fill_suspects(sample, options);
    fill_flame(sample, options);
    fill_functions(sample, options);
    fill_sizes(findings);
    fill_times(sample);
}
