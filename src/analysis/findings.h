// SPDX-License-Identifier: MIT
// What the analysis found, as plain data: the numbers of the result before they become JSON.
// Everything is in one arena; NAN and NULL mean unknown. Bytes are doubles here; they are rounded
// where the result is composed.
#pragma once

#include "analysis/choice.h"
#include "base/diagnostics.h"
#include "base/estimate.h"
#include "model/rules.h"
#include "model/run.h"
#include "model/symbols.h"

enum hr_shape {
    HR_SHAPE_UNKNOWN,
    HR_SHAPE_LINEAR,
    HR_SHAPE_STEP,
    HR_SHAPE_PLATEAU,
    HR_SHAPE_SAWTOOTH,
    HR_SHAPE_BURST,
    HR_SHAPE_SHRINKING,
    HR_SHAPE_FLAT,
};

// How one series moved from base to final. Method 3.
struct hr_trend {
    enum hr_shape shape;
    bool counts;               // passes the bound: growth that noise and churn do not explain
    struct hr_estimate growth; // by the best contrast
    double z;                  // growth in standard deviations of the bound; 0 where unknown
    double thirds_growth_bytes[3];
    struct hr_estimate last_third;          // growth within the last third, by the best contrast
    struct hr_estimate rate_bytes_per_hour; // unknown without a clock
};

// A series over the run's points (choice->points): live bytes with its band.
struct hr_points {
    const double *value; // [points_count]
    const double *low;
    const double *high;
};

struct hr_suspect_stack {
    uint32_t stack; // id in run->stacks
    double growth_bytes;
    double final_bytes;
};

#define HR_SUSPECTS_MAX 30
#define HR_SUSPECT_STACKS_MAX 8
#define HR_TRENDS_MAX 50

// All stacks that belong to one responsible function. Method 7.
struct hr_suspect {
    const char *id;          // "S1"
    const char *fingerprint; // 12 hex digits
    const char *function;
    const char *file; // NULL
    unsigned line;
    const char *module;
    const char *const *keywords; // NULL-terminated
    const char *category;        // "cache"..."other"

    struct hr_estimate base;
    struct hr_estimate final;
    struct hr_estimate growth;
    bool significant;
    double growth_objects;
    double mean_object_bytes; // of the final dump, else of the base
    bool mixed_sizes;
    double share_ratio;        // of grown_bytes
    double sampled_base_count; // NAN where mixed
    double sampled_final_count;

    struct hr_trend trend;
    struct hr_points series;
    const struct hr_suspect_stack *stacks; // by growth, at most HR_SUSPECT_STACKS_MAX
    size_t stacks_count;
    size_t stacks_total;
};

struct hr_shrinker {
    const char *function;
    const char *module;
    double base_bytes;
    double final_bytes;
    double growth_bytes;
};

struct hr_function_cost {
    const char *function;
    const char *module;
    double base_flat_bytes, final_flat_bytes, growth_flat_bytes;
    double base_cum_bytes, final_cum_bytes, growth_cum_bytes;
};

struct hr_flame_node {
    int32_t parent_index; // -1: the root; a parent comes before its children
    const char *function;
    double base_bytes;
    double final_bytes;
    double growth_bytes;
    int32_t suspect; // index in suspects, -1: none
};

// A line of a call tree: frames in a row that all that goes through one goes through.
struct hr_call {
    int32_t parent_index; // -1: called by nobody; a parent comes before its children
    unsigned depth;
    const char *function;
    uint32_t frames_count; // 0: the sum of branches that have no line
    bool responsible;      // its function answers for the suspect
    double base_bytes;
    double final_bytes;
    struct hr_estimate growth; // bounds unknown where sizes are mixed
    bool significant;
    double share_ratio; // of the suspect's growth
};

struct hr_call_tree {
    const struct hr_call *calls; // pre-order
    size_t calls_count;          // 0: all stacks lead the same way
};

