// SPDX-License-Identifier: MIT
#include "ingest/dump_judge.h"

#include "ingest/worker.h"
#include "model/sample.h"

#include <inttypes.h>
#include <math.h>

// A dump that ends well but without a map: whole in a run where none has one, else cut.
struct undecided {
    size_t index; // in the run
    struct hr_heap_dump read;
    bool rows_before;
};

void hr_dump_judge_init(struct hr_dump_judge *judge, struct hr_run *run, uint64_t max_times,
                        struct hr_diagnostics *diagnostics)
{
    *judge =
        (struct hr_dump_judge){.run = run,
                               .diagnostics = diagnostics,
                               .max_times = max_times,
                               .undecided = g_array_new(FALSE, FALSE, sizeof(struct undecided)),
                               .all_accumulate = true};
}

void hr_dump_judge_clear(struct hr_dump_judge *judge)
{
    g_array_unref(judge->undecided);
}

static void take_totals(struct hr_dump *dump, const struct hr_read_outcome *outcome)
{
    const struct hr_heap_dump *read = &outcome->dump;
    dump->size_bytes = read->size_bytes;
    dump->sample_interval_bytes = read->sample_interval_bytes;
    dump->prescaled = read->prescaled;
    dump->other_allocator = read->form != HR_HEAP_FORM_JEMALLOC;
    dump->header_objects = read->header_objects;
    dump->header_bytes = read->header_bytes;
    dump->born_bytes = read->born_bytes;
    dump->live_bytes = outcome->live_bytes;
    dump->live_objects = outcome->live_objects;
    dump->live_variance = outcome->live_variance;
    dump->rows_count = (uint32_t)read->rows_count;
    dump->kept_ratio = 1;
}

// A dump that ends inside: whole stacks were kept, the header says of how much.
static void mark_cut(struct hr_dump *dump, uint64_t raw_bytes)
{
    dump->note = HR_DUMP_NOTE_CUT;
    dump->kept_ratio =
        dump->header_bytes > raw_bytes ? (double)raw_bytes / (double)dump->header_bytes : 1;
}

static void report(struct hr_dump_judge *judge, struct hr_dump *dump,
                   const struct hr_heap_dump *read)
{
    static const int codes[] = {
        [HR_DUMP_NOTE_CUT] = HR_DIAG_DUMP_CUT,
        [HR_DUMP_NOTE_EMPTY] = HR_DIAG_DUMP_EMPTY,
        [HR_DUMP_NOTE_FOREIGN] = HR_DIAG_NOT_A_DUMP,
        [HR_DUMP_NOTE_UNREADABLE] = HR_DIAG_DUMP_UNREADABLE,
        [HR_DUMP_NOTE_MALFORMED] = HR_DIAG_DUMP_MALFORMED,
        [HR_DUMP_NOTE_GROWING] = HR_DIAG_DUMP_GROWING,
    };
    if (dump->note == HR_DUMP_NOTE_UNPACKED_LIMIT) {
        g_autofree char *times = g_strdup_printf("%" PRIu64, judge->max_times);
        hr_diagnostics_add(judge->diagnostics, HR_DIAG_DUMP_UNPACKED_LIMIT, dump->file, "times",
                           times, NULL);
    } else if (dump->note < G_N_ELEMENTS(codes) && codes[dump->note] != 0) {
        hr_diagnostics_add(judge->diagnostics, (enum hr_diagnostic_code)codes[dump->note],
                           dump->file, NULL);
    }
    if (!dump->used) {
        return;
    }
    if (dump->prescaled) {
        hr_diagnostics_add(judge->diagnostics,
                           dump->sample_interval_bytes > 1 ? HR_DIAG_PROFILE_SCALED
                                                           : HR_DIAG_PROFILE_SCALED_BLINDLY,
                           dump->file, NULL);
    }
    if (read->form != HR_HEAP_FORM_JEMALLOC) {
        hr_diagnostics_add(judge->diagnostics,
                           read->form == HR_HEAP_FORM_COUNTED ? HR_DIAG_DUMP_COUNTED
                                                              : HR_DIAG_DUMP_SAMPLED_IN_LINES,
                           dump->file, NULL);
    }
    if (read->leading_lines > 0) {
        hr_diagnostics_add(judge->diagnostics, HR_DIAG_DUMP_LEADING_LINES, dump->file, NULL);
    }
    if (read->skipped_lines > 0) {
        dump->damage |= HR_DUMP_DAMAGE_LINES;
        g_autofree char *lines = g_strdup_printf("%u", read->skipped_lines);
        g_autofree char *offset = g_strdup_printf("%" PRIu64, read->skipped_offset);
        hr_diagnostics_add(judge->diagnostics, HR_DIAG_DUMP_LINES_SKIPPED, dump->file,
                           "skipped_lines", lines, "offset", offset, NULL);
    }
}

