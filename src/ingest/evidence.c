// SPDX-License-Identifier: MIT
// Makes series of what the files of evidence say: one process, one source for each quantity, rising
// in time.
#include "ingest/evidence.h"

#include "ingest/evidence_files.h"
#include "ingest/ingest.h"

#include <math.h>
#include <string.h>

// Evidence may end some time before the first dump, or begin after the last one, and yet belong.
#define ELSEWHERE_S 600.0

// Dumps that were copied have file times within so small a share of the time they were taken in.
#define COPY_SPAN_RATIO 0.1

// The process that counts: the run's; without one, that of the newest sample. A container's dumps
// say pid 1 where the host's evidence says another: if there is only one, it is meant.
static int64_t choose_pid(const struct hr_run *run, const GArray *samples,
                          struct hr_diagnostics *diagnostics)
{
    int64_t newest = -1;
    double newest_s = -INFINITY;
    int64_t only = -1;
    bool several = false;
    for (guint i = 0; i < samples->len; i++) {
        const struct hr_evidence_sample *sample =
            &g_array_index(samples, struct hr_evidence_sample, i);
        if (sample->pid < 0) {
            continue;
        }
        several |= only >= 0 && only != sample->pid;
        only = sample->pid;
        if (sample->time_s > newest_s) {
            newest_s = sample->time_s;
            newest = sample->pid;
        }
    }
    if (run->key.pid < 0) {
        return newest;
    }
    if (run->key.pid == 1 && only >= 0 && only != 1 && !several) {
        hr_diagnostics_add(diagnostics, HR_DIAG_EVIDENCE_PID_ASSUMED, NULL, NULL);
        return only;
    }
    return run->key.pid;
}

// Leaves out other processes' samples and reports their files, each once. True when a sample that
// stays names the process.
static bool drop_other_pids(GArray *samples, int64_t pid, const GArray *candidates,
                            struct hr_diagnostics *diagnostics)
{
    bool named = false;
    guint kept = 0;
    unsigned reported = UINT_MAX;
    for (guint i = 0; i < samples->len; i++) {
        const struct hr_evidence_sample sample =
            g_array_index(samples, struct hr_evidence_sample, i);
        if (sample.pid < 0 || pid < 0 || sample.pid == pid) {
            g_array_index(samples, struct hr_evidence_sample, kept++) = sample;
            named |= sample.pid >= 0;
        } else if (sample.file != reported) {
            reported = sample.file;
            hr_diagnostics_add(
                diagnostics, HR_DIAG_EVIDENCE_OTHER_PID,
                g_array_index(candidates, struct hr_evidence_candidate, sample.file).file, NULL);
        }
    }
    g_array_set_size(samples, kept);
    return named;
}

static int compare_samples(const void *left, const void *right)
{
    const struct hr_evidence_sample *a = left;
    const struct hr_evidence_sample *b = right;
    if (a->id != b->id) {
        return a->id < b->id ? -1 : 1;
    }
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    const int source = strcmp(a->source, b->source);
    if (source != 0) {
        return source;
    }
    if (a->time_s != b->time_s) {
        return a->time_s < b->time_s ? -1 : 1;
    }
    // Of one file they stay in its order: the sort is stable.
    return (a->file > b->file) - (a->file < b->file);
}

static bool same_series(const struct hr_evidence_sample *a, const struct hr_evidence_sample *b)
{
    return a->id == b->id && a->rank == b->rank && strcmp(a->source, b->source) == 0;
}

// Makes a series of sorted samples. At one time the first file counts, and in it what stands last;
// a file that then said two things is marked.
static struct hr_evidence_series make_series(struct hr_arena *arena,
                                             const struct hr_evidence_sample *samples, guint count,
                                             bool *says_two_things)
{
    double *times = HR_ARENA_ARRAY(arena, double, count);
    double *values = HR_ARENA_ARRAY(arena, double, count);
    size_t kept = 0;
    unsigned file = UINT_MAX; // of what was kept last
    for (guint i = 0; i < count; i++) {
        if (kept == 0 || samples[i].time_s > times[kept - 1]) {
            times[kept] = samples[i].time_s;
            values[kept++] = samples[i].value;
            file = samples[i].file;
        } else if (samples[i].file == file) {
            says_two_things[file] |= samples[i].value != values[kept - 1];
            values[kept - 1] = samples[i].value;
        }
    }
    return (struct hr_evidence_series){.source = hr_arena_strdup(arena, samples[0].source),
                                       .count = kept,
                                       .time_s = times,
                                       .value = values};
}

