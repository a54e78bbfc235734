// SPDX-License-Identifier: MIT
// The profile (github.com/google/pprof, proto/profile.proto), the fields that are read:
//
//   Profile   1 sample_type*  2 sample*  3 mapping*  4 location*  5 function*  6 string_table*
//             9 time_nanos  10 duration_nanos  11 period_type  12 period  14 default_sample_type
//   ValueType 1 type  2 unit                      (strings by index; string 0 is "")
//   Sample    1 location_id* (leaf first)  2 value* (one for each sample_type)
//   Mapping   1 id  2 start  3 limit  4 offset  5 filename  6 build_id
//   Location  1 id  2 mapping_id  3 address  4 line*     (innermost of inlined calls first)
//   Line      1 function_id  2 line
//   Function  1 id  2 name  3 system_name  4 filename
//
// In any order, whatever is missing being 0.
#include "ingest/pprof.h"

#include <string.h>

enum profile_field {
    SAMPLE_TYPE = 1,
    SAMPLE = 2,
    MAPPING = 3,
    LOCATION = 4,
    FUNCTION = 5,
    STRING_TABLE = 6,
    TIME_NANOS = 9,
    DURATION_NANOS = 10,
    PERIOD_TYPE = 11,
    PERIOD = 12,
    DEFAULT_SAMPLE_TYPE = 14,
    LAST_FIELD = 15,
};

#define LINE 4 // of a location
#define NUMBERS_MAX 6

// Reads the plain numbers of a message by field number, 1 to NUMBERS_MAX.
static bool read_numbers(struct hr_wire message, uint64_t numbers[static NUMBERS_MAX + 1])
{
    struct hr_wire_field field;
    memset(numbers, 0, (NUMBERS_MAX + 1) * sizeof *numbers);
    while (hr_wire_next(&message, &field)) {
        if (field.number <= NUMBERS_MAX && field.type == HR_WIRE_VARINT) {
            numbers[field.number] = field.value;
        }
    }
    return !message.broken;
}

static bool is_message_field(uint32_t number)
{
    return (number >= SAMPLE_TYPE && number <= STRING_TABLE) || number == PERIOD_TYPE;
}

// A head may end inside a field, which then is no contradiction.
bool hr_pprof_recognise(const void *head, size_t size)
{
    struct hr_wire wire = {head, (const uint8_t *)head + size, false};
    struct hr_wire_field field;
    uint64_t numbers[NUMBERS_MAX + 1];
    bool seen = false;
    while (hr_wire_next(&wire, &field)) {
        if (field.number <= LAST_FIELD && is_message_field(field.number) &&
            field.type != HR_WIRE_BYTES) {
            return false;
        }
        if (field.number == SAMPLE_TYPE) {
            if (!read_numbers(field.in, numbers) || numbers[1] + numbers[2] == 0) {
                return false;
            }
            seen = true;
        }
        seen |= field.number == STRING_TABLE && field.in.at == field.in.end;
    }
    return seen;
}

static bool add_value_type(struct hr_wire message, struct hr_pprof_value_type *type)
{
    uint64_t numbers[NUMBERS_MAX + 1];
    const bool good = read_numbers(message, numbers);
    *type = (struct hr_pprof_value_type){numbers[1], numbers[2]};
    return good;
}

static bool add_mapping(GArray *mappings, struct hr_wire message)
{
    uint64_t n[NUMBERS_MAX + 1];
    const bool good = read_numbers(message, n);
    const struct hr_pprof_mapping mapping = {n[1], n[2], n[3], n[4], n[5], n[6]};
    g_array_append_val(mappings, mapping);
    return good;
}

static bool add_function(GArray *functions, struct hr_wire message)
{
    uint64_t n[NUMBERS_MAX + 1];
    const bool good = read_numbers(message, n);
    const struct hr_pprof_function function = {n[1], n[2], n[3], n[4]};
    g_array_append_val(functions, function);
    return good;
}

static bool add_location(GArray *locations, struct hr_wire message)
{
    struct hr_pprof_location location = {.message = message};
    struct hr_wire_field field;
    while (hr_wire_next(&message, &field)) {
        if (field.number == LINE && field.type == HR_WIRE_BYTES) {
            location.lines_count++;
        } else if (field.type == HR_WIRE_VARINT) {
            location.id = field.number == 1 ? field.value : location.id;
            location.mapping_id = field.number == 2 ? field.value : location.mapping_id;
            location.address = field.number == 3 ? field.value : location.address;
        }
    }
    g_array_append_val(locations, location);
    return !message.broken;
}

static bool add_message(struct hr_pprof *profile, const struct hr_wire_field *field)
{
    struct hr_pprof_value_type type;
    switch (field->number) {
    case SAMPLE_TYPE:
        if (!add_value_type(field->in, &type)) {
            return false;
        }
        g_array_append_val(profile->value_types, type);
        return true;
    case SAMPLE:
        profile->samples_count++;
        return true;
    case MAPPING:
        return add_mapping(profile->mappings, field->in);
    case LOCATION:
        return add_location(profile->locations, field->in);
    case FUNCTION:
        return add_function(profile->functions, field->in);
    case STRING_TABLE: {
        const struct hr_pprof_text text = {(const char *)field->in.at,
                                           (size_t)(field->in.end - field->in.at)};
        g_array_append_val(profile->strings, text);
        return true;
    }
    case PERIOD_TYPE:
        return add_value_type(field->in, &profile->period_type);
    default:
        return true;
    }
}

