// SPDX-License-Identifier: MIT
#include "night/trend.h"

#include "night/status.h"
#include "result/json.h"
#include "result/tree.h"

#include <math.h>
#include <string.h>

// What was seen of one fingerprint over all nights.
struct seen {
    const char *fingerprint;
    const char *function; // of the last night
    const char *first_time;
    const char *last_time;
    double growth_bytes;
    unsigned nights_count;
};

static json_t *compose_nights(const GPtrArray *nights, guint first)
{
    json_t *list = json_array();
    for (guint i = first; i < nights->len; i++) {
        hr_json_append(list, hr_status_compose_night(g_ptr_array_index(nights, i)));
    }
    return list;
}

static void see(GHashTable *table, const json_t *record, const json_t *suspect)
{
    const char *fingerprint = hr_tree_text(suspect, "fingerprint");
    if (!fingerprint) {
        return;
    }
    struct seen *seen = g_hash_table_lookup(table, fingerprint);
    if (!seen) {
        seen = g_new0(struct seen, 1);
        seen->fingerprint = fingerprint;
        seen->first_time = hr_tree_text(record, "final_time");
        g_hash_table_insert(table, (void *)(uintptr_t)fingerprint, seen);
    }
    seen->function = hr_tree_text(suspect, "function");
    seen->last_time = hr_tree_text(record, "final_time");
    seen->growth_bytes = hr_tree_number(suspect, "growth_bytes");
    seen->nights_count++;
}

static GHashTable *see_all(const GPtrArray *nights)
{
    GHashTable *table = g_hash_table_new_full(g_str_hash, g_str_equal, NULL, g_free);
    for (guint i = 0; i < nights->len; i++) {
        const json_t *record = g_ptr_array_index(nights, i);
        size_t s;
        json_t *suspect;
        json_array_foreach(json_object_get(record, "suspects"), s, suspect)
        {
            if (hr_tree_is(suspect, "significant")) {
                see(table, record, suspect);
            }
        }
    }
    return table;
}

// Most nights first.
static int compare_seen(const void *left, const void *right)
{
    const struct seen *a = *(const struct seen *const *)left;
    const struct seen *b = *(const struct seen *const *)right;
    if (a->nights_count != b->nights_count) {
        return a->nights_count > b->nights_count ? -1 : 1;
    }
    return strcmp(a->fingerprint, b->fingerprint);
}

static json_t *compose_seen(const struct seen *seen)
{
    json_t *entry = json_object();
    hr_json_set(entry, "fingerprint", hr_json_text(seen->fingerprint));
    hr_json_set(entry, "function", hr_json_text(seen->function));
    hr_json_set(entry, "nights_count", json_integer(seen->nights_count));
    hr_json_set(entry, "first_time", hr_json_text(seen->first_time));
    hr_json_set(entry, "last_time", hr_json_text(seen->last_time));
    hr_json_set(entry, "growth_bytes", hr_json_integer(seen->growth_bytes));
    return entry;
}

static void set_suspects(const GPtrArray *nights, json_t *service)
{
    g_autoptr(GHashTable) table = see_all(nights);
    g_autoptr(GPtrArray) order = g_ptr_array_new();
    GHashTableIter iterator;
    void *seen;
    g_hash_table_iter_init(&iterator, table);
    while (g_hash_table_iter_next(&iterator, NULL, &seen)) {
        g_ptr_array_add(order, seen);
    }
    g_ptr_array_sort(order, compare_seen);
    json_t *suspects = json_array();
    for (guint i = 0; i < MIN(order->len, HR_TREND_SUSPECTS_MAX); i++) {
        hr_json_append(suspects, compose_seen(g_ptr_array_index(order, i)));
    }
    hr_json_set(service, "suspects", suspects);
    hr_json_set(service, "suspects_rest_count",
                json_integer((json_int_t)(order->len - json_array_size(suspects))));
}

