// SPDX-License-Identifier: MIT
// totals, forecast, balance: how much, and where it stands in the process.
#include "result/composer.h"
#include "result/names.h"

#include <math.h>

static const struct hr_totals UNKNOWN = {
    .base = {NAN, NAN, NAN},
    .final = {NAN, NAN, NAN},
    .peak = {NAN, NAN, NAN},
    .growth = {NAN, NAN, NAN},
    .base_objects = NAN,
    .final_objects = NAN,
    .growth_objects = NAN,
    .grown_bytes = NAN,
    .shrunk_bytes = NAN,
    .trend = {.thirds_growth_bytes = {NAN, NAN, NAN}, .rate_bytes_per_hour = {NAN, NAN, NAN}},
    .smallest_detectable_bytes = NAN,
    .coverage_ratio = NAN,
};

// Growth as written: the difference of the ends as written, with bounds around it.
static struct hr_estimate whole_growth(const struct hr_totals *totals)
{
    struct hr_estimate growth = totals->growth;
    growth.value =
        hr_composer_whole_growth(totals->base.value, totals->final.value, totals->growth.value);
    return growth;
}

// growth = grown - shrunk is to hold in whole bytes too, and neither is ever below nothing.
static void set_grown_and_shrunk(json_t *object, const struct hr_totals *totals, double growth)
{
    double grown = round(totals->grown_bytes);
    double shrunk = round(totals->shrunk_bytes);
    if (fabs(grown - shrunk - growth) <= 2) {
        shrunk = fmax(grown - growth, 0);
        grown = growth + shrunk;
    }
    hr_json_set(object, "grown_bytes", hr_json_integer(grown));
    hr_json_set(object, "shrunk_bytes", hr_json_integer(shrunk));
}

static void set_bytes(json_t *object, const struct hr_totals *totals)
{
    const struct hr_estimate growth = whole_growth(totals);
    hr_json_set(object, "base_bytes", hr_json_integer(totals->base.value));
    hr_json_set(object, "final_bytes", hr_json_integer(totals->final.value));
    hr_json_set(object, "peak_bytes", hr_json_integer(totals->peak.value));
    hr_json_set_estimate(object, "growth_bytes", growth);
    hr_json_set(object, "significant", json_boolean(totals->significant));
    hr_json_set(object, "base_objects", hr_json_integer(totals->base_objects));
    hr_json_set(object, "final_objects", hr_json_integer(totals->final_objects));
    hr_json_set(object, "growth_objects",
                hr_json_integer(hr_composer_whole_growth(
                    totals->base_objects, totals->final_objects, totals->growth_objects)));
    set_grown_and_shrunk(object, totals, growth.value);
}

json_t *hr_compose_totals(const struct hr_composer *composer)
{
    const bool measured = hr_composer_base(composer) && hr_composer_final(composer);
    const struct hr_totals *totals = measured ? &composer->findings->totals : &UNKNOWN;
    json_t *object = json_object();
    set_bytes(object, totals);
    hr_json_set_estimate(object, "rate_bytes_per_hour", totals->trend.rate_bytes_per_hour);
    hr_json_set(object, "shape", json_string(hr_name_shape(totals->trend.shape)));
    hr_json_set(object, "thirds_growth_bytes",
                hr_composer_thirds(totals->trend.thirds_growth_bytes));
    hr_json_set(object, "smallest_detectable_bytes",
                hr_json_integer(totals->smallest_detectable_bytes));
    hr_json_set(object, "coverage_ratio", hr_json_ratio(totals->coverage_ratio));
    return object;
}

json_t *hr_compose_forecast(const struct hr_composer *composer)
{
    const struct hr_forecast *forecast = &composer->findings->forecast;
    if (!forecast->known) {
        return json_null();
    }
    json_t *object = json_object();
    hr_json_set(object, "limit_bytes", hr_json_integer(forecast->limit_bytes));
    hr_json_set(object, "limit_source", hr_json_text(forecast->limit_source));
    hr_json_set(object, "low_s", hr_json_seconds(forecast->low_s));
    hr_json_set(object, "high_s", hr_json_seconds(forecast->high_s));
    return object;
}

json_t *hr_compose_balance(const struct hr_composer *composer)
{
    const struct hr_findings *findings = composer->findings;
    json_t *balance = json_array();
    for (size_t i = 0; i < findings->balance_count; i++) {
        const struct hr_balance_row *row = &findings->balance[i];
        struct hr_estimate growth = row->growth;
        growth.value = hr_composer_whole_growth(row->base_bytes, row->final_bytes, growth.value);
        json_t *entry = json_object();
        hr_json_set(entry, "id", json_string(row->id));
        hr_json_set(entry, "label", hr_composer_words(composer, "balance-", row->id));
        hr_json_set(entry, "source", hr_json_text(row->source));
        hr_json_set(entry, "base_bytes", hr_json_integer(row->base_bytes));
        hr_json_set(entry, "final_bytes", hr_json_integer(row->final_bytes));
        hr_json_set(entry, "peak_bytes", hr_json_integer(row->peak_bytes));
        hr_json_set(entry, "last_bytes", hr_json_integer(row->last_bytes));
        hr_json_set_estimate(entry, "growth_bytes", growth);
        hr_json_append(balance, entry);
    }
    return balance;
}
