// SPDX-License-Identifier: MIT
#include "ingest/profile_reader.h"

#include "ingest/dump_rows.h"
#include "ingest/pprof.h"
#include "ingest/profile_code.h"
#include "ingest/profile_values.h"
#include "ingest/unscale.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define NANOS_PER_S 1e9
#define CHUNK_BYTES 262144u // 256 KiB

// Of more rows than this share of all, no samples can be found again: then of none.
#define ODD_ROWS_MAX_RATIO 0.01

struct hr_profile_reader {
    struct hr_stacks *stacks;
    struct hr_profile_code code;
    GByteArray *content;
    GArray *stack;        // of uint64_t
    GArray *location_ids; // of uint64_t, of a sample
    GArray *values;       // of uint64_t
    GArray *samples;      // of struct hr_row, as written
    struct hr_dump_rows rows;
};

struct hr_profile_reader *hr_profile_reader_new(struct hr_stacks *stacks)
{
    struct hr_profile_reader *reader = g_new0(struct hr_profile_reader, 1);
    reader->stacks = stacks;
    hr_profile_code_init(&reader->code);
    reader->content = g_byte_array_new();
    reader->stack = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    reader->location_ids = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    reader->values = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    reader->samples = g_array_new(FALSE, FALSE, sizeof(struct hr_row));
    return reader;
}

void hr_profile_reader_free(struct hr_profile_reader *reader)
{
    if (!reader) {
        return;
    }
    hr_profile_code_clear(&reader->code);
    g_byte_array_unref(reader->content);
    g_array_unref(reader->stack);
    g_array_unref(reader->location_ids);
    g_array_unref(reader->values);
    g_array_unref(reader->samples);
    hr_dump_rows_clear(&reader->rows);
    g_free(reader);
}

char *hr_profile_stored_name(const char *file, bool *is_base)
{
    *is_base = g_str_has_suffix(file, HR_PROFILE_BASE_SUFFIX);
    return g_strndup(file, strlen(file) - (*is_base ? strlen(HR_PROFILE_BASE_SUFFIX) : 0));
}

// Reads all that a profile may hold and a byte more; false after a failure of the stream.
static bool read_content(struct hr_stream *stream, GByteArray *content)
{
    ssize_t got = 1;
    g_byte_array_set_size(content, 0);
    while (got > 0 && content->len <= HR_PPROF_MAX_BYTES) {
        const guint before = content->len;
        g_byte_array_set_size(content, before + CHUNK_BYTES);
        got = hr_stream_read(stream, content->data + before, CHUNK_BYTES);
        g_byte_array_set_size(content, before + (guint)MAX(got, 0));
    }
    return got >= 0;
}

bool hr_profile_summarise(struct hr_stream *stream, struct hr_profile_summary *summary)
{
    g_autoptr(GByteArray) content = g_byte_array_new();
    struct hr_pprof profile;
    *summary = (struct hr_profile_summary){NAN, NAN, false};
    if (!read_content(stream, content) || !hr_pprof_recognise(content->data, content->len)) {
        return false;
    }
    hr_pprof_init(&profile, content->data, content->len);
    if (profile.time_ns > 0) {
        summary->taken_at_s = (double)profile.time_ns / NANOS_PER_S;
        summary->base_at_s =
            summary->taken_at_s - (double)MAX(profile.duration_ns, 0) / NANOS_PER_S;
    }
    summary->has_base = hr_pprof_find_value(&profile, "base_space", "bytes") >= 0 &&
                        hr_pprof_find_value(&profile, "inuse_space", "bytes") >= 0;
    hr_pprof_clear(&profile);
    return true;
}

static bool take_stack(struct hr_profile_reader *reader, const struct hr_pprof *profile)
{
    g_array_set_size(reader->stack, 0);
    for (guint i = 0; i < reader->location_ids->len; i++) {
        const uint64_t *address = hr_profile_code_find(
            &reader->code, profile, g_array_index(reader->location_ids, uint64_t, i));
        if (!address) {
            return false;
        }
        g_array_append_val(reader->stack, *address);
    }
    return reader->stack->len <= HR_PROFILE_STACK_MAX;
}

static int64_t value_at(const GArray *values, int place)
{
    return place < 0 ? 0 : (int64_t)g_array_index(values, uint64_t, place);
}

static const char *read_samples(struct hr_profile_reader *reader, const struct hr_pprof *profile,
                                const struct hr_profile_values *places, struct hr_heap_dump *dump)
{
    struct hr_wire message = profile->message;
    g_array_set_size(reader->samples, 0);
    while (hr_pprof_next_sample(&message, reader->location_ids, reader->values)) {
        if (reader->values->len != profile->value_types->len || !take_stack(reader, profile)) {
            dump->skipped_lines++;
            continue;
        }
        const int64_t objects = value_at(reader->values, places->objects);
        const int64_t bytes = value_at(reader->values, places->bytes);
        const int64_t accum_objects = value_at(reader->values, places->accum_objects);
        const int64_t accum_bytes = value_at(reader->values, places->accum_bytes);
        if (objects < 0 || bytes < 0 || accum_objects < 0 || accum_bytes < 0) {
            return "pprof profile that is a difference of two";
        }
        const struct hr_row row = {
            .stack = hr_stacks_intern(reader->stacks, (const uint64_t *)(void *)reader->stack->data,
                                      reader->stack->len),
            .objects = (uint64_t)objects,
            .bytes = (uint64_t)bytes,
            .accum_objects = (uint64_t)accum_objects,
            .accum_bytes = (uint64_t)accum_bytes,
        };
        g_array_append_val(reader->samples, row);
    }
    return message.broken ? "pprof profile, damaged" : NULL;
}

