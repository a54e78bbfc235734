// SPDX-License-Identifier: MIT
#include "ingest/worker.h"

#include "base/strings.h"
#include "ingest/foreign.h"
#include "ingest/maps.h"
#include "ingest/name.h"
#include "ingest/profile_reader.h"
#include "model/sample.h"

#include <string.h>

// A worker reads so many dumps on average before all meet; long enough that waiting costs nothing.
#define BATCH_DUMPS 16

struct worker {
    struct hr_workers *all;
    unsigned number;
    GThread *thread; // NULL: none could be started, or it has ended
    struct hr_heap_reader *reader;
    struct hr_profile_reader *profiles; // with the stacks of `reader`
    struct hr_arena *arena;             // holds the paths of mappings
    struct hr_strings *strings;
    GArray *mappings;      // of the dump being read
    GArray *last_mappings; // of the one before
};

struct hr_workers {
    const struct hr_source *source;
    const struct hr_read_order *orders;
    struct hr_read_outcome *outcomes; // of the batch
    size_t end;                       // of the batch
    size_t next;                      // order to be carried out; atomic
    size_t first;                     // of the batch
    struct worker *workers;
    unsigned workers_count;
};

static void worker_init(struct worker *worker, struct hr_workers *all, unsigned number)
{
    *worker = (struct worker){.all = all,
                              .number = number,
                              .reader = hr_heap_reader_new(),
                              .arena = hr_arena_new(),
                              .mappings = g_array_new(FALSE, TRUE, sizeof(struct hr_mapping)),
                              .last_mappings = g_array_new(FALSE, TRUE, sizeof(struct hr_mapping))};
    worker->profiles = hr_profile_reader_new(hr_heap_reader_stacks(worker->reader));
    worker->strings = hr_strings_new(worker->arena);
}

static void worker_clear(struct worker *worker)
{
    hr_profile_reader_free(worker->profiles);
    hr_heap_reader_free(worker->reader);
    hr_strings_free(worker->strings);
    hr_arena_free(worker->arena);
    g_array_unref(worker->mappings);
    g_array_unref(worker->last_mappings);
}

// What one object more or less in each count comes to: the counts are rounded to whole objects.
static double rounding(const struct hr_scaled *scaled, uint64_t objects, uint64_t interval_bytes)
{
    return interval_bytes > 1 ? scaled->bytes / (double)MAX(objects, 1) + (double)interval_bytes
                              : 0;
}

// Since 5.3 counts are bent, so that they may only be compared scaled (docs/method.md).
static bool holds_more_than_allocated(const struct hr_row *row, uint64_t interval_bytes)
{
    if (row->accum_objects >= row->objects && row->accum_bytes >= row->bytes) {
        return false;
    }
    const struct hr_scaled live = hr_sample_scale(row->objects, row->bytes, interval_bytes);
    const struct hr_scaled born =
        hr_sample_scale(row->accum_objects, row->accum_bytes, interval_bytes);
    return live.bytes - rounding(&live, row->objects, interval_bytes) >
           born.bytes + rounding(&born, row->accum_objects, interval_bytes);
}

// Sums the scaled rows in the order of the file. The variance is that of docs/method.md section 2:
// the sum of (x / p)^2 n (1 - p), plus twice (x / p)^2 (1 - p) of the row where that is largest.
static void add_up(struct hr_read_outcome *outcome)
{
    double largest = 0;
    const bool counts_births = outcome->dump.header_accum_objects > 0;
    for (size_t i = 0; i < outcome->dump.rows_count; i++) {
        const struct hr_row *row = &outcome->dump.rows[i];
        outcome->allocated_less |=
            counts_births && holds_more_than_allocated(row, outcome->dump.sample_interval_bytes);
        const struct hr_scaled scaled =
            hr_sample_scale(row->objects, row->bytes, outcome->dump.sample_interval_bytes);
        outcome->live_bytes += scaled.bytes;
        outcome->live_objects += scaled.objects;
        if (row->objects > 0) {
            const double weight = scaled.object_size / scaled.probability;
            const double single = weight * weight * (1 - scaled.probability);
            outcome->live_variance += single * (double)row->objects;
            largest = MAX(largest, single);
        }
    }
    outcome->live_variance += 2 * largest;
}

static bool same_mappings(const GArray *a, const GArray *b)
{
    if (a->len != b->len) {
        return false;
    }
    for (guint i = 0; i < a->len; i++) {
        const struct hr_mapping *left = &g_array_index(a, struct hr_mapping, i);
        const struct hr_mapping *right = &g_array_index(b, struct hr_mapping, i);
        if (left->start != right->start || left->end != right->end ||
            left->offset != right->offset || left->path != right->path ||
            left->executable != right->executable || left->build_id != right->build_id) {
            return false;
        }
    }
    return true;
}

static const char *intern_if(struct hr_strings *strings, const char *text)
{
    return text ? hr_strings_intern(strings, text) : NULL;
}

static void hand_over_map(struct worker *worker, struct hr_read_outcome *outcome)
{
    outcome->map_end = hr_maps_end(outcome->dump.map_text, outcome->dump.map_bytes);
    g_array_set_size(worker->mappings, 0);
    hr_maps_parse(outcome->dump.map_text, outcome->dump.map_bytes, worker->strings,
                  worker->mappings);
    for (size_t i = 0; i < outcome->dump.mappings_count; i++) {
        struct hr_mapping mapping = outcome->dump.mappings[i];
        mapping.path = hr_strings_intern(worker->strings, mapping.path);
        mapping.build_id = intern_if(worker->strings, mapping.build_id);
        g_array_append_val(worker->mappings, mapping);
    }
    if (!same_mappings(worker->mappings, worker->last_mappings)) {
        outcome->mappings_count = worker->mappings->len;
        outcome->mappings =
            g_memdup2(worker->mappings->data, worker->mappings->len * sizeof(struct hr_mapping));
        GArray *last = worker->last_mappings;
        worker->last_mappings = worker->mappings;
        worker->mappings = last;
    }
}

