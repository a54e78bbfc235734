// SPDX-License-Identifier: MIT
// What each thread has of each stack, and what threads are called:
//
//   heap_v2/524288
//     t*: 12: 3456 [0: 0]
//     t0: 10: 3000 [0: 0] main           the thread's sum, and its name where it has one
//     t7: 2: 456 [0: 0]
//   @ 0x5581 0x5590
//     t*: 12: 3456 [0: 0]
//     t0: 10: 3000 [0: 0]                what it has of this stack
//     t7: 2: 456 [0: 0]
#include "base/cursor.h"
#include "ingest/feed.h"
#include "ingest/heap_counts.h"
#include "ingest/ingest.h"
#include "ingest/profile_reader.h"

#include <string.h>

#define NO_STACK UINT32_MAX

struct reading {
    struct hr_run *run;
    GHashTable *numbers; // id of a thread -> its index + 1
    GArray *threads;     // of struct hr_thread
    GArray *addresses;   // of uint64_t, of one stack
    GArray *rows;        // of struct hr_thread_row, of one dump
    bool in_dump;        // its header was seen
    bool in_stacks;
    uint32_t stack; // that thread lines belong to, or NO_STACK
};

static uint32_t thread_number(struct reading *reading, uint64_t id)
{
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(reading->numbers, &id));
    if (known > 0) {
        return known - 1;
    }
    const struct hr_thread thread = {.id = id};
    uint64_t *key = HR_ARENA_NEW(reading->run->arena, uint64_t);
    *key = id;
    g_array_append_val(reading->threads, thread);
    g_hash_table_insert(reading->numbers, key, GUINT_TO_POINTER(reading->threads->len));
    return reading->threads->len - 1;
}

static const char *strip_blanks(const char *from, const char **end)
{
    while (from < *end && g_ascii_isspace(*from)) {
        from++;
    }
    while (*end > from && g_ascii_isspace((*end)[-1])) {
        (*end)--;
    }
    return from;
}

// The name that the last dump gives it.
static void name_thread(struct reading *reading, uint32_t thread, const char *at,
                        const char *newline)
{
    const char *end = newline;
    const char *name = strip_blanks(at, &end);
    if (end > name) {
        g_array_index(reading->threads, struct hr_thread, thread).name =
            hr_arena_strndup(reading->run->arena, name, (size_t)(end - name));
    }
}

// t<id>: <counts> [<name>]
static void take_thread_line(struct reading *reading, const char *at, const char *newline)
{
    uint64_t id;
    struct hr_row counts;
    const char *past = hr_take_number(at + 1, &id);
    past = past && *past == ':' ? hr_take_counts(past + 1, &counts) : NULL;
    if (!past) {
        return;
    }
    const uint32_t thread = thread_number(reading, id);
    if (!reading->in_stacks) {
        name_thread(reading, thread, past, newline);
    } else if (reading->stack != NO_STACK) {
        counts.stack = reading->stack;
        const struct hr_thread_row row = {thread,
                                          hr_metric_order_row(reading->run->metric, counts)};
        g_array_append_val(reading->rows, row);
    }
}

static uint32_t take_stack(struct reading *reading, const char *at, const char *newline)
{
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, at, (size_t)(newline - at));
    g_array_set_size(reading->addresses, 0);
    for (hr_cursor_skip_blanks(&cursor); !hr_cursor_at_end(&cursor);
         hr_cursor_skip_blanks(&cursor)) {
        const uint64_t address = hr_cursor_take_hex(&cursor);
        if (!hr_cursor_ok(&cursor)) {
            return NO_STACK;
        }
        g_array_append_val(reading->addresses, address);
    }
    return hr_stacks_intern(reading->run->stacks,
                            (const uint64_t *)(void *)reading->addresses->data,
                            reading->addresses->len);
}

// False where the memory map begins.
static bool take_line(struct reading *reading, const char *at, const char *newline)
{
    const char *text = hr_skip_blanks(at);
    if (!reading->in_dump) {
        reading->in_dump = g_str_has_prefix(at, "heap_v2/");
    } else if (*at == '@') {
        reading->in_stacks = true;
        reading->stack = take_stack(reading, at + 1, newline);
    } else if (*at == 'M') {
        return false;
    } else if (text > at && *text == 't') {
        take_thread_line(reading, text, newline);
    }
    return true;
}

static void read_stream(struct reading *reading, struct hr_stream *stream)
{
    struct hr_feed feed;
    const char *at;
    const char *stop;
    bool more = true;
    hr_feed_init(&feed);
    hr_feed_open(&feed, stream);
    while (more && hr_feed_next(&feed, &at, &stop)) {
        while (more && at < stop) {
            const char *newline = memchr(at, '\n', (size_t)(stop - at));
            more = take_line(reading, at, newline);
            at = newline + 1;
        }
    }
    hr_feed_clear(&feed);
}

static void read_dump(struct reading *reading, const struct hr_source *source, struct hr_dump *dump)
{
    bool is_base;
    struct hr_stream stream;
    g_autofree char *stored = hr_profile_stored_name(dump->file, &is_base);
    if (!hr_source_open(source, stored, &stream, NULL)) {
        return;
    }
    reading->in_dump = false;
    reading->in_stacks = false;
    reading->stack = NO_STACK;
    g_array_set_size(reading->rows, 0);
    read_stream(reading, &stream);
    hr_stream_close(&stream);
    dump->thread_rows = hr_arena_copy(reading->run->arena, reading->rows->data, reading->rows->len,
                                      sizeof(struct hr_thread_row));
    dump->thread_rows_count = reading->rows->len;
}

void hr_ingest_read_threads(struct hr_run *run, const struct hr_ingest_options *options,
                            size_t base, size_t final, struct hr_diagnostics *diagnostics)
{
    if (base >= run->dumps_count || final >= run->dumps_count) {
        return;
    }
    struct reading reading = {
        .run = run,
        .numbers = g_hash_table_new(g_int64_hash, g_int64_equal),
        .threads = g_array_new(FALSE, FALSE, sizeof(struct hr_thread)),
        .addresses = g_array_new(FALSE, FALSE, sizeof(uint64_t)),
        .rows = g_array_new(FALSE, FALSE, sizeof(struct hr_thread_row)),
    };
    const size_t dumps[] = {base, final};
    for (size_t i = 0; i < (base == final ? 1 : G_N_ELEMENTS(dumps)); i++) {
        struct hr_dump *dump = &run->dumps[dumps[i]];
        read_dump(&reading, options->source, dump);
        if (!hr_dump_tells_threads(dump)) {
            hr_diagnostics_add(diagnostics, HR_DIAG_THREADS_UNTOLD, dump->file, NULL);
        }
    }
    run->threads = hr_arena_copy(run->arena, reading.threads->data, reading.threads->len,
                                 sizeof(struct hr_thread));
    run->threads_count = reading.threads->len;
    g_hash_table_unref(reading.numbers);
    g_array_unref(reading.threads);
    g_array_unref(reading.addresses);
    g_array_unref(reading.rows);
}
