// SPDX-License-Identifier: MIT
#include "ingest/process.h"

#include "ingest/boundary.h"

#include <math.h>
#include <string.h>

static int compare_u64(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

static int compare_double(double a, double b)
{
    return (a > b) - (a < b);
}

static int compare_keys(const struct hr_listed *a, const struct hr_listed *b)
{
    const size_t shared = MIN(a->name.prefix_length, b->name.prefix_length);
    int order = memcmp(a->file, b->file, shared);
    order = order ? order : compare_u64(a->name.prefix_length, b->name.prefix_length);
    order = order ? order
                  : compare_double((double)a->name.pid_namespace, (double)b->name.pid_namespace);
    return order ? order : compare_double((double)a->name.pid, (double)b->name.pid);
}

static int compare_by_key(const void *left, const void *right)
{
    const int order = compare_keys(left, right);
    return order ? order
                 : strcmp(((const struct hr_listed *)left)->file,
                          ((const struct hr_listed *)right)->file);
}

// Of the two dumps in one profile, the earlier one goes first.
static int compare_names(const struct hr_listed *a, const struct hr_listed *b)
{
    return a->is_base != b->is_base ? (a->is_base ? -1 : 1) : strcmp(a->file, b->file);
}

static int compare_by_sequence(const void *left, const void *right)
{
    const struct hr_listed *a = left;
    const struct hr_listed *b = right;
    int order = compare_u64(a->name.sequence, b->name.sequence);
    order = order ? order : compare_double(a->modified_at_s, b->modified_at_s);
    return order ? order : compare_names(a, b);
}

static int compare_by_name_time(const void *left, const void *right)
{
    const struct hr_listed *a = left;
    const struct hr_listed *b = right;
    const int order = compare_double(a->name.time_s, b->name.time_s);
    return order ? order : compare_names(a, b);
}

static int compare_by_file_time(const void *left, const void *right)
{
    const struct hr_listed *a = left;
    const struct hr_listed *b = right;
    const int order = compare_double(a->modified_at_s, b->modified_at_s);
    return order ? order : compare_names(a, b);
}

static void put_in_order(struct hr_listed *dumps, struct hr_process *process)
{
    bool all_sequence = true;
    bool all_time = true;
    for (guint i = 0; i < process->count; i++) {
        all_sequence &= dumps[i].name.has_sequence;
        all_time &= !isnan(dumps[i].name.time_s);
    }
    int (*compare)(const void *, const void *) = compare_by_file_time;
    process->order = HR_ORDER_FILE_TIME;
    if (all_sequence) {
        compare = compare_by_sequence;
        process->order = HR_ORDER_SEQUENCE;
    } else if (all_time) {
        compare = compare_by_name_time;
        process->order = HR_ORDER_NAME_TIME;
    }
    qsort(dumps, process->count, sizeof *dumps, compare);
}

static void add_process(GArray *processes, const struct hr_listing *listing,
                        struct hr_process process)
{
    process.oldest_s = INFINITY;
    process.newest_s = -INFINITY;
    for (guint i = 0; i < process.count; i++) {
        const struct hr_listed *dump =
            &g_array_index(listing->dumps, struct hr_listed, process.first + i);
        process.oldest_s = fmin(process.oldest_s, dump->modified_at_s);
        process.newest_s = fmax(process.newest_s, dump->modified_at_s);
    }
    g_array_append_val(processes, process);
}

// Adds the group, or its parts where the pid was used again.
static void add_group(GArray *processes, const struct hr_listing *listing, struct hr_process group,
                      const struct hr_source *source)
{
    struct hr_listed *dumps = &g_array_index(listing->dumps, struct hr_listed, group.first);
    put_in_order(dumps, &group);
    g_autoptr(GArray) ends =
        hr_boundaries_find(dumps, group.count, group.order, source, &group.by_times);
    guint start = 0;
    for (guint i = 0; i < ends->len; i++) {
        struct hr_process part = group;
        const guint end = g_array_index(ends, guint, i);
        part.first = group.first + start;
        part.count = end - start;
        part.split = ends->len > 1;
        add_process(processes, listing, part);
        start = end;
    }
}

GArray *hr_processes_find(struct hr_listing *listing, struct hr_arena *arena,
                          const struct hr_source *source)
{
    GArray *processes = g_array_new(FALSE, FALSE, sizeof(struct hr_process));
    g_array_sort(listing->dumps, compare_by_key);
    for (guint first = 0; first < listing->dumps->len;) {
        const struct hr_listed *head = &g_array_index(listing->dumps, struct hr_listed, first);
        guint end = first + 1;
        while (end < listing->dumps->len &&
               compare_keys(head, &g_array_index(listing->dumps, struct hr_listed, end)) == 0) {
            end++;
        }
        const struct hr_process group = {
            .key = {.prefix = hr_arena_strndup(arena, head->file, head->name.prefix_length),
                    .pid = head->name.pid,
                    .pid_namespace = head->name.pid_namespace},
            .first = first,
            .count = end - first};
        add_group(processes, listing, group, source);
        first = end;
    }
    return processes;
}