static void hand_over_names(struct hr_read_outcome *outcome)
{
    const struct hr_given_names *names = &outcome->dump.names;
    uint32_t frames_count = 0;
    for (uint32_t i = 0; i < names->names_count; i++) {
        frames_count += names->names[i].frames_count;
    }
    outcome->names.names_count = names->names_count;
    outcome->names.names = g_memdup2(names->names, names->names_count * sizeof *names->names);
    outcome->names.frames = g_memdup2(names->frames, frames_count * sizeof *names->frames);
}

static void free_handed_over(struct hr_read_outcome *outcome)
{
    g_free(outcome->mappings);
    g_free((void *)(uintptr_t)outcome->names.names);
    g_free((void *)(uintptr_t)outcome->names.frames);
}

// Only a name that jemalloc did not make can be a profile's.
static bool is_profile(const struct worker *worker, const char *file)
{
    struct hr_dump_name name;
    char head[HR_CONTENT_HEAD_BYTES];
    return !hr_dump_name_read(file, &name) &&
           hr_content_is_profile(head, hr_content_read_head(worker->all->source, file, head));
}

static void read_dump(struct worker *worker, const struct hr_read_order *order,
                      struct hr_read_outcome *outcome)
{
    bool is_base;
    g_autofree char *stored = hr_profile_stored_name(order->file, &is_base);
    const bool profile = is_profile(worker, stored);
    struct hr_stream stream;
    const bool opened = hr_source_open(worker->all->source, stored, &stream, NULL);
    if (profile) {
        hr_profile_reader_read(worker->profiles, opened ? &stream : NULL, is_base, &outcome->rows,
                               &outcome->dump);
    } else {
        hr_heap_reader_read(worker->reader, opened ? &stream : NULL, order->with_rows,
                            &outcome->rows, &outcome->dump);
    }
    if (opened) {
        hr_stream_close(&stream);
    }
}

static void carry_out(struct worker *worker, const struct hr_read_order *order,
                      struct hr_read_outcome *outcome)
{
    *outcome = (struct hr_read_outcome){.stacks = hr_heap_reader_stacks(worker->reader),
                                        .worker = worker->number,
                                        .rows = outcome->rows};
    read_dump(worker, order, outcome);
    add_up(outcome);
    if (order->with_rows) {
        hand_over_map(worker, outcome);
        hand_over_names(outcome);
    }
    outcome->dump.names = (struct hr_given_names){0};
    outcome->dump.map_text = NULL;
    outcome->dump.mappings = NULL;
}

static void work(struct worker *worker)
{
    struct hr_workers *all = worker->all;
    for (;;) {
        const size_t next = __atomic_fetch_add(&all->next, 1, __ATOMIC_RELAXED);
        if (next >= all->end) {
            return;
        }
        carry_out(worker, &all->orders[next], &all->outcomes[next - all->first]);
    }
}

static void *work_in_thread(void *argument)
{
    work(argument);
    return NULL;
}

// Has the workers read one batch. Their threads end with it: one that was kept, as pools keep them,
// would escape a sandbox that is drawn tighter later. Where a thread cannot be had, the others do
// its work.
static void run_batch(struct hr_workers *all, size_t first, size_t end)
{
    all->first = first;
    all->next = first;
    all->end = end;
    for (unsigned i = 1; i < all->workers_count; i++) {
        struct worker *worker = &all->workers[i];
        worker->thread = g_thread_try_new("read", work_in_thread, worker, NULL);
    }
    work(&all->workers[0]);
    for (unsigned i = 1; i < all->workers_count; i++) {
        if (all->workers[i].thread) {
            g_thread_join(g_steal_pointer(&all->workers[i].thread));
        }
    }
}

static void run_batches(struct hr_workers *all, size_t count, hr_workers_take *take, void *context)
{
    const size_t batch = (size_t)BATCH_DUMPS * all->workers_count;
    all->outcomes = g_new0(struct hr_read_outcome, batch);
    for (size_t first = 0; first < count; first += batch) {
        const size_t end = MIN(count, first + batch);
        run_batch(all, first, end);
        for (size_t i = first; i < end; i++) {
            take(context, i, &all->outcomes[i - first]);
            free_handed_over(&all->outcomes[i - first]);
        }
    }
    for (size_t i = 0; i < batch; i++) {
        g_free(all->outcomes[i].rows.rows);
    }
    g_free(all->outcomes);
}

void hr_workers_read(const struct hr_source *source, const struct hr_read_order *orders,
                     size_t count, unsigned jobs, hr_workers_take *take, void *context)
{
    struct hr_workers all = {.source = source,
                             .orders = orders,
                             .workers_count = (unsigned)MIN((size_t)MAX(jobs, 1), MAX(count, 1))};
    all.workers = g_new0(struct worker, all.workers_count);
    for (unsigned i = 0; i < all.workers_count; i++) {
        worker_init(&all.workers[i], &all, i);
    }
    run_batches(&all, count, take, context);
    for (unsigned i = 0; i < all.workers_count; i++) {
        worker_clear(&all.workers[i]);
    }
    g_free(all.workers);
}
