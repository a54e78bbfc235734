// SPDX-License-Identifier: MIT
// A sign test: a heap that does not drift grows in about half of its nights. NIGHTS_MIN nights, all
// of them with growth, happen by chance once in 128.
#include "night/status.h"

#include "result/json.h"
#include "result/tree.h"

#include <math.h>
#include <string.h>

#define NIGHTS_MIN 7
#define CHANCE_MAX 0.01

// The growth of one subject, night by night; NAN where a night does not know.
struct nightly {
    double growth_bytes[HR_NIGHTS_SHOWN];
    unsigned nights_count;
    unsigned positive_count;
};

static void add_night(struct nightly *nightly, double growth_bytes)
{
    if (isnan(growth_bytes) || nightly->nights_count == HR_NIGHTS_SHOWN) {
        return;
    }
    nightly->growth_bytes[nightly->nights_count++] = growth_bytes;
    nightly->positive_count += growth_bytes > 0;
}

// Chance of at least so many of n fair coins.
static double tail_chance(unsigned n, unsigned at_least)
{
    double chance = 0;
    for (unsigned k = at_least; k <= n; k++) {
        chance += exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0) - n * M_LN2);
    }
    return chance;
}

static int compare_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median_of(const struct nightly *nightly)
{
    double sorted[HR_NIGHTS_SHOWN];
    const unsigned count = nightly->nights_count;
    memcpy(sorted, nightly->growth_bytes, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, compare_numbers);
    return (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
}

static bool drifts(const struct nightly *nightly)
{
    return nightly->nights_count >= NIGHTS_MIN &&
           tail_chance(nightly->nights_count, nightly->positive_count) <= CHANCE_MAX;
}

static json_t *compose_drift(const struct nightly *nightly, const char *id, const char *function,
                             const struct hr_text *text)
{
    const double median = median_of(nightly);
    struct hr_phrase phrase = hr_phrase_new(function ? "drift-suspect" : "drift-heap");
    hr_phrase_add_number(&phrase, "nights_count", nightly->nights_count);
    hr_phrase_add_number(&phrase, "positive_count", nightly->positive_count);
    hr_phrase_add_number(&phrase, "growth_bytes", median);
    if (function) {
        hr_phrase_add_text(&phrase, "function", function);
    }
    g_autoptr(GString) sentence = g_string_new(NULL);
    hr_text_append(text, sentence, &phrase);
    json_t *drift = json_object();
    hr_json_set(drift, "suspect", hr_json_text(id));
    hr_json_set(drift, "function", hr_json_text(function));
    hr_json_set(drift, "nights_count", json_integer(nightly->nights_count));
    hr_json_set(drift, "positive_count", json_integer(nightly->positive_count));
    hr_json_set(drift, "growth_bytes", hr_json_integer(median));
    hr_json_set(drift, "text", hr_json_text_within(sentence->str, HR_JSON_SENTENCE_MAX_BYTES));
    return drift;
}

static double growth_in(const json_t *record, const char *fingerprint)
{
    size_t i;
    json_t *suspect;
    json_array_foreach(json_object_get(record, "suspects"), i, suspect)
    {
        if (g_strcmp0(hr_tree_text(suspect, "fingerprint"), fingerprint) == 0) {
            return hr_tree_number(suspect, "growth_bytes");
        }
    }
    // Growers alone are listed: who is missing did not grow, if the heap was measured at all.
    return isnan(hr_tree_number(record, "growth_bytes")) ? NAN : 0;
}

static void append_suspect(const GPtrArray *nights, const json_t *suspect,
                           const struct hr_text *text, json_t *list)
{
    struct nightly nightly = {.nights_count = 0};
    for (guint i = 0; i < nights->len; i++) {
        add_night(&nightly,
                  growth_in(g_ptr_array_index(nights, i), hr_tree_text(suspect, "fingerprint")));
    }
    // What one night shows needs no row of nights.
    if (drifts(&nightly) && !hr_tree_is(suspect, "significant")) {
        hr_json_append(list, compose_drift(&nightly, hr_tree_text(suspect, "id"),
                                           hr_tree_text(suspect, "function"), text));
    }
}

json_t *hr_drift_compose(const GPtrArray *nights, const json_t *suspects,
                         const struct hr_text *text)
{
    json_t *list = json_array();
    struct nightly heap = {.nights_count = 0};
    for (guint i = 0; i < nights->len; i++) {
        add_night(&heap, hr_tree_number(g_ptr_array_index(nights, i), "growth_bytes"));
    }
    const bool shown_by_one =
        nights->len > 0 && hr_tree_is(g_ptr_array_index(nights, nights->len - 1), "significant");
    if (drifts(&heap) && !shown_by_one) {
        hr_json_append(list, compose_drift(&heap, NULL, NULL, text));
    }
    size_t i;
    json_t *suspect;
    json_array_foreach(suspects, i, suspect)
    {
        append_suspect(nights, suspect, text, list);
    }
    return list;
}
