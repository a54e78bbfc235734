// SPDX-License-Identifier: MIT
#include "model/stacks.h"

#include <string.h>
#include <xxhash.h>

// Two open-addressed tables of ids over flat arrays: addresses -> locations, location lists ->
// stacks. An id of EMPTY marks a free slot; the tables stay at most half full.
#define EMPTY UINT32_MAX
#define FIRST_SLOTS 1024u

struct id_table {
    uint32_t *ids;
    uint32_t slots; // a power of two
    uint32_t used;
};

struct hr_stacks {
    struct id_table location_ids;
    GArray *addresses; // of uint64_t, by location

    struct id_table stack_ids;
    GArray *
        hashes; // of uint64_t, by stack: spares comparisons, and hashing again when the table grows
    GArray *offsets; // of uint64_t, by stack: start in `frames`; one more than there are stacks
    GArray *frames;  // of uint32_t locations
};

static void table_init(struct id_table *table, uint32_t slots)
{
    *table = (struct id_table){.ids = g_new(uint32_t, slots), .slots = slots};
    memset(table->ids, 0xff, slots * sizeof *table->ids);
}

struct hr_stacks *hr_stacks_new(void)
{
    struct hr_stacks *stacks = g_new0(struct hr_stacks, 1);
    table_init(&stacks->location_ids, FIRST_SLOTS);
    table_init(&stacks->stack_ids, FIRST_SLOTS);
    stacks->addresses = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    stacks->hashes = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    stacks->offsets = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    stacks->frames = g_array_new(FALSE, FALSE, sizeof(uint32_t));
    const uint64_t start = 0;
    g_array_append_val(stacks->offsets, start);
    return stacks;
}

void hr_stacks_free(struct hr_stacks *stacks)
{
    if (!stacks) {
        return;
    }
    g_free(stacks->location_ids.ids);
    g_free(stacks->stack_ids.ids);
    g_array_unref(stacks->addresses);
    g_array_unref(stacks->hashes);
    g_array_unref(stacks->offsets);
    g_array_unref(stacks->frames);
    g_free(stacks);
}

static void table_insert(struct id_table *table, uint64_t hash, uint32_t id)
{
    uint32_t slot = (uint32_t)hash & (table->slots - 1);
    while (table->ids[slot] != EMPTY) {
        slot = (slot + 1) & (table->slots - 1);
    }
    table->ids[slot] = id;
    table->used++;
}

static uint64_t address_hash(uint64_t address)
{
    return XXH3_64bits(&address, sizeof address);
}

static uint64_t location_hash(const struct hr_stacks *stacks, uint32_t location)
{
    return address_hash(hr_stacks_location_address(stacks, location));
}

static uint64_t stack_hash(const struct hr_stacks *stacks, uint32_t stack)
{
    return g_array_index(stacks->hashes, uint64_t, stack);
}

static void table_reserve(struct hr_stacks *stacks, struct id_table *table,
                          uint64_t (*hash_of)(const struct hr_stacks *, uint32_t))
{
    if (table->used < table->slots / 2) {
        return;
    }
    g_assert(table->slots <= UINT32_MAX / 4);
    const uint32_t count = table->used;
    g_free(table->ids);
    table_init(table, table->slots * 2);
    for (uint32_t id = 0; id < count; id++) {
        table_insert(table, hash_of(stacks, id), id);
    }
}

static uint32_t intern_location(struct hr_stacks *stacks, uint64_t address)
{
    table_reserve(stacks, &stacks->location_ids, location_hash);
    const struct id_table *table = &stacks->location_ids;
    const uint64_t hash = address_hash(address);
    for (uint32_t slot = (uint32_t)hash & (table->slots - 1); table->ids[slot] != EMPTY;
         slot = (slot + 1) & (table->slots - 1)) {
        if (hr_stacks_location_address(stacks, table->ids[slot]) == address) {
            return table->ids[slot];
        }
    }
    const uint32_t location = stacks->addresses->len;
    g_array_append_val(stacks->addresses, address);
    table_insert(&stacks->location_ids, hash, location);
    return location;
}

static bool stack_equals(const struct hr_stacks *stacks, uint32_t id, const uint64_t *addresses,
                         uint32_t depth)
{
    const struct hr_stack stack = hr_stacks_get(stacks, id);
    if (stack.depth != depth) {
        return false;
    }
    for (uint32_t i = 0; stack.locations && i < depth; i++) {
        if (hr_stacks_location_address(stacks, stack.locations[i]) != addresses[i]) {
            return false;
        }
    }
    return true;
}

static uint32_t add_stack(struct hr_stacks *stacks, uint64_t hash, const uint64_t *addresses,
                          uint32_t depth)
{
    const uint32_t id = stacks->hashes->len;
    for (uint32_t i = 0; i < depth; i++) {
        const uint32_t location = intern_location(stacks, addresses[i]);
        g_array_append_val(stacks->frames, location);
    }
    const uint64_t end = stacks->frames->len;
    g_array_append_val(stacks->offsets, end);
    g_array_append_val(stacks->hashes, hash);
    table_insert(&stacks->stack_ids, hash, id);
    return id;
}

uint32_t hr_stacks_intern(struct hr_stacks *stacks, const uint64_t *addresses, uint32_t depth)
{
    table_reserve(stacks, &stacks->stack_ids, stack_hash);
    const struct id_table *table = &stacks->stack_ids;
    const uint64_t hash = XXH3_64bits(addresses, depth * sizeof *addresses);
    for (uint32_t slot = (uint32_t)hash & (table->slots - 1); table->ids[slot] != EMPTY;
         slot = (slot + 1) & (table->slots - 1)) {
        const uint32_t id = table->ids[slot];
        if (stack_hash(stacks, id) == hash && stack_equals(stacks, id, addresses, depth)) {
            return id;
        }
    }
    return add_stack(stacks, hash, addresses, depth);
}

uint32_t hr_stacks_count(const struct hr_stacks *stacks)
{
    return stacks->hashes->len;
}

struct hr_stack hr_stacks_get(const struct hr_stacks *stacks, uint32_t stack)
{
    g_assert(stack < stacks->hashes->len);
    const uint64_t start = g_array_index(stacks->offsets, uint64_t, stack);
    const uint64_t end = g_array_index(stacks->offsets, uint64_t, stack + 1);
    // Where no stack has a frame there is no array to point into.
    const uint32_t *frames = end > start ? &g_array_index(stacks->frames, uint32_t, start) : NULL;
    return (struct hr_stack){frames, (uint32_t)(end - start)};
}

uint32_t hr_stacks_location_count(const struct hr_stacks *stacks)
{
    return stacks->addresses->len;
}

uint64_t hr_stacks_location_address(const struct hr_stacks *stacks, uint32_t location)
{
    return g_array_index(stacks->addresses, uint64_t, location);
}
