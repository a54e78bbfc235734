// SPDX-License-Identifier: MIT
//
//   <prefix> . [<pid namespace> .] <pid> . <sequence> . <kind> .heap
//                                                       kind: i12 m3 u0 f
//   <anything> <unix time | date and time | number> <no digits> [.heap]
//                                                       all of them with .gz .zst .xz .bz2 .lz4
//                                                       behind
//
#include "ingest/name.h"

#include "ingest/timestamp.h"
#include "ingest/unpack.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define SUFFIX ".heap"

// Inode numbers of pid namespaces: the first one is fixed, others count up from 0xf0000000
// (linux/proc_ns.h). A smaller number before the pid belongs to the prefix.
#define PID_NAMESPACE_FIRST 0xeffffffcULL
#define PID_NAMESPACE_LAST 0xffffffffULL

// The length of a name without what packing added to it.
static size_t unpacked_length(const char *name)
{
    const size_t length = strlen(name);
    return length - hr_packed_suffix_length(name, length);
}

static bool has_suffix(const char *name, size_t length)
{
    const size_t suffix = strlen(SUFFIX);
    return length >= suffix && memcmp(name + length - suffix, SUFFIX, suffix) == 0;
}

static size_t stem_length(const char *name)
{
    static const char *const suffixes[] = {SUFFIX, ".pb", ".pprof"};
    const size_t length = unpacked_length(name);
    for (size_t i = 0; i < G_N_ELEMENTS(suffixes); i++) {
        const size_t suffix = strlen(suffixes[i]);
        if (length >= suffix && memcmp(name + length - suffix, suffixes[i], suffix) == 0) {
            return length - suffix;
        }
    }
    return length;
}

bool hr_dump_name_looks_like(const char *name)
{
    return has_suffix(name, unpacked_length(name));
}

static bool read_number(const char *start, const char *end, uint64_t *number)
{
    uint64_t value = 0;
    if (start == end) {
        return false;
    }
    for (const char *at = start; at < end; at++) {
        if (!g_ascii_isdigit(*at) || __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, (uint64_t)(*at - '0'), &value)) {
            return false;
        }
    }
    *number = value;
    return true;
}

// Takes the part behind the last dot of [name, *end) and moves *end before that dot.
static bool take_last_number(const char *name, const char **end, uint64_t *number)
{
    const char *dot = memrchr(name, '.', (size_t)(*end - name));
    if (!dot || dot == name || !read_number(dot + 1, *end, number)) {
        return false;
    }
    *end = dot;
    return true;
}

static bool take_kind(const char *name, const char **end, enum hr_dump_kind *kind)
{
    const char *dot = memrchr(name, '.', (size_t)(*end - name));
    if (!dot || dot + 1 == *end) {
        return false;
    }
    uint64_t count;
    switch (dot[1]) {
    case 'i':
        *kind = HR_DUMP_INTERVAL;
        break;
    case 'm':
        *kind = HR_DUMP_MANUAL;
        break;
    case 'u':
        *kind = HR_DUMP_GDUMP;
        break;
    case 'f':
        *kind = HR_DUMP_FINAL;
        break;
    default:
        return false;
    }
    const bool counted = read_number(dot + 2, *end, &count);
    if (*kind == HR_DUMP_FINAL ? dot + 2 != *end : !counted) {
        return false;
    }
    *end = dot;
    return true;
}

bool hr_dump_name_read(const char *name, struct hr_dump_name *parsed)
{
    if (!hr_dump_name_looks_like(name)) {
        return false;
    }
    const char *end = name + stem_length(name);
    struct hr_dump_name found = {
        .pid = -1, .pid_namespace = -1, .has_sequence = true, .time_s = NAN};
    uint64_t pid;
    if (!take_kind(name, &end, &found.kind) || !take_last_number(name, &end, &found.sequence) ||
        !take_last_number(name, &end, &pid) || pid > INT32_MAX) {
        return false;
    }
    found.pid = (int64_t)pid;
    uint64_t pid_namespace;
    const char *before = end;
    if (take_last_number(name, &before, &pid_namespace) && pid_namespace >= PID_NAMESPACE_FIRST &&
        pid_namespace <= PID_NAMESPACE_LAST) {
        found.pid_namespace = (int64_t)pid_namespace;
        end = before;
    }
    found.prefix_length = (size_t)(end - name);
    *parsed = found;
    return true;
}

static bool read_date_time(const char *stem, struct hr_dump_name *parsed)
{
    const size_t length = strlen(stem);
    bool found = false;
    for (size_t start = 0; start < length; start++) {
        if (!g_ascii_isdigit(stem[start]) || (start > 0 && g_ascii_isdigit(stem[start - 1]))) {
            continue;
        }
        struct hr_cursor cursor;
        hr_cursor_init(&cursor, stem + start, length - start);
        bool zoned = false;
        const double time_s = hr_timestamp_take_date(&cursor, &zoned);
        if (!isnan(time_s)) {
            parsed->time_s = time_s;
            parsed->time_is_zoned = zoned;
            parsed->prefix_length = start;
            start = (size_t)(cursor.at - stem) - 1;
            found = true;
        }
    }
    return found;
}

// The last number that stands by itself (7 in heap_7_done), or at the end (12 in dump12).
static bool find_last_number(const char *stem, const char **start, const char **end)
{
    const char *at = stem + strlen(stem);
    while (at > stem) {
        while (at > stem && !g_ascii_isdigit(at[-1])) {
            at--;
        }
        *end = at;
        while (at > stem && g_ascii_isdigit(at[-1])) {
            at--;
        }
        *start = at;
        if (**end == '\0' ||
            (!g_ascii_isalpha(**end) && (at == stem || !g_ascii_isalpha(at[-1])))) {
            return true;
        }
    }
    return false;
}

static void read_last_number(const char *stem, struct hr_dump_name *parsed)
{
    const char *start;
    const char *end;
    uint64_t number;
    if (!find_last_number(stem, &start, &end) || !read_number(start, end, &number)) {
        return;
    }
    parsed->prefix_length = (size_t)(start - stem);
    parsed->time_s = hr_timestamp_from_digits(number, (size_t)(end - start));
    parsed->time_is_zoned = !isnan(parsed->time_s);
    parsed->has_sequence = isnan(parsed->time_s);
    parsed->sequence = parsed->has_sequence ? number : 0;
}

void hr_dump_name_read_own(const char *name, struct hr_dump_name *parsed)
{
    g_autofree char *stem = g_strndup(name, stem_length(name));
    *parsed = (struct hr_dump_name){
        .prefix_length = strlen(stem), .pid = -1, .pid_namespace = -1, .time_s = NAN};
    if (!read_date_time(stem, parsed)) {
        read_last_number(stem, parsed);
    }
    while (parsed->prefix_length > 0 && strchr(".-_", stem[parsed->prefix_length - 1])) {
        parsed->prefix_length--;
    }
}
