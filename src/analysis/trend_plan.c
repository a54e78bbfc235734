// SPDX-License-Identifier: MIT
#include "analysis/trend_plan.h"

#include <math.h>
#include <stdint.h>

// Points are left where they are while no pause is this many times the mean one, and none is
// displaced by more than this share of the window.
#define UNEVEN_RATIO 4
#define UNEVEN_SHARE 0.1
#define LAGS_OF_COUNT 8

static bool evenly_spaced(const double *time_s, size_t count)
{
    const double mean = (time_s[count - 1] - time_s[0]) / (double)(count - 1);
    for (size_t i = 1; i < count; i++) {
        const double displaced_s = fabs(time_s[i] - time_s[0] - mean * (double)i);
        if (time_s[i] - time_s[i - 1] > UNEVEN_RATIO * mean ||
            displaced_s > UNEVEN_SHARE * (time_s[count - 1] - time_s[0])) {
            return false;
        }
    }
    return true;
}

// Lays the points out: as they are, or where they crowd, the nearest one to each place of an even
// grid, so that a burst of dumps weighs what its time weighs.
static void lay_out(struct hr_arena *arena, struct hr_trend_plan *plan, const double *time_s,
                    size_t count)
{
    size_t *point = HR_ARENA_ARRAY(arena, size_t, count);
    double *place = HR_ARENA_ARRAY(arena, double, count);
    const bool clock = time_s && time_s[count - 1] > time_s[0];
    const bool as_they_are = !clock || evenly_spaced(time_s, count);
    size_t nearest = 0;
    for (size_t i = 0; i < count; i++) {
        const double even = (double)i / (double)(count - 1);
        const double window = clock ? time_s[count - 1] - time_s[0] : 0;
        if (as_they_are) {
            point[i] = i;
            place[i] = clock ? (time_s[i] - time_s[0]) / window : even;
            continue;
        }
        const double time = time_s[0] + even * window;
        while (nearest + 1 < count &&
               fabs(time_s[nearest + 1] - time) <= fabs(time_s[nearest] - time)) {
            nearest++;
        }
        point[i] = nearest;
        place[i] = even;
    }
    plan->point = point;
    plan->place = place;
    plan->window_h = clock ? (time_s[count - 1] - time_s[0]) / 3600 : NAN;
}

static void set_sums(struct hr_arena *arena, struct hr_contrast *contrast, size_t count,
                     size_t lags)
{
    double *same = HR_ARENA_ARRAY(arena, double, lags + 1);
    double squares = 0;
    double negative_mass = 0;
    for (size_t i = 0; i < count; i++) {
        const double weight = contrast->weight[i];
        contrast->mass += fmax(weight, 0);
        negative_mass += fmax(-weight, 0);
        squares += weight * weight;
        for (size_t k = 1; k <= lags && i + k < count; k++) {
            same[k] += fmax(weight * contrast->weight[i + k], 0);
        }
    }
    contrast->same = same;
    contrast->same_total =
        (contrast->mass * contrast->mass + negative_mass * negative_mass - squares) / 2;
}

static void add_slope(double *weight, const double *place, size_t first, size_t end)
{
    double mean = 0;
    for (size_t i = first; i < end; i++) {
        mean += place[i] / (double)(end - first);
    }
    double squares = 0;
    for (size_t i = first; i < end; i++) {
        squares += (place[i] - mean) * (place[i] - mean);
    }
    const double span = place[end - 1] - place[first];
    for (size_t i = first; i < end; i++) {
        weight[i] = squares > 0 ? (place[i] - mean) / squares * span : 0;
    }
}

static double mean_place(const double *place, size_t first, size_t width)
{
    double sum = 0;
    for (size_t i = first; i < first + width; i++) {
        sum += place[i];
    }
    return sum / (double)width;
}

// Mean of the last `width` minus mean of the first, stretched to the growth over the whole span.
static void add_ends(double *weight, const double *place, size_t first, size_t end, size_t width)
{
    const double reach = mean_place(place, end - width, width) - mean_place(place, first, width);
    const double span = place[end - 1] - place[first];
    for (size_t i = 0; i < width; i++) {
        const double share = reach > 0 ? span / reach / (double)width : 0;
        weight[first + i] -= share;
        weight[end - 1 - i] += share;
    }
}

// Contrasts of every kind over the places [first, end).
static void set_contrasts(struct hr_arena *arena, const struct hr_trend_plan *plan, size_t first,
                          size_t end, struct hr_contrast contrasts[HR_CONTRAST_KINDS])
{
    static const size_t WIDTH_OF_COUNT[HR_CONTRAST_KINDS] = {0, SIZE_MAX, 20, 10, 5};
    for (int kind = 0; kind < HR_CONTRAST_KINDS; kind++) {
        double *weight = HR_ARENA_ARRAY(arena, double, plan->count);
        if (kind == 0) {
            add_slope(weight, plan->place, first, end);
        } else {
            const size_t width = MAX((end - first) / WIDTH_OF_COUNT[kind], 1);
            add_ends(weight, plan->place, first, end, width);
        }
        contrasts[kind] = (struct hr_contrast){.weight = weight};
        set_sums(arena, &contrasts[kind], plan->count, plan->lags);
    }
}

static void set_slowing(struct hr_arena *arena, struct hr_trend_plan *plan)
{
    for (int kind = 0; kind < HR_CONTRAST_KINDS; kind++) {
        double *weight = HR_ARENA_ARRAY(arena, double, plan->count);
        for (size_t i = 0; i < plan->count; i++) {
            weight[i] = plan->halves[0][kind].weight[i] - plan->halves[1][kind].weight[i];
        }
        plan->slowing[kind] = (struct hr_contrast){.weight = weight};
        set_sums(arena, &plan->slowing[kind], plan->count, plan->lags);
    }
}

const struct hr_trend_plan *hr_trend_plan_new(struct hr_arena *arena, const double *time_s,
                                              size_t points_count)
{
    struct hr_trend_plan *plan = HR_ARENA_NEW(arena, struct hr_trend_plan);
    plan->window_h = NAN;
    if (points_count < HR_TREND_POINTS_MIN) {
        if (points_count > 1 && time_s && time_s[points_count - 1] > time_s[0]) {
            plan->window_h = (time_s[points_count - 1] - time_s[0]) / 3600;
        }
        return plan;
    }
    lay_out(arena, plan, time_s, points_count);
    plan->count = points_count;
    plan->lags = points_count / LAGS_OF_COUNT;
    const size_t half = points_count / 2;
    set_contrasts(arena, plan, 0, points_count, plan->whole);
    set_contrasts(arena, plan, 0, half, plan->halves[0]);
    set_contrasts(arena, plan, half, points_count, plan->halves[1]);
    set_contrasts(arena, plan, points_count * 2 / 3, points_count, plan->last_third);
    set_slowing(arena, plan);
    return plan;
}
