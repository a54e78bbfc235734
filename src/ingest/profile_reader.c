// SPDX-License-Identifier: MIT
#include "ingest/profile_reader.h"

#include "ingest/name_list.h"
#include "ingest/pprof.h"
#include "ingest/unscale.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>
#include <xxhash.h>

#define NANOS_PER_S 1e9
#define CHUNK_BYTES 262144u // 256 KiB

// Bytes of a build-id, as linkers make them, in hex.
#define BUILD_ID_HEX_MIN 8
#define BUILD_ID_HEX_MAX 128

// Addresses of no process: for locations that are known by name alone.
#define NAMED_ONLY ((uint64_t)1 << 63)

// Of more rows than this share of all, no samples can be found again: then of none.
#define ODD_ROWS_MAX_RATIO 0.01

struct hr_profile_reader {
    struct hr_stacks *stacks;
    struct hr_name_list names;
    GByteArray *content;
    GArray *mappings;     // of struct hr_mapping
    GArray *addresses;    // of uint64_t, by place of the location
    GArray *stack;        // of uint64_t
    GArray *location_ids; // of uint64_t, of a sample
    GArray *values;       // of uint64_t
    GArray *samples;      // of struct hr_row, as written
    GHashTable *rows;     // stack -> row + 1
};

// Places of the values in every sample; -1: there is none.
struct value_places {
    int objects, bytes, accum_objects, accum_bytes;
};

struct hr_profile_reader *hr_profile_reader_new(struct hr_stacks *stacks)
{
    struct hr_profile_reader *reader = g_new0(struct hr_profile_reader, 1);
    reader->stacks = stacks;
    hr_name_list_init(&reader->names);
    reader->content = g_byte_array_new();
    reader->mappings = g_array_new(FALSE, FALSE, sizeof(struct hr_mapping));
    reader->addresses = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    reader->stack = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    reader->location_ids = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    reader->values = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    reader->samples = g_array_new(FALSE, FALSE, sizeof(struct hr_row));
    reader->rows = g_hash_table_new(NULL, NULL);
    return reader;
}

