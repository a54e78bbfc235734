// SPDX-License-Identifier: MIT
#include "world.h"

#include "model/sample.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BINARY_PATH "/srv/bin/app"
#define FIRST_ADDRESS 0x1000

struct test_world {
    struct hr_run *run;
    GArray *dumps;     // struct hr_dump
    GHashTable *names; // function text -> address
    GArray *frames;    // struct hr_frame, by address
    GArray *modules;   // struct hr_module
    GArray *module_of; // uint32_t, by address
    struct hr_rules rules;
};

static const struct hr_frame_rule FRAME_RULES[] = {
    {HR_FRAME_ALLOCATOR, HR_FIELD_FUNCTION, "malloc*"},
    {HR_FRAME_RUNTIME, HR_FIELD_FUNCTION, "std::*"},
    {HR_FRAME_LIBRARY, HR_FIELD_MODULE, "lib*"},
    {HR_FRAME_APP, HR_FIELD_FUNCTION, "*"},
};

static const struct hr_category_rule CATEGORY_RULES[] = {
    {"cache", "*cache*"},
    {"session", "*session*"},
};

struct test_world *test_world_new(void)
{
    struct test_world *world = g_new0(struct test_world, 1);
    world->run = hr_run_new();
    world->dumps = g_array_new(FALSE, TRUE, sizeof(struct hr_dump));
    world->names = g_hash_table_new(g_str_hash, g_str_equal);
    world->frames = g_array_new(FALSE, TRUE, sizeof(struct hr_frame));
    world->modules = g_array_new(FALSE, TRUE, sizeof(struct hr_module));
    world->module_of = g_array_new(FALSE, TRUE, sizeof(uint32_t));
    world->rules.frame_rules = FRAME_RULES;
    world->rules.frame_rules_count = G_N_ELEMENTS(FRAME_RULES);
    world->rules.category_rules = CATEGORY_RULES;
    world->rules.category_rules_count = G_N_ELEMENTS(CATEGORY_RULES);
    hr_rules_init_thresholds(&world->rules);
    return world;
}

void test_world_free(struct test_world *world)
{
    if (!world) {
        return;
    }
    g_array_free(world->dumps, TRUE);
    g_hash_table_destroy(world->names);
    g_array_free(world->frames, TRUE);
    g_array_free(world->modules, TRUE);
    g_array_free(world->module_of, TRUE);
    hr_run_free(world->run);
    g_free(world);
}

static uint32_t module_of(struct test_world *world, const char *path)
{
    for (guint i = 0; i < world->modules->len; i++) {
        if (strcmp(g_array_index(world->modules, struct hr_module, i).path, path) == 0) {
            return i;
        }
    }
    const struct hr_module module = {.path = hr_strings_intern(world->run->strings, path)};
    g_array_append_val(world->modules, module);
    return world->modules->len - 1;
}

static uint64_t address_of(struct test_world *world, const char *text)
{
    gpointer known = NULL;
    if (strcmp(text, "?") != 0 && g_hash_table_lookup_extended(world->names, text, NULL, &known)) {
        return FIRST_ADDRESS + GPOINTER_TO_SIZE(known);
    }
    g_auto(GStrv) by_module = g_strsplit(text, "!", 2);
    const bool has_module = by_module[1] != NULL;
    g_auto(GStrv) by_file = g_strsplit(by_module[has_module ? 1 : 0], "@", 2);
    const uint32_t module = module_of(world, has_module ? by_module[0] : BINARY_PATH);
    const guint index = world->frames->len;
    struct hr_strings *strings = world->run->strings;
    g_autofree char *offset = g_strdup_printf("app+0x%x", index);
    const bool named = strcmp(by_file[0], "?") != 0;
    const struct hr_frame frame = {
        .function = hr_strings_intern(strings, named ? by_file[0] : offset),
        .key_name = hr_strings_intern(strings, named ? by_file[0] : offset),
        .file = by_file[1] ? hr_strings_intern(strings, by_file[1]) : NULL,
        .line = by_file[1] ? index + 1 : 0,
        .trust = named ? HR_TRUST_EXACT : HR_TRUST_NONE,
    };
    g_array_append_val(world->frames, frame);
    g_array_append_val(world->module_of, module);
    g_hash_table_insert(world->names, hr_arena_strdup(world->run->arena, text),
                        GSIZE_TO_POINTER(index));
    return FIRST_ADDRESS + index;
}

