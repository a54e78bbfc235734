// SPDX-License-Identifier: MIT
#include "base/format.h"
#include "night/trend.h"
#include "result/json_csv.h"
#include "result/tree.h"

static const char *const COLUMNS[] = {
    "final_time",     "class",     "growth_bytes", "rate_bytes_per_hour",
    "suspects_count", "new_count", "final_bytes",  NULL};

static void append_line(const struct hr_text *text, GString *out, const struct hr_phrase *phrase)
{
    hr_text_append(text, out, phrase);
    g_string_append_c(out, '\n');
}

static void append_night(const struct hr_text *text, GString *out, const json_t *night)
{
    struct hr_phrase phrase = hr_phrase_new("trend-night");
    hr_phrase_add_number(&phrase, "final_time", hr_tree_time(night, "final_time"));
    hr_phrase_add_text(&phrase, "class", hr_tree_text(night, "class"));
    for (size_t i = 2; COLUMNS[i]; i++) {
        hr_phrase_add_number(&phrase, COLUMNS[i], hr_tree_number(night, COLUMNS[i]));
    }
    append_line(text, out, &phrase);
}

static void append_suspect(const struct hr_text *text, GString *out, const json_t *suspect)
{
    struct hr_phrase phrase = hr_phrase_new("trend-suspect");
    const char *function = hr_tree_text(suspect, "function");
    hr_phrase_add_text(&phrase, "function", function ? function : "");
    hr_phrase_add_text(&phrase, "fingerprint", hr_tree_text(suspect, "fingerprint"));
    hr_phrase_add_number(&phrase, "nights_count", hr_tree_number(suspect, "nights_count"));
    hr_phrase_add_number(&phrase, "growth_bytes", hr_tree_number(suspect, "growth_bytes"));
    hr_phrase_add_number(&phrase, "last_time", hr_tree_time(suspect, "last_time"));
    append_line(text, out, &phrase);
}

static void append_service(const struct hr_text *text, GString *out, const json_t *service)
{
    struct hr_phrase head = hr_phrase_new("trend-service");
    const json_t *nights = json_object_get(service, "nights");
    hr_phrase_add_text(&head, "service", hr_tree_text(service, "service"));
    hr_phrase_add_number(&head, "nights_count",
                         (double)json_array_size(nights) +
                             hr_tree_number(service, "nights_rest_count"));
    append_line(text, out, &head);
    size_t i;
    json_t *entry;
    json_array_foreach(nights, i, entry)
    {
        append_night(text, out, entry);
    }
    json_array_foreach(json_object_get(service, "drift"), i, entry)
    {
        g_string_append_printf(out, "%s\n", hr_tree_text(entry, "text"));
    }
    json_array_foreach(json_object_get(service, "suspects"), i, entry)
    {
        append_suspect(text, out, entry);
    }
}

void hr_trend_append_text(const json_t *trend, const struct hr_text *text, GString *out)
{
    const json_t *services = json_object_get(trend, "services");
    size_t i;
    json_t *service;
    json_array_foreach(services, i, service)
    {
        g_string_append(out, i > 0 ? "\n" : "");
        append_service(text, out, service);
    }
    if (json_array_size(services) == 0) {
        const struct hr_phrase none = hr_phrase_new("trend-empty");
        append_line(text, out, &none);
    }
}

void hr_trend_append_csv(const json_t *trend, GString *out)
{
    struct hr_csv csv = {.out = out};
    hr_csv_add_text(&csv, "service");
    hr_csv_add_head(&csv, COLUMNS);
    size_t i;
    json_t *service;
    json_array_foreach(json_object_get(trend, "services"), i, service)
    {
        size_t n;
        json_t *night;
        json_array_foreach(json_object_get(service, "nights"), n, night)
        {
            hr_json_add_cell(&csv, json_object_get(service, "service"));
            hr_json_add_row(&csv, night, COLUMNS);
        }
    }
}
