// SPDX-License-Identifier: MIT
//
//   heap_v2/<R>                         mean sampling interval in bytes
//     t*: <n>: <b> [<N>: <B>]           of all stacks; n objects, b bytes live, N and B since start
//     t0: <n>: <b> [<N>: <B>] <name>    of a thread; skipped
//   @ 0x<address> 0x<address> ...       a stack, innermost first; bare: none was recorded
//     t*: <n>: <b> [<N>: <B>]           its samples
//     t0: ...
//     f: <age> <size> ...               of ClickHouse's fork, a live sample; skipped
//   frag_util: <arena> <bin> ...        of the same, behind the stacks; skipped
//   (blank line)
//   MAPPED_LIBRARIES:
//   <memory map>                        see maps.c
//
// A header "heap profile: ..." begins the older form with counts and stack in one line: one_line.h.
// Before all that may stand the names of the addresses, see name_list.c.
//
#include "ingest/heap_reader.h"

#include "base/cursor.h"
#include "ingest/dump_rows.h"
#include "ingest/feed.h"
#include "ingest/foreign.h"
#include "ingest/heap_counts.h"
#include "ingest/name_list.h"
#include "ingest/one_line.h"
#include "ingest/stack_lines.h"
#include "model/sample.h"

#include <glib.h>
#include <string.h>

#define NO_STACK UINT32_MAX
#define ODD_STACK (UINT32_MAX - 1) // a stack line that made no sense

enum section { SECTION_LEADING, SECTION_NAMES, SECTION_TOTALS, SECTION_STACKS, SECTION_MAP };

struct hr_heap_reader {
    struct hr_feed feed;
    struct hr_stack_lines lines;
    struct hr_stacks *stacks;
    GArray *addresses; // of uint64_t, of the line being parsed

    struct hr_dump_rows rows;
    GString *map;
    size_t map_max_bytes;
    struct hr_name_list names;

    // The dump being read.
    struct hr_heap_dump *dump;
    enum section section;
    bool with_map;
    bool with_names;
    bool one_line;   // counts and stack stand in one line
    bool has_births; // then: N and B say something
    uint64_t region_offset;
    const char *region;
    uint32_t previous_line;
    uint32_t pending_stack; // its t* line must come; NO_STACK: none
};

struct hr_heap_reader *hr_heap_reader_new(void)
{
    struct hr_heap_reader *reader = g_new0(struct hr_heap_reader, 1);
    hr_feed_init(&reader->feed);
    hr_stack_lines_init(&reader->lines);
    reader->stacks = hr_stacks_new();
    reader->addresses = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    reader->map = g_string_new(NULL);
    hr_name_list_init(&reader->names);
    return reader;
}

void hr_heap_reader_free(struct hr_heap_reader *reader)
{
    if (!reader) {
        return;
    }
    hr_feed_clear(&reader->feed);
    hr_stack_lines_clear(&reader->lines);
    hr_stacks_free(reader->stacks);
    g_array_unref(reader->addresses);
    hr_dump_rows_clear(&reader->rows);
    g_string_free(reader->map, TRUE);
    hr_name_list_clear(&reader->names);
    g_free(reader);
}

struct hr_stacks *hr_heap_reader_stacks(const struct hr_heap_reader *reader)
{
    return reader->stacks;
}

static void fail(struct hr_heap_reader *reader, enum hr_dump_note note, const char *detail)
{
    reader->dump->note = note;
    reader->dump->note_detail = detail;
}

static void skip_odd_line(struct hr_heap_reader *reader, const char *at)
{
    if (reader->dump->skipped_lines++ == 0) {
        reader->dump->skipped_offset = reader->region_offset + (uint64_t)(at - reader->region);
    }
}

// Parses a line that was never seen. A line that is no list of addresses gives NO_STACK.
static uint32_t parse_stack(struct hr_heap_reader *reader, const char *at, const char *newline)
{
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, at + 1, (size_t)(newline - at - 1));
    g_array_set_size(reader->addresses, 0);
    for (;;) {
        cursor.at = MIN(hr_skip_blanks(cursor.at), newline);
        if (hr_cursor_at_end(&cursor)) {
            break;
        }
        const uint64_t address = hr_cursor_take_hex(&cursor);
        if (!hr_cursor_ok(&cursor)) {
            return NO_STACK;
        }
        g_array_append_val(reader->addresses, address);
    }
    return hr_stacks_intern(reader->stacks, (const uint64_t *)(void *)reader->addresses->data,
                            reader->addresses->len);
}

