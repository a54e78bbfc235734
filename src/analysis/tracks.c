// SPDX-License-Identifier: MIT
#include "analysis/tracks.h"

#include "analysis/offsets.h"

#include <string.h>

#define SIGMAS_OF_95_PERCENT 1.96
// A stack's sizes are mixed when its mean size moves by more than this share between two dumps ...
#define MIXED_SIZE_CHANGE 1.05
// ... and is more than this share of R; far below R the bent count is the sample count.
#define MIXED_SIZE_OF_INTERVAL 0.125
// A track is mixed when more than this share of its bytes comes from such stacks.
#define MIXED_BYTES_OF_TRACK 0.05

// What all points together say of one stack's sizes, and what one sample of the last mean size
// stands for: sizes rarely change between dumps.
struct stack_sizes {
    double smallest;
    double largest;
    double largest_interval_share; // largest x / R
    double last_bytes;             // of the row seen last, whose mean size is the last one
    double last_objects;
    double last_promoted_bytes; // of one object
    struct hr_scaled last_sample;
};

// True when the row's mean size is that of the row seen last. Products, as the longest loops of the
// analysis ask this and divisions would be most of them.
static inline bool same_size(const struct stack_sizes *sizes, const struct hr_row *row)
{
    return (double)row->bytes * sizes->last_objects == (double)row->objects * sizes->last_bytes;
}

static void note_size(struct stack_sizes *sizes, double size, uint64_t interval_bytes)
{
    if (sizes->smallest == 0 || size < sizes->smallest) {
        sizes->smallest = size;
    }
    if (size > sizes->largest) {
        sizes->largest = size;
    }
    sizes->largest_interval_share =
        fmax(sizes->largest_interval_share, size / fmax((double)interval_bytes, 1));
}

// What is remembered of the last row holds for one R only.
static void forget_last(struct stack_sizes *sizes, uint32_t stacks)
{
    for (uint32_t s = 0; s < stacks; s++) {
        sizes[s].last_bytes = NAN; // equal to nothing
    }
}

static bool same_interval(const struct hr_run *run, const struct hr_choice *choice, size_t point)
{
    return point > 0 && run->dumps[choice->points[point]].sample_interval_bytes ==
                            run->dumps[choice->points[point - 1]].sample_interval_bytes;
}

static bool is_mixed(const struct stack_sizes *sizes)
{
    return sizes->largest > MIXED_SIZE_CHANGE * sizes->smallest &&
           sizes->largest_interval_share > MIXED_SIZE_OF_INTERVAL;
}

static struct hr_track new_track(struct hr_arena *arena, size_t points)
{
    return (struct hr_track){
        .bytes = HR_ARENA_ARRAY(arena, double, points),
        .variance = HR_ARENA_ARRAY(arena, double, points),
        .weights = HR_ARENA_ARRAY(arena, double, points),
        .births = HR_ARENA_ARRAY(arena, double, points),
    };
}

// One row of one point as the tracks see it.
struct sighting {
    struct hr_scaled scaled;
    double objects;
    double births;
    double weight;  // bytes that one sample stands for
    double weights; // sum of its squares over the samples
    double promoted_bytes;
    bool mixed;
};

// What the rows of one point add up to in one track. Kept apart from the track so that the loop
// over rows, the longest of the analysis, writes to few places.
struct point_sums {
    double bytes;
    double births;
    double weights;
    double largest;
    double mixed_bytes;
    double promoted_bytes;
    struct hr_sample_sum error;
};

static inline void add_sighting(struct point_sums *sums, const struct sighting *seen)
{
    sums->bytes += seen->scaled.bytes;
    sums->births += seen->births;
    sums->weights += seen->weights;
    sums->largest = seen->weight > sums->largest ? seen->weight : sums->largest;
    sums->mixed_bytes += seen->mixed ? seen->scaled.bytes : 0;
    sums->promoted_bytes += seen->promoted_bytes;
    hr_sample_sum_add(&sums->error, &seen->scaled, (uint64_t)seen->objects);
}

static void set_point(struct hr_track *track, size_t point, const struct point_sums *sums)
{
    track->bytes[point] = sums->bytes;
    track->births[point] = sums->births;
    track->weights[point] = sums->weights;
    track->variance[point] = hr_sample_sum_variance(&sums->error);
    track->largest = fmax(track->largest, sums->largest);
    track->mixed_bytes += sums->mixed_bytes;
}

static void remember(struct stack_sizes *sizes, const struct hr_row *row, uint64_t interval_bytes)
{
    sizes->last_bytes = (double)row->bytes;
    sizes->last_objects = (double)row->objects;
    const double size = sizes->last_bytes / sizes->last_objects;
    note_size(sizes, size, interval_bytes);
    sizes->last_promoted_bytes = hr_offset_promoted_bytes(size);
    sizes->last_sample = hr_sample_scale(row->objects, row->bytes, interval_bytes);
    sizes->last_sample.bytes /= sizes->last_objects;
    sizes->last_sample.objects /= sizes->last_objects;
}

