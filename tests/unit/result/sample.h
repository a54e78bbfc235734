// SPDX-License-Identifier: MIT
// Findings built by hand for the tests of result and of what stands on it: a run that never ran,
// with known numbers, small or as large as the bounds allow.
#pragma once

#include "result/result.h"

enum hr_sample_names {
    HR_SAMPLE_PLAIN,  // a Rust service
    HR_SAMPLE_HOSTILE // 300-character generics, CJK, right-to-left, control characters, broken
                      // UTF-8
};

struct hr_sample_options {
    unsigned dumps_count; // 0: none were found
    unsigned suspects_count;
    unsigned stacks_count; // a suspect
    unsigned depth;        // of a stack
    bool evidence;
    enum hr_sample_names names;
};

struct hr_sample {
    struct hr_run *run;
    const struct hr_symbols *symbols; // NULL without dumps
    struct hr_choice choice;
    struct hr_findings findings;
    struct hr_rules rules;
    struct hr_diagnostics *diagnostics;
    struct hr_text *text;
    struct hr_result_context context;
};

// Builds a sample; the caller frees it.
struct hr_sample *hr_sample_new(const struct hr_sample_options *options);
void hr_sample_free(struct hr_sample *sample);
HR_DEFINE_AUTO(hr_sample, hr_sample_free)

// Composes it; the caller owns the reference.
json_t *hr_sample_compose(const struct hr_sample *sample);

// The parts, one file each.
void hr_sample_fill_run(struct hr_sample *sample, const struct hr_sample_options *options);
void hr_sample_fill_symbols(struct hr_sample *sample, const struct hr_sample_options *options);
void hr_sample_fill_findings(struct hr_sample *sample, const struct hr_sample_options *options);

// The samples that lie in testdata/result/.
struct hr_named_sample {
    const char *file;
    struct hr_sample_options options;
};
extern const struct hr_named_sample HR_NAMED_SAMPLES[];
extern const size_t HR_NAMED_SAMPLES_COUNT;

// What the numbers are planted with.
#define HR_SAMPLE_MIB 1048576.0
#define HR_SAMPLE_START_S 1764536100.0 // 2025-11-30 20:55 UTC
#define HR_SAMPLE_WINDOW_S 49200.0     // 13 h 40 min
#define HR_SAMPLE_HEAP_BASE_BYTES (21.3 * HR_SAMPLE_MIB)

// Growth of the n-th suspect over the window.
double hr_sample_growth_bytes(const struct hr_sample_options *options, unsigned suspect);
double hr_sample_total_growth_bytes(const struct hr_sample_options *options);

// A number in [-1, 1) that only depends on its arguments.
double hr_sample_noise(unsigned stream, unsigned index);
