// SPDX-License-Identifier: MIT
#include "analysis/threads.h"

#include "model/sample.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

// A thread without a name is called as the dumps call it.
static const char *name_of(struct hr_arena *arena, const struct hr_thread *thread)
{
    return thread->name ? thread->name : hr_arena_printf(arena, "t%" PRIu64, thread->id);
}

// For each thread the index of its group, in the order of first sight. A nameless thread is alone,
// even where another one's name looks like its number.
static uint32_t *group_threads(struct hr_arena *arena, const struct hr_run *run, GArray *groups)
{
    g_autoptr(GHashTable) by_name = g_hash_table_new(g_str_hash, g_str_equal);
    uint32_t *group_of = HR_ARENA_ARRAY(arena, uint32_t, run->threads_count + 1);
    for (size_t t = 0; t < run->threads_count; t++) {
        const struct hr_thread *thread = &run->threads[t];
        const guint known =
            thread->name ? GPOINTER_TO_UINT(g_hash_table_lookup(by_name, thread->name)) : 0;
        group_of[t] = known > 0 ? known - 1 : groups->len;
        if (known == 0) {
            const struct hr_thread_group group = {.name = name_of(arena, thread)};
            g_array_append_val(groups, group);
        }
        if (known == 0 && thread->name) {
            g_hash_table_insert(by_name, (void *)(uintptr_t)thread->name,
                                GUINT_TO_POINTER(groups->len));
        }
    }
    return group_of;
}

static double row_bytes(const struct hr_dump *dump, const struct hr_row *row)
{
    return hr_sample_scale(row->objects, row->bytes, dump->sample_interval_bytes).bytes;
}

static void add_rows(const struct hr_dump *dump, bool is_final, const uint32_t *group_of,
                     GArray *groups, bool *seen)
{
    for (uint32_t i = 0; i < dump->thread_rows_count; i++) {
        const struct hr_thread_row *at = &dump->thread_rows[i];
        if (at->row.bytes == 0) {
            continue; // it has freed all of it
        }
        struct hr_thread_group *group =
            &g_array_index(groups, struct hr_thread_group, group_of[at->thread]);
        *(is_final ? &group->final_bytes : &group->base_bytes) += row_bytes(dump, &at->row);
        group->threads_count += seen[at->thread] ? 0 : 1;
        seen[at->thread] = true;
    }
}

static int by_growth(const void *a, const void *b)
{
    const struct hr_thread_group *left = a;
    const struct hr_thread_group *right = b;
    const double left_growth = left->final_bytes - left->base_bytes;
    const double right_growth = right->final_bytes - right->base_bytes;
    if (left_growth != right_growth) {
        return left_growth < right_growth ? 1 : -1;
    }
    return strcmp(left->name, right->name);
}

static void drop_empty(GArray *groups)
{
    for (guint i = groups->len; i-- > 0;) {
        if (g_array_index(groups, struct hr_thread_group, i).threads_count == 0) {
            g_array_remove_index(groups, i);
        }
    }
}

void hr_threads_compute(struct hr_arena *arena, const struct hr_run *run,
                        struct hr_findings *findings)
{
    const struct hr_choice *choice = findings->choice;
    // What one of the two does not say would be told as freed, or as grown.
    if (!hr_dump_tells_threads(&run->dumps[choice->base]) ||
        !hr_dump_tells_threads(&run->dumps[choice->final])) {
        return;
    }
    g_autoptr(GArray) groups = g_array_new(FALSE, FALSE, sizeof(struct hr_thread_group));
    const uint32_t *group_of = group_threads(arena, run, groups);
    g_autofree bool *seen = g_new0(bool, run->threads_count + 1);
    add_rows(&run->dumps[choice->base], false, group_of, groups, seen);
    add_rows(&run->dumps[choice->final], true, group_of, groups, seen);
    drop_empty(groups);
    g_array_sort(groups, by_growth);
    findings->threads =
        hr_arena_copy(arena, groups->data, groups->len, sizeof(struct hr_thread_group));
    findings->threads_count = groups->len;
}
