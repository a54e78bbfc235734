// SPDX-License-Identifier: MIT
#include "ingest/boundary.h"

#include "base/cursor.h"

#include <math.h>
#include <string.h>

// The vdso and the stack are among the last lines of a memory map.
#define MAP_TAIL_BYTES ((size_t)32 * 1024)

// Where the stack of a process ends when addresses are not randomised (x86-64, aarch64): then maps
// tell nothing.
#define FIXED_STACK_END_X86 0x7ffffffff000ULL
#define FIXED_STACK_END_ARM 0x1000000000000ULL

// A file time that steps back by less than this may be a copy's or a clock's jitter.
#define STEP_BACK_S 2.0

// Where a process's stack and vdso lie; both 0 when that is not known.
struct address_space {
    uint64_t stack_end;
    uint64_t vdso_start;
};

static bool is_known(struct address_space space)
{
    return space.stack_end != 0 && space.vdso_start != 0;
}

static bool is_same(struct address_space a, struct address_space b)
{
    return a.stack_end == b.stack_end && a.vdso_start == b.vdso_start;
}

static bool line_names(const struct hr_cursor *line, const char *region)
{
    const size_t length = strlen(region);
    return (size_t)(line->end - line->at) > length &&
           memcmp(line->end - length, region, length) == 0;
}

static struct address_space find_in_map(const char *text, size_t size)
{
    struct address_space space = {0};
    struct hr_cursor cursor;
    struct hr_cursor line;
    hr_cursor_init(&cursor, text, size);
    while (hr_cursor_take_line(&cursor, &line)) {
        const bool stack = line_names(&line, "[stack]");
        if (!stack && !line_names(&line, "[vdso]")) {
            continue;
        }
        const uint64_t start = hr_cursor_take_hex(&line);
        hr_cursor_expect(&line, "-");
        const uint64_t end = hr_cursor_take_hex(&line);
        if (hr_cursor_ok(&line) && stack) {
            space.stack_end = end;
        } else if (hr_cursor_ok(&line)) {
            space.vdso_start = start;
        }
    }
    const bool fixed =
        space.stack_end == FIXED_STACK_END_X86 || space.stack_end == FIXED_STACK_END_ARM;
    return fixed ? (struct address_space){0} : space;
}

static struct address_space read_address_space(const struct hr_source *source, const char *file)
{
    struct hr_stream stream;
    if (!hr_source_open(source, file, &stream, NULL)) {
        return (struct address_space){0};
    }
    g_autofree char *tail = g_malloc(MAP_TAIL_BYTES);
    const size_t size = hr_stream_read_tail(&stream, tail, MAP_TAIL_BYTES);
    hr_stream_close(&stream);
    return find_in_map(tail, size);
}

// Reads address spaces as they are asked for.
struct lookup {
    const struct hr_source *source;
    const struct hr_listed *dumps;
    struct address_space *spaces;
    bool *was_read;
};

static struct address_space space_of(struct lookup *lookup, guint index)
{
    if (!lookup->was_read[index]) {
        lookup->spaces[index] = read_address_space(lookup->source, lookup->dumps[index].file);
        lookup->was_read[index] = true;
    }
    return lookup->spaces[index];
}

// The first dump at or behind `index`, below `end`, whose address space is known; else `end`.
static guint next_known(struct lookup *lookup, guint index, guint end)
{
    while (index < end && !is_known(space_of(lookup, index))) {
        index++;
    }
    return index;
}

// The first dump behind `first` that is not of the same process, by bisection: a process's dumps
// follow each other. `last` is known to be of another one; dumps without a map go with what
// follows.
static guint bisect(struct lookup *lookup, guint first, guint last)
{
    const struct address_space space = space_of(lookup, first);
    guint same = first;
    guint other = last;
    while (other - same > 1) {
        const guint middle = same + (other - same) / 2;
        const guint probe = next_known(lookup, middle, other);
        if (probe < other && is_same(space_of(lookup, probe), space)) {
            same = probe;
        } else {
            other = middle;
        }
    }
    return other;
}

// Returns whether the maps could tell.
static bool add_ends_by_maps(GArray *ends, struct lookup *lookup, guint count)
{
    guint last = count;
    while (last > 0 && !is_known(space_of(lookup, last - 1))) {
        last--;
    }
    guint first = next_known(lookup, 0, last);
    const bool told = first + 1 < last;
    while (first < last && !is_same(space_of(lookup, first), space_of(lookup, last - 1))) {
        const guint end = bisect(lookup, first, last - 1);
        g_array_append_val(ends, end);
        first = next_known(lookup, end, last);
    }
    return told;
}