// Finds the samples again. False, and nothing is changed, when too many values do not look like
// scaled ones.
static bool unscale_all(GArray *samples, uint64_t interval_bytes)
{
    g_autofree struct hr_row *found = g_new(struct hr_row, samples->len + 1);
    guint odd = 0;
    for (guint i = 0; i < samples->len; i++) {
        const struct hr_row *row = &g_array_index(samples, struct hr_row, i);
        found[i].stack = row->stack;
        odd += !hr_unscale((double)row->objects, (double)row->bytes, interval_bytes,
                           &found[i].objects, &found[i].bytes);
        (void)hr_unscale((double)row->accum_objects, (double)row->accum_bytes, interval_bytes,
                         &found[i].accum_objects, &found[i].accum_bytes);
    }
    if (odd > ODD_ROWS_MAX_RATIO * samples->len) {
        return false;
    }
    for (guint i = 0; i < samples->len; i++) {
        g_array_index(samples, struct hr_row, i) = found[i];
    }
    return true;
}

// Of samples whose values are scaled still.
static double sum_births(const GArray *samples)
{
    double born_bytes = 0;
    for (guint i = 0; i < samples->len; i++) {
        born_bytes += (double)g_array_index(samples, struct hr_row, i).accum_bytes;
    }
    return born_bytes;
}

static void scale_back(struct hr_profile_reader *reader, const struct hr_pprof *profile,
                       const struct hr_profile_values *places, struct hr_heap_dump *dump)
{
    const bool in_bytes = hr_pprof_string_is(profile, profile->period_type.unit, "bytes");
    dump->prescaled = true;
    dump->sample_interval_bytes = 1;
    if (in_bytes && profile->period > 1 && places->objects >= 0 &&
        unscale_all(reader->samples, (uint64_t)profile->period)) {
        dump->sample_interval_bytes = (uint64_t)profile->period;
    }
}

// A stack may stand in several samples, told apart by labels. One of nothing is no row.
static void add_rows(struct hr_profile_reader *reader, struct hr_row_buffer *rows,
                     struct hr_heap_dump *dump)
{
    hr_dump_rows_begin(&reader->rows, rows);
    for (guint i = 0; i < reader->samples->len; i++) {
        const struct hr_row *sample = &g_array_index(reader->samples, struct hr_row, i);
        if (sample->bytes == 0 && sample->accum_bytes == 0) {
            continue;
        }
        hr_row_add(hr_dump_rows_get(&reader->rows, sample->stack), sample);
        dump->header_objects += sample->objects;
        dump->header_bytes += sample->bytes;
        dump->header_accum_objects += sample->accum_objects;
        dump->header_accum_bytes += sample->accum_bytes;
    }
    dump->raw_bytes = dump->header_bytes;
    dump->rows = rows->rows;
    dump->rows_count = reader->rows.count;
}

static const char *read_profile(struct hr_profile_reader *reader, bool is_base,
                                struct hr_row_buffer *rows, struct hr_heap_dump *dump)
{
    struct hr_pprof profile;
    hr_pprof_init(&profile, reader->content->data, reader->content->len);
    const char *problem = profile.problem;
    const struct hr_profile_values places = hr_profile_values_find(&profile, is_base);
    if (!problem && places.bytes < 0) {
        problem = "pprof profile of no heap";
    }
    if (!problem) {
        dump->skipped_lines += hr_profile_code_read(&reader->code, &profile);
        problem = read_samples(reader, &profile, &places, dump);
    }
    if (!problem) {
        dump->born_bytes = sum_births(reader->samples);
        scale_back(reader, &profile, &places, dump);
        add_rows(reader, rows, dump);
    }
    hr_pprof_clear(&profile);
    return problem;
}

void hr_profile_reader_read(struct hr_profile_reader *reader, struct hr_stream *stream,
                            bool is_base, struct hr_row_buffer *rows, struct hr_heap_dump *dump)
{
    *dump = (struct hr_heap_dump){.map_text = "", .has_map = true};
    hr_name_list_restart(&reader->code.names);
    if (!stream || !read_content(stream, reader->content)) {
        const bool limit = stream && stream->failure == HR_STREAM_LIMIT;
        dump->note = limit ? HR_DUMP_NOTE_UNPACKED_LIMIT : HR_DUMP_NOTE_UNREADABLE;
        return;
    }
    dump->size_bytes = reader->content->len;
    if (hr_stream_has_changed(stream)) {
        dump->note = HR_DUMP_NOTE_GROWING;
        return;
    }
    dump->note_detail = read_profile(reader, is_base, rows, dump);
    if (dump->note_detail) {
        dump->note = HR_DUMP_NOTE_FOREIGN;
        dump->rows_count = 0;
        return;
    }
    dump->names = hr_name_list_get(&reader->code.names);
    dump->mappings = (const struct hr_mapping *)(void *)reader->code.mappings->data;
    dump->mappings_count = reader->code.mappings->len;
}
