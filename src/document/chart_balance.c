// SPDX-License-Identifier: MIT
// The balance: from the heap profile outwards, what each part held at base and at final.
#include "document/chart_series.h"

#include <math.h>
#include <string.h>

static int colour_of(const char *id)
{
    static const struct {
        const char *id;
        int colour;
    } colours[] = {
        {"heap_profile", HR_COLOUR_HEAP},   {"allocated", HR_COLOUR_ALLOCATED},
        {"resident", HR_COLOUR_RESIDENT},   {"active", HR_COLOUR_RESIDENT},
        {"anonymous", HR_COLOUR_ANONYMOUS}, {"private_dirty", HR_COLOUR_ANONYMOUS},
        {"file", HR_COLOUR_FILE},           {"shmem", HR_COLOUR_FILE},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(colours); i++) {
        if (strcmp(colours[i].id, id) == 0) {
            return colours[i].colour;
        }
    }
    return HR_COLOUR_OTHER;
}

static double number_of(const json_t *entry, const char *key)
{
    const json_t *number = json_object_get(entry, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

static struct hr_chart_bar bar_of(struct hr_arena *arena, const json_t *entry)
{
    const char *id = json_string_value(json_object_get(entry, "id"));
    const char *label = json_string_value(json_object_get(entry, "label"));
    id = id ? id : "";
    return (struct hr_chart_bar){
        .id = hr_arena_strdup(arena, id),
        .label = hr_arena_strdup(arena, label ? label : id),
        .colour = colour_of(id),
        .base = number_of(entry, "base_bytes"),
        .final = number_of(entry, "final_bytes"),
        .growth = {number_of(entry, "growth_bytes"), number_of(entry, "growth_bytes_low"),
                   number_of(entry, "growth_bytes_high")},
    };
}

// Which parts make the way from the heap outwards, the most telling first; the table of the
// allocator has all.
static const char *const shown_first[] = {"heap_profile", "allocated",   "resident", "anonymous",
                                          "file",         "unexplained", "rss",      "shmem"};

#define BARS_MAX 6

static bool is_measured(const struct hr_chart_bar *bar)
{
    return bar->base > 0 || bar->final > 0;
}

static bool is_shown(const json_t *balance, struct hr_arena *arena, const char *id)
{
    unsigned before = 0;
    for (size_t rank = 0; rank < G_N_ELEMENTS(shown_first) && before < BARS_MAX; rank++) {
        if (strcmp(shown_first[rank], id) == 0) {
            return true;
        }
        for (size_t i = 0; i < json_array_size(balance); i++) {
            const struct hr_chart_bar other = bar_of(arena, json_array_get(balance, i));
            before += strcmp(other.id, shown_first[rank]) == 0 && is_measured(&other);
        }
    }
    return false;
}

bool hr_chart_balance_compose(const struct hr_chart_source *source, struct hr_chart *chart)
{
    const json_t *balance = json_object_get(source->result, "balance");
    struct hr_chart_bar *bars =
        HR_ARENA_ARRAY(source->arena, struct hr_chart_bar, json_array_size(balance));
    chart->kind = HR_CHART_BALANCE;
    chart->name = "balance";
    chart->bars = bars;
    for (size_t i = 0; i < json_array_size(balance); i++) {
        struct hr_chart_bar bar = bar_of(source->arena, json_array_get(balance, i));
        if (is_measured(&bar) && is_shown(balance, source->arena, bar.id)) {
            bars[chart->bars_count++] = bar;
        }
    }
    // one bar alone balances nothing, and its numbers are the key numbers above
    return chart->bars_count > 1;
}