void hr_profile_reader_free(struct hr_profile_reader *reader)
{
    if (!reader) {
        return;
    }
    hr_name_list_clear(&reader->names);
    g_byte_array_unref(reader->content);
    g_array_unref(reader->mappings);
    g_array_unref(reader->addresses);
    g_array_unref(reader->stack);
    g_array_unref(reader->location_ids);
    g_array_unref(reader->values);
    g_array_unref(reader->samples);
    g_hash_table_unref(reader->rows);
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

static int find_any(const struct hr_pprof *profile, const char *const *names, const char *unit)
{
    for (; *names; names++) {
        const int place = hr_pprof_find_value(profile, *names, unit);
        if (place >= 0) {
            return place;
        }
    }
    return -1;
}

// The value that the profile itself shows first, or else the last one, if it counts bytes.
static int find_default(const struct hr_pprof *profile)
{
    int last = -1;
    for (guint i = 0; i < profile->value_types->len; i++) {
        const struct hr_pprof_value_type *type =
            &g_array_index(profile->value_types, struct hr_pprof_value_type, i);
        if (!hr_pprof_string_is(profile, type->unit, "bytes") ||
            hr_pprof_string_is(profile, type->type, "alloc_space")) {
            continue; // what was allocated, and may be freed, is no heap
        }
        last = (int)i;
        if (type->type == profile->default_type) {
            break;
        }
    }
    return last;
}

static struct value_places find_values(const struct hr_pprof *profile, bool is_base)
{
    static const char *const base_bytes[] = {"base_space", NULL};
    static const char *const base_objects[] = {"base_objects", NULL};
    static const char *const bytes[] = {"inuse_space", "space", "inuse_bytes", NULL};
    static const char *const objects[] = {"inuse_objects", "objects", NULL};
    static const char *const accum_bytes[] = {"alloc_space", NULL};
    static const char *const accum_objects[] = {"alloc_objects", NULL};
    static const char *const base_accum_bytes[] = {"base_alloc_space", NULL};
    static const char *const base_accum_objects[] = {"base_alloc_objects", NULL};
    if (is_base) {
        return (struct value_places){find_any(profile, base_objects, "count"),
                                     find_any(profile, base_bytes, "bytes"),
                                     find_any(profile, base_accum_objects, "count"),
                                     find_any(profile, base_accum_bytes, "bytes")};
    }
    struct value_places places = {
        find_any(profile, objects, "count"), find_any(profile, bytes, "bytes"),
        find_any(profile, accum_objects, "count"), find_any(profile, accum_bytes, "bytes")};
    if (places.bytes < 0) {
        places = (struct value_places){-1, find_default(profile), -1, -1};
    }
    return places;
}

// An address that two dumps give to the same functions.
static uint64_t address_of_names(const struct hr_pprof_location *location,
                                 const struct hr_given_frame *frames, uint32_t count)
{
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    for (uint32_t i = 0; i < count; i++) {
        XXH3_64bits_update(state, frames[i].symbol, strlen(frames[i].symbol) + 1);
        const char *file = frames[i].file ? frames[i].file : "";
        XXH3_64bits_update(state, file, strlen(file) + 1);
        XXH3_64bits_update(state, &frames[i].line, sizeof frames[i].line);
    }
    if (count == 0) {
        XXH3_64bits_update(state, &location->id, sizeof location->id);
    }
    const uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return hash | NAMED_ONLY;
}

static const char *intern_text(struct hr_profile_reader *reader, struct hr_pprof_text text)
{
    g_autofree char *terminated = g_strndup(text.text, text.size);
    return hr_strings_intern(reader->names.strings, terminated);
}

// "[libjemalloc.so.2]" stands for code without a name (export/pprof_frames.h; pprof shows it so).
static bool is_stand_in(struct hr_pprof_text name)
{
    return name.size > 2 && name.text[0] == '[' && name.text[name.size - 1] == ']';
}

// The name as the compiler made it, where that is told: it holds most.
static struct hr_given_frame frame_of(struct hr_profile_reader *reader,
                                      const struct hr_pprof *profile,
                                      const struct hr_pprof_line *line)
{
    const struct hr_pprof_function *function = hr_pprof_find_function(profile, line->function_id);
    struct hr_given_frame frame = {.symbol = "", .line = (unsigned)MIN(line->line, UINT_MAX)};
    if (!function) {
        return frame;
    }
    const struct hr_pprof_text name = hr_pprof_string(profile, function->name);
    if (is_stand_in(name)) {
        return frame;
    }
    const struct hr_pprof_text whole = hr_pprof_string(profile, function->system_name);
    frame.symbol = intern_text(reader, whole.size > 0 ? whole : name);
    const struct hr_pprof_text file = hr_pprof_string(profile, function->file);
    frame.file = file.size > 0 ? intern_text(reader, file) : NULL;
    return frame;
}

// In a profile an address lies inside the call, in a dump behind it.
static void read_location(struct hr_profile_reader *reader, const struct hr_pprof *profile,
                          const struct hr_pprof_location *location, struct hr_heap_dump *dump)
{
    struct hr_given_frame frames[HR_NAME_FRAMES_MAX];
    uint32_t count = 0;
    struct hr_wire message = location->message;
    struct hr_pprof_line line;
    while (count < HR_NAME_FRAMES_MAX && hr_pprof_next_line(&message, &line)) {
        frames[count] = frame_of(reader, profile, &line);
        count += *frames[count].symbol != '\0';
    }
    const uint64_t address =
        location->address > 0 ? location->address + 1 : address_of_names(location, frames, count);
    g_array_append_val(reader->addresses, address);
    if (count > 0 && !hr_name_list_add(&reader->names, address, frames, count)) {
        dump->skipped_lines++;
    }
}

static void read_locations(struct hr_profile_reader *reader, const struct hr_pprof *profile,
                           struct hr_heap_dump *dump)
{
    g_array_set_size(reader->addresses, 0);
    for (guint i = 0; i < profile->locations->len; i++) {
        read_location(reader, profile,
                      &g_array_index(profile->locations, struct hr_pprof_location, i), dump);
    }
}

// What the linker wrote into the file, as ELF files carry it. Other tool chains put other things
// here (Go: four parts with slashes), which no file can be held against.
static const char *read_build_id(struct hr_profile_reader *reader, struct hr_pprof_text text)
{
    if (text.size < BUILD_ID_HEX_MIN || text.size > BUILD_ID_HEX_MAX || text.size % 2 != 0) {
        return NULL;
    }
    for (size_t i = 0; i < text.size; i++) {
        if (!g_ascii_isxdigit(text.text[i])) {
            return NULL;
        }
    }
    g_autofree char *hex = g_ascii_strdown(text.text, (gssize)text.size);
    return hr_strings_intern(reader->names.strings, hex);
}

static gint compare_mappings(gconstpointer left, gconstpointer right)
{
    const struct hr_mapping *a = left;
    const struct hr_mapping *b = right;
    return (a->start > b->start) - (a->start < b->start);
}

// A profile does not tell which mappings may be executed, and may list others too: those are code
// in which an address lies.
static void mark_code(struct hr_profile_reader *reader)
{
    struct hr_mapping *mappings = (struct hr_mapping *)(void *)reader->mappings->data;
    g_array_sort(reader->mappings, compare_mappings);
    for (guint i = 0; i < reader->addresses->len; i++) {
        const uint64_t address = g_array_index(reader->addresses, uint64_t, i) - 1;
        guint from = 0;
        guint to = reader->mappings->len;
        while (from < to) {
            const guint middle = from + (to - from) / 2;
            if (mappings[middle].start <= address) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        if (from > 0 && address < mappings[from - 1].end) {
            mappings[from - 1].executable = true;
        }
    }
}

static void read_mappings(struct hr_profile_reader *reader, const struct hr_pprof *profile)
{
    g_array_set_size(reader->mappings, 0);
    for (guint i = 0; i < profile->mappings->len; i++) {
        const struct hr_pprof_mapping *said =
            &g_array_index(profile->mappings, struct hr_pprof_mapping, i);
        if (said->limit <= said->start) {
            continue;
        }
        const struct hr_mapping mapping = {
            .start = said->start,
            .end = said->limit,
            .offset = said->offset,
            .path = intern_text(reader, hr_pprof_string(profile, said->file)),
            .build_id = read_build_id(reader, hr_pprof_string(profile, said->build_id)),
        };
        g_array_append_val(reader->mappings, mapping);
    }
    mark_code(reader);
}

static bool take_stack(struct hr_profile_reader *reader, const struct hr_pprof *profile)
{
    g_array_set_size(reader->stack, 0);
    for (guint i = 0; i < reader->location_ids->len; i++) {
        const struct hr_pprof_location *location =
            hr_pprof_find_location(profile, g_array_index(reader->location_ids, uint64_t, i));
        if (!location) {
            return false;
        }
        const size_t place =
            (size_t)(location - (const struct hr_pprof_location *)(void *)profile->locations->data);
        g_array_append_val(reader->stack, g_array_index(reader->addresses, uint64_t, place));
    }
    return reader->stack->len <= HR_PROFILE_STACK_MAX;
}

static int64_t value_at(const GArray *values, int place)
{
    return place < 0 ? 0 : (int64_t)g_array_index(values, uint64_t, place);
}

static const char *read_samples(struct hr_profile_reader *reader, const struct hr_pprof *profile,
                                const struct value_places *places, struct hr_heap_dump *dump)
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

static void scale_back(struct hr_profile_reader *reader, const struct hr_pprof *profile,
                       const struct value_places *places, struct hr_heap_dump *dump)
{
    const bool in_bytes = hr_pprof_string_is(profile, profile->period_type.unit, "bytes");
    dump->prescaled = true;
    dump->sample_interval_bytes = 1;
    if (in_bytes && profile->period > 1 && places->objects >= 0 &&
        unscale_all(reader->samples, (uint64_t)profile->period)) {
        dump->sample_interval_bytes = (uint64_t)profile->period;
    }
}

static void add_row(struct hr_profile_reader *reader, const struct hr_row *sample,
                    struct hr_row_buffer *rows, struct hr_heap_dump *dump)
{
    void *const key = GUINT_TO_POINTER(sample->stack);
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(reader->rows, key));
    if (known == 0) {
        if (dump->rows_count == rows->capacity) {
            rows->capacity = MAX(1024, rows->capacity / 2 * 3);
            rows->rows = g_renew(struct hr_row, rows->rows, rows->capacity);
        }
        rows->rows[dump->rows_count++] = *sample;
        g_hash_table_insert(reader->rows, key, GUINT_TO_POINTER(dump->rows_count));
        return;
    }
    struct hr_row *row = &rows->rows[known - 1];
    row->objects += sample->objects;
    row->bytes += sample->bytes;
    row->accum_objects += sample->accum_objects;
    row->accum_bytes += sample->accum_bytes;
}

// A stack may stand in several samples, told apart by labels. One of nothing is no row.
static void add_rows(struct hr_profile_reader *reader, struct hr_row_buffer *rows,
                     struct hr_heap_dump *dump)
{
    g_hash_table_remove_all(reader->rows);
    for (guint i = 0; i < reader->samples->len; i++) {
        const struct hr_row *sample = &g_array_index(reader->samples, struct hr_row, i);
        if (sample->bytes == 0 && sample->accum_bytes == 0) {
            continue;
        }
        add_row(reader, sample, rows, dump);
        dump->header_objects += sample->objects;
        dump->header_bytes += sample->bytes;
        dump->header_accum_objects += sample->accum_objects;
        dump->header_accum_bytes += sample->accum_bytes;
    }
    dump->raw_bytes = dump->header_bytes;
    dump->rows = rows->rows;
}

static const char *read_profile(struct hr_profile_reader *reader, bool is_base,
                                struct hr_row_buffer *rows, struct hr_heap_dump *dump)
{
    struct hr_pprof profile;
    hr_pprof_init(&profile, reader->content->data, reader->content->len);
    const char *problem = profile.problem;
    const struct value_places places = find_values(&profile, is_base);
    if (!problem && places.bytes < 0) {
        problem = "pprof profile of no heap";
    }
    if (!problem) {
        read_locations(reader, &profile, dump);
        read_mappings(reader, &profile);
        problem = read_samples(reader, &profile, &places, dump);
    }
    if (!problem) {
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
    hr_name_list_restart(&reader->names);
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
    dump->names = hr_name_list_get(&reader->names);
    dump->mappings = (const struct hr_mapping *)(void *)reader->mappings->data;
    dump->mappings_count = reader->mappings->len;
}
