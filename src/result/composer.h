// SPDX-License-Identifier: MIT
// What the parts of compose share: the inputs of one composition, its bounds, and the few numbers
// that several parts must round alike. One file a topic; compose.c puts them in order.
#pragma once

#include "result/json.h"
#include "result/result.h"

// How much of each list is kept. compose.c tightens it until the tree fits.
struct hr_bounds {
    size_t stacks;    // a suspect
    size_t frames;    // a stack
    size_t functions; // of the cost table
    size_t flame_nodes;
    size_t text_bytes; // of a name
};

struct hr_composer {
    const struct hr_run *run;
    const struct hr_symbols *symbols; // NULL: nothing was symbolized
    const struct hr_findings *findings;
    const struct hr_rules *rules;
    const struct hr_diagnostics *diagnostics;
    const struct hr_text *text;
    const struct hr_result_context *context;
    struct hr_bounds bounds;
    GHashTable *frames;  // objects made under these bounds: equal frames of all stacks share one
    double growth_bytes; // totals.growth_bytes as it is written: whole bytes, NAN when unknown
};

// Dumps that were chosen; NULL where there is none.
const struct hr_dump *hr_composer_base(const struct hr_composer *composer);
const struct hr_dump *hr_composer_final(const struct hr_composer *composer);
const struct hr_dump *hr_composer_teardown(const struct hr_composer *composer);

// A name (function, path), bounded.
json_t *hr_composer_name(const struct hr_composer *composer, const char *name);

// A sentence with its slots filled; null when the phrase has no id.
json_t *hr_composer_sentence(const struct hr_composer *composer, const struct hr_phrase *phrase);

// The text `prefix``id` of the catalogue; null when there is none.
json_t *hr_composer_words(const struct hr_composer *composer, const char *prefix, const char *id);

// Growth as the difference of the rounded ends, so that it holds in whole bytes, wherever growth is
// that difference; else growth rounded by itself.
double hr_composer_whole_growth(double base, double final, double growth);

// The three growths of a trend as a list.
json_t *hr_composer_thirds(const double thirds_bytes[3]);

json_t *hr_compose_run(const struct hr_composer *composer);
void hr_compose_set_dumps(const struct hr_composer *composer, json_t *result);
json_t *hr_compose_binary(const struct hr_composer *composer);
json_t *hr_compose_verdict(const struct hr_composer *composer);
json_t *hr_compose_totals(const struct hr_composer *composer);
json_t *hr_compose_forecast(const struct hr_composer *composer);
json_t *hr_compose_balance(const struct hr_composer *composer);
void hr_compose_set_suspects(const struct hr_composer *composer, json_t *result);

// Fewer bytes than the suspects take when they are written within the bounds, found without
// composing them.
size_t hr_compose_suspects_least_bytes(const struct hr_composer *composer);
json_t *hr_compose_stack(const struct hr_composer *composer, const struct hr_suspect_stack *stack);
size_t hr_compose_stack_least_bytes(const struct hr_composer *composer, uint32_t stack);
json_t *hr_compose_call_tree(const struct hr_composer *composer, size_t suspect);
void hr_compose_set_functions(const struct hr_composer *composer, json_t *result);
json_t *hr_compose_flame(const struct hr_composer *composer);
void hr_compose_set_threads(const struct hr_composer *composer, json_t *result);
json_t *hr_compose_sizes(const struct hr_composer *composer);
json_t *hr_compose_fragmentation(const struct hr_composer *composer);
json_t *hr_compose_series(const struct hr_composer *composer);
json_t *hr_compose_symbols(const struct hr_composer *composer);
json_t *hr_compose_data_quality(const struct hr_composer *composer);
json_t *hr_compose_thresholds(const struct hr_composer *composer);
void hr_compose_set_inputs(const struct hr_composer *composer, json_t *result);