struct clustered {
    struct hr_listed dump;
    guint cluster;
    guint index;
};

static int compare_clustered(const void *left, const void *right)
{
    const struct clustered *a = left;
    const struct clustered *b = right;
    if (a->cluster != b->cluster) {
        return a->cluster < b->cluster ? -1 : 1;
    }
    return (a->index > b->index) - (a->index < b->index);
}

static guint hash_space(const void *key)
{
    const struct address_space *space = key;
    return (guint)((space->stack_end >> 12) * 31 + (space->vdso_start >> 12));
}

static gboolean equal_spaces(const void *a, const void *b)
{
    return is_same(*(const struct address_space *)a, *(const struct address_space *)b);
}

// The number of the process that has this address space, a new one for one not yet met. `space`
// must outlive `known`.
static guint cluster_of(GHashTable *known, struct address_space *space)
{
    void *cluster;
    if (!g_hash_table_lookup_extended(known, space, NULL, &cluster)) {
        cluster = GUINT_TO_POINTER(g_hash_table_size(known));
        g_hash_table_insert(known, space, cluster);
    }
    return GPOINTER_TO_UINT(cluster);
}

// Two processes' sequence numbers lie among each other: dumps are told apart one by one. Those
// without a map stay with the dump before them.
static void add_ends_by_clusters(GArray *ends, struct lookup *lookup, struct hr_listed *dumps,
                                 guint count)
{
    g_autoptr(GHashTable) known = g_hash_table_new(hash_space, equal_spaces);
    g_autofree struct clustered *clustered = g_new0(struct clustered, count);
    guint cluster = 0;
    for (guint i = 0; i < count; i++) {
        cluster = is_known(space_of(lookup, i)) ? cluster_of(known, &lookup->spaces[i]) : cluster;
        clustered[i] = (struct clustered){dumps[i], cluster, i};
    }
    qsort(clustered, count, sizeof *clustered, compare_clustered);
    for (guint i = 0; i < count; i++) {
        dumps[i] = clustered[i].dump;
        if (i > 0 && clustered[i].cluster != clustered[i - 1].cluster) {
            g_array_append_val(ends, i);
        }
    }
}

static bool has_equal_sequences(const struct hr_listed *dumps, guint count)
{
    for (guint i = 1; i < count; i++) {
        if (dumps[i].name.sequence == dumps[i - 1].name.sequence) {
            return true;
        }
    }
    return false;
}

// Without maps: one step back of the file times, each side rising, is a restart, or a clock that
// was set back. More than one is a copy that kept no times. Returns whether there is one.
static bool add_end_by_times(GArray *ends, const struct hr_listed *dumps, guint count)
{
    guint steps_back = 0;
    guint end = 0;
    for (guint i = 1; i < count; i++) {
        if (dumps[i].modified_at_s < dumps[i - 1].modified_at_s) {
            steps_back++;
            end = i;
        }
    }
    if (steps_back == 1 && dumps[end].modified_at_s < dumps[end - 1].modified_at_s - STEP_BACK_S &&
        dumps[count - 1].modified_at_s < dumps[0].modified_at_s) {
        g_array_append_val(ends, end);
        return true;
    }
    return false;
}

GArray *hr_boundaries_find(struct hr_listed *dumps, guint count, enum hr_process_order order,
                           const struct hr_source *source, bool *by_times)
{
    GArray *ends = g_array_new(FALSE, FALSE, sizeof(guint));
    *by_times = false;
    if (order == HR_ORDER_SEQUENCE && dumps[0].name.pid >= 0) {
        g_autofree struct address_space *spaces = g_new0(struct address_space, count);
        g_autofree bool *was_read = g_new0(bool, count);
        struct lookup lookup = {source, dumps, spaces, was_read};
        if (has_equal_sequences(dumps, count)) {
            add_ends_by_clusters(ends, &lookup, dumps, count);
        } else if (!add_ends_by_maps(ends, &lookup, count)) {
            *by_times = add_end_by_times(ends, dumps, count);
        }
    }
    g_array_append_val(ends, count);
    return ends;
}
