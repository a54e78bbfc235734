// SPDX-License-Identifier: MIT
// Runs a directory of real dumps through reading, naming and analysis and prints the numbers that
// the accuracy of real programs is judged by, one "key value" a line.
//
//   measure DIR [BINARY [DATA_DIR]]
#include "analysis/findings.h"
#include "analysis/heap.h"
#include "ingest/ingest.h"
#include "symbolize/symbolize.h"

#include <math.h>
#include <stdio.h>

static void print_estimate(const char *key, struct hr_estimate estimate)
{
    printf("%s %.0f %.0f %.0f\n", key, estimate.value, estimate.low, estimate.high);
}

// The heap's growth by its two witnesses, the dumps and the allocator's count, from the first to
// the last moment that both cover; the dumps' with the interval that the totals are printed with.
static void print_witnesses(struct hr_run *run, const struct hr_findings *findings)
{
    const struct hr_gauge dumps = hr_heap_profile(findings);
    const struct hr_gauge count = hr_heap_counted(run->arena, run, findings);
    if (dumps.count == 0 || count.count == 0) {
        return;
    }
    const double from_s = fmax(dumps.time_s[0], count.time_s[0]);
    const double to_s = fmin(dumps.time_s[dumps.count - 1], count.time_s[count.count - 1]);
    const struct hr_estimate *printed = &findings->totals.growth;
    const double grown = hr_gauge_at(dumps, to_s) - hr_gauge_at(dumps, from_s);
    const struct hr_estimate by_dumps = {grown, grown - (printed->value - printed->low),
                                         grown + (printed->high - printed->value)};
    print_estimate("by_dumps", by_dumps);
    printf("by_count %.0f\n", hr_gauge_at(count, to_s) - hr_gauge_at(count, from_s));
    printf("shared_window_s %.3f\n", to_s - from_s);
}

static void print_findings(const struct hr_run *run, const struct hr_findings *findings)
{
    const struct hr_choice *choice = findings->choice;
    printf("dumps %zu\n", hr_run_used_count(run));
    if (choice->base == HR_CHOICE_NONE) {
        return;
    }
    printf("base %s (%s)\n", run->dumps[choice->base].file, choice->base_reason.id);
    printf("final %s (%s)\n", run->dumps[choice->final].file, choice->final_reason.id);
    printf("teardown %s\n",
           choice->teardown == HR_CHOICE_NONE ? "-" : run->dumps[choice->teardown].file);
    printf("survived %.3f\n", findings->teardown_survived_ratio);
    print_estimate("growth", findings->totals.growth);
    print_estimate("trend", findings->totals.trend.growth);
    print_estimate("rate", findings->totals.trend.rate_bytes_per_hour);
    printf("window_s %.3f\n",
           run->dumps[choice->final].taken_at_s - run->dumps[choice->base].taken_at_s);
    printf("detectable %.0f\n", findings->totals.smallest_detectable_bytes);
    printf("class %d\n", findings->verdict.class);
    for (size_t i = 0; i < findings->suspects_count && i < 5; i++) {
        const struct hr_suspect *suspect = &findings->suspects[i];
        printf("suspect %s %s %.0f %.0f %.0f %s %s %.3f shape %d\n", suspect->id,
               suspect->significant ? "significant" : "~", suspect->growth.value,
               suspect->growth.low, suspect->growth.high, suspect->function, suspect->category,
               suspect->share_ratio, suspect->trend.shape);
        print_estimate("suspect_rate", suspect->trend.rate_bytes_per_hour);
    }
}

static bool measure(const char *directory, const char *binary, const char *data_dir, GError **error)
{
    HR_AUTO(hr_run) run = hr_run_new();
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    HR_AUTO(hr_source) source = hr_source_new(directory, diagnostics, error);
    const struct hr_ingest_options ingest = {
        .source = source, .pid = -1, .since_s = NAN, .until_s = NAN, .every = 1, .jobs = 1};
    struct hr_rules rules = {0};
    hr_rules_init_thresholds(&rules);
    if (!source || (data_dir && !hr_ingest_read_rules(run->arena, &rules, data_dir, NULL, error)) ||
        !hr_ingest_find(run, &ingest, diagnostics, error)) {
        return false;
    }
    const gint64 start = g_get_monotonic_time();
    hr_ingest_read_dumps(run, &ingest, NULL, diagnostics);
    hr_ingest_read_evidence(run, &ingest, &rules, diagnostics);
    struct hr_choice choice;
    const struct hr_choice_options options = {.warmup_s = NAN};
    if (!hr_choice_compute(run->arena, run, &rules, &options, &choice, error)) {
        return false;
    }
    hr_ingest_read_dumps(run, &ingest, choice.wanted, diagnostics);
    const gint64 read = g_get_monotonic_time();
    const struct hr_symbolize_options symbolize = {.binary = binary, .jobs = 1};
    const struct hr_symbols *symbols = hr_symbolize(run, &symbolize, diagnostics, error);
    if (!symbols) {
        return false;
    }
    const struct hr_analysis_options analysis = {.limit_bytes = NAN};
    const gint64 named = g_get_monotonic_time();
    const struct hr_findings *findings =
        hr_findings_compute(run->arena, run, symbols, &choice, &rules, &analysis, diagnostics);
    const gint64 analysed = g_get_monotonic_time();
    print_findings(run, findings);
    print_witnesses(run, findings);
    fprintf(stderr, "read %.3f s, named %.3f s, analysed %.3f s\n", (double)(read - start) / 1e6,
            (double)(named - read) / 1e6, (double)(analysed - named) / 1e6);
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 2 || argc > 4) {
        fputs("usage: measure DIR [BINARY [DATA_DIR]]\n", stderr);
        return 2;
    }
    g_autoptr(GError) error = NULL;
    const char *binary = argc > 2 && *argv[2] ? argv[2] : NULL;
    if (!measure(argv[1], binary, argc > 3 ? argv[3] : NULL, &error)) {
        fprintf(stderr, "measure: %s\n", error->message);
        return 1;
    }
    return 0;
}
