// SPDX-License-Identifier: MIT
// One dump file by itself, wherever it lies: the base of a comparison with another run.
#include "ingest/foreign.h"
#include "ingest/ingest.h"
#include "ingest/name.h"

#include <errno.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>

static bool check_content(const char *path, const struct stat *status, GError **error)
{
    char head[HR_CONTENT_HEAD_BYTES];
    if (!S_ISREG(status->st_mode)) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: no regular file", path);
        return false;
    }
    if (!hr_content_is_jemalloc(head, hr_content_read_head(path, head))) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: no jemalloc heap dump", path);
        return false;
    }
    return true;
}

bool hr_ingest_find_one(struct hr_run *run, const char *path, GError **error)
{
    struct stat status;
    if (stat(path, &status) != 0) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: %s", path, g_strerror(errno));
        return false;
    }
    if (!check_content(path, &status, error)) {
        return false;
    }
    const char *slash = strrchr(path, '/');
    const char *file = slash ? slash + 1 : path;
    struct hr_dump_name name;
    if (!hr_dump_name_read(file, &name)) {
        hr_dump_name_read_own(file, &name);
    }
    g_autofree char *directory = g_path_get_dirname(path);
    run->directory = hr_arena_strdup(run->arena, directory);
    run->key = (struct hr_run_key){hr_arena_strndup(run->arena, file, name.prefix_length), name.pid,
                                   name.pid_namespace};
    run->time_axis = isnan(name.time_s) ? HR_TIME_MTIME : HR_TIME_NAME;
    run->dumps = HR_ARENA_NEW(run->arena, struct hr_dump);
    run->dumps_count = 1;
    *run->dumps = (struct hr_dump){
        .file = hr_arena_strdup(run->arena, file),
        .kind = name.kind,
        .sequence = name.has_sequence ? name.sequence : 0,
        .size_bytes = (uint64_t)status.st_size,
        .used = true,
        .taken_at_s = isnan(name.time_s)
                          ? (double)status.st_mtim.tv_sec + (double)status.st_mtim.tv_nsec * 1e-9
                          : name.time_s,
        .live_bytes = NAN,
        .live_objects = NAN,
        .live_variance = NAN,
        .kept_ratio = NAN,
    };
    return true;
}
