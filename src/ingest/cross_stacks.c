// SPDX-License-Identifier: MIT
#include "ingest/cross_stacks.h"

#include <glib.h>

// With fewer objects a stack comes and goes by chance.
#define OBJECTS_MIN 8

// More pairs than this are a heap that changes from dump to dump, where one stack decides nothing.
#define PAIRS_MAX ((uint64_t)1 << 16)

// The rows of one dump, taken by rising stack id.
struct walk {
    const struct hr_row *at;
    const struct hr_row *end;
};

static struct walk walk_of(const struct hr_dump *dump)
{
    return (struct walk){dump->rows, dump->rows + dump->rows_count};
}

// Objects of `stack`, to which the walk moves on.
static uint64_t objects_of(struct walk *walk, uint32_t stack)
{
    while (walk->at < walk->end && walk->at->stack < stack) {
        walk->at++;
    }
    return walk->at < walk->end && walk->at->stack == stack ? walk->at->objects : 0;
}

// The dumps with rows, in order; of struct hr_dump.
static GPtrArray *dumps_with_rows(const struct hr_run *run)
{
    GPtrArray *dumps = g_ptr_array_new();
    for (size_t i = 0; i < run->dumps_count; i++) {
        if (run->dumps[i].used && run->dumps[i].rows) {
            g_ptr_array_add(dumps, &run->dumps[i]);
        }
    }
    return dumps;
}

// Where a stack stands: in how many dumps, and in the last of them with how many objects.
struct appearance {
    uint32_t count;
    guint dump;
    uint64_t objects;
};

// By stack; g_free() it. One pass over all rows, which are most of what a run holds.
static struct appearance *find_appearances(const struct hr_stacks *stacks, const GPtrArray *dumps)
{
    struct appearance *found = g_new0(struct appearance, MAX(hr_stacks_count(stacks), 1));
    for (guint i = 0; i < dumps->len; i++) {
        const struct hr_dump *dump = dumps->pdata[i];
        for (uint32_t row = 0; row < dump->rows_count; row++) {
            const struct hr_row *at = &dump->rows[row];
            struct appearance *appearance = &found[at->stack];
            *appearance = (struct appearance){appearance->count + 1, i, at->objects};
        }
    }
    return found;
}

static void free_array(gpointer array) // NULL is fine
{
    if (array) {
        g_array_unref(array);
    }
}

// By dump, the stacks that stand in it alone, with many objects: a GArray of uint32_t, or NULL.
static GPtrArray *find_fresh(const struct hr_stacks *stacks, const GPtrArray *dumps)
{
    g_autofree struct appearance *appearances = find_appearances(stacks, dumps);
    GPtrArray *fresh = g_ptr_array_new_with_free_func(free_array);
    g_ptr_array_set_size(fresh, (gint)dumps->len);
    for (uint32_t stack = 0; stack < hr_stacks_count(stacks); stack++) {
        const struct appearance *at = &appearances[stack];
        if (at->count == 1 && at->objects >= OBJECTS_MIN) {
            gpointer *of_dump = &fresh->pdata[at->dump];
            *of_dump = *of_dump ? *of_dump : g_array_new(FALSE, FALSE, sizeof(uint32_t));
            g_array_append_val((GArray *)*of_dump, stack);
        }
    }
    return fresh;
}

// Stacks that are missing in this dump, and stand in both neighbours with many objects; of
// uint32_t.
static GArray *stacks_missing_in(const struct hr_dump *dump,
                                 const struct hr_dump *const neighbours[2])
{
    GArray *found = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    struct walk here = walk_of(dump);
    struct walk other = walk_of(neighbours[1]);
    for (uint32_t row = 0; row < neighbours[0]->rows_count; row++) {
        const struct hr_row *at = &neighbours[0]->rows[row];
        if (at->objects >= OBJECTS_MIN && objects_of(&here, at->stack) == 0 &&
            objects_of(&other, at->stack) >= OBJECTS_MIN) {
            g_array_append_val(found, at->stack);
        }
    }
    return found;
}

static bool is_one_digit(uint64_t bits)
{
    return bits != 0 && bits >> ((unsigned)__builtin_ctzll(bits) & ~3u) <= 0xf;
}

static bool differ_in_one_digit(const struct hr_stacks *stacks, uint32_t left, uint32_t right)
{
    const struct hr_stack a = hr_stacks_get(stacks, left);
    const struct hr_stack b = hr_stacks_get(stacks, right);
    unsigned different = 0;
    if (a.depth != b.depth) {
        return false;
    }
    for (uint32_t i = 0; i < a.depth && different < 2; i++) {
        if (a.locations[i] != b.locations[i]) {
            const uint64_t bits = hr_stacks_location_address(stacks, a.locations[i]) ^
                                  hr_stacks_location_address(stacks, b.locations[i]);
            different += is_one_digit(bits) ? 1 : 2;
        }
    }
    return different == 1;
}

// Whether one of the missing stacks may stand there as one of the fresh.
static bool has_changed(const struct hr_stacks *stacks, const GArray *missing, const GArray *fresh)
{
    if ((uint64_t)missing->len * fresh->len > PAIRS_MAX) {
        return false;
    }
    for (guint i = 0; i < missing->len; i++) {
        for (guint k = 0; k < fresh->len; k++) {
            if (differ_in_one_digit(stacks, g_array_index(missing, uint32_t, i),
                                    g_array_index(fresh, uint32_t, k))) {
                return true;
            }
        }
    }
    return false;
}

static void check_dump(struct hr_run *run, const GPtrArray *dumps, guint index, const GArray *fresh,
                       struct hr_diagnostics *diagnostics)
{
    // The dump before and the one behind; at both ends the two that are next.
    const guint middle = CLAMP(index, 1, dumps->len - 2);
    const struct hr_dump *const neighbours[2] = {
        dumps->pdata[index == middle - 1 ? middle : middle - 1],
        dumps->pdata[index == middle + 1 ? middle : middle + 1],
    };
    struct hr_dump *dump = dumps->pdata[index];
    if (dump->damage & HR_DUMP_DAMAGE_STACK) {
        return; // told
    }
    g_autoptr(GArray) missing = stacks_missing_in(dump, neighbours);
    if (has_changed(run->stacks, missing, fresh)) {
        dump->damage |= HR_DUMP_DAMAGE_STACK;
        hr_diagnostics_add(diagnostics, HR_DIAG_DUMP_STACK_CHANGED, dump->file, NULL);
    }
}

void hr_cross_check_stacks(struct hr_run *run, struct hr_diagnostics *diagnostics)
{
    g_autoptr(GPtrArray) dumps = dumps_with_rows(run);
    if (dumps->len < 3) {
        return;
    }
    g_autoptr(GPtrArray) fresh = find_fresh(run->stacks, dumps);
    for (guint i = 0; i < dumps->len; i++) {
        if (fresh->pdata[i]) {
            check_dump(run, dumps, i, fresh->pdata[i], diagnostics);
        }
    }
}
