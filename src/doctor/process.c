// SPDX-License-Identifier: MIT
#include "doctor/process.h"

#include "base/files.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PROC_BYTES_MAX ((size_t)64 * 1024 * 1024)
#define STAT_START_FIELD 20 // of /proc/PID/stat, counted behind the name: field 22

static char *read_text(const char *path, size_t *size)
{
    char *text = NULL;
    return hr_file_read(path, PROC_BYTES_MAX, &text, size, NULL) ? text : NULL;
}

static char *read_proc(const struct hr_doctor_process *process, const char *name, size_t *size)
{
    g_autofree char *path = g_strdup_printf("/proc/%" PRId64 "/%s", process->pid, name);
    return read_text(path, size);
}

static const char *read_link(struct hr_arena *arena, const struct hr_doctor_process *process,
                             const char *name, GError **error)
{
    g_autofree char *path = g_strdup_printf("/proc/%" PRId64 "/%s", process->pid, name);
    g_autofree char *target = g_file_read_link(path, error);
    return target ? hr_arena_strdup(arena, target) : NULL;
}

static bool is_there(const GPtrArray *list, const char *assignment)
{
    const size_t length = strcspn(assignment, "=");
    for (guint i = 0; i < list->len; i++) {
        const char *other = list->pdata[i];
        if (strncmp(other, assignment, length) == 0 && other[length] == '=') {
            return true;
        }
    }
    return false;
}

static const char *const *read_environment(struct hr_arena *arena,
                                           const struct hr_doctor_process *process)
{
    size_t size;
    g_autofree char *text = read_proc(process, "environ", &size);
    if (!text) {
        return NULL;
    }
    g_autoptr(GPtrArray) list = g_ptr_array_new();
    for (size_t at = 0; at < size; at += strlen(text + at) + 1) {
        // Of a name that stands twice getenv() finds the first.
        if (!is_there(list, text + at)) {
            g_ptr_array_add(list, hr_arena_strdup(arena, text + at));
        }
    }
    g_ptr_array_add(list, NULL);
    return hr_arena_copy(arena, list->pdata, list->len, sizeof(char *));
}

// The rest of the line that begins with `key`; NULL: none.
static const char *find_line(const char *text, const char *key)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += *line == '\n';
        if (g_str_has_prefix(line, key)) {
            return line + strlen(key);
        }
    }
    return NULL;
}

// Of the four ids in status the second is the effective one; files are made with the fourth, which
// follows it.
static void read_ids(struct hr_arena *arena, struct hr_doctor_process *process)
{
    size_t size;
    g_autofree char *text = read_proc(process, "status", &size);
    const char *uid = text ? find_line(text, "Uid:") : NULL;
    const char *gid = text ? find_line(text, "Gid:") : NULL;
    const char *groups = text ? find_line(text, "Groups:") : NULL;
    char *end;
    process->uid = uid ? (uid_t)(strtoul(uid, &end, 10), strtoul(end, NULL, 10)) : 0;
    process->gid = gid ? (gid_t)(strtoul(gid, &end, 10), strtoul(end, NULL, 10)) : 0;
    g_autoptr(GArray) list = g_array_new(FALSE, FALSE, sizeof(gid_t));
    for (const char *at = groups; at && *at && *at != '\n';) {
        const gid_t id = (gid_t)strtoul(at, &end, 10);
        if (end == at) {
            break;
        }
        g_array_append_val(list, id);
        at = end + strspn(end, " \t");
    }
    process->groups = hr_arena_copy(arena, list->data, list->len, sizeof(gid_t));
    process->groups_count = list->len;
}

static void read_age(struct hr_doctor_process *process)
{
    size_t size;
    g_autofree char *stat = read_proc(process, "stat", &size);
    const char *behind_name = stat ? strrchr(stat, ')') : NULL;
    g_auto(GStrv) fields = g_strsplit(behind_name ? behind_name : "", " ", -1);
    g_autofree char *uptime = read_text("/proc/uptime", &size);
    process->age_s = NAN;
    if (uptime && g_strv_length(fields) > STAT_START_FIELD) {
        process->age_s =
            g_ascii_strtod(uptime, NULL) -
            g_ascii_strtod(fields[STAT_START_FIELD], NULL) / (double)sysconf(_SC_CLK_TCK);
    }
}

static void read_limit(struct hr_doctor_process *process)
{
    size_t size;
    g_autofree char *text = read_proc(process, "limits", &size);
    const char *limit = text ? find_line(text, "Max file size") : NULL;
    char *end;
    process->file_size_limit = UINT64_MAX;
    if (limit) {
        const uint64_t bytes = g_ascii_strtoull(limit, &end, 10);
        process->file_size_limit = end != limit && bytes > 0 ? bytes : UINT64_MAX;
    }
}

static void find_jemalloc(struct hr_arena *arena, struct hr_doctor_process *process)
{
    size_t size;
    g_autofree char *maps = read_proc(process, "maps", &size);
    const char *name = maps ? strstr(maps, "libjemalloc") : NULL;
    if (!name) {
        return;
    }
    while (name > maps && name[-1] != ' ' && name[-1] != '\n') {
        name--;
    }
    process->jemalloc_library =
        hr_arena_printf(arena, "%s%.*s", process->root, (int)strcspn(name, "\n "), name);
}

bool hr_doctor_process_may_map(const struct hr_doctor_process *process, const char *name)
{
    size_t size;
    g_autofree char *maps = read_proc(process, "maps", &size);
    g_autofree char *end = g_strconcat("/", name, NULL);
    return !maps || size == 0 || strstr(maps, end);
}

const struct hr_doctor_process *hr_doctor_process_read(struct hr_arena *arena, int64_t pid,
                                                       GError **error)
{
    struct hr_doctor_process *process = HR_ARENA_NEW(arena, struct hr_doctor_process);
    g_autoptr(GError) failed = NULL;
    process->pid = pid;
    process->program = read_link(arena, process, "exe", &failed);
    if (!process->program) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "process %" PRId64 ": %s", pid,
                    failed->message);
        return NULL;
    }
    if (g_str_has_suffix(process->program, " (deleted)")) {
        process->program_deleted = true;
        process->program = hr_arena_strndup(arena, process->program,
                                            strlen(process->program) - strlen(" (deleted)"));
    }
    process->program_here = hr_arena_printf(arena, "/proc/%" PRId64 "/exe", pid);
    process->root = hr_arena_printf(arena, "/proc/%" PRId64 "/root", pid);
    process->working_directory = read_link(arena, process, "cwd", NULL);
    process->environment = read_environment(arena, process);
    read_ids(arena, process);
    read_age(process);
    read_limit(process);
    find_jemalloc(arena, process);
    // What a process that ended meanwhile no longer says is no fault of its settings.
    if (!read_link(arena, process, "exe", NULL)) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "process %" PRId64 " has ended", pid);
        return NULL;
    }
    return process;
}
