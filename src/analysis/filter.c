// SPDX-License-Identifier: MIT
#include "analysis/filter.h"

#include "model/sample.h"

#include <stdlib.h>
#include <string.h>

enum expression { FOCUS, IGNORE, SHOW, HIDE, EXPRESSIONS };

#define DROPPED UINT32_MAX

// What the expressions say of a frame, by bits 1 << enum expression.
struct work {
    struct hr_run *run;
    const struct hr_symbols *symbols;
    GRegex *regexes[EXPRESSIONS];
    uint8_t *hits;   // by frame
    uint32_t *moved; // by stack: its id afterwards, or DROPPED
};

bool hr_filter_is_set(const struct hr_filter *filter)
{
    return filter->focus || filter->ignore || filter->show || filter->hide;
}

static const char *const OPTIONS[EXPRESSIONS] = {"focus", "ignore", "show", "hide"};

static bool compile(struct work *work, const struct hr_filter *filter, GError **error)
{
    const char *const patterns[EXPRESSIONS] = {filter->focus, filter->ignore, filter->show,
                                               filter->hide};
    for (int i = 0; i < EXPRESSIONS; i++) {
        g_autoptr(GError) cause = NULL;
        if (!patterns[i]) {
            continue;
        }
        work->regexes[i] = g_regex_new(patterns[i], G_REGEX_RAW | G_REGEX_OPTIMIZE, 0, &cause);
        if (!work->regexes[i]) {
            g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--%s: %s", OPTIONS[i], cause->message);
            hr_error_blame(error, OPTIONS[i], NULL);
            return false;
        }
    }
    return true;
}

static void clear(struct work *work)
{
    for (int i = 0; i < EXPRESSIONS; i++) {
        if (work->regexes[i]) {
            g_regex_unref(work->regexes[i]);
        }
    }
    g_free(work->hits);
    g_free(work->moved);
}

// An expression that gives up half way (too many ways to try, recursion without end) has neither
// matched nor not.
static bool match_name(const struct work *work, int expression, const char *name, bool *hit,
                       GError **error)
{
    g_autoptr(GError) cause = NULL;
    const GRegex *regex = work->regexes[expression];
    *hit |= g_regex_match_full(regex, name, -1, 0, 0, NULL, &cause);
    if (cause) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--%s: %s", OPTIONS[expression],
                    cause->message);
        hr_error_blame(error, OPTIONS[expression], NULL);
        return false;
    }
    return true;
}

static bool match_frame(const struct work *work, const struct hr_frame *frame, int expression,
                        bool *hit, GError **error)
{
    return !work->regexes[expression] ||
           (match_name(work, expression, frame->function, hit, error) &&
            (*hit || !frame->file || match_name(work, expression, frame->file, hit, error)));
}

static bool match_frames(struct work *work, GError **error)
{
    work->hits = g_new0(uint8_t, work->symbols->frames_count + 1);
    for (uint32_t i = 0; i < work->symbols->frames_count; i++) {
        const struct hr_frame *frame = &work->symbols->frames[i];
        for (int e = 0; e < EXPRESSIONS; e++) {
            bool hit = false;
            if (!match_frame(work, frame, e, &hit, error)) {
                return false;
            }
            work->hits[i] |= (uint8_t)(hit ? 1u << e : 0);
        }
    }
    return true;
}

static bool is_kept(const struct work *work, uint32_t frame)
{
    const unsigned hits = work->hits[frame];
    return (!work->regexes[SHOW] || hits & 1u << SHOW) && !(hits & 1u << HIDE);
}

static uint32_t count_kept(const struct work *work, const struct hr_location *location)
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < location->frame_count; i++) {
        kept += is_kept(work, location->first_frame + i);
    }
    return kept;
}

static unsigned hits_of_stack(const struct work *work, const struct hr_stack *stack)
{
    unsigned hits = 0;
    for (uint32_t d = 0; d < stack->depth; d++) {
        const struct hr_location *location = &work->symbols->locations[stack->locations[d]];
        for (uint32_t i = 0; i < location->frame_count; i++) {
            hits |= work->hits[location->first_frame + i];
        }
    }
    return hits;
}

// The stack without the locations of which no frame is left: one of the run's, or a new one.
static uint32_t move_stack(struct work *work, uint32_t id, GArray *addresses)
{
    const struct hr_stack stack = hr_stacks_get(work->run->stacks, id);
    const unsigned hits = hits_of_stack(work, &stack);
    if ((work->regexes[FOCUS] && !(hits & 1u << FOCUS)) || hits & 1u << IGNORE) {
        return DROPPED;
    }
    g_array_set_size(addresses, 0);
    for (uint32_t d = 0; d < stack.depth; d++) {
        if (count_kept(work, &work->symbols->locations[stack.locations[d]]) > 0) {
            const uint64_t address =
                hr_stacks_location_address(work->run->stacks, stack.locations[d]);
            g_array_append_val(addresses, address);
        }
    }
    if (addresses->len == 0) {
        return work->regexes[SHOW] || stack.depth > 0 ? DROPPED : id;
    }
    return hr_stacks_intern(work->run->stacks, (const uint64_t *)(void *)addresses->data,
                            addresses->len);
}

