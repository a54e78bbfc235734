// SPDX-License-Identifier: MIT
#include "record/process.h"

#include "base/files.h"

#include <stdint.h>
#include <string.h>

#define PROC_BYTES_MAX (1u << 20)

// /proc/PID/smaps_rollup and /proc/PID/status: lines of "Key:   123 kB", the unit missing on
// counts.
struct field {
    const char *key;  // with its colon
    const char *name; // in the record
    unsigned factor;
};

static const struct field rollup_fields[] = {
    {"Rss:", "rss_bytes", 1024},
    {"Anonymous:", "anonymous_bytes", 1024},
    {"Private_Dirty:", "private_dirty_bytes", 1024},
    {"LazyFree:", "lazy_free_bytes", 1024},
    {"Swap:", "swap_bytes", 1024},
    {"Pss_File:", "pss_file_bytes", 1024},
    {"Pss_Shmem:", "pss_shmem_bytes", 1024},
    {"AnonHugePages:", "anon_huge_pages_bytes", 1024},
    {NULL, NULL, 0},
};

static const struct field status_fields[] = {
    {"Threads:", "threads_count", 1},     {"RssAnon:", "rss_anon_bytes", 1024},
    {"RssFile:", "rss_file_bytes", 1024}, {"RssShmem:", "rss_shmem_bytes", 1024},
    {"VmSwap:", "swap_bytes", 1024},      {NULL, NULL, 0},
};

static char *read_proc(long pid, const char *name, GError **error)
{
    g_autofree char *path = g_strdup_printf("/proc/%ld/%s", pid, name);
    char *text = NULL;
    size_t size;
    if (!hr_file_read(path, PROC_BYTES_MAX, &text, &size, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    return text;
}

// The number behind `key` at the start of a line.
static bool find_number(const char *text, const char *key, uint64_t *number)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (!g_str_has_prefix(line, key)) {
            continue;
        }
        const char *digits = line + strlen(key);
        digits += strspn(digits, " \t");
        char *end;
        *number = g_ascii_strtoull(digits, &end, 10);
        return end != digits;
    }
    return false;
}

static void append_number(GString *group, const char *name, uint64_t number)
{
    g_string_append_printf(group, "%s\"%s\":%" G_GUINT64_FORMAT, group->len > 0 ? "," : "", name,
                           number);
}

static void append_group(GString *out, const char *name, const GString *group)
{
    if (group->len > 0) {
        g_string_append_printf(out, "%s\"%s\":{%s}", out->len > 0 ? "," : "", name, group->str);
    }
}

static void append_fields(GString *out, const char *name, const char *text,
                          const struct field *fields)
{
    g_autoptr(GString) group = g_string_new(NULL);
    for (const struct field *field = fields; field->key; field++) {
        uint64_t number;
        if (find_number(text, field->key, &number)) {
            append_number(group, field->name, number * field->factor);
        }
    }
    append_group(out, name, group);
}

// A file that holds one number; "max" is none.
static bool read_number(const char *directory, const char *name, uint64_t *number)
{
    g_autofree char *path = g_build_filename(directory, name, NULL);
    g_autofree char *text = NULL;
    size_t size;
    if (!hr_file_read(path, PROC_BYTES_MAX, &text, &size, NULL)) {
        return false;
    }
    char *end;
    *number = g_ascii_strtoull(text, &end, 10);
    return end != text;
}

// The directory of the process's memory cgroup: "0::/path" of version 2, "7:memory:/path" of 1.
static char *find_cgroup(const char *text, bool *is_version_2)
{
    g_auto(GStrv) lines = g_strsplit(text, "\n", -1);
    for (char **line = lines; *line; line++) {
        g_auto(GStrv) parts = g_strsplit(*line, ":", 3);
        if (g_strv_length(parts) != 3) {
            continue;
        }
        g_auto(GStrv) controllers = g_strsplit(parts[1], ",", -1);
        if (g_strv_contains((const char *const *)controllers, "memory")) {
            *is_version_2 = false;
            return g_build_filename("/sys/fs/cgroup/memory", parts[2], NULL);
        }
        if (strcmp(parts[0], "0") == 0) {
            g_autofree char *unified = g_build_filename("/sys/fs/cgroup", parts[2], NULL);
            g_autofree char *current = g_build_filename(unified, "memory.current", NULL);
            if (g_file_test(current, G_FILE_TEST_EXISTS)) {
                *is_version_2 = true;
                return g_steal_pointer(&unified);
            }
        }
    }
    return NULL;
}

static void append_cgroup(GString *out, long pid)
{
    g_autofree char *text = read_proc(pid, "cgroup", NULL);
    bool is_version_2 = false;
    g_autofree char *directory = text ? find_cgroup(text, &is_version_2) : NULL;
    g_autoptr(GString) group = g_string_new(NULL);
    uint64_t number;
    if (!directory) {
        return;
    }
    if (read_number(directory, is_version_2 ? "memory.current" : "memory.usage_in_bytes",
                    &number)) {
        append_number(group, "current_bytes", number);
    }
    // Version 1 writes "no limit" as a number close to 2^63.
    if (read_number(directory, is_version_2 ? "memory.max" : "memory.limit_in_bytes", &number) &&
        number < (UINT64_C(1) << 62)) {
        append_number(group, "limit_bytes", number);
    }
    append_group(out, "cgroup", group);
}

bool hr_process_sample(GString *out, long pid, GError **error)
{
    g_autofree char *rollup = read_proc(pid, "smaps_rollup", error);
    if (!rollup) {
        return false;
    }
    g_autoptr(GString) groups = g_string_new(NULL);
    append_fields(groups, "smaps_rollup", rollup, rollup_fields);
    g_autofree char *status = read_proc(pid, "status", NULL);
    if (status) {
        append_fields(groups, "status", status, status_fields);
    }
    append_cgroup(groups, pid);
    g_string_append_len(out, groups->str, (gssize)groups->len);
    return true;
}
