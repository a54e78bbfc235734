// SPDX-License-Identifier: MIT
#include "ingest/profile_values.h"

#include "ingest/pprof.h"

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

struct hr_profile_values hr_profile_values_find(const struct hr_pprof *profile, bool is_base)
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
        return (struct hr_profile_values){find_any(profile, base_objects, "count"),
                                          find_any(profile, base_bytes, "bytes"),
                                          find_any(profile, base_accum_objects, "count"),
                                          find_any(profile, base_accum_bytes, "bytes")};
    }
    struct hr_profile_values places = {
        find_any(profile, objects, "count"), find_any(profile, bytes, "bytes"),
        find_any(profile, accum_objects, "count"), find_any(profile, accum_bytes, "bytes")};
    if (places.bytes < 0) {
        places = (struct hr_profile_values){-1, find_default(profile), -1, -1};
    }
    return places;
}
