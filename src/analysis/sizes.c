// SPDX-License-Identifier: MIT
#include "analysis/sizes.h"

#include "model/sample.h"

#define BUCKETS 64

static int bucket_of(double size)
{
    const int exponent = size >= 1 ? ilogb(size) : 0;
    return MIN(exponent, BUCKETS - 1);
}

static void add_dump(struct hr_size_bucket *buckets, const struct hr_dump *dump, bool is_final)
{
    for (uint32_t i = 0; dump->rows && i < dump->rows_count; i++) {
        const struct hr_row *row = &dump->rows[i];
        if (row->objects == 0) {
            continue;
        }
        const struct hr_scaled scaled =
            hr_sample_scale(row->objects, row->bytes, dump->sample_interval_bytes);
        struct hr_size_bucket *bucket = &buckets[bucket_of(scaled.object_size)];
        if (is_final) {
            bucket->final_bytes += scaled.bytes;
            bucket->final_objects += scaled.objects;
        } else {
            bucket->base_bytes += scaled.bytes;
        }
    }
}

void hr_sizes_compute(struct hr_arena *arena, const struct hr_run *run,
                      struct hr_findings *findings)
{
    struct hr_size_bucket *buckets = HR_ARENA_ARRAY(arena, struct hr_size_bucket, BUCKETS);
    for (int i = 0; i < BUCKETS; i++) {
        buckets[i].from_bytes = i == 0 ? 0 : ldexp(1, i);
        buckets[i].to_bytes = ldexp(1, i + 1);
    }
    add_dump(buckets, &run->dumps[findings->choice->base], false);
    add_dump(buckets, &run->dumps[findings->choice->final], true);
    int first = 0;
    int end = BUCKETS;
    while (first < end && buckets[first].base_bytes == 0 && buckets[first].final_bytes == 0) {
        first++;
    }
    while (end > first && buckets[end - 1].base_bytes == 0 && buckets[end - 1].final_bytes == 0) {
        end--;
    }
    findings->sizes = buckets + first;
    findings->sizes_count = (size_t)(end - first);
}
