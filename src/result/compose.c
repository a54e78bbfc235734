// SPDX-License-Identifier: MIT
// The order of the result's keys, and the bound on its size. What each key holds is composed in the
// compose_*.c of its topic.
#include "result/composer.h"

#include <math.h>
#include <stdlib.h>

#define SCHEMA_VERSION "1.0"

// What is left of the result's limit is for what night/ adds: gates, history, allow-list.
#define COMPOSED_MAX_BYTES (HR_RESULT_MAX_BYTES - 256 * 1024)

// What two objects have that one has not.
#define BRACES_BYTES 8

// From generous to tight; names, stacks and call trees are what can be large.
static const struct hr_bounds BOUNDS[] = {
    {.stacks = 8, .frames = 256, .functions = 200, .flame_nodes = 4000, .text_bytes = 1024},
    {.stacks = 8, .frames = 96, .functions = 200, .flame_nodes = 2000, .text_bytes = 512},
    {.stacks = 5, .frames = 64, .functions = 150, .flame_nodes = 1000, .text_bytes = 384},
    {.stacks = 3, .frames = 48, .functions = 100, .flame_nodes = 500, .text_bytes = 320},
    {.stacks = 1, .frames = 32, .functions = 50, .flame_nodes = 250, .text_bytes = 256},
};

static double newest_input_s(const struct hr_composer *composer)
{
    const struct hr_run *run = composer->run;
    double newest_s = hr_evidence_last_time_s(&run->evidence);
    for (size_t i = 0; i < run->dumps_count; i++) {
        if (run->dumps[i].used) {
            newest_s = fmax(newest_s, run->dumps[i].taken_at_s);
        }
    }
    return newest_s;
}

// The clock plays no part: the same inputs give the same result.
static json_t *compose_generated_time(const struct hr_composer *composer)
{
    if (!isnan(composer->context->generated_time_s)) {
        return hr_json_time(composer->context->generated_time_s);
    }
    const char *epoch = getenv("SOURCE_DATE_EPOCH");
    char *end = NULL;
    const gint64 epoch_s = epoch ? g_ascii_strtoll(epoch, &end, 10) : 0;
    if (epoch && *epoch && *end == '\0') {
        return hr_json_time((double)epoch_s);
    }
    return hr_json_time(newest_input_s(composer));
}

static json_t *compose_title(const struct hr_composer *composer)
{
    if (composer->context->title) {
        return hr_json_text(composer->context->title);
    }
    const char *prefix = composer->run->key.prefix;
    const bool named = prefix && *prefix;
    struct hr_phrase phrase = hr_phrase_new(named ? "title-run" : "title-no-dumps");
    if (named) {
        hr_phrase_add_text(&phrase, "prefix", prefix);
    }
    return hr_composer_sentence(composer, &phrase);
}

static json_t *compose_labels(const struct hr_result_context *context)
{
    json_t *labels = json_object();
    for (size_t i = 0; i < context->labels_count; i++) {
        json_t *key = hr_json_text(context->labels[i].key);
        hr_json_set(labels, json_string_value(key), hr_json_text(context->labels[i].value));
        json_decref(key);
    }
    return labels;
}

static json_t *compose_filters(const struct hr_result_context *context)
{
    json_t *filters = json_array();
    for (const char *const *filter = context->filters; filter && *filter; filter++) {
        hr_json_append(filters, hr_json_text(*filter));
    }
    return filters;
}

static json_t *compose_configuration(const struct hr_result_context *context)
{
    if (!context->configuration_file) {
        return json_null();
    }
    json_t *options = json_array();
    for (const char *const *option = context->configured; *option; option++) {
        hr_json_append(options, hr_json_text(*option));
    }
    json_t *configuration = json_object();
    hr_json_set(configuration, "file", hr_json_text(context->configuration_file));
    hr_json_set(configuration, "options", options);
    return configuration;
}

static json_t *compose_presentation(const struct hr_result_context *context)
{
    json_t *presentation = json_object();
    hr_json_set(presentation, "paper", hr_json_text(context->paper ? context->paper : "a4"));
    hr_json_set(presentation, "full", json_boolean(context->full));
    hr_json_set(presentation, "top", context->top < 0 ? json_null() : json_integer(context->top));
    hr_json_set(presentation, "template", hr_json_text(context->template_name));
    return presentation;
}

static json_t *compose_tool(const struct hr_result_context *context)
{
    json_t *tool = hr_json_tool();
    hr_json_set(tool, "sandbox", hr_json_text(context->sandbox ? context->sandbox : "none"));
    return tool;
}