uint32_t test_world_stack(struct test_world *world, const char *functions)
{
    uint64_t addresses[256];
    uint32_t depth = 0;
    g_auto(GStrv) names = g_strsplit(functions, "<", -1);
    for (char **name = names; *name && **name; name++) {
        g_assert(depth < G_N_ELEMENTS(addresses));
        addresses[depth++] = address_of(world, *name);
    }
    return hr_stacks_intern(world->run->stacks, addresses, depth);
}

static int by_stack(const void *a, const void *b)
{
    const struct hr_row *left = a;
    const struct hr_row *right = b;
    return (left->stack > right->stack) - (left->stack < right->stack);
}

static void sum_rows(struct hr_dump *dump, const struct hr_row *rows)
{
    struct hr_sample_sum sum = {0};
    for (uint32_t i = 0; i < dump->rows_count; i++) {
        const struct hr_scaled scaled =
            hr_sample_scale(rows[i].objects, rows[i].bytes, dump->sample_interval_bytes);
        dump->live_bytes += scaled.bytes;
        dump->live_objects += scaled.objects;
        dump->header_bytes += rows[i].bytes;
        dump->header_objects += rows[i].objects;
        hr_sample_sum_add(&sum, &scaled, rows[i].objects);
    }
    dump->live_variance = hr_sample_sum_variance(&sum);
    dump->rows = rows;
}

struct hr_dump *test_world_dump_rows(struct test_world *world, double taken_at_s,
                                     uint64_t interval_bytes, const struct hr_row *rows,
                                     size_t rows_count)
{
    const guint index = world->dumps->len;
    struct hr_dump dump = {
        .file = hr_arena_printf(world->run->arena, "app.1.%u.i%u.heap", index, index),
        .kind = HR_DUMP_INTERVAL,
        .sequence = index,
        .taken_at_s = taken_at_s,
        .used = true,
        .sample_interval_bytes = interval_bytes,
        .kept_ratio = 1,
        .rows_count = (uint32_t)rows_count,
    };
    sum_rows(&dump, rows);
    g_array_append_val(world->dumps, dump);
    return &g_array_index(world->dumps, struct hr_dump, index);
}

struct hr_dump *test_world_dump(struct test_world *world, double taken_at_s,
                                uint64_t interval_bytes, const struct test_row *rows,
                                size_t rows_count)
{
    struct hr_row *copies = HR_ARENA_ARRAY(world->run->arena, struct hr_row, rows_count);
    for (size_t i = 0; i < rows_count; i++) {
        copies[i] = (struct hr_row){
            .stack = rows[i].stack, .objects = rows[i].objects, .bytes = rows[i].bytes};
    }
    if (rows_count > 0) {
        qsort(copies, rows_count, sizeof *copies, by_stack);
    }
    return test_world_dump_rows(world, taken_at_s, interval_bytes, copies, rows_count);
}

struct hr_run *test_world_run(struct test_world *world)
{
    world->run->dumps = (struct hr_dump *)(void *)world->dumps->data;
    world->run->dumps_count = world->dumps->len;
    return world->run;
}

const struct hr_symbols *test_world_symbols(struct test_world *world)
{
    struct hr_arena *arena = world->run->arena;
    const uint32_t count = hr_stacks_location_count(world->run->stacks);
    struct hr_symbols *symbols = HR_ARENA_NEW(arena, struct hr_symbols);
    struct hr_location *locations = HR_ARENA_ARRAY(arena, struct hr_location, count);
    struct hr_frame *frames = HR_ARENA_ARRAY(arena, struct hr_frame, count);
    for (uint32_t l = 0; l < count; l++) {
        const uint64_t address = hr_stacks_location_address(world->run->stacks, l);
        const guint index = (guint)(address - FIRST_ADDRESS);
        frames[l] = g_array_index(world->frames, struct hr_frame, index);
        locations[l] =
            (struct hr_location){l, 1, g_array_index(world->module_of, uint32_t, index), address};
    }
    *symbols = (struct hr_symbols){
        .frames = frames,
        .frames_count = count,
        .locations = locations,
        .locations_count = count,
        .modules = (const struct hr_module *)(const void *)world->modules->data,
        .modules_count = world->modules->len,
        .binary_match_ratio = NAN,
    };
    return symbols;
}

const struct hr_rules *test_world_rules(struct test_world *world)
{
    return &world->rules;
}