static void add_number(struct hr_pprof *profile, const struct hr_wire_field *field)
{
    switch (field->number) {
    case TIME_NANOS:
        profile->time_ns = (int64_t)field->value;
        break;
    case DURATION_NANOS:
        profile->duration_ns = (int64_t)field->value;
        break;
    case PERIOD:
        profile->period = (int64_t)field->value;
        break;
    case DEFAULT_SAMPLE_TYPE:
        profile->default_type = field->value;
        break;
    default:
        break;
    }
}

static size_t count_entries(const struct hr_pprof *profile)
{
    return (size_t)profile->strings->len + profile->value_types->len + profile->mappings->len +
           profile->locations->len + profile->functions->len;
}

static const char *read_tables(struct hr_pprof *profile)
{
    struct hr_wire message = profile->message;
    struct hr_wire_field field;
    while (hr_wire_next(&message, &field)) {
        if (field.type != HR_WIRE_BYTES) {
            add_number(profile, &field);
        } else if (!add_message(profile, &field)) {
            return "pprof profile, damaged";
        }
        if (count_entries(profile) > HR_PPROF_MAX_ENTRIES) {
            return "pprof profile of too many entries";
        }
    }
    if (message.broken) {
        return "pprof profile, damaged or cut";
    }
    return profile->value_types->len == 0 ? "pprof profile without sample types" : NULL;
}

// Both begin with their id.
static int compare_ids(const void *left, const void *right)
{
    const uint64_t a = *(const uint64_t *)left;
    const uint64_t b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

void hr_pprof_init(struct hr_pprof *profile, const void *bytes, size_t size)
{
    *profile = (struct hr_pprof){
        .message = {bytes, (const uint8_t *)bytes + size, false},
        .strings = g_array_new(FALSE, FALSE, sizeof(struct hr_pprof_text)),
        .value_types = g_array_new(FALSE, FALSE, sizeof(struct hr_pprof_value_type)),
        .mappings = g_array_new(FALSE, FALSE, sizeof(struct hr_pprof_mapping)),
        .locations = g_array_new(FALSE, FALSE, sizeof(struct hr_pprof_location)),
        .functions = g_array_new(FALSE, FALSE, sizeof(struct hr_pprof_function)),
    };
    profile->problem =
        size > HR_PPROF_MAX_BYTES ? "pprof profile larger than 256 MiB" : read_tables(profile);
    g_array_sort(profile->locations, compare_ids);
    g_array_sort(profile->functions, compare_ids);
}

void hr_pprof_clear(struct hr_pprof *profile)
{
    g_array_unref(profile->strings);
    g_array_unref(profile->value_types);
    g_array_unref(profile->mappings);
    g_array_unref(profile->locations);
    g_array_unref(profile->functions);
}

struct hr_pprof_text hr_pprof_string(const struct hr_pprof *profile, uint64_t index)
{
    return index < profile->strings->len
               ? g_array_index(profile->strings, struct hr_pprof_text, index)
               : (struct hr_pprof_text){"", 0};
}

bool hr_pprof_string_is(const struct hr_pprof *profile, uint64_t index, const char *text)
{
    const struct hr_pprof_text found = hr_pprof_string(profile, index);
    return found.size == strlen(text) && memcmp(found.text, text, found.size) == 0;
}

int hr_pprof_find_value(const struct hr_pprof *profile, const char *type, const char *unit)
{
    for (guint i = 0; i < profile->value_types->len; i++) {
        const struct hr_pprof_value_type *found =
            &g_array_index(profile->value_types, struct hr_pprof_value_type, i);
        if (hr_pprof_string_is(profile, found->type, type) &&
            hr_pprof_string_is(profile, found->unit, unit)) {
            return (int)i;
        }
    }
    return -1;
}

static const void *find_id(const GArray *sorted, uint64_t id)
{
    return sorted->len > 0
               ? bsearch(&id, sorted->data, sorted->len,
                         g_array_get_element_size((GArray *)(uintptr_t)sorted), compare_ids)
               : NULL;
}

const struct hr_pprof_location *hr_pprof_find_location(const struct hr_pprof *profile, uint64_t id)
{
    return find_id(profile->locations, id);
}

const struct hr_pprof_function *hr_pprof_find_function(const struct hr_pprof *profile, uint64_t id)
{
    return find_id(profile->functions, id);
}

bool hr_pprof_next_line(struct hr_wire *message, struct hr_pprof_line *line)
{
    struct hr_wire_field field;
    uint64_t numbers[NUMBERS_MAX + 1];
    while (hr_wire_next(message, &field)) {
        if (field.number == LINE && field.type == HR_WIRE_BYTES) {
            read_numbers(field.in, numbers);
            *line = (struct hr_pprof_line){numbers[1], numbers[2]};
            return true;
        }
    }
    return false;
}

static void read_list(struct hr_wire *message, struct hr_wire_field *field, GArray *numbers)
{
    uint64_t number;
    for (bool first = true; hr_wire_take_number(message, field, &first, &number);) {
        g_array_append_val(numbers, number);
    }
}

bool hr_pprof_next_sample(struct hr_wire *message, GArray *location_ids, GArray *values)
{
    struct hr_wire_field field;
    while (hr_wire_next(message, &field)) {
        if (field.number != SAMPLE || field.type != HR_WIRE_BYTES) {
            continue;
        }
        struct hr_wire sample = field.in;
        g_array_set_size(location_ids, 0);
        g_array_set_size(values, 0);
        while (hr_wire_next(&sample, &field)) {
            if (field.number == 1) {
                read_list(&sample, &field, location_ids);
            } else if (field.number == 2) {
                read_list(&sample, &field, values);
            }
        }
        message->broken |= sample.broken;
        return !message->broken;
    }
    return false;
}
