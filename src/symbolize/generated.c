// SPDX-License-Identifier: MIT
#include "symbolize/generated.h"

#include <inttypes.h>
#include <string.h>

// A location in generated code; looked up inside the call, like all others.
struct asked {
    uint64_t address;
    uint32_t location;
};

// Files and the kernel's own pages ([vdso], [vsyscall]) name their code themselves.
static bool is_generated(const struct hr_run *run, const struct hr_layout *layout,
                         uint32_t location)
{
    const struct hr_layout_place *place = &layout->places[location];
    const struct hr_mapping *line =
        hr_run_find_mapping(run, hr_stacks_location_address(run->stacks, location));
    if (!line || !line->executable || place->inferred || g_str_has_prefix(line->path, "[v")) {
        return false;
    }
    return place->module == HR_NO_MODULE || !hr_layout_get(layout, place->module)->file_path;
}

static gint compare_addresses(gconstpointer a, gconstpointer b)
{
    const struct asked *x = a;
    const struct asked *y = b;
    return x->address < y->address ? -1 : x->address > y->address;
}

// Of each location in generated code, by address: a run has each address once.
static GArray *collect(const struct hr_run *run, const struct hr_layout *layout)
{
    GArray *asked = g_array_new(FALSE, FALSE, sizeof(struct asked));
    for (uint32_t i = 0; i < layout->places_count; i++) {
        if (is_generated(run, layout, i)) {
            const struct asked one = {hr_stacks_location_address(run->stacks, i) - 1, i};
            g_array_append_val(asked, one);
        }
    }
    g_array_sort(asked, compare_addresses);
    return asked;
}

static uint32_t read_names(struct hr_generated *generated, const struct hr_perf_map *map,
                           struct hr_strings *strings, const GArray *asked)
{
    g_autofree uint64_t *addresses = g_new(uint64_t, asked->len + 1);
    g_autofree struct hr_perf_name *names = g_new0(struct hr_perf_name, asked->len + 1);
    uint32_t named = 0;
    for (guint i = 0; i < asked->len; i++) {
        addresses[i] = g_array_index(asked, struct asked, i).address;
    }
    hr_perf_map_read(map, strings, addresses, asked->len, names);
    for (guint i = 0; i < asked->len; i++) {
        generated->names[g_array_index(asked, struct asked, i).location] = names[i];
        named += names[i].name != NULL;
    }
    return named;
}

static void report(struct hr_diagnostics *diagnostics, const struct hr_run *run,
                   const struct hr_perf_map *map, uint32_t named, uint32_t count)
{
    g_autofree char *named_text = g_strdup_printf("%" PRIu32, named);
    g_autofree char *count_text = g_strdup_printf("%" PRIu32, count);
    g_autofree char *pid = g_strdup_printf("%" PRId64, run->key.pid);
    if (map) {
        hr_diagnostics_add(diagnostics, HR_DIAG_GENERATED_NAMED, map->path, "named_count",
                           named_text, "addresses_count", count_text, NULL);
    } else {
        hr_diagnostics_add(diagnostics, HR_DIAG_GENERATED_UNNAMED, NULL, "addresses_count",
                           count_text, "pid", run->key.pid < 0 ? "PID" : pid, NULL);
    }
}

struct hr_generated *hr_generated_new(const struct hr_run *run, const struct hr_layout *layout,
                                      const struct hr_tree *tree,
                                      struct hr_diagnostics *diagnostics)
{
    struct hr_generated *generated = g_new0(struct hr_generated, 1);
    generated->names = g_new0(struct hr_perf_name, layout->places_count + 1);
    g_autoptr(GArray) asked = collect(run, layout);
    if (asked->len == 0) {
        return generated;
    }
    HR_AUTO(hr_perf_map) map = hr_perf_map_new(run->directory, tree, run->key.pid);
    const uint32_t named = map ? read_names(generated, map, run->strings, asked) : 0;
    report(diagnostics, run, map, named, asked->len);
    return generated;
}

void hr_generated_free(struct hr_generated *generated)
{
    if (generated) {
        g_free(generated->names);
        g_free(generated);
    }
}
