// SPDX-License-Identifier: MIT
#include "ingest/ingest.h"

#include "ingest/clock.h"
#include "ingest/process.h"

#include <math.h>
#include <string.h>

// The process with the newest dump; among equals the one with more dumps, then the first by key.
static const struct hr_process *pick(const GArray *processes, int64_t pid)
{
    const struct hr_process *best = NULL;
    for (guint i = 0; i < processes->len; i++) {
        const struct hr_process *process = &g_array_index(processes, struct hr_process, i);
        if (pid >= 0 && process->key.pid != pid) {
            continue;
        }
        if (!best || process->newest_s > best->newest_s ||
            (process->newest_s == best->newest_s && process->count > best->count)) {
            best = process;
        }
    }
    return best;
}

static void fill_other_runs(struct hr_run *run, const GArray *processes,
                            const struct hr_process *picked, struct hr_diagnostics *diagnostics)
{
    struct hr_other_run *others = HR_ARENA_ARRAY(run->arena, struct hr_other_run, processes->len);
    for (guint i = 0; i < processes->len; i++) {
        const struct hr_process *process = &g_array_index(processes, struct hr_process, i);
        if (process == picked) {
            continue;
        }
        others[run->other_runs_count++] = (struct hr_other_run){.key = process->key,
                                                                .dumps_found = process->count,
                                                                .first_time_s = process->oldest_s,
                                                                .last_time_s = process->newest_s};
        if (picked) {
            hr_diagnostics_add(diagnostics, HR_DIAG_OTHER_RUN, NULL, NULL);
        }
    }
    run->other_runs = others;
}

static void fill_dumps(struct hr_run *run, const struct hr_listed *listed, size_t count)
{
    run->dumps = HR_ARENA_ARRAY(run->arena, struct hr_dump, count);
    run->dumps_count = count;
    for (size_t i = 0; i < count; i++) {
        run->dumps[i] =
            (struct hr_dump){.file = listed[i].file,
                             .kind = listed[i].name.kind,
                             .sequence = listed[i].name.has_sequence ? listed[i].name.sequence : i,
                             .size_bytes = listed[i].size_bytes,
                             .used = true,
                             .taken_at_s = NAN,
                             .live_bytes = NAN,
                             .live_objects = NAN,
                             .live_variance = NAN,
                             .kept_ratio = NAN};
    }
}

static void report_order(const struct hr_run *run, const struct hr_process *picked,
                         size_t replaced_count, struct hr_diagnostics *diagnostics)
{
    if (picked->split) {
        hr_diagnostics_add(diagnostics,
                           picked->by_times ? HR_DIAG_PID_REUSED_OR_CLOCK_SET : HR_DIAG_PID_REUSED,
                           run->dumps[0].file, NULL);
    }
    if (picked->order == HR_ORDER_FILE_TIME) {
        hr_diagnostics_add(diagnostics, HR_DIAG_ORDER_BY_FILE_TIME, run->dumps[0].file, NULL);
    }
    if (run->time_axis == HR_TIME_SEQUENCE) {
        hr_diagnostics_add(diagnostics, HR_DIAG_FILE_TIMES_NO_CLOCK, run->dumps[0].file, NULL);
    } else if (replaced_count > 0) {
        g_autofree char *count = g_strdup_printf("%zu", replaced_count);
        hr_diagnostics_add(diagnostics, HR_DIAG_FILE_TIMES_REPLACED, NULL, "dumps_count", count,
                           NULL);
    }
}

static void exclude(struct hr_dump *dump, const char *option)
{
    dump->used = false;
    dump->note = HR_DUMP_NOTE_EXCLUDED;
    dump->note_detail = option;
}

// --since, --until, --every. The last dump within the bounds stays, whatever --every says.
static bool apply_bounds(struct hr_run *run, const struct hr_ingest_options *options,
                         GError **error)
{
    const bool bounded = !isnan(options->since_s) || !isnan(options->until_s);
    if (bounded && run->time_axis == HR_TIME_SEQUENCE) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                            "--since and --until need a clock, and these dumps have none");
        return false;
    }
    size_t last = SIZE_MAX;
    for (size_t i = 0; i < run->dumps_count; i++) {
        if (run->dumps[i].taken_at_s < options->since_s) {
            exclude(&run->dumps[i], "--since");
        } else if (run->dumps[i].taken_at_s > options->until_s) {
            exclude(&run->dumps[i], "--until");
        } else {
            last = i;
        }
    }
    size_t within = 0;
    for (size_t i = 0; i < run->dumps_count; i++) {
        if (run->dumps[i].used && within++ % MAX(options->every, 1) != 0 && i != last) {
            exclude(&run->dumps[i], "--every");
        }
    }
    return true;
}

static bool use_process(struct hr_run *run, const struct hr_listing *listing,
                        const struct hr_process *picked, const struct hr_ingest_options *options,
                        struct hr_diagnostics *diagnostics, GError **error)
{
    const struct hr_listed *listed =
        &g_array_index(listing->dumps, struct hr_listed, picked->first);
    size_t replaced_count;
    run->key = picked->key;
    fill_dumps(run, listed, picked->count);
    run->time_axis =
        hr_clock_read(run->dumps, listed, picked->count, picked->order, &replaced_count);
    report_order(run, picked, replaced_count, diagnostics);
    return apply_bounds(run, options, error);
}

static int compare_foreign(const void *left, const void *right)
{
    return strcmp(((const struct hr_dump *)left)->file, ((const struct hr_dump *)right)->file);
}

static void fill_foreign(struct hr_run *run, const struct hr_listing *listing,
                         struct hr_diagnostics *diagnostics)
{
    g_array_sort(listing->foreign, compare_foreign);
    for (guint i = 0; i < listing->foreign->len; i++) {
        const struct hr_dump *dump = &g_array_index(listing->foreign, struct hr_dump, i);
        hr_diagnostics_add(diagnostics, HR_DIAG_NOT_A_DUMP, dump->file, NULL);
    }
    run->foreign_count = listing->foreign->len;
    run->foreign = hr_arena_copy(run->arena, listing->foreign->data, listing->foreign->len,
                                 sizeof(struct hr_dump));
}

bool hr_ingest_find(struct hr_run *run, const struct hr_ingest_options *options,
                    struct hr_diagnostics *diagnostics, GError **error)
{
    struct hr_listing listing;
    if (!hr_listing_read(&listing, run->arena, options->source, error)) {
        return false;
    }
    run->directory = hr_arena_strdup(run->arena, hr_source_path(options->source));
    fill_foreign(run, &listing, diagnostics);
    g_autoptr(GArray) processes = hr_processes_find(&listing, run->arena, options->source);
    const struct hr_process *picked = pick(processes, options->pid);
    bool found = true;
    fill_other_runs(run, processes, picked, diagnostics);
    if (picked) {
        found = use_process(run, &listing, picked, options, diagnostics, error);
    } else if (options->pid >= 0) {
        run->key.pid = options->pid;
    }
    hr_listing_clear(&listing);
    return found;
}
