// SPDX-License-Identifier: MIT
// One dump file by itself, wherever it lies: the base of a comparison with another run.
#include "ingest/foreign.h"
#include "ingest/ingest.h"
#include "ingest/name.h"

#include <math.h>

bool hr_ingest_find_one(struct hr_run *run, const struct hr_source *source, const char *file,
                        GError **error)
{
    struct hr_entry entry;
    char head[HR_CONTENT_HEAD_BYTES];
    if (!hr_source_find_file(source, file, &entry) || !entry.is_regular) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s/%s: no regular file",
                    hr_source_path(source), file);
        return false;
    }
    const size_t size = hr_content_read_head(source, file, head);
    if (!hr_content_is_dump(head, size) && !hr_content_is_profile(head, size)) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s/%s: no jemalloc heap dump",
                    hr_source_path(source), file);
        return false;
    }
    struct hr_dump_name name;
    if (!hr_dump_name_read(file, &name)) {
        hr_dump_name_read_own(file, &name);
    }
    run->directory = hr_arena_strdup(run->arena, hr_source_path(source));
    run->key = (struct hr_run_key){hr_arena_strndup(run->arena, file, name.prefix_length), name.pid,
                                   name.pid_namespace};
    run->time_axis = isnan(name.time_s) ? HR_TIME_MTIME : HR_TIME_NAME;
    run->dumps = HR_ARENA_NEW(run->arena, struct hr_dump);
    run->dumps_count = 1;
    *run->dumps = (struct hr_dump){
        .file = hr_arena_strdup(run->arena, file),
        .kind = name.kind,
        .sequence = name.has_sequence ? name.sequence : 0,
        .size_bytes = entry.size_bytes,
        .used = true,
        .taken_at_s = isnan(name.time_s) ? entry.modified_at_s : name.time_s,
        .live_bytes = NAN,
        .live_objects = NAN,
        .live_variance = NAN,
        .kept_ratio = NAN,
    };
    return true;
}
