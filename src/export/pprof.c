// SPDX-License-Identifier: MIT
// The profile (github.com/google/pprof, proto/profile.proto), the fields that are written:
//
//   Profile   1 sample_type*  2 sample*  3 mapping*  4 location*  5 function*  6 string_table*
//             7 drop_frames  9 time_nanos  10 duration_nanos  11 period_type  12 period
//             13 comment*  14 default_sample_type
//   ValueType 1 type  2 unit                      (strings by index; string 0 is "")
//   Sample    1 location_id (packed, leaf first)  2 value (packed, one for each sample_type)
//   Mapping   1 id  2 start  3 limit  4 offset  5 filename  6 build_id  7 has_functions
//   Location  1 id  2 mapping_id  3 address  4 line*     (innermost of inlined calls first)
//   Line      1 function_id  2 line
//   Function  1 id  2 name  3 system_name  4 filename
#include "export/formats.h"
#include "export/pprof_frames.h"
#include "export/protobuf.h"
#include "model/sample.h"
#include "result/json.h"

#include <math.h>
#include <string.h>
#include <zlib.h>

#define NANOS_PER_S 1e9
#define VALUES_MAX 10

// What a sample has a value of: live objects and bytes in the final dump, in the base, and the
// growth; then the same of what was allocated, where the dumps count it.
static const struct value_type {
    const char *type, *unit;
    bool allocated;
    enum { VALUE_FINAL, VALUE_BASE, VALUE_GROWTH } of;
} VALUE_TYPES[VALUES_MAX] = {{"inuse_objects", "count", false, VALUE_FINAL},
                             {"inuse_space", "bytes", false, VALUE_FINAL},
                             {"base_objects", "count", false, VALUE_BASE},
                             {"base_space", "bytes", false, VALUE_BASE},
                             {"growth_space", "bytes", false, VALUE_GROWTH},
                             {"alloc_objects", "count", true, VALUE_FINAL},
                             {"alloc_space", "bytes", true, VALUE_FINAL},
                             {"base_alloc_objects", "count", true, VALUE_BASE},
                             {"base_alloc_space", "bytes", true, VALUE_BASE},
                             {"growth_alloc_space", "bytes", true, VALUE_GROWTH}};

struct writer {
    const struct hr_export_model *model;
    GByteArray *profile;
    GHashTable *string_ids;   // text -> index
    GPtrArray *strings;       // the texts by index, owned by the table
    GHashTable *function_ids; // name and file -> id
    bool *used_locations;
    size_t values_count;    // of VALUE_TYPES
    const char *shown_type; // what viewers show first
};

// The string's index. Readers refuse a table that is not UTF-8, which names and paths need not be.
static uint64_t string_id(struct writer *writer, const char *text)
{
    void *found;
    json_t *valid = hr_json_text(text);
    char *kept = g_strdup(json_string_value(valid));
    json_decref(valid);
    if (g_hash_table_lookup_extended(writer->string_ids, kept, NULL, &found)) {
        g_free(kept);
        return GPOINTER_TO_UINT(found);
    }
    const guint id = writer->strings->len;
    g_hash_table_insert(writer->string_ids, kept, GUINT_TO_POINTER(id));
    g_ptr_array_add(writer->strings, kept);
    return id;
}

static void add_message(GByteArray *target, unsigned field, const GByteArray *message)
{
    hr_protobuf_add_bytes(target, field, message->data, message->len);
}

static void add_value_type(struct writer *writer, unsigned field, const char *type,
                           const char *unit)
{
    g_autoptr(GByteArray) message = g_byte_array_new();
    hr_protobuf_add_uint(message, 1, string_id(writer, type));
    hr_protobuf_add_uint(message, 2, string_id(writer, unit));
    add_message(writer->profile, field, message);
}

// One stack in one dump.
struct holding {
    struct hr_scaled live, allocated;
};