struct hr_size_bucket {
    double from_bytes; // [from, to)
    double to_bytes;
    double base_bytes;
    double final_bytes;
    double final_objects;
};

// Memory that is set aside for objects of one size and not in use, as far as one owner keeps it.
struct hr_fragment {
    int32_t suspect; // index in suspects, -1: others
    double size_class_bytes;
    double utilisation_ratio; // of the whole class
    double waste_bytes;
};

// Threads of one name, or one thread without a name, by what they have allocated.
struct hr_thread_group {
    const char *name;
    size_t threads_count;
    double base_bytes;
    double final_bytes;
};

enum hr_break_kind { HR_BREAK_RATE_CHANGE, HR_BREAK_RESET, HR_BREAK_RESTART, HR_BREAK_GAP };

struct hr_break {
    enum hr_break_kind kind;
    size_t dump;    // the first dump after the break
    double pause_s; // of a gap; else NAN
    struct hr_phrase text;
};

enum hr_sampling { HR_SAMPLING_SAMPLED, HR_SAMPLING_EVERY, HR_SAMPLING_OFF, HR_SAMPLING_VARYING };

struct hr_totals {
    struct hr_estimate base, final, peak, growth;
    bool significant;
    double base_objects, final_objects, growth_objects;
    double grown_bytes, shrunk_bytes;
    struct hr_trend trend;
    double smallest_detectable_bytes;
    double coverage_ratio;
};

enum hr_class {
    HR_CLASS_NO_GROWTH,
    HR_CLASS_HEAP_GROWTH,
    HR_CLASS_BOUNDED_GROWTH,
    HR_CLASS_ALLOCATOR_RETENTION,
    HR_CLASS_OUTSIDE_HEAP,
    HR_CLASS_FILE_BACKED,
    HR_CLASS_INCONCLUSIVE,
    HR_CLASSES_COUNT,
};
enum hr_scope { HR_SCOPE_HEAP, HR_SCOPE_PROCESS };
enum hr_confidence { HR_CONFIDENCE_LOW, HR_CONFIDENCE_MEDIUM, HR_CONFIDENCE_HIGH };

enum hr_part_id {
    HR_PART_HEAP,
    HR_PART_SLACK,
    HR_PART_OUTSIDE,
    HR_PART_SHMEM,
    HR_PART_FILE,
    HR_PART_PROCESS, // A itself
    HR_PARTS_COUNT,
};
enum hr_part_state {
    HR_PART_UNKNOWN,
    HR_PART_FLAT,
    HR_PART_FALLS,
    HR_PART_GREW,
    HR_PART_UNDECIDED,
    HR_PART_GROWS,
};

// One part of the process's memory over the window. Method 5.
struct hr_part {
    enum hr_part_state state;
    struct hr_estimate growth;
    struct hr_estimate last_third;
    double base_bytes;
    size_t measured_count; // measurements that the growth was read from; 0: it was read from dumps
};

enum hr_rule_outcome { HR_RULE_NOT_FIRED, HR_RULE_FIRED, HR_RULE_UNKNOWN };

struct hr_rule_number {
    const char *key; // the suffix gives the unit; label in text.xml as number-<key>
    double value;
};

#define HR_RULE_NUMBERS_MAX 10

struct hr_rule_finding {
    const char *id; // "heap_growth"...; title in text.xml as rule-<id>
    enum hr_class class;
    enum hr_rule_outcome outcome;
    struct hr_phrase because;
    struct hr_phrase against;
    struct hr_phrase would_overturn;
    struct hr_rule_number numbers[HR_RULE_NUMBERS_MAX];
    unsigned numbers_count;
};

struct hr_contribution {
    enum hr_class class;
    enum hr_part_id part;
    struct hr_estimate growth;
    double share_ratio;
};

struct hr_next_step {
    struct hr_phrase text;
    struct hr_phrase command; // id NULL: none
};

