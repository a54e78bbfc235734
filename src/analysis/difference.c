// SPDX-License-Identifier: MIT
#include "analysis/difference.h"

#define SIGMAS_OF_95_PERCENT 1.96

void hr_side_add_row(struct hr_side *side, const struct hr_row *row, uint64_t interval_bytes)
{
    const struct hr_scaled scaled = hr_sample_scale(row->objects, row->bytes, interval_bytes);
    side->bytes += scaled.bytes;
    side->objects += scaled.objects;
    side->samples += (double)row->objects;
    hr_sample_sum_add(&side->error, &scaled, row->objects);
}

void hr_side_add(struct hr_side *sum, const struct hr_side *side)
{
    sum->bytes += side->bytes;
    sum->objects += side->objects;
    sum->samples += side->samples;
    sum->error.variance += side->error.variance;
    sum->error.largest = fmax(sum->error.largest, side->error.largest);
}

// By the objects' pooled size, which is that of the stack where it has one. Method 2.
static void set_chances(struct hr_change *change, uint64_t base_interval, uint64_t final_interval)
{
    const double objects = change->base.objects + change->final.objects;
    if (objects <= 0) {
        return;
    }
    const double size = (change->base.bytes + change->final.bytes) / objects;
    change->base_chance = objects * hr_sample_probability(size, base_interval);
    change->final_chance = objects * hr_sample_probability(size, final_interval);
}

static void add_change(struct hr_change *sum, const struct hr_change *change)
{
    sum->cumulative = change->cumulative;
    hr_side_add(&sum->base, &change->base);
    hr_side_add(&sum->final, &change->final);
    sum->base_chance += change->base_chance;
    sum->final_chance += change->final_chance;
}

struct hr_difference hr_difference_compute(struct hr_arena *arena, const struct hr_run *run,
                                           const struct hr_groups *groups, size_t base,
                                           size_t final)
{
    const uint32_t stacks_count = hr_stacks_count(run->stacks);
    struct hr_change *stacks = HR_ARENA_ARRAY(arena, struct hr_change, stacks_count);
    struct hr_change *by_group = HR_ARENA_ARRAY(arena, struct hr_change, groups->count);
    const struct hr_dump *from = &run->dumps[base];
    const struct hr_dump *to = &run->dumps[final];
    for (uint32_t i = 0; from->rows && i < from->rows_count; i++) {
        hr_side_add_row(&stacks[from->rows[i].stack].base, &from->rows[i],
                        from->sample_interval_bytes);
    }
    for (uint32_t i = 0; to->rows && i < to->rows_count; i++) {
        hr_side_add_row(&stacks[to->rows[i].stack].final, &to->rows[i], to->sample_interval_bytes);
    }
    struct hr_difference difference = {.stacks = stacks, .groups = by_group};
    const bool cumulative = hr_run_is_cumulative(run);
    for (uint32_t s = 0; s < stacks_count; s++) {
        stacks[s].cumulative = cumulative;
        set_chances(&stacks[s], from->sample_interval_bytes, to->sample_interval_bytes);
        add_change(&by_group[groups->of_stack[s]], &stacks[s]);
    }
    for (size_t g = 0; g < groups->count; g++) {
        add_change(&difference.total, &by_group[g]);
    }
    return difference;
}

double hr_change_final_share(const struct hr_change *change)
{
    const double both = change->base_chance + change->final_chance;
    return both > 0 ? change->final_chance / both : 0.5;
}

double hr_change_growth_bytes(const struct hr_change *change)
{
    return change->final.bytes - change->base.bytes;
}

static double side_variance(const struct hr_side *side, const struct hr_side *other)
{
    struct hr_sample_sum error = side->error;
    if (side->samples == 0) {
        error.largest = other->error.largest;
    }
    return hr_sample_sum_variance(&error);
}

static struct hr_estimate estimate(double value, double variance, double floor)
{
    const double reach = SIGMAS_OF_95_PERCENT * sqrt(variance);
    return (struct hr_estimate){value, fmax(value - reach, floor), value + reach};
}

struct hr_estimate hr_change_base(const struct hr_change *change, double extra_sigma_bytes)
{
    const double variance = side_variance(&change->base, &change->final);
    return estimate(change->base.bytes, fmax(variance, extra_sigma_bytes * extra_sigma_bytes), 0);
}

struct hr_estimate hr_change_final(const struct hr_change *change, double extra_sigma_bytes)
{
    const double variance = side_variance(&change->final, &change->base);
    return estimate(change->final.bytes, fmax(variance, extra_sigma_bytes * extra_sigma_bytes), 0);
}

struct hr_estimate hr_change_growth(const struct hr_change *change, double extra_sigma_bytes)
{
    const double extra = extra_sigma_bytes * extra_sigma_bytes;
    if (change->cumulative) {
        // Only the samples between the two dumps are uncertain; those of base stand in both.
        const struct hr_sample_sum between = {
            fmax(change->final.error.variance - change->base.error.variance, 0),
            change->final.error.largest};
        return estimate(hr_change_growth_bytes(change),
                        fmax(hr_sample_sum_variance(&between), extra), -INFINITY);
    }
    const double variance = fmax(side_variance(&change->base, &change->final), extra) +
                            fmax(side_variance(&change->final, &change->base), extra);
    return estimate(hr_change_growth_bytes(change), variance, -INFINITY);
}
