// SPDX-License-Identifier: MIT
#include "pipeline.h"

#include "analysis/choice.h"
#include "analysis/findings.h"
#include "symbolize/symbolize.h"

#include <math.h>
#include <string.h>

#define POINTS 512

void pipeline_init(struct pipeline *pipeline, const char *binary, const char *root)
{
    *pipeline = (struct pipeline){.arena = hr_arena_new(), .binary = binary, .root = root};
    g_autoptr(GError) error = NULL;
    hr_ingest_read_rules(pipeline->arena, &pipeline->rules, g_getenv("HR_DATA_DIR"), NULL, &error);
    g_assert_no_error(error);
    pipeline->text = hr_text_load(NULL, &error);
    g_assert_no_error(error);
}

void pipeline_clear(struct pipeline *pipeline)
{
    hr_text_free(pipeline->text);
    hr_arena_free(pipeline->arena);
}

static void check_dumps(const struct hr_run *run)
{
    for (size_t i = 0; i < run->dumps_count; i++) {
        const struct hr_dump *dump = &run->dumps[i];
        g_assert_true(!dump->used || (isfinite(dump->live_bytes) && dump->live_bytes >= 0));
        g_assert_true(!dump->used || (isfinite(dump->live_objects) && dump->live_objects >= 0));
        g_assert_true(!dump->rows || dump->rows_count == 0 ||
                      dump->rows[dump->rows_count - 1].stack < hr_stacks_count(run->stacks));
    }
}

static double number_of(const json_t *object, const char *key)
{
    const json_t *value = json_object_get(object, key);
    return json_is_number(value) ? json_number_value(value) : NAN;
}

// The suspects and the rest are the growth, but for what rounding each of them adds.
static void check_sums(const json_t *result)
{
    const json_t *totals = json_object_get(result, "totals");
    const json_t *suspects = json_object_get(result, "suspects");
    const double growth = number_of(totals, "growth_bytes");
    double sum = number_of(json_object_get(result, "suspects_rest"), "growth_bytes");
    for (size_t i = 0; i < json_array_size(suspects); i++) {
        const json_t *suspect = json_array_get(suspects, i);
        sum += number_of(suspect, "growth_bytes");
        g_assert_false(number_of(suspect, "final_bytes") < 0);
    }
    const double slack = (double)json_array_size(suspects) + 2 + fabs(growth) * 1e-9;
    g_assert_true(isnan(growth) || isnan(sum) || fabs(sum - growth) <= slack);
    g_assert_false(number_of(totals, "base_bytes") < 0 || number_of(totals, "final_bytes") < 0);
}

static void check_result(const json_t *result)
{
    check_sums(result);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    hr_result_write(result, bytes);
    g_assert_cmpuint(bytes->len, <=, HR_RESULT_MAX_BYTES);
    g_autoptr(GError) error = NULL;
    json_t *again = hr_result_read((const char *)bytes->data, bytes->len, &error);
    g_assert_no_error(error);
    json_decref(again);
}

static bool ingest(const struct pipeline *pipeline, struct hr_run *run,
                   const struct hr_ingest_options *options, struct hr_choice *choice,
                   struct hr_diagnostics *diagnostics, GError **error)
{
    if (!hr_ingest_find(run, options, diagnostics, error)) {
        return false;
    }
    g_autofree bool *all = g_new(bool, run->dumps_count + 1);
    memset(all, true, run->dumps_count + 1);
    hr_ingest_read_dumps(run, options, all, diagnostics);
    check_dumps(run);
    const struct hr_choice_options chosen = {.warmup_s = NAN, .points = POINTS};
    if (!hr_choice_compute(run->arena, run, &pipeline->rules, &chosen, choice, error)) {
        return false;
    }
    const size_t ends[] = {choice->base, choice->final, choice->outlier};
    if (hr_ingest_cross_check(run, options, ends, G_N_ELEMENTS(ends), diagnostics) &&
        !hr_choice_compute(run->arena, run, &pipeline->rules, &chosen, choice, error)) {
        return false;
    }
    hr_ingest_read_evidence(run, options, &pipeline->rules, diagnostics);
    if (hr_run_used_count(run) == 0 && run->evidence.files_count == 0) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_INPUT, "nothing to report on");
        return false;
    }
    return true;
}

static json_t *compose(const struct pipeline *pipeline, struct hr_run *run,
                       const struct hr_choice *choice, struct hr_diagnostics *diagnostics,
                       GError **error)
{
    const struct hr_symbolize_options symbolize = {
        .binary = pipeline->binary, .root = pipeline->root, .jobs = 1};
    const struct hr_symbols *symbols = hr_symbolize(run, &symbolize, diagnostics, error);
    if (!symbols) {
        return NULL;
    }
    const struct hr_analysis_options analysis = {.limit_bytes = NAN};
    const struct hr_findings *findings = hr_findings_compute(
        run->arena, run, symbols, choice, &pipeline->rules, &analysis, diagnostics);
    const struct hr_result_context context = {
        .generated_time_s = 0, .paper = "a4", .top = -1, .reproduce = "heapreport"};
    json_t *result = hr_result_compose(run, symbols, findings, &pipeline->rules, diagnostics,
                                       pipeline->text, &context);
    check_result(result);
    return result;
}

json_t *pipeline_run(const struct pipeline *pipeline, const char *directory, GError **error)
{
    HR_AUTO(hr_run) run = hr_run_new();
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    HR_AUTO(hr_source) source = hr_source_new(directory, diagnostics, error);
    if (!source) {
        return NULL;
    }
    const struct hr_ingest_options options = {
        .source = source, .pid = -1, .since_s = NAN, .until_s = NAN, .every = 1, .jobs = 1};
    struct hr_choice choice;
    if (!ingest(pipeline, run, &options, &choice, diagnostics, error)) {
        return NULL;
    }
    return compose(pipeline, run, &choice, diagnostics, error);
}