#define HR_NEXT_STEPS_MAX 3
#define HR_CONFIDENCE_REASONS_MAX 8

struct hr_verdict {
    enum hr_class class;
    enum hr_scope scope;
    enum hr_confidence confidence;
    struct hr_phrase confidence_reasons[HR_CONFIDENCE_REASONS_MAX];
    unsigned confidence_reasons_count;
    struct hr_phrase sentence;
    struct hr_contribution contributions[HR_PARTS_COUNT];
    unsigned contributions_count;
    struct hr_rule_finding rules[HR_CLASSES_COUNT];
    unsigned rules_count;
    struct hr_next_step next_steps[HR_NEXT_STEPS_MAX];
    unsigned next_steps_count;
    struct hr_part parts[HR_PARTS_COUNT];
};

struct hr_balance_row {
    const char *id; // as in docs/result.md; label in text.xml as balance-<id>
    const char *source;
    double base_bytes, final_bytes, peak_bytes, last_bytes;
    struct hr_estimate growth;
};

struct hr_forecast {
    bool known;
    double limit_bytes;
    const char *limit_source;
    double low_s, high_s;
};

// Where named bytes stand; over the final dump (the base without one).
struct hr_symbol_quality {
    double named_bytes_ratio;
    double exact_bytes_ratio;
    double truncated_bytes_ratio;
    double one_frame_bytes_ratio;
    double outside_bytes_ratio; // under stacks with frames outside the map; 0 without a map
    uint32_t named_count;
    uint32_t inlined_frames_count;
};

struct hr_findings {
    const struct hr_choice *choice;
    enum hr_sampling sampling;
    double sample_interval_bytes;          // of the final dump
    const enum hr_frame_kind *frame_kinds; // [symbols->frames_count]
    const uint32_t *responsible_frames;    // [stacks]: frame index, UINT32_MAX: none
    struct hr_totals totals;
    struct hr_points total_series;
    const double *point_times_s;        // [points_count], Unix time; NULL without a clock
    const double *point_promoted_bytes; // [points_count]: hr_offset_promoted_bytes() of what was
                                        // sampled; NULL without points

    const struct hr_suspect *suspects; // by growth, largest first; growers only
    size_t suspects_count;
    const struct hr_call_tree *call_trees; // [suspects_count]; NULL: none was made
    size_t suspects_rest_count;
    struct hr_estimate suspects_rest; // growth of all growing and shrinking suspects not listed:
                                      // list + rest = total
    const struct hr_shrinker *shrunk;
    size_t shrunk_count;
    const struct hr_function_cost *functions; // by |growth_cum|, at most 200
    size_t functions_count;
    const struct hr_flame_node *flame; // pre-order, at most 4000
    size_t flame_count;
    const struct hr_size_bucket *sizes;
    size_t sizes_count;
    const struct hr_thread_group *threads; // by growth, largest first; none unless asked for
    size_t threads_count;
    const struct hr_fragment *fragments; // by waste, largest first
    size_t fragments_count;
    const struct hr_break *breaks;
    size_t breaks_count;
    double teardown_survived_ratio; // NAN without a teardown dump

    struct hr_symbol_quality symbol_quality;
    const struct hr_balance_row *balance;
    size_t balance_count;
    struct hr_forecast forecast;
    struct hr_verdict verdict;
};

struct hr_analysis_options {
    double limit_bytes; // --limit; NAN: none
};

// Computes all findings of a run whose wanted dumps and evidence were read. Pure: reads nothing but
// its arguments; all memory is in `arena`. `choice` must outlive the findings.
const struct hr_findings *hr_findings_compute(struct hr_arena *arena, const struct hr_run *run,
                                              const struct hr_symbols *symbols,
                                              const struct hr_choice *choice,
                                              const struct hr_rules *rules,
                                              const struct hr_analysis_options *options,
                                              struct hr_diagnostics *diagnostics);
