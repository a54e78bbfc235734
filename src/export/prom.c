// SPDX-License-Identifier: MIT
// Each metric is written once: HELP, TYPE, then its samples; base units are bytes and seconds.
#include "export/formats.h"
#include "result/tree.h"

#include <math.h>

#define SECONDS_PER_HOUR 3600.0

struct label {
    const char *name; // NULL ends the list
    const char *value;
};

struct writer {
    GString *out;
    const struct hr_text *text;
    const char *service;
};

// What the totals and the suspects' numbers are called, by what the result counts.
struct prom_names {
    const char *moments, *growth, *significant, *rate, *suspect;
};

static const struct prom_names LIVE_NAMES = {
    "heap_bytes", "heap_growth_bytes", "heap_growth_significant", "heap_growth_bytes_per_second",
    "suspect_growth_bytes"};
static const struct prom_names ALLOCATED_NAMES = {
    "allocated_bytes", "allocated_growth_bytes", "allocated_growth_significant",
    "allocated_bytes_per_second", "suspect_allocated_bytes"};

static const struct prom_names *names_for(const json_t *result)
{
    const bool live = g_strcmp0(hr_tree_text(result, "metric"), "allocated_bytes") != 0;
    return live ? &LIVE_NAMES : &ALLOCATED_NAMES;
}

static void begin_metric(const struct writer *writer, const char *name)
{
    g_autofree char *id = g_strconcat("prom-", name, NULL);
    g_string_append_printf(writer->out, "# HELP heapreport_%s %s\n# TYPE heapreport_%s gauge\n",
                           name, hr_text_get(writer->text, id), name);
}

static void append_label(GString *out, const char *name, const char *value)
{
    g_string_append_printf(out, "%s=\"", name);
    for (const char *at = value ? value : ""; *at; at++) {
        if (*at == '\\' || *at == '"') {
            g_string_append_c(out, '\\');
        }
        g_string_append_c(out, *at);
    }
    g_string_append_c(out, '"');
}

static void append_sample(const struct writer *writer, const char *name, const struct label *labels,
                          double value)
{
    char digits[G_ASCII_DTOSTR_BUF_SIZE];
    if (!isfinite(value)) {
        return;
    }
    g_string_append_printf(writer->out, "heapreport_%s{", name);
    append_label(writer->out, "service", writer->service);
    for (; labels && labels->name; labels++) {
        g_string_append_c(writer->out, ',');
        append_label(writer->out, labels->name, labels->value);
    }
    g_ascii_formatd(digits, sizeof digits, "%.15g", value);
    g_string_append_printf(writer->out, "} %s\n", digits);
}

static void write_single(const struct writer *writer, const char *name, double value)
{
    if (isfinite(value)) {
        begin_metric(writer, name);
        append_sample(writer, name, NULL, value);
    }
}

static void write_verdict(const struct writer *writer, const json_t *result)
{
    const json_t *verdict = json_object_get(result, "verdict");
    begin_metric(writer, "verdict");
    size_t i;
    json_t *rule;
    json_array_foreach(json_object_get(verdict, "rules"), i, rule)
    {
        const char *class = hr_tree_text(rule, "class");
        const struct label labels[] = {{"class", class}, {NULL, NULL}};
        const bool given = g_strcmp0(class, hr_tree_text(verdict, "class")) == 0;
        append_sample(writer, "verdict", labels, given ? 1 : 0);
    }
}

static void write_totals(const struct writer *writer, const json_t *result)
{
    static const char *const BOUNDS[][2] = {
        {"value", "growth_bytes"}, {"low", "growth_bytes_low"}, {"high", "growth_bytes_high"}};
    static const char *const MOMENTS[][2] = {
        {"base", "base_bytes"}, {"final", "final_bytes"}, {"peak", "peak_bytes"}};
    const struct prom_names *names = names_for(result);
    const json_t *totals = json_object_get(result, "totals");
    begin_metric(writer, names->moments);
    for (size_t i = 0; i < G_N_ELEMENTS(MOMENTS); i++) {
        const struct label labels[] = {{"moment", MOMENTS[i][0]}, {NULL, NULL}};
        append_sample(writer, names->moments, labels, hr_tree_number(totals, MOMENTS[i][1]));
    }
    begin_metric(writer, names->growth);
    for (size_t i = 0; i < G_N_ELEMENTS(BOUNDS); i++) {
        const struct label labels[] = {{"bound", BOUNDS[i][0]}, {NULL, NULL}};
        append_sample(writer, names->growth, labels, hr_tree_number(totals, BOUNDS[i][1]));
    }
    write_single(writer, names->significant, hr_tree_is(totals, "significant") ? 1 : 0);
    write_single(writer, names->rate,
                 hr_tree_number(totals, "rate_bytes_per_hour") / SECONDS_PER_HOUR);
    write_single(writer, "smallest_detectable_bytes",
                 hr_tree_number(totals, "smallest_detectable_bytes"));
}

