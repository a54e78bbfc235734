// SPDX-License-Identifier: MIT
#include "analysis/symbol_quality.h"

// jemalloc records at most so many frames (prof_bt_max).
#define DEPTH_LIMIT 128

// Shares of the bytes above which stacks are worth mending: a few cut or lost ones hide nothing.
#define ONE_FRAME_SHARE 0.5
#define TRUNCATED_SHARE 0.1
#define OUTSIDE_SHARE 0.1

// The best trust among a location's frames is that of the location.
static enum hr_trust trust_of(const struct hr_symbols *symbols, uint32_t location)
{
    return symbols->frames[symbols->locations[location].first_frame].trust;
}

// A frame that no mapping holds: the unwinder took something else for a return address.
static bool is_outside(const struct hr_run *run, uint32_t location)
{
    const uint64_t address = hr_stacks_location_address(run->stacks, location);
    return run->mappings_count > 0 && !hr_given_is_no_address(address) &&
           !hr_run_find_mapping(run, address);
}

static uint32_t deepest(const struct hr_run *run)
{
    uint32_t depth = 0;
    for (uint32_t s = 0; s < hr_stacks_count(run->stacks); s++) {
        depth = MAX(depth, hr_stacks_get(run->stacks, s).depth);
    }
    return depth;
}

static void add_stack(struct hr_symbol_quality *sums, const struct hr_run *run,
                      const struct hr_symbols *symbols, const struct hr_stack *stack, double bytes,
                      uint32_t cut_depth)
{
    uint32_t named = 0;
    uint32_t exact = 0;
    bool outside = false;
    for (uint32_t i = 0; i < stack->depth; i++) {
        const enum hr_trust trust = trust_of(symbols, stack->locations[i]);
        named += trust != HR_TRUST_NONE;
        exact += trust == HR_TRUST_EXACT;
        outside |= trust == HR_TRUST_NONE && is_outside(run, stack->locations[i]);
    }
    if (stack->depth > 0) {
        sums->named_bytes_ratio += bytes * named / stack->depth;
        sums->exact_bytes_ratio += bytes * exact / stack->depth;
    }
    sums->truncated_bytes_ratio += stack->depth >= cut_depth ? bytes : 0;
    sums->one_frame_bytes_ratio += stack->depth == 1 ? bytes : 0;
    sums->outside_bytes_ratio += outside ? bytes : 0;
}

struct hr_symbol_quality hr_symbol_quality_compute(const struct hr_run *run,
                                                   const struct hr_symbols *symbols,
                                                   const struct hr_difference *difference)
{
    struct hr_symbol_quality quality = {0};
    const uint32_t depth = deepest(run);
    const uint32_t cut_depth = depth >= DEPTH_LIMIT ? depth : DEPTH_LIMIT;
    double bytes = 0;
    for (uint32_t s = 0; s < hr_stacks_count(run->stacks); s++) {
        const struct hr_stack stack = hr_stacks_get(run->stacks, s);
        bytes += difference->stacks[s].final.bytes;
        add_stack(&quality, run, symbols, &stack, difference->stacks[s].final.bytes, cut_depth);
    }
    for (uint32_t l = 0; l < symbols->locations_count; l++) {
        quality.named_count += trust_of(symbols, l) != HR_TRUST_NONE;
    }
    for (uint32_t f = 0; f < symbols->frames_count; f++) {
        quality.inlined_frames_count += symbols->frames[f].inlined;
    }
    const double scale = bytes > 0 ? 1 / bytes : NAN;
    quality.named_bytes_ratio *= scale;
    quality.exact_bytes_ratio *= scale;
    quality.truncated_bytes_ratio *= scale;
    quality.one_frame_bytes_ratio *= scale;
    quality.outside_bytes_ratio *= scale;
    return quality;
}

static void report_share(struct hr_diagnostics *diagnostics, enum hr_diagnostic_code code,
                         const char *slot, double ratio, double above)
{
    if (ratio > above) {
        char text[G_ASCII_DTOSTR_BUF_SIZE];
        hr_diagnostics_add(diagnostics, code, NULL, slot,
                           g_ascii_formatd(text, sizeof text, "%.4f", ratio), NULL);
    }
}

void hr_symbol_quality_report(const struct hr_symbol_quality *quality,
                              struct hr_diagnostics *diagnostics)
{
    report_share(diagnostics, HR_DIAG_ONE_FRAME_STACKS, "one_frame_ratio",
                 quality->one_frame_bytes_ratio, ONE_FRAME_SHARE);
    report_share(diagnostics, HR_DIAG_STACKS_CUT, "truncated_ratio", quality->truncated_bytes_ratio,
                 TRUNCATED_SHARE);
    report_share(diagnostics, HR_DIAG_FRAMES_OUTSIDE, "outside_ratio", quality->outside_bytes_ratio,
                 OUTSIDE_SHARE);
}
