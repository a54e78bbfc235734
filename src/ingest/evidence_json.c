// SPDX-License-Identifier: MIT
//
// One object, or one a line:
//   {"allocated":754856,"active":851968,"metadata":...,"resident":...,"mapped":...,"retained":...}
//   {"jemalloc":{...,"stats":{"allocated":...,...},...}}         malloc_stats_print, opts "J"
//   {"anything":{"deeper":{"allocated":...,"resident":...}}}     a health endpoint
//   {"schema":"heapreport-record","time_s":1796160604.19,"pid":7,"smaps_rollup":{...},...}
//
// jemalloc's counters are bytes; other keys carry their unit (_bytes, _kib, _mib).
//
#include "ingest/evidence.h"
#include "ingest/timestamp.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

struct key {
    const char *name;
    enum hr_evidence_id id;
};

static const struct key COUNTERS[] = {
    {"allocated", HR_EVIDENCE_ALLOCATED}, {"active", HR_EVIDENCE_ACTIVE},
    {"metadata", HR_EVIDENCE_METADATA},   {"resident", HR_EVIDENCE_RESIDENT},
    {"mapped", HR_EVIDENCE_MAPPED},       {"retained", HR_EVIDENCE_RETAINED},
};

static const struct key ROLLUP_KEYS[] = {
    {"rss_bytes", HR_EVIDENCE_RSS},
    {"anonymous_bytes", HR_EVIDENCE_ANONYMOUS},
    {"private_dirty_bytes", HR_EVIDENCE_PRIVATE_DIRTY},
    {"lazy_free_bytes", HR_EVIDENCE_LAZY_FREE},
    {"swap_bytes", HR_EVIDENCE_SWAP},
    {"pss_file_bytes", HR_EVIDENCE_FILE},
    {"pss_shmem_bytes", HR_EVIDENCE_SHMEM},
    {"anon_huge_pages_bytes", HR_EVIDENCE_HUGE_PAGES},
};

static const struct key SMAPS_KEYS[] = {
    {"thread_stacks_bytes", HR_EVIDENCE_THREAD_STACKS},
    {"glibc_arenas_bytes", HR_EVIDENCE_GLIBC_ARENAS},
};

static const struct key STATUS_KEYS[] = {
    {"threads_count", HR_EVIDENCE_THREADS}, {"rss_anon_bytes", HR_EVIDENCE_ANONYMOUS},
    {"rss_file_bytes", HR_EVIDENCE_FILE},   {"rss_shmem_bytes", HR_EVIDENCE_SHMEM},
    {"swap_bytes", HR_EVIDENCE_SWAP},
};

static const struct key CGROUP_KEYS[] = {
    {"current_bytes", HR_EVIDENCE_CGROUP_CURRENT},
    {"limit_bytes", HR_EVIDENCE_CGROUP_LIMIT},
};

static const struct group {
    const char *name;
    const char *source;
    unsigned rank; // beside the sources of evidence_formats.c
    const struct key *keys;
    size_t keys_count;
} GROUPS[] = {
    {"smaps_rollup", "smaps_rollup", 0, ROLLUP_KEYS, G_N_ELEMENTS(ROLLUP_KEYS)},
    {"smaps", "smaps", 1, SMAPS_KEYS, G_N_ELEMENTS(SMAPS_KEYS)},
    {"status", "status", 2, STATUS_KEYS, G_N_ELEMENTS(STATUS_KEYS)},
    {"cgroup", "cgroup", 5, CGROUP_KEYS, G_N_ELEMENTS(CGROUP_KEYS)},
};

#define COUNTERS_SOURCE "jemalloc stats"

// Nanoseconds since 1970 have 19 digits; a larger number is no time.
#define LATEST_NUMBER 1e19

// Objects looked through for counters, all levels together.
#define OBJECTS_MAX 100000

bool hr_json_recognise(const struct hr_evidence_input *head)
{
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, head->text, head->size);
    while (cursor.at < cursor.end && g_ascii_isspace(*cursor.at)) {
        cursor.at++;
    }
    return hr_cursor_take_if(&cursor, "{");
}

// Some write large numbers as strings, so that no reader rounds them.
static bool take_number(const json_t *value, double *number)
{
    const char *text = json_string_value(value);
    if (json_is_number(value)) {
        *number = json_number_value(value);
        return true;
    }
    if (!text) {
        return false;
    }
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, text, json_string_length(value));
    *number = hr_cursor_take_double(&cursor);
    return hr_cursor_ok(&cursor) && hr_cursor_at_end(&cursor);
}

// A counter by its bare name is jemalloc's own, in bytes; else its suffix says the unit.
static bool read_counter(const json_t *object, const char *name, double *value)
{
    static const struct {
        const char *suffix;
        double scale;
    } units[] = {{"", 1}, {"_bytes", 1}, {"_kib", 1024}, {"_mib", 1024 * 1024}};
    for (size_t i = 0; i < G_N_ELEMENTS(units); i++) {
        char key[64];
        g_snprintf(key, sizeof key, "%s%s", name, units[i].suffix);
        if (take_number(json_object_get(object, key), value)) {
            *value *= units[i].scale;
            return true;
        }
    }
    return false;
}

// Counters are believed as a pair at least: "allocated" alone may be anything.
static bool add_counters(const json_t *object, double time_s, struct hr_evidence_sink *sink)
{
    double value;
    if (!read_counter(object, "allocated", &value) ||
        !(read_counter(object, "resident", &value) || read_counter(object, "active", &value))) {
        return false;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(COUNTERS); i++) {
        if (read_counter(object, COUNTERS[i].name, &value)) {
            hr_evidence_add(sink, COUNTERS[i].id, COUNTERS_SOURCE, time_s, value);
        }
    }
    return true;
}