// Rows are sorted by stack.
static struct holding take_holding(const struct writer *writer, const struct hr_dump *dump,
                                   uint32_t *next, uint32_t stack)
{
    static const struct holding nothing;
    if (*next >= dump->rows_count || dump->rows[*next].stack != stack) {
        return nothing;
    }
    const struct hr_row row =
        hr_metric_order_row(writer->model->run->metric, dump->rows[(*next)++]);
    const uint64_t interval_bytes = dump->sample_interval_bytes;
    return (struct holding){hr_sample_scale(row.objects, row.bytes, interval_bytes),
                            hr_sample_scale(row.accum_objects, row.accum_bytes, interval_bytes)};
}

static double value_of(const struct value_type *type, const struct holding *base,
                       const struct holding *final)
{
    const struct holding *holding = type->of == VALUE_BASE ? base : final;
    const struct hr_scaled *amount = type->allocated ? &holding->allocated : &holding->live;
    if (type->of == VALUE_GROWTH) {
        return round(amount->bytes) -
               round(type->allocated ? base->allocated.bytes : base->live.bytes);
    }
    return strcmp(type->unit, "count") == 0 ? amount->objects : round(amount->bytes);
}

static void add_sample(struct writer *writer, uint32_t stack_id, const struct holding *base,
                       const struct holding *final)
{
    const struct hr_stack stack = hr_stacks_get(writer->model->run->stacks, stack_id);
    uint64_t values[VALUES_MAX];
    for (size_t i = 0; i < writer->values_count; i++) {
        values[i] = (uint64_t)llround(value_of(&VALUE_TYPES[i], base, final));
    }
    g_autofree uint64_t *locations = g_new(uint64_t, stack.depth + 1);
    for (uint32_t i = 0; i < stack.depth; i++) {
        writer->used_locations[stack.locations[i]] = true;
        locations[i] = stack.locations[i] + UINT64_C(1); // ids count from 1
    }
    g_autoptr(GByteArray) message = g_byte_array_new();
    hr_protobuf_add_packed(message, 1, locations, stack.depth);
    hr_protobuf_add_packed(message, 2, values, writer->values_count);
    add_message(writer->profile, 2, message);
}

static void add_samples(struct writer *writer)
{
    const struct hr_dump *base = writer->model->base;
    const struct hr_dump *final = writer->model->final;
    uint32_t base_next = 0;
    uint32_t final_next = 0;
    while (base_next < base->rows_count || final_next < final->rows_count) {
        uint32_t stack = UINT32_MAX;
        if (base_next < base->rows_count) {
            stack = base->rows[base_next].stack;
        }
        if (final_next < final->rows_count) {
            stack = MIN(stack, final->rows[final_next].stack);
        }
        const struct holding at_base = take_holding(writer, base, &base_next, stack);
        const struct holding at_final = take_holding(writer, final, &final_next, stack);
        add_sample(writer, stack, &at_base, &at_final);
    }
}

static const char *build_id_of(const struct hr_symbols *symbols, const char *path)
{
    for (uint32_t i = 0; i < symbols->modules_count; i++) {
        if (strcmp(symbols->modules[i].path, path) == 0 && symbols->modules[i].build_id) {
            return symbols->modules[i].build_id;
        }
    }
    return "";
}

// By mapping: whether any location in it has a name.
static bool *find_named_mappings(const struct writer *writer)
{
    const struct hr_run *run = writer->model->run;
    const struct hr_symbols *symbols = writer->model->symbols;
    bool *named = g_new0(bool, run->mappings_count + 1);
    for (uint32_t id = 0; id < hr_stacks_location_count(run->stacks); id++) {
        const struct hr_mapping *mapping =
            hr_run_find_mapping(run, hr_stacks_location_address(run->stacks, id));
        if (mapping && writer->used_locations[id]) {
            named[mapping - run->mappings] |= hr_pprof_is_named(symbols, &symbols->locations[id]);
        }
    }
    return named;
}

