// SPDX-License-Identifier: MIT
//
// The size classes in what malloc_stats_print() writes with opts "J":
//   {"jemalloc":{"arenas":{"bin":[{"size":8,"nregs":512,...},...],...},
//                "stats.arenas":{"merged":{"bins":[{"curregs":300,"curslabs":8,...},...],...}}}}
//
#include "ingest/evidence.h"

#include <jansson.h>

// jemalloc has some forty.
#define BINS_MAX 256

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static bool take_bin(const json_t *described, const json_t *counted, struct hr_bin *bin)
{
    bin->size_bytes = number(described, "size");
    bin->used_count = number(counted, "curregs");
    bin->slots_count = number(counted, "curslabs") * number(described, "nregs");
    return bin->size_bytes > 0 && bin->used_count >= 0 && bin->slots_count >= bin->used_count;
}

void hr_bins_read(const json_t *tree, double time_s, struct hr_evidence_sink *sink)
{
    const json_t *jemalloc = json_object_get(tree, "jemalloc");
    const json_t *described = json_object_get(json_object_get(jemalloc, "arenas"), "bin");
    const json_t *merged = json_object_get(json_object_get(jemalloc, "stats.arenas"), "merged");
    const json_t *counted = json_object_get(merged, "bins");
    const size_t count = json_array_size(described);
    const bool other_pid = sink->pid >= 0 && sink->wanted_pid >= 0 && sink->pid != sink->wanted_pid;
    const bool older = sink->bins->len > 0 && time_s < sink->bins_time_s;
    if (count == 0 || count > BINS_MAX || count != json_array_size(counted) || other_pid || older) {
        return;
    }
    g_array_set_size(sink->bins, 0);
    sink->bins_time_s = time_s;
    double before_bytes = 0;
    for (size_t i = 0; i < count; i++) {
        struct hr_bin bin;
        if (!take_bin(json_array_get(described, i), json_array_get(counted, i), &bin) ||
            bin.size_bytes <= before_bytes) {
            g_array_set_size(sink->bins, 0); // classes that make no sense are no classes
            return;
        }
        before_bytes = bin.size_bytes;
        g_array_append_val(sink->bins, bin);
    }
}
