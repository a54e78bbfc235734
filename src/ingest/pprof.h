// SPDX-License-Identifier: MIT
// Decodes a pprof profile (profile.proto) into tables: what the file says, checked, and nothing
// about stacks or dumps yet. The bytes stay the caller's and must outlive the tables.
#pragma once

#include "base/cleanup.h"
#include "ingest/wire.h"

#include <glib.h>

// An unpacked profile is held whole, and its tables hold no more entries than this together.
#define HR_PPROF_MAX_BYTES ((size_t)256 * 1024 * 1024)
#define HR_PPROF_MAX_ENTRIES ((size_t)16 * 1024 * 1024)

struct hr_pprof_text {
    const char *text; // not NUL-terminated
    size_t size;
};

struct hr_pprof_value_type {
    uint64_t type; // strings, by index
    uint64_t unit;
};

struct hr_pprof_mapping {
    uint64_t id, start, limit, offset, file, build_id;
};

struct hr_pprof_function {
    uint64_t id, name, system_name, file;
};

struct hr_pprof_location {
    uint64_t id, mapping_id, address;
    struct hr_wire message; // its lines
    guint lines_count;
};

struct hr_pprof_line {
    uint64_t function_id, line;
};

struct hr_pprof {
    struct hr_wire message;
    GArray *strings;     // of struct hr_pprof_text
    GArray *value_types; // of struct hr_pprof_value_type
    GArray *mappings;    // of struct hr_pprof_mapping
    GArray *locations;   // of struct hr_pprof_location, by rising id
    GArray *functions;   // of struct hr_pprof_function, by rising id
    guint samples_count;
    int64_t time_ns, duration_ns, period; // 0: not said
    struct hr_pprof_value_type period_type;
    uint64_t default_type;
    const char *problem; // NULL, or what makes it unusable (a literal)
};

// Tells by the first bytes, unpacked, whether this is such a profile.
bool hr_pprof_recognise(const void *head, size_t size);

// Decodes; profile->problem tells what went wrong. Clear it in any case.
void hr_pprof_init(struct hr_pprof *profile, const void *bytes, size_t size);
void hr_pprof_clear(struct hr_pprof *profile);

// The string of that index, "" when there is none.
struct hr_pprof_text hr_pprof_string(const struct hr_pprof *profile, uint64_t index);
bool hr_pprof_string_is(const struct hr_pprof *profile, uint64_t index, const char *text);

// The place of the value of that name and unit in every sample; -1 when there is none.
int hr_pprof_find_value(const struct hr_pprof *profile, const char *type, const char *unit);

// The location or function of that id; NULL when there is none.
const struct hr_pprof_location *hr_pprof_find_location(const struct hr_pprof *profile, uint64_t id);
const struct hr_pprof_function *hr_pprof_find_function(const struct hr_pprof *profile, uint64_t id);

// Takes the next line of a location: start with a copy of location->message.
bool hr_pprof_next_line(struct hr_wire *message, struct hr_pprof_line *line);

// Takes the next sample: start with a copy of profile->message. Its lists (of uint64_t) replace
// what is in the arrays.
bool hr_pprof_next_sample(struct hr_wire *message, GArray *location_ids, GArray *values);