// Of the sources of one quantity, the one with most to say counts; samples are sorted by source.
static void fill_series(struct hr_run *run, const GArray *samples, bool *file_used,
                        bool *says_two_things)
{
    const struct hr_evidence_sample *all = (const struct hr_evidence_sample *)(void *)samples->data;
    for (guint first = 0; first < samples->len;) {
        guint end = first + 1;
        while (end < samples->len && same_series(&all[first], &all[end])) {
            end++;
        }
        struct hr_evidence_series *series = &run->evidence.series[all[first].id];
        const struct hr_evidence_series found =
            make_series(run->arena, &all[first], end - first, says_two_things);
        if (found.count > series->count) {
            *series = found;
        }
        for (guint i = first; i < end; i++) {
            file_used[all[i].file] = true;
        }
        first = end;
    }
}

static void report_two_things(const GArray *candidates, const bool *says_two_things,
                              struct hr_diagnostics *diagnostics)
{
    for (guint i = 0; i < candidates->len; i++) {
        if (says_two_things[i]) {
            hr_diagnostics_add(diagnostics, HR_DIAG_EVIDENCE_TWICE,
                               g_array_index(candidates, struct hr_evidence_candidate, i).file,
                               NULL);
        }
    }
}

static void fill_files(struct hr_run *run, const GArray *candidates, const bool *file_used)
{
    struct hr_evidence_file *files =
        HR_ARENA_ARRAY(run->arena, struct hr_evidence_file, candidates->len);
    size_t count = 0;
    for (guint i = 0; i < candidates->len; i++) {
        const struct hr_evidence_candidate *candidate =
            &g_array_index(candidates, struct hr_evidence_candidate, i);
        if (file_used[i]) {
            files[count++] = (struct hr_evidence_file){
                .file = hr_arena_strdup(run->arena, candidate->file),
                .size_bytes = candidate->size_bytes,
                .sha256 = candidate->hash ? hr_arena_strdup(run->arena, candidate->hash) : NULL};
        }
    }
    run->evidence.files = files;
    run->evidence.files_count = count;
}

// Dumps whose file times lie apart from all evidence: if they span almost nothing, they are the
// times of a copy and no clock. Otherwise either may be wrong, and only the reader can know.
static void settle_clock(struct hr_run *run, struct hr_diagnostics *diagnostics)
{
    const double from_s = hr_evidence_first_time_s(&run->evidence);
    const double to_s = hr_evidence_last_time_s(&run->evidence);
    if (run->time_axis != HR_TIME_MTIME || run->dumps_count == 0 || isnan(from_s)) {
        return;
    }
    const double first_s = run->dumps[0].taken_at_s;
    const double last_s = run->dumps[run->dumps_count - 1].taken_at_s;
    if (first_s <= to_s + ELSEWHERE_S && last_s >= from_s - ELSEWHERE_S) {
        return;
    }
    hr_diagnostics_add(diagnostics, HR_DIAG_EVIDENCE_ELSEWHERE, NULL, NULL);
    if (last_s - first_s >= COPY_SPAN_RATIO * (to_s - from_s)) {
        return;
    }
    run->time_axis = HR_TIME_SEQUENCE;
    for (size_t i = 0; i < run->dumps_count; i++) {
        run->dumps[i].taken_at_s = NAN;
    }
}

void hr_ingest_read_evidence(struct hr_run *run, const struct hr_ingest_options *options,
                             const struct hr_rules *rules, struct hr_diagnostics *diagnostics)
{
    struct hr_evidence_files found;
    hr_evidence_files_find(&found, options, diagnostics);
    GArray *candidates = found.candidates;
    g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(struct hr_evidence_sample));
    g_autoptr(GArray) bins = g_array_new(FALSE, FALSE, sizeof(struct hr_bin));
    // A container's process 1 has another number outside.
    struct hr_evidence_sink sink = {.samples = samples,
                                    .bins = bins,
                                    .wanted_pid = run->key.pid == 1 ? -1 : run->key.pid,
                                    .diagnostics = diagnostics};
    for (guint i = 0; i < candidates->len; i++) {
        sink.file = i;
        hr_evidence_files_read(&g_array_index(candidates, struct hr_evidence_candidate, i), rules,
                               &sink);
    }
    const int64_t pid = choose_pid(run, samples, diagnostics);
    run->evidence.names_process = drop_other_pids(samples, pid, candidates, diagnostics);
    hr_evidence_refine_moments(samples);
    g_array_sort(samples, compare_samples);
    g_autofree bool *file_used = g_new0(bool, candidates->len);
    g_autofree bool *says_two_things = g_new0(bool, candidates->len);
    fill_series(run, samples, file_used, says_two_things);
    report_two_things(candidates, says_two_things, diagnostics);
    fill_files(run, candidates, file_used);
    run->evidence.bins = hr_arena_copy(run->arena, bins->data, bins->len, sizeof(struct hr_bin));
    run->evidence.bins_count = bins->len;
    settle_clock(run, diagnostics);
    hr_evidence_files_clear(&found);
}