static void add_mappings(struct writer *writer)
{
    g_autofree bool *named = find_named_mappings(writer);
    const struct hr_run *run = writer->model->run;
    for (size_t i = 0; i < run->mappings_count; i++) {
        const struct hr_mapping *mapping = &run->mappings[i];
        const char *path = hr_redaction_path(writer->model->redaction, mapping->path);
        g_autoptr(GByteArray) message = g_byte_array_new();
        hr_protobuf_add_uint(message, 1, i + 1);
        hr_protobuf_add_uint(message, 2, mapping->start);
        hr_protobuf_add_uint(message, 3, mapping->end);
        hr_protobuf_add_uint(message, 4, mapping->offset);
        hr_protobuf_add_uint(message, 5, string_id(writer, path));
        hr_protobuf_add_uint(message, 6,
                             string_id(writer, build_id_of(writer->model->symbols, mapping->path)));
        hr_protobuf_add_uint(message, 7, named[i]); // pprof looks for names where there are none
        add_message(writer->profile, 3, message);
    }
}

static uint64_t add_function(struct writer *writer, const char *name, const char *whole,
                             const char *file)
{
    g_autofree char *key = g_strconcat(whole, "\n", name, "\n", file, NULL);
    const guint known = GPOINTER_TO_UINT(g_hash_table_lookup(writer->function_ids, key));
    if (known > 0) {
        return known;
    }
    const guint id = g_hash_table_size(writer->function_ids) + 1;
    g_hash_table_insert(writer->function_ids, g_steal_pointer(&key), GUINT_TO_POINTER(id));
    g_autoptr(GByteArray) message = g_byte_array_new();
    hr_protobuf_add_uint(message, 1, id);
    hr_protobuf_add_uint(message, 2, string_id(writer, name));
    hr_protobuf_add_uint(message, 3, string_id(writer, whole));
    hr_protobuf_add_uint(message, 4, string_id(writer, file));
    add_message(writer->profile, 5, message);
    return id;
}

static uint64_t function_id(struct writer *writer, const struct hr_frame *frame)
{
    const char *name = hr_redaction_symbol(writer->model->redaction, frame->function);
    const bool plain = strcmp(name, frame->function) == 0;
    const char *whole = plain && frame->key_name ? frame->key_name : name;
    const char *file = hr_redaction_path(writer->model->redaction, frame->file ? frame->file : "");
    return add_function(writer, name, whole, file);
}

static void add_line(GByteArray *message, uint64_t function, unsigned number)
{
    g_autoptr(GByteArray) line = g_byte_array_new();
    hr_protobuf_add_uint(line, 1, function);
    hr_protobuf_add_uint(line, 2, number);
    add_message(message, 4, line);
}

static void add_location(struct writer *writer, uint32_t id)
{
    const struct hr_run *run = writer->model->run;
    const struct hr_location *location = &writer->model->symbols->locations[id];
    const uint64_t address = hr_stacks_location_address(run->stacks, id);
    const struct hr_mapping *mapping = hr_run_find_mapping(run, address);
    g_autoptr(GByteArray) message = g_byte_array_new();
    hr_protobuf_add_uint(message, 1, id + UINT64_C(1));
    if (mapping) {
        hr_protobuf_add_uint(message, 2, (uint64_t)(mapping - run->mappings) + 1);
    }
    if (!hr_given_is_no_address(address)) {
        hr_protobuf_add_uint(message, 3, address - 1); // inside the call, not behind it
    }
    const bool is_named = hr_pprof_is_named(writer->model->symbols, location);
    for (uint32_t i = 0; is_named && i < location->frame_count; i++) {
        const struct hr_frame *frame = &writer->model->symbols->frames[location->first_frame + i];
        add_line(message, function_id(writer, frame), frame->line);
    }
    g_autofree char *stand_in = hr_pprof_stand_in(writer->model, location);
    if (stand_in) {
        add_line(message, add_function(writer, stand_in, stand_in, ""), 0);
    }
    add_message(writer->profile, 4, message);
}