// The estimate of a row of n samples is n times that of one sample of its mean size.
static struct hr_scaled scale_row(const struct hr_row *row, uint64_t interval_bytes,
                                  struct stack_sizes *sizes)
{
    if (row->objects == 0) {
        return hr_sample_scale(0, row->bytes, interval_bytes);
    }
    if (!same_size(sizes, row)) {
        remember(sizes, row, interval_bytes);
    }
    struct hr_scaled scaled = sizes->last_sample;
    scaled.bytes *= (double)row->objects;
    scaled.objects *= (double)row->objects;
    return scaled;
}

static struct sighting see_row(const struct hr_row *row, uint64_t interval_bytes,
                               struct stack_sizes *sizes, bool mixed, bool cumulative)
{
    struct sighting seen = {
        .scaled = scale_row(row, interval_bytes, sizes),
        .objects = (double)row->objects,
        .births = (double)(cumulative ? row->objects : row->accum_objects),
        .mixed = mixed,
    };
    seen.weight = row->objects > 0 ? sizes->last_sample.bytes : seen.scaled.bytes;
    seen.promoted_bytes = row->objects > 0 ? seen.objects * sizes->last_promoted_bytes : 0;
    if (mixed && sizes->largest > seen.weight) {
        const struct hr_scaled largest =
            hr_sample_scale(1, (uint64_t)sizes->largest, interval_bytes);
        seen.weight = largest.bytes;
    }
    // Of mixed sizes neither count nor size is known, but bytes times the largest weight is the
    // most that the sum of squares can be.
    seen.weights =
        mixed ? seen.weight * seen.scaled.bytes : seen.weight * seen.weight * seen.objects;
    return seen;
}

// Standard deviation around the straight line that fits best.
static double spread_around_line(const double *values, size_t count)
{
    double y_mean = 0;
    for (size_t i = 0; i < count; i++) {
        y_mean += values[i] / (double)count;
    }
    const double x_mean = ((double)count - 1) / 2;
    double xy = 0;
    double xx = 0;
    double yy = 0;
    for (size_t i = 0; i < count; i++) {
        xy += ((double)i - x_mean) * (values[i] - y_mean);
        xx += ((double)i - x_mean) * ((double)i - x_mean);
        yy += (values[i] - y_mean) * (values[i] - y_mean);
    }
    return count > 2 ? sqrt(fmax(yy - xy * xy / xx, 0) / ((double)count - 2)) : 0;
}

// Objects of x bytes add x R / (e^(x/R) - 1) to the variance for each x bytes that they take, which
// is at most R: so much whatever the sizes are.
static double largest_spread(double bytes, uint64_t interval_bytes)
{
    return sqrt(bytes * (double)interval_bytes);
}

// Every allocation was recorded at every point.
static bool is_exact(const struct hr_track *track, size_t points)
{
    for (size_t p = 0; p < points; p++) {
        if (track->variance[p] > 0) {
            return false;
        }
    }
    return true;
}

static void finish_track(struct hr_track *track, size_t points, bool cumulative,
                         uint64_t interval_bytes)
{
    double bytes = 0;
    for (size_t p = 0; p < points; p++) {
        bytes += track->bytes[p];
    }
    track->mixed = track->mixed_bytes > MIXED_BYTES_OF_TRACK * bytes;
    // What was counted has no sampling error, whatever its sizes.
    if (!track->mixed || is_exact(track, points)) {
        return;
    }
    // A count that only rises follows what the program does, in no straight line.
    track->spread_bytes = cumulative ? largest_spread(track->bytes[points - 1], interval_bytes)
                                     : spread_around_line(track->bytes, points);
    for (size_t p = 0; p < points; p++) {
        track->variance[p] = fmax(track->variance[p], track->spread_bytes * track->spread_bytes);
    }
}

static void read_point(const struct hr_dump *dump, size_t point, struct hr_tracks *tracks,
                       struct stack_sizes *sizes, const int *track_of_stack,
                       struct point_sums *sums, size_t chosen_count)
{
    struct point_sums total = {0};
    memset(sums, 0, chosen_count * sizeof *sums);
    const uint64_t interval_bytes = dump->sample_interval_bytes;
    for (uint32_t i = 0; dump->rows && i < dump->rows_count; i++) {
        const struct hr_row *row = &dump->rows[i];
        const struct sighting seen = see_row(row, interval_bytes, &sizes[row->stack],
                                             tracks->mixed_stacks[row->stack], tracks->cumulative);
        add_sighting(&total, &seen);
        const int track = track_of_stack[row->stack];
        if (track >= 0) {
            add_sighting(&sums[track], &seen);
        }
    }
    set_point(&tracks->total, point, &total);
    tracks->promoted_bytes[point] = total.promoted_bytes;
    for (size_t t = 0; t < chosen_count; t++) {
        set_point(&tracks->groups[t], point, &sums[t]);
    }
}