// Inlined: of its two callers one runs once a row of a whole run.
static inline G_ALWAYS_INLINE const char *read_stack_line(struct hr_heap_reader *reader,
                                                          const char *at, const char *stop)
{
    bool added;
    const char *past;
    if (G_UNLIKELY(reader->pending_stack < ODD_STACK)) {
        skip_odd_line(reader, at); // the stack before has no counts
    }
    const uint32_t line =
        hr_stack_lines_find(&reader->lines, reader->previous_line, at, stop, &past, &added);
    if (G_UNLIKELY(added)) {
        reader->lines.lines[line].stack = parse_stack(reader, at, past - 1);
    }
    reader->previous_line = line;
    reader->pending_stack = line == HR_STACK_LINE_NONE ? parse_stack(reader, at, past - 1)
                                                       : reader->lines.lines[line].stack;
    if (G_UNLIKELY(reader->pending_stack == NO_STACK)) {
        skip_odd_line(reader, at);
        reader->pending_stack = ODD_STACK;
    }
    return past;
}

static void add_to_totals(struct hr_heap_dump *dump, const struct hr_row *counts)
{
    dump->raw_objects = hr_add_saturating(dump->raw_objects, counts->objects);
    dump->raw_bytes = hr_add_saturating(dump->raw_bytes, counts->bytes);
}

static void count_stack(struct hr_heap_reader *reader, const struct hr_row *counts)
{
    hr_row_add(hr_dump_rows_get(&reader->rows, reader->pending_stack), counts);
    add_to_totals(reader->dump, counts);
    reader->pending_stack = NO_STACK;
}

static void read_totals(struct hr_heap_reader *reader, const struct hr_row *counts)
{
    reader->dump->header_objects = counts->objects;
    reader->dump->header_bytes = counts->bytes;
    reader->dump->header_accum_objects = counts->accum_objects;
    reader->dump->header_accum_bytes = counts->accum_bytes;
    reader->dump->born_bytes = hr_sample_scale(counts->accum_objects, counts->accum_bytes,
                                               reader->dump->sample_interval_bytes)
                                   .bytes;
    reader->section = SECTION_STACKS;
}

// An indented line: `t*` counts, all others (threads, and what forks of jemalloc add) do not.
static const char *read_indented_line(struct hr_heap_reader *reader, const char *at,
                                      const char *stop)
{
    const char *text = hr_skip_blanks(at);
    struct hr_row counts;
    if (text[0] == 't' && text[1] == '*' && text[2] == ':') {
        const char *past = hr_take_counts(text + 3, &counts);
        if (G_UNLIKELY(!past)) {
            skip_odd_line(reader, at);
        } else if (reader->section == SECTION_TOTALS) {
            read_totals(reader, &counts);
        } else if (reader->pending_stack < ODD_STACK) {
            count_stack(reader, &counts);
        } else if (reader->pending_stack == NO_STACK) {
            skip_odd_line(reader, at); // its stack stands on no line of its own
        } else {
            reader->pending_stack = NO_STACK;
        }
        text = past ? past : text;
    }
    return (const char *)memchr(text, '\n', (size_t)(stop - text)) + 1;
}

static bool starts_with(const char *at, const char *stop, const char *mark)
{
    const size_t length = strlen(mark);
    return (size_t)(stop - at) >= length && memcmp(at, mark, length) == 0;
}

// "--- symbol" begins the names, "--- heap" announces the dump behind them.
static const char *read_marker_line(struct hr_heap_reader *reader, const char *at,
                                    const char *newline)
{
    if (starts_with(at, newline, "--- symbol")) {
        reader->section = SECTION_NAMES;
        reader->with_names = true;
    } else if (!starts_with(at, newline, "--- heap")) {
        fail(reader, HR_DUMP_NOTE_FOREIGN, "symbolized profile");
    }
    return newline + 1;
}

static const char *read_name_line(struct hr_heap_reader *reader, const char *at, const char *stop)
{
    const char *newline = memchr(at, '\n', (size_t)(stop - at));
    if (starts_with(at, newline, "---")) {
        reader->section = SECTION_LEADING;
    } else if (hr_skip_blanks(at) != newline &&
               !hr_name_list_read_line(&reader->names, at, (size_t)(newline - at))) {
        skip_odd_line(reader, at);
    }
    return newline + 1;
}