static void write_balance(const struct writer *writer, const json_t *result)
{
    static const char *const MOMENTS[][2] = {{"base", "base_bytes"}, {"final", "final_bytes"}};
    const json_t *balance = json_object_get(result, "balance");
    begin_metric(writer, "memory_bytes");
    size_t i;
    json_t *row;
    json_array_foreach(balance, i, row)
    {
        for (size_t m = 0; m < G_N_ELEMENTS(MOMENTS); m++) {
            const struct label labels[] = {
                {"quantity", hr_tree_text(row, "id")}, {"moment", MOMENTS[m][0]}, {NULL, NULL}};
            append_sample(writer, "memory_bytes", labels, hr_tree_number(row, MOMENTS[m][1]));
        }
    }
}

static void write_suspects(const struct writer *writer, const json_t *result)
{
    const struct prom_names *names = names_for(result);
    const json_t *suspects = json_object_get(result, "suspects");
    begin_metric(writer, names->suspect);
    size_t i;
    json_t *suspect;
    json_array_foreach(suspects, i, suspect)
    {
        const char *significant = hr_tree_is(suspect, "significant") ? "true" : "false";
        const struct label labels[] = {{"fingerprint", hr_tree_text(suspect, "fingerprint")},
                                       {"function", hr_tree_text(suspect, "function")},
                                       {"significant", significant},
                                       {NULL, NULL}};
        append_sample(writer, names->suspect, labels, hr_tree_number(suspect, "growth_bytes"));
    }
}

// 0 passed, 1 tripped, 2 inconclusive.
static double outcome_number(const char *outcome)
{
    return g_strcmp0(outcome, "passed") == 0 ? 0 : g_strcmp0(outcome, "tripped") == 0 ? 1 : 2;
}

static void write_gates(const struct writer *writer, const json_t *result)
{
    const json_t *gates = json_object_get(result, "gates");
    if (json_array_size(gates) == 0) {
        return;
    }
    begin_metric(writer, "gate_outcome");
    size_t i;
    json_t *gate;
    json_array_foreach(gates, i, gate)
    {
        const struct label labels[] = {{"rule", hr_tree_text(gate, "rule")}, {NULL, NULL}};
        append_sample(writer, "gate_outcome", labels,
                      outcome_number(hr_tree_text(gate, "outcome")));
    }
}

static void write_quality(const struct writer *writer, const json_t *result)
{
    const json_t *run = json_object_get(result, "run");
    write_single(writer, "dumps_used", hr_tree_number(run, "dumps_used_count"));
    write_single(writer, "window_seconds", hr_tree_number(run, "duration_s"));
    write_single(writer, "named_bytes_ratio",
                 hr_tree_number(json_object_get(result, "symbols"), "named_bytes_ratio"));
    write_single(writer, "final_timestamp_seconds", hr_tree_final_time(result));
}

void hr_prom_export_write(const json_t *result, const struct hr_text *text, GByteArray *out)
{
    const char *label = hr_tree_text(json_object_get(result, "labels"), "service");
    const char *prefix = hr_tree_text(json_object_get(result, "run"), "prefix");
    g_autoptr(GString) page = g_string_new(NULL);
    const struct writer writer = {page, text, label ? label : prefix};
    write_verdict(&writer, result);
    write_totals(&writer, result);
    write_balance(&writer, result);
    write_suspects(&writer, result);
    write_gates(&writer, result);
    write_quality(&writer, result);
    g_byte_array_append(out, (const guint8 *)page->str, (guint)page->len);
}