// Breadth first, so that the totals are met before an arena's. jemalloc's own tree has them at a
// known place.
static bool search_counters(json_t *root, double time_s, struct hr_evidence_sink *sink)
{
    json_t *stats = json_object_get(json_object_get(root, "jemalloc"), "stats");
    if (stats) {
        return add_counters(stats, time_s, sink);
    }
    g_autoptr(GPtrArray) queue = g_ptr_array_new();
    g_ptr_array_add(queue, root);
    for (guint i = 0; i < queue->len && i < OBJECTS_MAX; i++) {
        json_t *object = g_ptr_array_index(queue, i);
        const char *key;
        json_t *value;
        size_t index;
        if (json_is_object(object) && add_counters(object, time_s, sink)) {
            return true;
        }
        json_object_foreach(object, key, value)
        {
            if (json_is_object(value) || json_is_array(value)) {
                g_ptr_array_add(queue, value);
            }
        }
        json_array_foreach(object, index, value)
        {
            if (json_is_object(value) || json_is_array(value)) {
                g_ptr_array_add(queue, value);
            }
        }
    }
    return false;
}

static void read_group(const json_t *record, const struct group *group, double time_s,
                       struct hr_evidence_sink *sink)
{
    const json_t *values = json_object_get(record, group->name);
    sink->rank = group->rank;
    for (size_t i = 0; i < group->keys_count; i++) {
        const json_t *value = json_object_get(values, group->keys[i].name);
        if (json_is_number(value)) {
            hr_evidence_add(sink, group->keys[i].id, group->source, time_s,
                            json_number_value(value));
        }
    }
}

// -1 for what is none.
static int64_t read_pid(const json_t *value)
{
    const double number = json_number_value(value);
    return json_is_number(value) && number >= 0 && number <= INT32_MAX ? (int64_t)number : -1;
}

// A line of our own recorder.
static bool read_record(const json_t *record, struct hr_evidence_sink *sink)
{
    const json_t *time = json_object_get(record, "time_s");
    if (!json_is_number(time)) {
        return false;
    }
    const unsigned rank = sink->rank;
    const double time_s = json_number_value(time);
    sink->pid = read_pid(json_object_get(record, "pid"));
    for (size_t i = 0; i < G_N_ELEMENTS(GROUPS); i++) {
        read_group(record, &GROUPS[i], time_s, sink);
    }
    sink->rank = rank;
    const json_t *counters = json_object_get(record, "allocator");
    if (json_is_object(counters)) {
        add_counters(counters, time_s, sink);
    }
    return true;
}

// A time beside the counters is better than the file's.
static double time_of(const json_t *object, double file_time_s)
{
    static const char *const keys[] = {"time_s", "timestamp", "time", "ts", "timestamp_ms"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const json_t *value = json_object_get(object, keys[i]);
        double time_s = NAN;
        bool zoned = true;
        if (json_is_string(value)) {
            const struct hr_span text = {json_string_value(value), json_string_length(value)};
            time_s = hr_timestamp_read(text, &zoned);
        } else if (json_is_number(value) && json_number_value(value) >= 1 &&
                   json_number_value(value) < LATEST_NUMBER) {
            const double number = json_number_value(value);
            const size_t digits = (size_t)floor(log10(number)) + 1;
            const double scaled = hr_timestamp_from_digits((uint64_t)number, digits);
            time_s = scaled == floor(number) ? number : scaled;
        }
        if (!isnan(time_s) && zoned) {
            return time_s;
        }
    }
    return file_time_s;
}

static bool read_object(json_t *object, const struct hr_evidence_input *input,
                        struct hr_evidence_sink *sink)
{
    const char *schema = json_string_value(json_object_get(object, "schema"));
    if (g_strcmp0(schema, "heapreport-record") == 0) {
        return read_record(object, sink);
    }
    hr_bins_read(object, time_of(object, input->time_s), sink);
    return search_counters(object, time_of(object, input->time_s), sink);
}

// A number beyond 64 bits would cost all that stands beside it, were integers read as such.
static json_t *load(const char *at, const char *end, const struct hr_evidence_input *input,
                    struct hr_evidence_sink *sink, json_error_t *error)
{
    const size_t flags = JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL | JSON_DECODE_INT_AS_REAL;
    const size_t size = (size_t)(end - at);
    json_t *object = json_loadb(at, size, flags | JSON_REJECT_DUPLICATES, error);
    if (!object && json_error_code(error) == json_error_duplicate_key) {
        object = json_loadb(at, size, flags, error);
        // jemalloc's own tree has many thousand keys, none of which is read but its totals.
        if (object && !json_object_get(object, "jemalloc")) {
            hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_TWICE, input->file, NULL);
        }
    }
    return object;
}

// Reads objects one after another, whatever stands between them. jemalloc's output may be followed
// by log lines: what begins with no brace is skipped line by line.
void hr_json_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    const char *at = input->text;
    const char *end = input->text + input->size;
    while (at < end) {
        json_error_t error;
        json_t *object = *at == '{' ? load(at, end, input, sink, &error) : NULL;
        if (object) {
            read_object(object, input, sink);
            json_decref(object);
            at += error.position;
        } else {
            const char *newline = memchr(at, '\n', (size_t)(end - at));
            if (*at == '{') {
                hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_CUT, input->file, NULL);
            }
            at = newline ? newline : end;
        }
        while (at < end && g_ascii_isspace(*at)) {
            at++;
        }
    }
}