static void set_head(const struct hr_composer *composer, json_t *result)
{
    hr_json_set(result, "schema", json_string(HR_RESULT_SCHEMA));
    hr_json_set(result, "schema_version", json_string(SCHEMA_VERSION));
    hr_json_set(result, "tool", compose_tool(composer->context));
    hr_json_set(result, "generated_time", compose_generated_time(composer));
    hr_json_set(result, "title", compose_title(composer));
    hr_json_set(result, "labels", compose_labels(composer->context));
    hr_json_set(result, "text_language", hr_json_text(hr_text_language(composer->text)));
    hr_json_set(result, "run", hr_compose_run(composer));
    hr_compose_set_dumps(composer, result);
    hr_json_set(result, "binary", hr_compose_binary(composer));
    hr_json_set(result, "verdict", hr_compose_verdict(composer));
    hr_json_set(result, "totals", hr_compose_totals(composer));
    hr_json_set(result, "forecast", hr_compose_forecast(composer));
    hr_json_set(result, "balance", hr_compose_balance(composer));
}

// The parts that the bounds cut; set again in their place when the bounds tighten.
static void set_bounded(const struct hr_composer *composer, json_t *result)
{
    hr_compose_set_suspects(composer, result);
    hr_compose_set_functions(composer, result);
    hr_json_set(result, "flame", hr_compose_flame(composer));
}

static void set_tail(const struct hr_composer *composer, json_t *result)
{
    const struct hr_result_context *context = composer->context;
    hr_compose_set_threads(composer, result);
    hr_json_set(result, "size_histogram", hr_compose_sizes(composer));
    hr_json_set(result, "fragmentation", hr_compose_fragmentation(composer));
    hr_json_set(result, "series", hr_compose_series(composer));
    hr_json_set(result, "symbols", hr_compose_symbols(composer));
    hr_json_set(result, "gates", json_array());
    hr_json_set(result, "history", json_array());
    hr_json_set(result, "gone", json_array());
    hr_json_set(result, "drift", json_array());
    hr_json_set(result, "allow", json_array());
    hr_json_set(result, "filters", compose_filters(context));
    hr_json_set(result, "metric", hr_json_text(hr_metric_name(composer->run->metric)));
    hr_json_set(result, "redaction", json_null());
    hr_json_set(result, "data_quality", hr_compose_data_quality(composer));
    hr_json_set(result, "thresholds", hr_compose_thresholds(composer));
    hr_compose_set_inputs(composer, result);
    hr_json_set(result, "presentation", compose_presentation(context));
    hr_json_set(result, "configuration", compose_configuration(context));
    hr_json_set(result, "reproduce",
                hr_json_text_within(context->reproduce, HR_JSON_SENTENCE_MAX_BYTES));
}

static double written_growth(const struct hr_composer *composer)
{
    const struct hr_totals *totals = &composer->findings->totals;
    if (!hr_composer_base(composer) || !hr_composer_final(composer)) {
        return NAN;
    }
    return hr_composer_whole_growth(totals->base.value, totals->final.value, totals->growth.value);
}

// Sets the first bounds that are not certain to be too generous, which saves composing under them;
// `other_bytes` is what stands in the result besides.
static size_t first_bounds(struct hr_composer *composer, size_t other_bytes)
{
    size_t i = 0;
    while (i + 1 < G_N_ELEMENTS(BOUNDS) &&
           hr_compose_suspects_least_bytes(composer) + other_bytes > COMPOSED_MAX_BYTES) {
        composer->bounds = BOUNDS[++i];
    }
    return i;
}

static void release(gpointer value)
{
    json_decref(value);
}

json_t *hr_result_compose(const struct hr_run *run, const struct hr_symbols *symbols,
                          const struct hr_findings *findings, const struct hr_rules *rules,
                          const struct hr_diagnostics *diagnostics, const struct hr_text *text,
                          const struct hr_result_context *context)
{
    g_autoptr(GHashTable) frames = g_hash_table_new_full(NULL, NULL, NULL, release);
    struct hr_composer composer = {run,  symbols, findings,  rules,  diagnostics,
                                   text, context, BOUNDS[0], frames, NAN};
    composer.growth_bytes = written_growth(&composer);
    json_t *result = json_object();
    json_t *tail = json_object();
    set_head(&composer, result);
    set_tail(&composer, tail);
    const size_t other_bytes = hr_result_size(result) + hr_result_size(tail) - BRACES_BYTES;
    size_t bounds = first_bounds(&composer, other_bytes);
    set_bounded(&composer, result);
    json_object_update(result, tail);
    json_decref(tail);
    while (bounds + 1 < G_N_ELEMENTS(BOUNDS) && hr_result_size(result) > COMPOSED_MAX_BYTES) {
        composer.bounds = BOUNDS[++bounds];
        g_hash_table_remove_all(frames);
        set_bounded(&composer, result);
    }
    return result;
}
