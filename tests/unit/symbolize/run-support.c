// SPDX-License-Identifier: MIT
#include "run-support.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEPTH_MAX 1024

void hr_test_add_mapping(struct hr_run *run, uint64_t start, uint64_t end, uint64_t offset,
                         const char *path, bool executable)
{
    struct hr_mapping *lines =
        HR_ARENA_ARRAY(run->arena, struct hr_mapping, run->mappings_count + 1);
    if (run->mappings_count > 0) {
        memcpy(lines, run->mappings, run->mappings_count * sizeof *lines);
    }
    lines[run->mappings_count++] = (struct hr_mapping){
        .start = start,
        .end = end,
        .offset = offset,
        .path = hr_strings_intern(run->strings, path),
        .executable = executable,
    };
    run->mappings = lines;
}

static void read_stack(struct hr_run *run, const char *line)
{
    uint64_t addresses[DEPTH_MAX];
    uint32_t depth = 0;
    const char *at = line + 1;
    char *end;
    while (depth < DEPTH_MAX) {
        const uint64_t address = strtoull(at, &end, 16);
        if (end == at) {
            break;
        }
        addresses[depth++] = address;
        at = end;
    }
    hr_stacks_intern(run->stacks, addresses, depth);
}

static void read_map_line(struct hr_run *run, char *line)
{
    uint64_t start, end, offset;
    char flags[8];
    int path_at = 0;
    line[strcspn(line, "\n")] = '\0';
    if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %7s %" SCNx64 " %*s %*s %n", &start, &end, flags,
               &offset, &path_at) >= 4) {
        hr_test_add_mapping(run, start, end, offset, path_at ? line + path_at : "",
                            flags[2] == 'x');
    }
}

static bool read_lines(struct hr_run *run, const char *path, bool in_map)
{
    FILE *file = fopen(path, "r");
    if (!file) {
        return false;
    }
    char *line = NULL;
    size_t size = 0;
    while (getline(&line, &size, file) > 0) {
        if (line[0] == '@') {
            read_stack(run, line);
        } else if (g_str_has_prefix(line, "MAPPED_LIBRARIES")) {
            in_map = true;
        } else if (in_map) {
            read_map_line(run, line);
        }
    }
    free(line);
    fclose(file);
    return true;
}

bool hr_test_read_dump(struct hr_run *run, const char *path)
{
    return read_lines(run, path, false);
}

bool hr_test_read_own_map(struct hr_run *run)
{
    return read_lines(run, "/proc/self/maps", true);
}
