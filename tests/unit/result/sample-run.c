// SPDX-License-Identifier: MIT
// Dumps at even times and, beside them, a snapshot of the process every five minutes.
#include "sample.h"

#include <math.h>

#define SNAPSHOT_EVERY_S 300.0

static double heap_bytes(const struct hr_sample_options *options, double elapsed_ratio)
{
    return HR_SAMPLE_HEAP_BASE_BYTES + elapsed_ratio * hr_sample_total_growth_bytes(options);
}

static void fill_dumps(struct hr_sample *sample, const struct hr_sample_options *options)
{
    struct hr_run *run = sample->run;
    struct hr_dump *dumps = HR_ARENA_ARRAY(run->arena, struct hr_dump, options->dumps_count);
    for (unsigned i = 0; i < options->dumps_count; i++) {
        const double elapsed = (double)i / (options->dumps_count - 1);
        const bool cut = i == 7;
        dumps[i] = (struct hr_dump){
            .file = hr_arena_printf(run->arena, "filedrive.10630.%u.i%u.heap", i, i),
            .kind = HR_DUMP_INTERVAL,
            .sequence = i,
            .taken_at_s = HR_SAMPLE_START_S + elapsed * HR_SAMPLE_WINDOW_S,
            .size_bytes = 60000 + 97 * i,
            .used = true,
            .note = cut ? HR_DUMP_NOTE_CUT : HR_DUMP_NOTE_NONE,
            .sample_interval_bytes = 512 * 1024,
            .live_bytes = heap_bytes(options, elapsed) + 0.4e6 * hr_sample_noise(1, i),
            .live_objects = 40000 + 9000 * elapsed,
            .kept_ratio = cut ? 0.93 : 1,
        };
        if (cut) {
            hr_diagnostics_add(sample->diagnostics, HR_DIAG_DUMP_CUT, dumps[i].file, NULL);
        }
    }
    dumps[0].live_bytes = HR_SAMPLE_HEAP_BASE_BYTES;
    dumps[options->dumps_count - 1].live_bytes = heap_bytes(options, 1);
    run->dumps = dumps;
    run->dumps_count = options->dumps_count;
    run->time_axis = HR_TIME_MTIME;
    run->key = (struct hr_run_key){.prefix = "filedrive", .pid = 10630, .pid_namespace = -1};
}

static void fill_foreign(struct hr_run *run)
{
    static const struct hr_dump FOREIGN[] = {{.file = "core.heap",
                                              .size_bytes = 4096,
                                              .taken_at_s = NAN,
                                              .note = HR_DUMP_NOTE_FOREIGN,
                                              .note_detail = "gperftools heap profile"}};
    static const struct hr_other_run OTHERS[] = {
        {{"filedrive", 9920, -1}, 12, HR_SAMPLE_START_S - 86400, HR_SAMPLE_START_S - 50000}};
    run->foreign = FOREIGN;
    run->foreign_count = G_N_ELEMENTS(FOREIGN);
    run->other_runs = OTHERS;
    run->other_runs_count = G_N_ELEMENTS(OTHERS);
}

// One measured quantity: `ratio` of the heap and a part of its own.
struct quantity {
    enum hr_evidence_id id;
    const char *source; // the allocator's own counters come only with dumps
    double of_heap_ratio;
    double own_mib;
};

#define FROM_PROC 3 // the first that /proc tells

static const struct quantity QUANTITIES[] = {
    {HR_EVIDENCE_ALLOCATED, "jemalloc stats", 1.01, 0},
    {HR_EVIDENCE_ACTIVE, "jemalloc stats", 1.03, 1.2},
    {HR_EVIDENCE_RESIDENT, "jemalloc stats", 1.06, 6.5},
    {HR_EVIDENCE_RSS, "smaps_rollup", 1.06, 31},
    {HR_EVIDENCE_ANONYMOUS, "smaps_rollup", 1.06, 11},
    {HR_EVIDENCE_PRIVATE_DIRTY, "smaps_rollup", 1.06, 12},
    {HR_EVIDENCE_LAZY_FREE, "smaps_rollup", 0, 0},
    {HR_EVIDENCE_SWAP, "smaps_rollup", 0, 0},
    {HR_EVIDENCE_FILE, "smaps_rollup", 0, 20},
    {HR_EVIDENCE_SHMEM, "smaps_rollup", 0, 0.1},
};

static struct hr_evidence_series measure(const struct hr_run *run, const struct quantity *quantity,
                                         const struct hr_sample_options *options)
{
    const size_t count = (size_t)(HR_SAMPLE_WINDOW_S / SNAPSHOT_EVERY_S) + 1;
    double *times = HR_ARENA_ARRAY(run->arena, double, count);
    double *values = HR_ARENA_ARRAY(run->arena, double, count);
    for (size_t i = 0; i < count; i++) {
        const double elapsed = (double)i * SNAPSHOT_EVERY_S / HR_SAMPLE_WINDOW_S;
        const double heap = options->dumps_count > 0 ? heap_bytes(options, elapsed)
                                                     : (21 + 19 * elapsed) * HR_SAMPLE_MIB;
        const double own = quantity->own_mib * HR_SAMPLE_MIB;
        times[i] = HR_SAMPLE_START_S + (double)i * SNAPSHOT_EVERY_S;
        const double noise =
            0.2 * quantity->of_heap_ratio * hr_sample_noise(quantity->id + 100, (unsigned)i);
        values[i] =
            floor((quantity->of_heap_ratio * heap + own + noise * HR_SAMPLE_MIB) / 4096) * 4096;
    }
    return (struct hr_evidence_series){quantity->source, count, times, values};
}

static void fill_evidence(struct hr_sample *sample, const struct hr_sample_options *options)
{
    static const struct hr_evidence_file FILES[] = {{"monitor.csv", 14211, NULL},
                                                    {"stats.jsonl", 88120, NULL}};
    struct hr_evidence *evidence = &sample->run->evidence;
    const size_t first = options->dumps_count > 0 ? 0 : FROM_PROC;
    for (size_t i = first; i < G_N_ELEMENTS(QUANTITIES); i++) {
        evidence->series[QUANTITIES[i].id] = measure(sample->run, &QUANTITIES[i], options);
    }
    evidence->files = FILES;
    evidence->files_count = options->dumps_count > 0 ? 2 : 1;
}

void hr_sample_fill_run(struct hr_sample *sample, const struct hr_sample_options *options)
{
    sample->run->directory = "/nonexistent";
    sample->choice = hr_choice_nothing();
    if (options->dumps_count > 0) {
        fill_dumps(sample, options);
        fill_foreign(sample->run);
        size_t *points = HR_ARENA_ARRAY(sample->run->arena, size_t, options->dumps_count);
        for (unsigned i = 0; i < options->dumps_count; i++) {
            points[i] = i;
        }
        sample->choice.base = 0;
        sample->choice.final = options->dumps_count - 1;
        sample->choice.peak = options->dumps_count - 1;
        sample->choice.points = points;
        sample->choice.points_count = options->dumps_count;
        sample->choice.base_reason = hr_phrase_new("The first whole dump of the run.");
        sample->choice.final_reason = hr_phrase_new("The last dump of the run.");
    }
    if (options->evidence) {
        fill_evidence(sample, options);
    }
}
