// SPDX-License-Identifier: MIT
#include "symbolize/layout.h"

#include <string.h>

#define DELETED_SUFFIX " (deleted)"

// Map names that begin with a slash and are no files.
static const char *const no_files[] = {"/dev/", "/memfd:", "/proc/",        "/sys/",
                                       "/SYSV", "//anon",  "/anon_hugepage"};

// Returns the path a map line names, or NULL for "[vdso]", "memfd:", "//anon" and their kind.
static const char *find_file_path(const char *path, struct hr_strings *strings)
{
    if (path[0] != '/') {
        return NULL;
    }
    for (size_t i = 0; i < G_N_ELEMENTS(no_files); i++) {
        if (g_str_has_prefix(path, no_files[i])) {
            return NULL;
        }
    }
    if (!g_str_has_suffix(path, DELETED_SUFFIX)) {
        return path;
    }
    return hr_strings_intern_n(strings, path, strlen(path) - strlen(DELETED_SUFFIX));
}

static void free_module(gpointer pointer)
{
    struct hr_layout_module *module = pointer;
    g_ptr_array_unref(module->lines);
    g_array_unref(module->locations);
    g_free(module);
}

// Returns for each mapping the index of its module, HR_NO_MODULE for anonymous lines.
static uint32_t *collect_modules(struct hr_layout *layout, const struct hr_run *run)
{
    uint32_t *module_of = g_new(uint32_t, run->mappings_count + 1);
    g_autoptr(GHashTable) by_path = g_hash_table_new(g_str_hash, g_str_equal);
    for (size_t i = 0; i < run->mappings_count; i++) {
        const struct hr_mapping *line = &run->mappings[i];
        module_of[i] = HR_NO_MODULE;
        if (!*line->path) {
            continue;
        }
        gpointer known = NULL;
        if (!g_hash_table_lookup_extended(by_path, line->path, NULL, &known)) {
            struct hr_layout_module *module = g_new0(struct hr_layout_module, 1);
            module->path = line->path;
            module->file_path = find_file_path(line->path, run->strings);
            module->lines = g_ptr_array_new();
            module->locations = g_array_new(FALSE, FALSE, sizeof(uint32_t));
            known = GUINT_TO_POINTER(layout->modules->len);
            g_ptr_array_add(layout->modules, module);
            g_hash_table_insert(by_path, (gpointer)(uintptr_t)line->path, known);
        }
        module_of[i] = GPOINTER_TO_UINT(known);
        if (!hr_layout_get(layout, module_of[i])->build_id) {
            hr_layout_get(layout, module_of[i])->build_id = line->build_id;
        }
        g_ptr_array_add(hr_layout_get(layout, module_of[i])->lines, (gpointer)(uintptr_t)line);
    }
    return module_of;
}

// Huge pages that took the place of text are anonymous, or named after where they came from.
static bool is_anonymous_code(const struct hr_mapping *line)
{
    return line->executable &&
           (!*line->path || g_str_has_prefix(line->path, "/anon_hugepage") ||
            g_str_has_prefix(line->path, "//anon") || g_str_has_prefix(line->path, "[anon"));
}

// The nearest line of a file before (step -1) or behind (step 1) the anonymous line at `index`,
// with nothing but anonymous code between them. Returns run->mappings_count when there is none.
static size_t find_neighbour(const struct hr_run *run, size_t index, int step)
{
    size_t at = index;
    for (;;) {
        const size_t next = at + (size_t)step;
        if (next >= run->mappings_count) {
            return run->mappings_count;
        }
        const struct hr_mapping *low = &run->mappings[step > 0 ? at : next];
        const struct hr_mapping *high = &run->mappings[step > 0 ? next : at];
        if (low->end != high->start) {
            return run->mappings_count;
        }
        at = next;
        if (!is_anonymous_code(&run->mappings[at])) {
            return run->mappings[at].path[0] == '/' ? at : run->mappings_count;
        }
    }
}

// For anonymous code: the line of the file that it was moved out of. Both neighbours must be of the
// same file if both are files.
static size_t infer_line(const struct hr_run *run, size_t index)
{
    if (!is_anonymous_code(&run->mappings[index])) {
        return run->mappings_count;
    }
    const size_t before = find_neighbour(run, index, -1);
    const size_t behind = find_neighbour(run, index, 1);
    if (before == run->mappings_count || behind == run->mappings_count) {
        return before == run->mappings_count ? behind : before;
    }
    const bool same = strcmp(run->mappings[before].path, run->mappings[behind].path) == 0;
    return same ? before : run->mappings_count;
}

static void mark_remapped(struct hr_layout *layout, const struct hr_run *run,
                          const uint32_t *module_of)
{
    for (size_t i = 0; i < run->mappings_count; i++) {
        const size_t line = infer_line(run, i);
        if (line < run->mappings_count) {
            hr_layout_get(layout, module_of[line])->remapped = true;
        }
    }
}

// The line whose module an address on `line` belongs to, run->mappings_count for none.
static size_t choose_line(const struct hr_run *run, const struct hr_mapping *line, bool *inferred)
{
    const size_t index = (size_t)(line - run->mappings);
    const size_t moved_from = infer_line(run, index);
    *inferred = moved_from < run->mappings_count;
    if (*inferred) {
        return moved_from;
    }
    return *line->path ? index : run->mappings_count;
}

static void place_locations(struct hr_layout *layout, const struct hr_run *run,
                            const uint32_t *module_of)
{
    for (uint32_t i = 0; i < layout->places_count; i++) {
        struct hr_layout_place *place = &layout->places[i];
        *place = (struct hr_layout_place){.module = HR_NO_MODULE};
        const struct hr_mapping *line =
            hr_run_find_mapping(run, hr_stacks_location_address(run->stacks, i));
        if (!line) {
            continue;
        }
        const size_t index = choose_line(run, line, &place->inferred);
        if (index == run->mappings_count) {
            continue;
        }
        place->module = module_of[index];
        place->line = &run->mappings[index];
        g_array_append_val(hr_layout_get(layout, place->module)->locations, i);
    }
}

struct hr_layout *hr_layout_new(const struct hr_run *run)
{
    struct hr_layout *layout = g_new0(struct hr_layout, 1);
    layout->modules = g_ptr_array_new_with_free_func(free_module);
    layout->places_count = hr_stacks_location_count(run->stacks);
    layout->places = g_new0(struct hr_layout_place, layout->places_count + 1);
    g_autofree uint32_t *module_of = collect_modules(layout, run);
    mark_remapped(layout, run, module_of);
    place_locations(layout, run, module_of);
    return layout;
}

void hr_layout_free(struct hr_layout *layout)
{
    if (layout) {
        g_ptr_array_unref(layout->modules);
        g_free(layout->places);
        g_free(layout);
    }
}
