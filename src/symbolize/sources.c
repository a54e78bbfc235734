// SPDX-License-Identifier: MIT
#include "symbolize/sources.h"

#include <inttypes.h>

static gint compare_vaddrs(gconstpointer a, gconstpointer b)
{
    const uint64_t x = *(const uint64_t *)a;
    const uint64_t y = *(const uint64_t *)b;
    return x < y ? -1 : x > y;
}

// Sorted unique lookup addresses: inside the call, not behind it.
static GArray *collect_vaddrs(const struct hr_fit *fit)
{
    GArray *vaddrs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (uint32_t i = 0; i < fit->count; i++) {
        if (fit->addresses[i].limit != HR_TRUST_NONE) {
            const uint64_t vaddr = fit->addresses[i].vaddr - 1;
            g_array_append_val(vaddrs, vaddr);
        }
    }
    g_array_sort(vaddrs, compare_vaddrs);
    guint kept = 0;
    uint64_t *all = (uint64_t *)(void *)vaddrs->data;
    for (guint i = 0; i < vaddrs->len; i++) {
        if (kept == 0 || all[kept - 1] != all[i]) {
            all[kept++] = all[i];
        }
    }
    g_array_set_size(vaddrs, kept);
    return vaddrs;
}

void hr_sources_open(struct hr_sources *sources, const struct hr_object *object,
                     const struct hr_fit *fit, const struct hr_debug_search *search, unsigned jobs)
{
    sources->confirmed = fit->match == HR_BINARY_CONFIRMED;
    sources->vaddrs = collect_vaddrs(fit);
    sources->debug = hr_debug_new(object, search);
    sources->lookup =
        hr_lookup_new((const uint64_t *)(void *)sources->vaddrs->data, sources->vaddrs->len);
    sources->lookup->jobs = jobs;
    hr_debug_read(sources->debug, sources->lookup);
    sources->names = g_hash_table_new_full(NULL, NULL, NULL, g_free);
    sources->files = g_hash_table_new(NULL, NULL);
}

void hr_sources_close(struct hr_sources *sources)
{
    g_hash_table_destroy(sources->names);
    g_hash_table_destroy(sources->files);
    hr_lookup_free(sources->lookup);
    hr_debug_free(sources->debug);
    g_array_unref(sources->vaddrs);
}

static void add_count(struct hr_diagnostics *diagnostics, enum hr_diagnostic_code code,
                      const char *path, const char *key, uint64_t count)
{
    if (count > 0) {
        g_autofree char *text = g_strdup_printf("%" PRIu64, count);
        hr_diagnostics_add(diagnostics, code, path, key, text, NULL);
    }
}

// One note of each kind for a module.
static void describe_broken(const struct hr_lookup *lookup, const char *path,
                            struct hr_diagnostics *diagnostics)
{
    add_count(diagnostics, HR_DIAG_DEBUG_UNITS_BROKEN, path, "units_count", lookup->broken_units);
    add_count(diagnostics, HR_DIAG_DEBUG_LINES_BROKEN, path, "units_count", lookup->broken_lines);
    add_count(diagnostics, HR_DIAG_DEBUG_UNITS_UNREACHED, path, "unreached_bytes",
              lookup->unreached_bytes);
}

void hr_sources_describe(const struct hr_sources *sources, struct hr_module *module,
                         struct hr_strings *strings, struct hr_diagnostics *diagnostics)
{
    const struct hr_debug *debug = sources->debug;
    const char *path = hr_debug_get_path(debug);
    module->debug_file = path ? hr_strings_intern(strings, path) : NULL;
    if (hr_object_is_cut(debug->object)) {
        module->problem = hr_phrase_new("module-cut");
        hr_diagnostics_add(diagnostics, HR_DIAG_OBJECT_CUT, debug->object->path, NULL);
    } else if (!path) {
        module->problem = hr_phrase_new("module-no-symbols");
        if (module->is_binary) {
            hr_diagnostics_add(diagnostics, HR_DIAG_BINARY_STRIPPED, debug->object->path, NULL);
        }
    } else if (debug->unreadable) {
        module->problem = hr_phrase_new("module-compressed");
    } else if (!debug->has_dwarf) {
        module->problem = hr_phrase_new("module-symbols-only");
    } else if (debug->common_missing) {
        module->problem = hr_phrase_new("module-common-missing");
    }
    describe_broken(sources->lookup, path, diagnostics);
}