// heap profile: <n>: <b> [<N>: <B>] @ <kind>. Who does not count births repeats what is live.
static void read_one_line_header(struct hr_heap_reader *reader, const char *at, const char *newline)
{
    struct hr_row counts;
    struct hr_heap_dump *dump = reader->dump;
    const char *past = hr_take_counts(at + strlen("heap profile:"), &counts);
    if (!past || *(past = hr_skip_blanks(past)) != '@' ||
        !hr_one_line_read_kind(past + 1, newline, &dump->sample_interval_bytes,
                               &reader->has_births)) {
        fail(reader, HR_DUMP_NOTE_MALFORMED, "heap profile:");
        return;
    }
    reader->one_line = true;
    reader->has_births &= dump->sample_interval_bytes <= 1 || counts.bytes != counts.accum_bytes;
    read_totals(reader, &counts);
    dump->header_accum_objects = reader->has_births ? counts.accum_objects : 0;
    dump->header_accum_bytes = reader->has_births ? counts.accum_bytes : 0;
    dump->born_bytes = reader->has_births ? dump->born_bytes : 0;
    dump->form = dump->sample_interval_bytes <= 1 ? HR_HEAP_FORM_COUNTED : HR_HEAP_FORM_SAMPLED;
}

static const char *read_one_line(struct hr_heap_reader *reader, const char *at, const char *stop)
{
    struct hr_row counts;
    const char *stack = hr_take_counts(at, &counts);
    if (!stack || *(stack = hr_skip_blanks(stack)) != '@') {
        skip_odd_line(reader, at);
        return (const char *)memchr(at, '\n', (size_t)(stop - at)) + 1;
    }
    const char *past = read_stack_line(reader, stack, stop);
    if (!reader->has_births) {
        counts.accum_objects = 0;
        counts.accum_bytes = 0;
    }
    if (G_LIKELY(reader->pending_stack < ODD_STACK)) {
        hr_one_line_add(hr_dump_rows_get(&reader->rows, reader->pending_stack), &counts,
                        reader->dump->sample_interval_bytes);
        add_to_totals(reader->dump, &counts);
    }
    reader->pending_stack = NO_STACK;
    return past;
}

static const char *read_header_line(struct hr_heap_reader *reader, const char *at, const char *stop)
{
    const char *newline = memchr(at, '\n', (size_t)(stop - at));
    if (starts_with(at, newline, "--- ")) {
        return read_marker_line(reader, at, newline);
    }
    if (starts_with(at, newline, "heap profile:")) {
        read_one_line_header(reader, at, newline);
        return newline + 1;
    }
    if (!starts_with(at, newline, "heap_v2/")) {
        reader->dump->leading_lines++;
        return newline + 1;
    }
    const char *past =
        hr_take_number(at + strlen("heap_v2/"), &reader->dump->sample_interval_bytes);
    if (!past || hr_skip_blanks(past) != newline) {
        fail(reader, HR_DUMP_NOTE_MALFORMED, "heap_v2/");
        return stop;
    }
    reader->section = SECTION_TOTALS;
    return newline + 1;
}

static const char *read_other_line(struct hr_heap_reader *reader, const char *at, const char *stop)
{
    const char *newline = memchr(at, '\n', (size_t)(stop - at));
    if (starts_with(at, newline, "MAPPED_LIBRARIES:")) {
        reader->section = SECTION_MAP;
        reader->dump->has_map = true;
    } else if (hr_skip_blanks(at) != newline && !starts_with(at, newline, "frag_util:")) {
        skip_odd_line(reader, at);
    }
    return newline + 1;
}

static const char *read_dump_line(struct hr_heap_reader *reader, const char *at, const char *stop)
{
    if (*at == '@') {
        reader->section = SECTION_STACKS;
        return read_stack_line(reader, at, stop);
    }
    if (G_UNLIKELY(reader->one_line) && (*at == ' ' || g_ascii_isdigit(*at))) {
        return read_one_line(reader, at, stop);
    }
    return *at == ' ' || *at == '\t' ? read_indented_line(reader, at, stop)
                                     : read_other_line(reader, at, stop);
}

static void keep_map(struct hr_heap_reader *reader, const char *at, const char *stop)
{
    const size_t room = reader->map_max_bytes - reader->map->len;
    g_string_append_len(reader->map, at, (gssize)MIN((size_t)(stop - at), room));
    if ((size_t)(stop - at) > room) {
        reader->dump->map_limit_bytes = reader->map_max_bytes;
    }
}

static void read_region(struct hr_heap_reader *reader, const char *at, const char *stop)
{
    while (at < stop && reader->dump->note == HR_DUMP_NOTE_NONE) {
        if (G_LIKELY(reader->section == SECTION_STACKS || reader->section == SECTION_TOTALS)) {
            at = read_dump_line(reader, at, stop);
        } else if (reader->section == SECTION_LEADING) {
            at = read_header_line(reader, at, stop);
        } else if (reader->section == SECTION_NAMES) {
            at = read_name_line(reader, at, stop);
        } else {
            keep_map(reader, at, stop);
            at = stop;
        }
    }
}