// For each stack the index of its group's track, -1: none.
static int *tracks_of_stacks(struct hr_arena *arena, uint32_t stacks,
                             const struct hr_groups *groups, const size_t *chosen,
                             size_t chosen_count)
{
    g_autofree int *track_of_group = g_new(int, groups->count + 1);
    memset(track_of_group, -1, groups->count * sizeof *track_of_group);
    for (size_t t = 0; t < chosen_count; t++) {
        track_of_group[chosen[t]] = (int)t;
    }
    int *tracks = HR_ARENA_ARRAY(arena, int, stacks);
    for (uint32_t s = 0; s < stacks; s++) {
        tracks[s] = track_of_group[groups->of_stack[s]];
    }
    return tracks;
}

// Reads the rows of all points, with the stacks known so far to be mixed.
static void read_points(const struct hr_run *run, const struct hr_choice *choice,
                        struct hr_tracks *tracks, struct stack_sizes *sizes,
                        const int *track_of_stack, size_t chosen_count)
{
    g_autofree struct point_sums *sums = g_new0(struct point_sums, chosen_count + 1);
    for (size_t p = 0; p < choice->points_count; p++) {
        if (!same_interval(run, choice, p)) {
            forget_last(sizes, hr_stacks_count(run->stacks));
        }
        read_point(&run->dumps[choice->points[p]], p, tracks, sizes, track_of_stack, sums,
                   chosen_count);
    }
}

static bool find_mixed(const struct stack_sizes *sizes, uint32_t stacks, bool *mixed)
{
    bool any = false;
    for (uint32_t s = 0; s < stacks; s++) {
        mixed[s] = is_mixed(&sizes[s]);
        any |= mixed[s];
    }
    return any;
}

static void reset_track(struct hr_track *track)
{
    track->largest = 0;
    track->mixed_bytes = 0;
}

static void finish_tracks(const struct hr_run *run, const struct hr_choice *choice,
                          struct hr_tracks *tracks, size_t chosen_count)
{
    uint64_t interval_bytes = 0;
    for (size_t p = 0; p < choice->points_count; p++) {
        interval_bytes = MAX(interval_bytes, run->dumps[choice->points[p]].sample_interval_bytes);
    }
    finish_track(&tracks->total, choice->points_count, tracks->cumulative, interval_bytes);
    for (size_t t = 0; t < chosen_count; t++) {
        finish_track(&tracks->groups[t], choice->points_count, tracks->cumulative, interval_bytes);
    }
}

struct hr_tracks hr_tracks_compute(struct hr_arena *arena, const struct hr_run *run,
                                   const struct hr_choice *choice, const struct hr_groups *groups,
                                   const size_t *chosen, size_t chosen_count)
{
    const uint32_t stacks = hr_stacks_count(run->stacks);
    struct stack_sizes *sizes = HR_ARENA_ARRAY(arena, struct stack_sizes, stacks);
    bool *mixed = HR_ARENA_ARRAY(arena, bool, stacks);
    struct hr_tracks tracks = {
        .total = new_track(arena, choice->points_count),
        .groups = HR_ARENA_ARRAY(arena, struct hr_track, chosen_count),
        .mixed_stacks = mixed,
        .promoted_bytes = HR_ARENA_ARRAY(arena, double, choice->points_count),
        .points_count = choice->points_count,
        .accumulates = run->accumulates,
        .cumulative = run->metric == HR_METRIC_ALLOCATED_BYTES,
    };
    for (size_t t = 0; t < chosen_count; t++) {
        tracks.groups[t] = new_track(arena, choice->points_count);
    }
    const int *track_of_stack = tracks_of_stacks(arena, stacks, groups, chosen, chosen_count);
    read_points(run, choice, &tracks, sizes, track_of_stack, chosen_count);
    // Which sizes are mixed only all points together tell; in most runs none are.
    if (find_mixed(sizes, stacks, mixed)) {
        reset_track(&tracks.total);
        for (size_t t = 0; t < chosen_count; t++) {
            reset_track(&tracks.groups[t]);
        }
        read_points(run, choice, &tracks, sizes, track_of_stack, chosen_count);
    }
    finish_tracks(run, choice, &tracks, chosen_count);
    return tracks;
}

struct hr_points hr_track_points(struct hr_arena *arena, const struct hr_track *track,
                                 size_t points_count)
{
    double *low = HR_ARENA_ARRAY(arena, double, points_count);
    double *high = HR_ARENA_ARRAY(arena, double, points_count);
    for (size_t p = 0; p < points_count; p++) {
        const double reach = SIGMAS_OF_95_PERCENT * sqrt(track->variance[p]);
        low[p] = fmax(track->bytes[p] - reach, 0);
        high[p] = track->bytes[p] + reach;
    }
    return (struct hr_points){track->bytes, low, high};
}