static json_t *compose_drift(const GPtrArray *nights, const struct hr_text *text)
{
    g_autoptr(GPtrArray) last = g_ptr_array_new();
    const guint shown = MIN(nights->len, HR_NIGHTS_SHOWN);
    for (guint i = nights->len - shown; i < nights->len; i++) {
        g_ptr_array_add(last, g_ptr_array_index(nights, i));
    }
    return hr_drift_compose(last, NULL, text);
}

static json_t *compose_service(const struct hr_history *history, const struct hr_text *text,
                               const char *service, guint number)
{
    g_autoptr(GPtrArray) nights = hr_history_nights(history, service);
    const guint cut = nights->len > HR_TREND_NIGHTS_MAX ? nights->len - HR_TREND_NIGHTS_MAX : 0;
    json_t *object = json_object();
    g_autofree char *id = g_strdup_printf("N%u", number);
    hr_json_set(object, "id", json_string(id));
    hr_json_set(object, "service", hr_json_text(service));
    hr_json_set(object, "nights_count", json_integer(nights->len));
    hr_json_set(object, "last",
                hr_status_compose_night(g_ptr_array_index(nights, nights->len - 1)));
    hr_json_set(object, "nights", compose_nights(nights, cut));
    hr_json_set(object, "nights_rest_count", json_integer(cut));
    hr_json_set(object, "drift", compose_drift(nights, text));
    set_suspects(nights, object);
    const json_t *suspects_cut = json_object_get(object, "suspects_rest_count");
    hr_json_set(object, "is_cut", json_boolean(cut > 0 || json_integer_value(suspects_cut) > 0));
    return object;
}

static int compare_names(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static GPtrArray *service_names(const GPtrArray *nights)
{
    g_autoptr(GHashTable) seen = g_hash_table_new(g_str_hash, g_str_equal);
    GPtrArray *names = g_ptr_array_new();
    for (guint i = 0; i < nights->len; i++) {
        char *name = (char *)(uintptr_t)hr_tree_text(g_ptr_array_index(nights, i), "service");
        if (g_hash_table_add(seen, name)) {
            g_ptr_array_add(names, name);
        }
    }
    g_ptr_array_sort(names, compare_names);
    return names;
}

static json_t *compose_title(const struct hr_text *text, guint services_count)
{
    struct hr_phrase phrase = hr_phrase_new("trend-title");
    hr_phrase_add_number(&phrase, "services_count", services_count);
    g_autoptr(GString) title = g_string_new(NULL);
    hr_text_append(text, title, &phrase);
    return hr_json_text(title->str);
}

// The time of the newest night: never the clock.
static json_t *compose_generated_time(const GPtrArray *nights)
{
    const json_t *last = nights->len > 0 ? g_ptr_array_index(nights, nights->len - 1) : NULL;
    return hr_json_time(hr_tree_time(last, "final_time"));
}

json_t *hr_trend_compose(const struct hr_history *history, const struct hr_text *text)
{
    g_autoptr(GPtrArray) nights = hr_history_nights(history, NULL);
    g_autoptr(GPtrArray) names = service_names(nights);
    json_t *services = json_array();
    for (guint i = 0; i < names->len; i++) {
        hr_json_append(services,
                       compose_service(history, text, g_ptr_array_index(names, i), i + 1));
    }
    json_t *trend = json_object();
    hr_json_set(trend, "schema", json_string("heapreport-trend"));
    hr_json_set(trend, "schema_version", json_string("1.0"));
    hr_json_set(trend, "tool", hr_json_tool());
    hr_json_set(trend, "generated_time", compose_generated_time(nights));
    hr_json_set(trend, "title", compose_title(text, names->len));
    hr_json_set(trend, "text_language", hr_json_text(hr_text_language(text)));
    hr_json_set(trend, "services_count", json_integer(names->len));
    hr_json_set(trend, "nights_count", json_integer(nights->len));
    hr_json_set(trend, "services", services);
    return trend;
}
