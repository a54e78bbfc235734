// SPDX-License-Identifier: MIT
// suspects[].call_tree: through which calls a suspect grew, as a flat pre-order list.
#include "result/composer.h"

static json_t *compose_call(const struct hr_composer *composer, const struct hr_call *call)
{
    struct hr_estimate growth = call->growth;
    growth.value =
        hr_composer_whole_growth(call->base_bytes, call->final_bytes, call->growth.value);
    json_t *entry = json_object();
    hr_json_set(entry, "parent_index", json_integer(call->parent_index));
    hr_json_set(entry, "depth", json_integer(call->depth));
    hr_json_set(entry, "function", hr_composer_name(composer, call->function));
    hr_json_set(entry, "frames_count",
                call->frames_count > 0 ? hr_json_count(call->frames_count) : json_null());
    hr_json_set(entry, "responsible", json_boolean(call->responsible));
    hr_json_set(entry, "base_bytes", hr_json_integer(call->base_bytes));
    hr_json_set(entry, "final_bytes", hr_json_integer(call->final_bytes));
    hr_json_set_estimate(entry, "growth_bytes", growth);
    hr_json_set(entry, "significant", json_boolean(call->significant));
    hr_json_set(entry, "share_ratio", hr_json_ratio(call->share_ratio));
    return entry;
}

json_t *hr_compose_call_tree(const struct hr_composer *composer, size_t suspect)
{
    json_t *list = json_array();
    const struct hr_call_tree *trees = composer->findings->call_trees;
    for (size_t i = 0; trees && i < trees[suspect].calls_count; i++) {
        hr_json_append(list, compose_call(composer, &trees[suspect].calls[i]));
    }
    return list;
}
