// SPDX-License-Identifier: MIT
#include "night/history_check.h"

#include "result/tree.h"

#include <glib.h>
#include <math.h>

#define NUMBERS_END 0x1p63

// A number of a night: such as can be, or unknown, or not written by that version.
static bool is_number(const json_t *object, const char *key, double least)
{
    const json_t *value = json_object_get(object, key);
    const double number = json_number_value(value);
    return !value || json_is_null(value) ||
           (json_is_number(value) && number >= least && number < NUMBERS_END);
}

static bool has_sound_numbers(const json_t *record)
{
    static const char *const SIGNED[] = {"growth_bytes", "growth_bytes_low", "growth_bytes_high",
                                         "rate_bytes_per_hour"};
    static const char *const COUNTED[] = {"base_bytes", "final_bytes", "suspects_count",
                                          "new_count",  "known_count", "grown_count",
                                          "gone_count"};
    bool sound = true;
    for (size_t i = 0; i < G_N_ELEMENTS(SIGNED); i++) {
        sound &= is_number(record, SIGNED[i], -NUMBERS_END);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(COUNTED); i++) {
        sound &= is_number(record, COUNTED[i], 0);
    }
    return sound;
}

static bool has_sound_time(const json_t *record)
{
    const json_t *time = json_object_get(record, "final_time");
    return !time || json_is_null(time) || !isnan(hr_tree_time(record, "final_time"));
}

static bool has_sound_suspects(const json_t *record)
{
    const json_t *suspects = json_object_get(record, "suspects");
    bool sound = json_is_array(suspects);
    size_t i;
    json_t *suspect;
    json_array_foreach(suspects, i, suspect)
    {
        sound &= hr_tree_text(suspect, "fingerprint") &&
                 is_number(suspect, "growth_bytes", -NUMBERS_END);
    }
    return sound;
}

bool hr_history_is_record(const json_t *record)
{
    return g_strcmp0(hr_tree_text(record, "schema"), HR_HISTORY_SCHEMA) == 0 &&
           hr_tree_number(record, "version") == HR_HISTORY_VERSION &&
           hr_tree_text(record, "service") && hr_tree_text(record, "run") &&
           hr_tree_is_class(hr_tree_text(record, "class")) && has_sound_numbers(record) &&
           has_sound_time(record) && has_sound_suspects(record);
}
