// SPDX-License-Identifier: MIT
#include "truth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SHORT_LIFETIME 0.01
#define HEAVY_EXPONENT 1.5
#define FOREVER 1e9
#define SAWTOOTH_PERIODS 4.5
// Objects of lifetimes that have no bound are followed from so many windows ago.
#define PAST_WINDOWS 5.0

// What one size class of one site has live, and has ever had born, at each dump.
struct counts {
    const double *places; // of the dumps, 0 to 1
    size_t dumps;
    int64_t *live_change; // [dumps + 1]
    int64_t *born_change;
};

static size_t first_dump_at(const struct counts *counts, double place)
{
    size_t low = 0;
    size_t high = counts->dumps;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (counts->places[middle] < place) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void add_object(struct counts *counts, double born, double died)
{
    const size_t first = first_dump_at(counts, born);
    counts->live_change[first]++;
    counts->born_change[first]++;
    counts->live_change[first_dump_at(counts, died)]--;
}

static double draw_lifetime(struct random_source *source, enum truth_life life, double mean)
{
    if (life == LIFE_FIXED) {
        return mean;
    }
    if (life == LIFE_HEAVY) {
        const double scale = mean * (HEAVY_EXPONENT - 1) / HEAVY_EXPONENT;
        return scale * pow(random_uniform(source), -1 / HEAVY_EXPONENT);
    }
    return random_exponential(source, mean);
}

// Churn of `mean` live objects: births since long ago, so that the window starts in steady state.
static void add_churn(struct random_source *source, struct counts *counts, double mean,
                      double lifetime, enum truth_life life, double batch)
{
    const double past = life == LIFE_FIXED   ? lifetime
                        : life == LIFE_HEAVY ? PAST_WINDOWS
                                             : 12 * lifetime;
    const double pause = lifetime / mean * batch;
    for (double born = -past + random_exponential(source, pause); born < 1;
         born += random_exponential(source, pause)) {
        // geometric group sizes
        do {
            const double died = born + draw_lifetime(source, life, lifetime);
            if (died > 0) {
                add_object(counts, born, died);
            }
        } while (random_uniform(source) > 1 / batch);
    }
}

static void add_shape(struct random_source *source, struct counts *counts,
                      const struct truth_site *site, double objects)
{
    const double moment = site->moment;
    const uint64_t count = random_poisson(source, objects);
    for (uint64_t i = 0; i < count; i++) {
        const double draw = random_uniform(source);
        switch (site->shape) {
        case TRUTH_LEAK:
            add_object(counts, draw, FOREVER);
            break;
        case TRUTH_STEP:
            add_object(counts, moment, FOREVER);
            break;
        case TRUTH_WARMUP:
            add_object(counts, -moment * log(draw), FOREVER);
            break;
        case TRUTH_CACHE: // filled after `moment`; an entry lives as long as filling takes
            for (double born = draw * moment; born < 1; born += moment) {
                add_object(counts, born, born + moment);
            }
            break;
        case TRUTH_SAWTOOTH:
            for (double start = 0; start < 1; start += 1 / SAWTOOTH_PERIODS) {
                add_object(counts, start + draw / SAWTOOTH_PERIODS, start + 1 / SAWTOOTH_PERIODS);
            }
            break;
        case TRUTH_BURST:
            add_object(counts, moment, moment + 0.15);
            break;
        default:
            break;
        }
    }
}

double truth_live_bytes(const struct truth_site *site, double place)
{
    const double growth = site->growth_bytes;
    switch (site->shape) {
    case TRUTH_LEAK:
        return site->mean_bytes + growth * place;
    case TRUTH_STEP:
        return site->mean_bytes + (place >= site->moment ? growth : 0);
    case TRUTH_WARMUP:
        return site->mean_bytes + growth * -expm1(-place / site->moment);
    case TRUTH_CACHE:
        return site->mean_bytes + growth * fmin(place / site->moment, 1);
    case TRUTH_SAWTOOTH:
        return site->mean_bytes + growth * fmod(place * SAWTOOTH_PERIODS, 1);
    case TRUTH_BURST:
        return site->mean_bytes +
               (place >= site->moment && place < site->moment + 0.15 ? growth : 0);
    default:
        return site->mean_bytes;
    }
}

static double probability_of(double size_bytes, uint64_t interval_bytes)
{
    return interval_bytes <= 1 ? 1 : -expm1(-size_bytes / (double)interval_bytes);
}

// Sampled objects of one size class of a site.
static void count_class(struct random_source *source, const struct truth_site *site,
                        double size_bytes, double share, uint64_t interval_bytes,
                        struct counts *counts)
{
    memset(counts->live_change, 0, (counts->dumps + 1) * sizeof *counts->live_change);
    memset(counts->born_change, 0, (counts->dumps + 1) * sizeof *counts->born_change);
    const double per_byte = probability_of(size_bytes, interval_bytes) / size_bytes * share;
    const double mean = site->mean_bytes * per_byte;
    if (mean > 0 && site->life == LIFE_MIXTURE) {
        add_churn(source, counts, mean / 2, SHORT_LIFETIME, LIFE_EXPONENTIAL, site->batch);
        add_churn(source, counts, mean / 2, site->lifetime, LIFE_EXPONENTIAL, site->batch);
    } else if (mean > 0) {
        add_churn(source, counts, mean, site->lifetime, site->life, site->batch);
    }
    if (site->growth_bytes > 0) {
        add_shape(source, counts, site, site->growth_bytes * per_byte);
    }
}

// Estimated objects and bytes behind the samples of all size classes so far, at each dump.
struct unbiased {
    double *objects;
    double *bytes;
    double *born_objects;
    double *born_bytes;
};

static void add_class(const struct counts *counts, double size_bytes, uint64_t interval_bytes,
                      const struct unbiased *sums)
{
    const double probability = probability_of(size_bytes, interval_bytes);
    int64_t live = 0;
    int64_t born = 0;
    for (size_t d = 0; d < counts->dumps; d++) {
        live += counts->live_change[d];
        born += counts->born_change[d];
        sums->objects[d] += (double)live / probability;
        sums->bytes[d] += (double)live / probability * size_bytes;
        sums->born_objects[d] += (double)born / probability;
        sums->born_bytes[d] += (double)born / probability * size_bytes;
    }
}

// Counts as jemalloc 5.3 prints them: bent so that the one formula with the mean size gives the
// unbiased sums back (its prof_data.c).
static void bend(double objects, double bytes, uint64_t interval_bytes, uint64_t *out_objects,
                 uint64_t *out_bytes)
{
    if (objects <= 0) {
        *out_objects = 0;
        *out_bytes = 0;
        return;
    }
    const double probability = probability_of(bytes / objects, interval_bytes);
    *out_objects = (uint64_t)round(objects * probability);
    *out_bytes = (uint64_t)round(bytes * probability);
}

static double *make_places(struct random_source *source, const struct truth_run *truth)
{
    double *places = g_new(double, truth->dumps_count);
    const double count = (double)truth->dumps_count;
    double at = 0;
    for (size_t d = 0; d < truth->dumps_count; d++) {
        places[d] = at;
        // crowded: nine of ten dumps come in quick succession
        const bool quick = truth->times == TIMES_CROWDED && d % 10 != 9;
        at += truth->times == TIMES_EVEN ? 1 / count : random_exponential(source, quick ? 0.1 : 1);
    }
    const double last = places[truth->dumps_count - 1];
    for (size_t d = 0; d < truth->dumps_count; d++) {
        places[d] /= last;
    }
    return places;
}

static void simulate_site(struct random_source *source, const struct truth_run *truth, size_t index,
                          struct counts *counts, uint32_t stack, struct hr_row **rows)
{
    const struct truth_site *site = &truth->sites[index];
    const size_t dumps = truth->dumps_count;
    g_autofree double *sums = g_new0(double, 4 * dumps);
    const struct unbiased unbiased = {sums, sums + dumps, sums + 2 * dumps, sums + 3 * dumps};
    const double share = site->large_bytes > 0 ? 0.5 : 1;
    count_class(source, site, site->size_bytes, share, truth->interval_bytes, counts);
    add_class(counts, site->size_bytes, truth->interval_bytes, &unbiased);
    if (site->large_bytes > 0) {
        count_class(source, site, site->large_bytes, share, truth->interval_bytes, counts);
        add_class(counts, site->large_bytes, truth->interval_bytes, &unbiased);
    }
    for (size_t d = 0; d < dumps; d++) {
        struct hr_row *row = &rows[d][index];
        row->stack = stack;
        bend(unbiased.objects[d], unbiased.bytes[d], truth->interval_bytes, &row->objects,
             &row->bytes);
        if (truth->accumulates) {
            bend(unbiased.born_objects[d], unbiased.born_bytes[d], truth->interval_bytes,
                 &row->accum_objects, &row->accum_bytes);
        }
    }
}

void truth_write(struct random_source *source, const struct truth_run *truth,
                 struct test_world *world)
{
    const size_t dumps = truth->dumps_count;
    struct hr_run *run = test_world_run(world);
    g_autofree double *places = make_places(source, truth);
    g_autofree struct hr_row **rows = g_new(struct hr_row *, dumps);
    for (size_t d = 0; d < dumps; d++) {
        rows[d] = HR_ARENA_ARRAY(run->arena, struct hr_row, truth->sites_count);
    }
    g_autofree int64_t *changes = g_new(int64_t, 2 * (dumps + 1));
    struct counts counts = {places, dumps, changes, changes + dumps + 1};
    for (size_t i = 0; i < truth->sites_count; i++) {
        g_autofree char *stack = g_strdup_printf("malloc<site_%zu<main", i);
        simulate_site(source, truth, i, &counts, test_world_stack(world, stack), rows);
    }
    for (size_t d = 0; d < dumps; d++) {
        size_t kept = 0;
        for (size_t i = 0; i < truth->sites_count; i++) {
            if (rows[d][i].objects > 0 || rows[d][i].accum_objects > 0) {
                rows[d][kept++] = rows[d][i];
            }
        }
        test_world_dump_rows(world, 1e9 + places[d] * truth->window_s, truth->interval_bytes,
                             rows[d], kept);
    }
    test_world_run(world)->accumulates = truth->accumulates;
}
