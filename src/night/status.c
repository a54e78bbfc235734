// SPDX-License-Identifier: MIT
#include "night/status.h"

#include "result/json.h"
#include "result/tree.h"

#include <math.h>
#include <string.h>

#define GONE_MAX 30
#define FINGERPRINT_DIGITS 12

static const json_t *find_suspect(const json_t *record, const char *fingerprint)
{
    size_t i;
    json_t *suspect;
    json_array_foreach(json_object_get(record, "suspects"), i, suspect)
    {
        if (g_strcmp0(hr_tree_text(suspect, "fingerprint"), fingerprint) == 0) {
            return suspect;
        }
    }
    return NULL;
}

// What the earlier nights know of one fingerprint.
struct past {
    unsigned nights_count;
    double greatest_growth_bytes;
};

static struct past look_back(const GPtrArray *earlier, const char *fingerprint)
{
    struct past past = {0, -INFINITY};
    for (guint i = 0; i < earlier->len; i++) {
        const json_t *suspect = find_suspect(g_ptr_array_index(earlier, i), fingerprint);
        if (suspect) {
            past.nights_count++;
            past.greatest_growth_bytes =
                fmax(past.greatest_growth_bytes, hr_tree_number(suspect, "growth_bytes"));
        }
    }
    return past;
}

static const char *status_of(const json_t *suspect, const struct past *past)
{
    if (past->nights_count == 0) {
        return "new";
    }
    // Grown: beyond its error more than in any night before.
    const double low = hr_tree_number(suspect, "growth_bytes_low");
    const bool more = low > past->greatest_growth_bytes;
    return more && hr_tree_is(suspect, "significant") ? "grown" : "known";
}

static json_t *compose_gone(const GPtrArray *earlier, const json_t *suspect)
{
    const struct past past = look_back(earlier, hr_tree_text(suspect, "fingerprint"));
    json_t *gone = json_object();
    hr_json_set(gone, "fingerprint", hr_json_text(hr_tree_text(suspect, "fingerprint")));
    hr_json_set(gone, "function", hr_json_text(hr_tree_text(suspect, "function")));
    hr_json_set(gone, "growth_bytes", hr_json_integer(hr_tree_number(suspect, "growth_bytes")));
    hr_json_set(gone, "nights_count", json_integer(past.nights_count));
    return gone;
}

// Suspects that counted in the last night before and are none tonight. A night that named nobody
// (no dumps) says nothing of them.
static json_t *compose_all_gone(const GPtrArray *earlier, const json_t *result)
{
    json_t *gone = json_array();
    const bool measured = json_is_object(json_object_get(json_object_get(result, "run"), "final"));
    if (earlier->len == 0 || !measured) {
        return gone;
    }
    const json_t *last = g_ptr_array_index(earlier, earlier->len - 1);
    size_t i;
    json_t *suspect;
    json_array_foreach(json_object_get(last, "suspects"), i, suspect)
    {
        const char *fingerprint = hr_tree_text(suspect, "fingerprint");
        if (fingerprint && hr_tree_is(suspect, "significant") &&
            !find_suspect(result, fingerprint) && json_array_size(gone) < GONE_MAX) {
            hr_json_append(gone, compose_gone(earlier, suspect));
        }
    }
    return gone;
}

void hr_status_apply(const GPtrArray *earlier, json_t *result)
{
    size_t i;
    json_t *suspect;
    json_array_foreach(json_object_get(result, "suspects"), i, suspect)
    {
        const struct past past = look_back(earlier, hr_tree_text(suspect, "fingerprint"));
        hr_json_set(suspect, "status", json_string(status_of(suspect, &past)));
        hr_json_set(suspect, "nights_count", json_integer(past.nights_count + 1));
    }
    hr_json_set(result, "gone", compose_all_gone(earlier, result));
}

// Records of earlier versions lack some of the numbers: unknown then.
json_t *hr_status_compose_night(const json_t *record)
{
    static const char *const NUMBERS[] = {
        "growth_bytes",   "growth_bytes_low", "growth_bytes_high", "rate_bytes_per_hour",
        "suspects_count", "new_count",        "known_count",       "grown_count",
        "gone_count",     "final_bytes"};
    json_t *night = json_object();
    hr_json_set(night, "final_time", hr_json_time(hr_tree_time(record, "final_time")));
    hr_json_set(night, "class", hr_json_text(hr_tree_text(record, "class")));
    for (size_t i = 0; i < G_N_ELEMENTS(NUMBERS); i++) {
        hr_json_set(night, NUMBERS[i], hr_json_integer(hr_tree_number(record, NUMBERS[i])));
    }
    return night;
}

void hr_status_set_nights(const GPtrArray *earlier, const json_t *record,
                          const struct hr_text *text, json_t *result)
{
    g_autoptr(GPtrArray) nights = g_ptr_array_new();
    const guint shown = MIN(earlier->len, HR_NIGHTS_SHOWN - 1);
    json_t *history = json_array();
    for (guint i = earlier->len - shown; i < earlier->len; i++) {
        g_ptr_array_add(nights, g_ptr_array_index(earlier, i));
    }
    g_ptr_array_add(nights, (json_t *)(uintptr_t)record);
    for (guint i = 0; i < nights->len; i++) {
        hr_json_append(history, hr_status_compose_night(g_ptr_array_index(nights, i)));
    }
    hr_json_set(result, "history", history);
    hr_json_set(result, "drift",
                hr_drift_compose(nights, json_object_get(result, "suspects"), text));
}
