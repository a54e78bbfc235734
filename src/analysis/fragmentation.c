// SPDX-License-Identifier: MIT
#include "analysis/fragmentation.h"

#include "model/sample.h"

#include <glib.h>

// Who holds less than this of a class is counted with the others.
#define OWNER_MIN_RATIO 0.1
// Owners of one class that are listed, at most; then the others.
#define OWNERS_MAX 9

struct owners {
    double
        *bytes; // [suspects_count + 1] live bytes in one class; the last are nobody's in the list
    double all_bytes;
};

// The mean of printed numbers is a little off; classes are further apart.
#define SIZE_MARGIN 1.01

static size_t find_bin(const struct hr_evidence *evidence, double object_size)
{
    size_t bin = 0;
    while (bin < evidence->bins_count &&
           evidence->bins[bin].size_bytes * SIZE_MARGIN < object_size) {
        bin++;
    }
    return bin;
}

static void add_owners(const struct hr_run *run, const struct hr_groups *groups,
                       const int32_t *suspect_of_group, const struct hr_findings *findings,
                       size_t bin, struct owners *owners)
{
    const struct hr_dump *final = &run->dumps[findings->choice->final];
    for (uint32_t i = 0; final->rows && i < final->rows_count; i++) {
        const struct hr_row *row = &final->rows[i];
        const struct hr_scaled scaled =
            hr_sample_scale(row->objects, row->bytes, final->sample_interval_bytes);
        if (row->objects == 0 || find_bin(&run->evidence, scaled.object_size) != bin) {
            continue;
        }
        const int32_t suspect = suspect_of_group[groups->of_stack[row->stack]];
        owners->bytes[suspect < 0 ? (int32_t)findings->suspects_count : suspect] += scaled.bytes;
        owners->all_bytes += scaled.bytes;
    }
}

// One fragment for each owner of a good part, and one for all others. In order of suspects.
static void add_fragments(const struct hr_bin *bin, const struct owners *owners,
                          size_t suspects_count, GArray *fragments)
{
    struct hr_fragment fragment = {.suspect = -1,
                                   .size_class_bytes = bin->size_bytes,
                                   .utilisation_ratio = bin->used_count / bin->slots_count};
    const double waste_bytes = (bin->slots_count - bin->used_count) * bin->size_bytes;
    double left_bytes = waste_bytes;
    size_t listed = 0;
    for (size_t i = 0; i < suspects_count && listed < OWNERS_MAX; i++) {
        const double ratio = owners->bytes[i] / owners->all_bytes; // NAN where nobody is known
        if (ratio >= OWNER_MIN_RATIO) {
            fragment.suspect = (int32_t)i;
            fragment.waste_bytes = waste_bytes * ratio;
            left_bytes -= fragment.waste_bytes;
            g_array_append_val(fragments, fragment);
            listed++;
        }
    }
    if (listed == 0 || left_bytes >= OWNER_MIN_RATIO * waste_bytes) {
        fragment.suspect = -1;
        fragment.waste_bytes = left_bytes;
        g_array_append_val(fragments, fragment);
    }
}

static int compare_fragments(const void *left, const void *right)
{
    const struct hr_fragment *a = left;
    const struct hr_fragment *b = right;
    if (a->waste_bytes != b->waste_bytes) {
        return a->waste_bytes > b->waste_bytes ? -1 : 1;
    }
    if (a->size_class_bytes != b->size_class_bytes) {
        return a->size_class_bytes > b->size_class_bytes ? -1 : 1;
    }
    return (a->suspect > b->suspect) - (a->suspect < b->suspect);
}

void hr_fragmentation_compute(struct hr_arena *arena, const struct hr_run *run,
                              const struct hr_rules *rules, const struct hr_groups *groups,
                              const int32_t *suspect_of_group, struct hr_findings *findings)
{
    const struct hr_evidence *evidence = &run->evidence;
    g_autoptr(GArray) fragments = g_array_new(FALSE, FALSE, sizeof(struct hr_fragment));
    for (size_t i = 0; i < evidence->bins_count; i++) {
        const struct hr_bin *bin = &evidence->bins[i];
        const double waste_bytes = (bin->slots_count - bin->used_count) * bin->size_bytes;
        if (waste_bytes < rules->thresholds[HR_THRESHOLD_floor_bytes] ||
            bin->used_count / bin->slots_count >= rules->thresholds[HR_THRESHOLD_poor_use_ratio]) {
            continue;
        }
        g_autofree double *bytes = g_new0(double, findings->suspects_count + 1);
        struct owners owners = {bytes, 0};
        add_owners(run, groups, suspect_of_group, findings, i, &owners);
        add_fragments(bin, &owners, findings->suspects_count, fragments);
    }
    g_array_sort(fragments, compare_fragments);
    findings->fragments =
        hr_arena_copy(arena, fragments->data, fragments->len, sizeof(struct hr_fragment));
    findings->fragments_count = fragments->len;
}