static void move_stacks(struct work *work)
{
    const uint32_t count = hr_stacks_count(work->run->stacks);
    g_autoptr(GArray) addresses = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    work->moved = g_new(uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        work->moved[i] = move_stack(work, i, addresses);
    }
}

// Rows of one stack stay apart: each is scaled by itself.
static int compare_rows(const void *left, const void *right)
{
    const struct hr_row *a = left;
    const struct hr_row *b = right;
    if (a->stack != b->stack) {
        return a->stack < b->stack ? -1 : 1;
    }
    if (a->bytes != b->bytes) {
        return a->bytes < b->bytes ? -1 : 1;
    }
    return (a->objects > b->objects) - (a->objects < b->objects);
}

static void add_up(struct hr_dump *dump, enum hr_metric metric)
{
    struct hr_sample_sum error = {0};
    dump->live_bytes = dump->live_objects = 0;
    for (uint32_t i = 0; i < dump->rows_count; i++) {
        const struct hr_row row = hr_metric_order_row(metric, dump->rows[i]); // what is live
        const struct hr_scaled scaled =
            hr_sample_scale(row.objects, row.bytes, dump->sample_interval_bytes);
        dump->live_bytes += scaled.bytes;
        dump->live_objects += scaled.objects;
        hr_sample_sum_add(&error, &scaled, row.objects);
    }
    dump->live_variance = hr_sample_sum_variance(&error);
}

static void filter_threads(const struct work *work, struct hr_dump *dump)
{
    struct hr_thread_row *rows =
        HR_ARENA_ARRAY(work->run->arena, struct hr_thread_row, dump->thread_rows_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < dump->thread_rows_count; i++) {
        const uint32_t stack = work->moved[dump->thread_rows[i].row.stack];
        if (stack != DROPPED) {
            rows[count] = dump->thread_rows[i];
            rows[count++].row.stack = stack;
        }
    }
    dump->thread_rows = rows;
    dump->thread_rows_count = count;
}

static void filter_dump(const struct work *work, struct hr_dump *dump)
{
    struct hr_row *rows = HR_ARENA_ARRAY(work->run->arena, struct hr_row, dump->rows_count + 1);
    uint32_t count = 0;
    for (uint32_t i = 0; i < dump->rows_count; i++) {
        const uint32_t stack = work->moved[dump->rows[i].stack];
        if (stack != DROPPED) {
            rows[count] = dump->rows[i];
            rows[count++].stack = stack;
        }
    }
    qsort(rows, count, sizeof *rows, compare_rows);
    dump->rows_count = count;
    dump->rows = rows;
    add_up(dump, work->run->metric);
    filter_threads(work, dump);
}

// The frames that are left. A location without any stands in no stack any more and keeps its own.
static const struct hr_symbols *filter_symbols(const struct work *work)
{
    struct hr_arena *arena = work->run->arena;
    const struct hr_symbols *symbols = work->symbols;
    struct hr_symbols *left = hr_arena_copy(arena, symbols, 1, sizeof *symbols);
    struct hr_frame *frames = HR_ARENA_ARRAY(arena, struct hr_frame, symbols->frames_count + 1);
    struct hr_location *locations =
        hr_arena_copy(arena, symbols->locations, symbols->locations_count, sizeof *locations);
    uint32_t count = 0;
    for (uint32_t i = 0; i < symbols->locations_count; i++) {
        const struct hr_location *location = &symbols->locations[i];
        const bool all = count_kept(work, location) == 0;
        locations[i].first_frame = count;
        for (uint32_t f = 0; f < location->frame_count; f++) {
            if (all || is_kept(work, location->first_frame + f)) {
                frames[count++] = symbols->frames[location->first_frame + f];
            }
        }
        locations[i].frame_count = count - locations[i].first_frame;
    }
    left->frames = frames;
    left->frames_count = count;
    left->locations = locations;
    return left;
}

// What was measured beside the dumps is of the whole process: held against a part of the heap, the
// rest would look like growth outside it.
static void leave_evidence_aside(struct hr_evidence *evidence)
{
    memset(evidence->series, 0, sizeof evidence->series);
    evidence->bins = NULL;
    evidence->bins_count = 0;
}

const struct hr_symbols *hr_filter_apply(const struct hr_filter *filter, struct hr_run *run,
                                         const struct hr_symbols *symbols, GError **error)
{
    struct work work = {.run = run, .symbols = symbols};
    if (!compile(&work, filter, error) || !match_frames(&work, error)) {
        clear(&work);
        return NULL;
    }
    move_stacks(&work);
    for (size_t i = 0; i < run->dumps_count; i++) {
        if (run->dumps[i].rows) {
            filter_dump(&work, &run->dumps[i]);
        }
    }
    leave_evidence_aside(&run->evidence);
    const bool frames_go = filter->show || filter->hide;
    const struct hr_symbols *left = frames_go ? filter_symbols(&work) : symbols;
    clear(&work);
    return left;
}