// Whether a dump that was read can be used; rows_before: an earlier one had rows.
static void decide(struct hr_dump_judge *judge, struct hr_dump *dump,
                   const struct hr_heap_dump *read, bool rows_before)
{
    if (read->note == HR_DUMP_NOTE_CUT ||
        (read->note == HR_DUMP_NOTE_NONE && !read->has_map && judge->any_map)) {
        mark_cut(dump, read->raw_bytes);
        dump->used = dump->rows_count > 0;
    } else if (read->note != HR_DUMP_NOTE_NONE) {
        dump->note = read->note;
        dump->note_detail = read->note_detail;
        dump->used = false;
    } else if (dump->rows_count == 0 && read->skipped_lines > 0) {
        // No state in which all was freed: something stood there, and nothing of it could be read.
        dump->note = HR_DUMP_NOTE_MALFORMED;
        dump->used = false;
    } else if (dump->rows_count == 0 && !rows_before) {
        // Before anything was sampled: profiling may have been switched on later. After that, an
        // empty dump is a state like any other (all was freed).
        dump->note = HR_DUMP_NOTE_EMPTY;
        dump->used = false;
    }
    if (!dump->used) {
        dump->rows = NULL;
    }
    report(judge, dump, read);
}

// The line of the whole heap is the sum of the stacks' lines; since jemalloc 5.3 it is so once both
// are scaled, each line being rounded to whole objects before, and one object stands for R bytes.
static bool is_total_apart(const struct hr_heap_dump *read, double live_bytes)
{
    if (read->raw_bytes == read->header_bytes && read->raw_objects == read->header_objects) {
        return false;
    }
    const struct hr_scaled total =
        hr_sample_scale(read->header_objects, read->header_bytes, read->sample_interval_bytes);
    return fabs(total.bytes - live_bytes) >
           ((double)read->rows_count + 1) * (double)read->sample_interval_bytes;
}

void hr_dump_judge_take(struct hr_dump_judge *judge, size_t index,
                        const struct hr_read_outcome *outcome)
{
    struct hr_dump *dump = &judge->run->dumps[index];
    const struct hr_heap_dump *read = &outcome->dump;
    take_totals(dump, outcome);
    judge->any_map |= read->has_map;
    if (read->note == HR_DUMP_NOTE_NONE && !read->has_map) {
        const struct undecided undecided = {index, *read, judge->any_rows};
        g_array_append_val(judge->undecided, undecided);
    } else {
        decide(judge, dump, read, judge->any_rows);
    }
    if (dump->used && dump->note == HR_DUMP_NOTE_NONE && read->raw_objects > 0 &&
        is_total_apart(read, dump->live_bytes)) {
        dump->damage |= HR_DUMP_DAMAGE_TOTAL;
        hr_diagnostics_add(judge->diagnostics, HR_DIAG_DUMP_TOTAL_CONTRADICTS, dump->file, NULL);
    }
    if (dump->used && outcome->allocated_less) {
        dump->damage |= HR_DUMP_DAMAGE_ALLOCATED;
        hr_diagnostics_add(judge->diagnostics, HR_DIAG_DUMP_ALLOCATED_LESS, dump->file, NULL);
    }
    judge->any_rows |= dump->rows_count > 0;
    if (dump->used && read->header_objects > 0) {
        judge->any_accumulates |= read->header_accum_objects > 0;
        judge->all_accumulate &= read->header_accum_objects > 0;
    }
}

void hr_dump_judge_check_unchanged(struct hr_dump_judge *judge, struct hr_dump *dump,
                                   const struct hr_heap_dump *read)
{
    if (read->rows_count != dump->rows_count || read->size_bytes != dump->size_bytes) {
        dump->used = false;
        dump->note = HR_DUMP_NOTE_GROWING;
        report(judge, dump, read);
    }
}

void hr_dump_judge_finish(struct hr_dump_judge *judge, bool first_pass)
{
    struct hr_run *run = judge->run;
    for (guint i = 0; i < judge->undecided->len; i++) {
        const struct undecided *undecided = &g_array_index(judge->undecided, struct undecided, i);
        decide(judge, &run->dumps[undecided->index], &undecided->read, undecided->rows_before);
    }
    if (first_pass) {
        run->accumulates = judge->any_accumulates && judge->all_accumulate;
    }
}