static void add_times(struct writer *writer)
{
    const struct hr_dump *base = writer->model->base;
    const struct hr_dump *final = writer->model->final;
    if (!isnan(final->taken_at_s)) {
        hr_protobuf_add_int(writer->profile, 9, (int64_t)(final->taken_at_s * NANOS_PER_S));
    }
    if (final->taken_at_s >= base->taken_at_s) {
        hr_protobuf_add_int(writer->profile, 10,
                            (int64_t)((final->taken_at_s - base->taken_at_s) * NANOS_PER_S));
    }
    add_value_type(writer, 11, "space", "bytes");
    hr_protobuf_add_uint(writer->profile, 12, MIN(final->sample_interval_bytes, INT64_MAX));
}

static void add_comment(struct writer *writer, const char *name, const char *text)
{
    g_autofree char *comment = g_strdup_printf("%s %s", name, text);
    hr_protobuf_add_uint(writer->profile, 13, string_id(writer, comment));
}

// What `pprof -comments` prints.
static void add_comments(struct writer *writer)
{
    struct hr_redaction *redaction = writer->model->redaction;
    add_comment(writer, "heapreport", HR_VERSION);
    add_comment(writer, "base:", hr_redaction_path(redaction, writer->model->base->file));
    add_comment(writer, "final:", hr_redaction_path(redaction, writer->model->final->file));
}

static void write_profile(struct writer *writer)
{
    const uint32_t locations = hr_stacks_location_count(writer->model->run->stacks);
    string_id(writer, "");
    for (size_t i = 0; i < writer->values_count; i++) {
        add_value_type(writer, 1, VALUE_TYPES[i].type, VALUE_TYPES[i].unit);
    }
    add_samples(writer);
    add_mappings(writer);
    for (uint32_t id = 0; id < locations; id++) {
        if (writer->used_locations[id]) {
            add_location(writer, id);
        }
    }
    g_autofree char *drop_frames = hr_pprof_drop_frames(writer->model, writer->used_locations);
    hr_protobuf_add_uint(writer->profile, 7, string_id(writer, drop_frames));
    add_times(writer);
    add_comments(writer);
    hr_protobuf_add_uint(writer->profile, 14, string_id(writer, writer->shown_type));
    for (guint i = 0; i < writer->strings->len; i++) {
        const char *text = g_ptr_array_index(writer->strings, i);
        hr_protobuf_add_bytes(writer->profile, 6, text, strlen(text));
    }
}

// The gzip header holds no time and no name: same input, same bytes.
static void append_gzipped(const GByteArray *bytes, GByteArray *out)
{
    z_stream stream = {0};
    const int opened =
        deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
    g_assert(opened == Z_OK);
    const guint start = out->len;
    const uLong bound = deflateBound(&stream, bytes->len);
    g_byte_array_set_size(out, start + (guint)bound);
    stream.next_in = bytes->data;
    stream.avail_in = bytes->len;
    stream.next_out = out->data + start;
    stream.avail_out = (uInt)bound;
    const int done = deflate(&stream, Z_FINISH);
    g_assert(done == Z_STREAM_END);
    g_byte_array_set_size(out, start + (guint)stream.total_out);
    deflateEnd(&stream);
}

void hr_pprof_export_write(const struct hr_export_model *model, GByteArray *out)
{
    const bool allocated = model->run->metric == HR_METRIC_ALLOCATED_BYTES;
    struct writer writer = {
        .model = model,
        .profile = g_byte_array_new(),
        .string_ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .strings = g_ptr_array_new(),
        .function_ids = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL),
        .used_locations = g_new0(bool, hr_stacks_location_count(model->run->stacks) + 1),
        .values_count = model->run->accumulates || allocated ? VALUES_MAX : VALUES_MAX / 2,
        .shown_type = allocated ? "alloc_space" : "inuse_space",
    };
    write_profile(&writer);
    append_gzipped(writer.profile, out);
    g_byte_array_unref(writer.profile);
    g_ptr_array_unref(writer.strings);
    g_hash_table_unref(writer.string_ids);
    g_hash_table_unref(writer.function_ids);
    g_free(writer.used_locations);
}