// What is no jemalloc dump says so at once; jemalloc's own messages may stand before the header.
static void check_head(struct hr_heap_reader *reader, const char *head, size_t size)
{
    if (!hr_content_is_dump(head, size)) {
        fail(reader, HR_DUMP_NOTE_FOREIGN, hr_content_foreign_kind(head, size));
    }
}

// A damaged or bottomless packed file: what came before is good, or nothing is.
static void judge_end(struct hr_heap_reader *reader)
{
    if (reader->feed.end == HR_FEED_FAILED) {
        fail(reader, HR_DUMP_NOTE_UNREADABLE, NULL);
    } else if (reader->feed.end == HR_FEED_LIMIT) {
        fail(reader, HR_DUMP_NOTE_UNPACKED_LIMIT, NULL);
    } else if (reader->feed.read_bytes == 0) {
        fail(reader, HR_DUMP_NOTE_EMPTY, NULL);
    } else if (reader->region_offset == 0) {
        check_head(reader, reader->feed.buffer, reader->feed.filled);
    } else if (reader->with_names && reader->section <= SECTION_NAMES) {
        fail(reader, HR_DUMP_NOTE_FOREIGN, "symbolized profile"); // names, and no dump behind them
    }
    if (reader->dump->note == HR_DUMP_NOTE_NONE &&
        (reader->feed.end != HR_FEED_WHOLE || reader->pending_stack != NO_STACK ||
         reader->section != SECTION_STACKS)) {
        fail(reader, HR_DUMP_NOTE_CUT, NULL);
    }
}

static void read_content(struct hr_heap_reader *reader, struct hr_stream *stream)
{
    const char *at;
    const char *stop;
    struct hr_heap_dump *dump = reader->dump;
    hr_feed_open(&reader->feed, stream);
    while (dump->note == HR_DUMP_NOTE_NONE &&
           (reader->section != SECTION_MAP || reader->with_map) &&
           hr_feed_next(&reader->feed, &at, &stop)) {
        if (reader->region_offset == 0) {
            check_head(reader, at, (size_t)(stop - at));
        }
        reader->region = at;
        read_region(reader, at, stop);
        reader->region_offset += (uint64_t)(stop - at);
    }
    if (dump->note == HR_DUMP_NOTE_NONE && !dump->has_map) {
        judge_end(reader);
    }
    dump->map_cut |= reader->section == SECTION_MAP && reader->feed.end != HR_FEED_WHOLE;
}

// How large a packed dump is, only its end can tell.
static uint64_t content_size(struct hr_heap_reader *reader, struct hr_stream *stream)
{
    if (!hr_stream_is_packed(stream)) {
        return stream->stored_bytes;
    }
    while (hr_stream_read(stream, reader->feed.buffer, reader->feed.capacity) > 0) {
        continue;
    }
    return stream->content_bytes;
}

static void begin(struct hr_heap_reader *reader, bool with_map, struct hr_row_buffer *rows,
                  struct hr_heap_dump *dump)
{
    *dump = (struct hr_heap_dump){.map_text = ""};
    reader->dump = dump;
    hr_dump_rows_begin(&reader->rows, rows);
    reader->section = SECTION_LEADING;
    reader->with_map = with_map;
    reader->with_names = false;
    reader->one_line = false;
    reader->region_offset = 0;
    reader->previous_line = HR_STACK_LINE_NONE;
    reader->pending_stack = NO_STACK;
    g_string_truncate(reader->map, 0);
    hr_name_list_restart(&reader->names);
}

void hr_heap_reader_read(struct hr_heap_reader *reader, struct hr_stream *stream, bool with_map,
                         struct hr_row_buffer *rows, struct hr_heap_dump *dump)
{
    begin(reader, with_map, rows, dump);
    if (!stream) {
        fail(reader, HR_DUMP_NOTE_UNREADABLE, NULL);
        return;
    }
    reader->map_max_bytes = (size_t)stream->limits->value[HR_LIMIT_map_bytes];
    read_content(reader, stream);
    dump->size_bytes = content_size(reader, stream);
    const bool readable = dump->note == HR_DUMP_NOTE_NONE || dump->note == HR_DUMP_NOTE_CUT;
    if (readable && hr_stream_has_changed(stream)) {
        fail(reader, HR_DUMP_NOTE_GROWING, NULL);
    }
    dump->rows = rows->rows;
    dump->rows_count = reader->rows.count;
    dump->names = hr_name_list_get(&reader->names);
    if (reader->map->len > 0) {
        dump->map_text = reader->map->str;
        dump->map_bytes = reader->map->len;
    }
}
