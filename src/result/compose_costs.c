// SPDX-License-Identifier: MIT
// functions, size_histogram, fragmentation: the whole heap, cut along functions and along sizes.
#include "result/composer.h"

#include <math.h>

struct flat_bytes {
    double base;
    double final;
};

static void set_cost(json_t *entry, const char *const keys[3], double base, double final,
                     double growth)
{
    hr_json_set(entry, keys[0], hr_json_integer(base));
    hr_json_set(entry, keys[1], hr_json_integer(final));
    hr_json_set(entry, keys[2], hr_json_integer(hr_composer_whole_growth(base, final, growth)));
}

static const char *const FLAT_KEYS[3] = {"base_flat_bytes", "final_flat_bytes",
                                         "growth_flat_bytes"};
static const char *const CUM_KEYS[3] = {"base_cum_bytes", "final_cum_bytes", "growth_cum_bytes"};

static json_t *compose_function(const struct hr_composer *composer,
                                const struct hr_function_cost *cost)
{
    json_t *entry = json_object();
    hr_json_set(entry, "function", hr_composer_name(composer, cost->function));
    hr_json_set(entry, "module", hr_composer_name(composer, cost->module));
    set_cost(entry, FLAT_KEYS, cost->base_flat_bytes, cost->final_flat_bytes,
             cost->growth_flat_bytes);
    set_cost(entry, CUM_KEYS, cost->base_cum_bytes, cost->final_cum_bytes, cost->growth_cum_bytes);
    return entry;
}

// What the list leaves of the totals. Only flat bytes have a rest: cumulated ones overlap.
static json_t *compose_rest(const struct hr_composer *composer, struct flat_bytes listed)
{
    const struct hr_totals *totals = &composer->findings->totals;
    const double base = round(totals->base.value) - listed.base;
    const double final = round(totals->final.value) - listed.final;
    json_t *rest = json_object();
    set_cost(rest, FLAT_KEYS, base, final, final - base);
    return rest;
}

void hr_compose_set_functions(const struct hr_composer *composer, json_t *result)
{
    const struct hr_findings *findings = composer->findings;
    const size_t listed = MIN(findings->functions_count, composer->bounds.functions);
    struct flat_bytes sum = {0, 0};
    json_t *functions = json_array();
    for (size_t i = 0; i < listed; i++) {
        const struct hr_function_cost *cost = &findings->functions[i];
        hr_json_append(functions, compose_function(composer, cost));
        sum.base += round(cost->base_flat_bytes);
        sum.final += round(cost->final_flat_bytes);
    }
    hr_json_set(result, "functions", functions);
    hr_json_set(result, "functions_rest", listed > 0 ? compose_rest(composer, sum) : json_null());
}

json_t *hr_compose_sizes(const struct hr_composer *composer)
{
    const struct hr_findings *findings = composer->findings;
    json_t *sizes = json_array();
    for (size_t i = 0; i < findings->sizes_count; i++) {
        const struct hr_size_bucket *bucket = &findings->sizes[i];
        json_t *entry = json_object();
        hr_json_set(entry, "from_bytes", hr_json_integer(bucket->from_bytes));
        hr_json_set(entry, "to_bytes", hr_json_integer(bucket->to_bytes));
        hr_json_set(entry, "base_bytes", hr_json_integer(bucket->base_bytes));
        hr_json_set(entry, "final_bytes", hr_json_integer(bucket->final_bytes));
        hr_json_set(entry, "final_objects", hr_json_integer(bucket->final_objects));
        hr_json_append(sizes, entry);
    }
    return sizes;
}

json_t *hr_compose_fragmentation(const struct hr_composer *composer)
{
    const struct hr_findings *findings = composer->findings;
    json_t *fragmentation = json_array();
    for (size_t i = 0; i < findings->fragments_count; i++) {
        const struct hr_fragment *fragment = &findings->fragments[i];
        const char *suspect =
            fragment->suspect < 0 ? NULL : findings->suspects[fragment->suspect].id;
        json_t *entry = json_object();
        hr_json_set(entry, "suspect", suspect ? json_string(suspect) : json_null());
        hr_json_set(entry, "size_class_bytes", hr_json_integer(fragment->size_class_bytes));
        hr_json_set(entry, "utilisation_ratio", hr_json_ratio(fragment->utilisation_ratio));
        hr_json_set(entry, "waste_bytes", hr_json_integer(fragment->waste_bytes));
        hr_json_append(fragmentation, entry);
    }
    return fragmentation;
}
