// SPDX-License-Identifier: MIT
#include "analysis/suspects.h"

#include "analysis/describe.h"
#include "analysis/frame_kinds.h"
#include "analysis/significance.h"

#include <stdlib.h>
#include <string.h>

#define SHRUNK_MAX 20

// A group by its growth.
struct ranked {
    double growth_bytes;
    const char *name;
    size_t group;
    bool significant;
};

static int by_growth(const void *a, const void *b)
{
    const struct ranked *left = a;
    const struct ranked *right = b;
    if (left->growth_bytes != right->growth_bytes) {
        return left->growth_bytes < right->growth_bytes ? 1 : -1;
    }
    return strcmp(left->name, right->name);
}

static int by_shrinkage(const void *a, const void *b)
{
    return by_growth(b, a);
}

static int significant_first(const void *a, const void *b)
{
    const struct ranked *left = a;
    const struct ranked *right = b;
    if (left->significant != right->significant) {
        return left->significant ? -1 : 1;
    }
    return by_growth(a, b);
}

// Groups whose growth has the given sign, most first.
static size_t rank_groups(const struct hr_groups *groups, const struct hr_difference *difference,
                          double sign, struct ranked *ranked)
{
    size_t count = 0;
    for (size_t g = 0; g < groups->count; g++) {
        const double growth = hr_change_growth_bytes(&difference->groups[g]);
        if (sign * growth > 0) {
            ranked[count++] =
                (struct ranked){.growth_bytes = growth, .name = groups->groups[g].name, .group = g};
        }
    }
    if (count > 0) {
        qsort(ranked, count, sizeof *ranked, sign > 0 ? by_growth : by_shrinkage);
    }
    return count;
}

size_t hr_suspects_count_places(const struct hr_groups *groups,
                                const struct hr_difference *difference)
{
    size_t places = 0;
    for (size_t g = 0; g < groups->count; g++) {
        const struct hr_change *change = &difference->groups[g];
        places += change->base.samples + change->final.samples > 0;
    }
    return places;
}

size_t hr_suspects_choose(struct hr_arena *arena, const struct hr_groups *groups,
                          const struct hr_difference *difference, const size_t **chosen)
{
    g_autofree struct ranked *ranked = g_new(struct ranked, groups->count + 1);
    const size_t count = MIN(rank_groups(groups, difference, 1, ranked), HR_TRENDS_MAX);
    size_t *indices = HR_ARENA_ARRAY(arena, size_t, count);
    for (size_t i = 0; i < count; i++) {
        indices[i] = ranked[i].group;
    }
    *chosen = indices;
    return count;
}

// Sets passed[i] for the chosen groups that stand the test of two counts. What is exact needs no
// test; counts of mixed sizes are no sample counts and cannot be tested: they stand or fall by
// interval and trend.
static void test_counts(const struct hr_suspects_input *input, const struct hr_findings *findings,
                        bool *passed)
{
    const struct hr_dump *dumps = input->run->dumps;
    const uint64_t interval = MAX(dumps[findings->choice->base].sample_interval_bytes,
                                  dumps[findings->choice->final].sample_interval_bytes);
    g_autofree double *p_values = g_new(double, input->chosen_count + 1);
    const size_t tests = hr_suspects_count_places(input->groups, input->difference);
    for (size_t i = 0; i < input->chosen_count; i++) {
        const struct hr_change *change = &input->difference->groups[input->chosen[i]];
        p_values[i] = interval <= 1
                          ? 0
                          : hr_significance_p_value(change->base.samples, change->final.samples,
                                                    hr_change_final_share(change));
    }
    hr_significance_select(p_values, input->chosen_count, MAX(tests, 1),
                           input->rules->thresholds[HR_THRESHOLD_false_discovery_ratio], passed);
    for (size_t i = 0; i < input->chosen_count; i++) {
        if (input->tracks->groups[i].mixed) {
            passed[i] = input->plan->count >= HR_TREND_POINTS_MIN;
        }
    }
}

struct stack_rank {
    double growth_bytes;
    uint32_t stack;
};

static int by_stack_growth(const void *a, const void *b)
{
    const struct stack_rank *left = a;
    const struct stack_rank *right = b;
    if (left->growth_bytes != right->growth_bytes) {
        return left->growth_bytes < right->growth_bytes ? 1 : -1;
    }
    return (left->stack > right->stack) - (left->stack < right->stack);
}

static void set_stacks(struct hr_arena *arena, const struct hr_suspects_input *input, size_t group,
                       struct hr_suspect *suspect)
{
    g_autoptr(GArray) ranks = g_array_new(FALSE, FALSE, sizeof(struct stack_rank));
    for (uint32_t s = 0; s < hr_stacks_count(input->run->stacks); s++) {
        const struct hr_change *change = &input->difference->stacks[s];
        if (input->groups->of_stack[s] == group &&
            (change->base.bytes > 0 || change->final.bytes > 0)) {
            const struct stack_rank rank = {hr_change_growth_bytes(change), s};
            g_array_append_val(ranks, rank);
        }
    }
    g_array_sort(ranks, by_stack_growth);
    suspect->stacks_total = ranks->len;
    suspect->stacks_count = MIN(ranks->len, HR_SUSPECT_STACKS_MAX);
    struct hr_suspect_stack *stacks =
        HR_ARENA_ARRAY(arena, struct hr_suspect_stack, suspect->stacks_count);
    for (size_t i = 0; i < suspect->stacks_count; i++) {
        const struct stack_rank *rank = &g_array_index(ranks, struct stack_rank, i);
        stacks[i] = (struct hr_suspect_stack){rank->stack, rank->growth_bytes,
                                              input->difference->stacks[rank->stack].final.bytes};
    }
    suspect->stacks = stacks;
}

static struct hr_suspect make_suspect(struct hr_arena *arena, const struct hr_suspects_input *input,
                                      size_t i, bool counts_passed)
{
    const size_t group = input->chosen[i];
    const struct hr_track *track = &input->tracks->groups[i];
    const struct hr_change *change = &input->difference->groups[group];
    struct hr_suspect suspect = {
        .base = hr_change_base(change, track->spread_bytes),
        .final = hr_change_final(change, track->spread_bytes),
        .growth = hr_change_growth(change, track->spread_bytes),
        .growth_objects = change->final.objects - change->base.objects,
        .mixed_sizes = track->mixed,
        .sampled_base_count = track->mixed ? NAN : change->base.samples,
        .sampled_final_count = track->mixed ? NAN : change->final.samples,
        .trend =
            hr_trend_compute(input->plan, track, input->tracks->accumulates, input->trend_z_min),
        .series = hr_track_points(arena, track, input->tracks->points_count),
    };
    suspect.mean_object_bytes =
        change->final.objects > 0  ? change->final.bytes / change->final.objects
        : change->base.objects > 0 ? change->base.bytes / change->base.objects
                                   : NAN;
    if (change->cumulative) {
        // Noise and churn, which the tests are for, take nothing from a count that only rises.
        suspect.significant = suspect.growth.low > 0;
    } else if (input->plan->count < HR_TREND_POINTS_MIN) {
        suspect.significant = suspect.growth.low > 0 && counts_passed;
    } else if (suspect.trend.counts && suspect.growth.value > 0) {
        // Many dumps know more than the first and the last: what they rule out is cut off.
        suspect.significant = true;
        suspect.growth.low =
            fmax(suspect.growth.low, fmin(suspect.trend.growth.low, suspect.growth.value));
    }
    return suspect;
}

// What is not listed, so that the list and the rest give the total.
static void set_rest(const struct hr_suspects_input *input, const int32_t *suspect_of_group,
                     struct hr_findings *findings)
{
    struct hr_change rest = {.cumulative = input->difference->total.cumulative};
    size_t count = 0;
    for (size_t g = 0; g < input->groups->count; g++) {
        const struct hr_change *change = &input->difference->groups[g];
        if (suspect_of_group[g] < 0 && (change->base.bytes > 0 || change->final.bytes > 0)) {
            hr_side_add(&rest.base, &change->base);
            hr_side_add(&rest.final, &change->final);
            count++;
        }
    }
    findings->suspects_rest_count = count;
    findings->suspects_rest = hr_change_growth(&rest, 0);
}

static void set_shrunk(struct hr_arena *arena, const struct hr_suspects_input *input,
                       struct hr_findings *findings)
{
    g_autofree struct ranked *ranked = g_new(struct ranked, input->groups->count + 1);
    const size_t count = rank_groups(input->groups, input->difference, -1, ranked);
    struct hr_shrinker *shrunk = HR_ARENA_ARRAY(arena, struct hr_shrinker, MIN(count, SHRUNK_MAX));
    findings->totals.shrunk_bytes = 0;
    for (size_t i = 0; i < count; i++) {
        findings->totals.shrunk_bytes -= ranked[i].growth_bytes;
        if (i < SHRUNK_MAX) {
            const size_t group = ranked[i].group;
            const struct hr_change *change = &input->difference->groups[group];
            const struct hr_place place =
                hr_describe_place(input->symbols, &input->groups->groups[group]);
            shrunk[i] = (struct hr_shrinker){place.function, place.module, change->base.bytes,
                                             change->final.bytes, ranked[i].growth_bytes};
        }
    }
    findings->shrunk = shrunk;
    findings->shrunk_count = MIN(count, SHRUNK_MAX);
    // Summed over the total, not over the growers, so that grown - shrunk is the growth exactly.
    findings->totals.grown_bytes =
        hr_change_growth_bytes(&input->difference->total) + findings->totals.shrunk_bytes;
}

// Orders the chosen for the list: all that is significant has a place, then by growth.
static size_t order_list(const struct hr_suspects_input *input, const struct hr_suspect *candidates,
                         struct ranked *list)
{
    for (size_t i = 0; i < input->chosen_count; i++) {
        const size_t group = input->chosen[i];
        list[i] = (struct ranked){candidates[i].growth.value, input->groups->groups[group].name, i,
                                  candidates[i].significant};
    }
    const size_t count = MIN(input->chosen_count, HR_SUSPECTS_MAX);
    if (count > 0) {
        qsort(list, input->chosen_count, sizeof *list, significant_first);
        qsort(list, count, sizeof *list, by_growth);
    }
    return count;
}

const int32_t *hr_suspects_compute(struct hr_arena *arena, const struct hr_suspects_input *input,
                                   struct hr_findings *findings)
{
    g_autofree bool *passed = g_new0(bool, input->chosen_count + 1);
    test_counts(input, findings, passed);
    g_autofree struct hr_suspect *candidates = g_new0(struct hr_suspect, input->chosen_count + 1);
    for (size_t i = 0; i < input->chosen_count; i++) {
        candidates[i] = make_suspect(arena, input, i, passed[i]);
    }
    g_autofree struct ranked *list = g_new0(struct ranked, input->chosen_count + 1);
    const size_t count = order_list(input, candidates, list);
    int32_t *suspect_of_group = HR_ARENA_ARRAY(arena, int32_t, input->groups->count);
    memset(suspect_of_group, -1, input->groups->count * sizeof *suspect_of_group);
    set_shrunk(arena, input, findings);
    struct hr_suspect *suspects = HR_ARENA_ARRAY(arena, struct hr_suspect, count);
    for (size_t i = 0; i < count; i++) {
        const size_t group = input->chosen[list[i].group];
        suspects[i] = candidates[list[i].group];
        suspects[i].id = hr_arena_printf(arena, "S%zu", i + 1);
        suspects[i].share_ratio = suspects[i].growth.value / findings->totals.grown_bytes;
        set_stacks(arena, input, group, &suspects[i]);
        hr_describe_suspect(arena, input->run, input->symbols, input->rules,
                            findings->responsible_frames, &input->groups->groups[group],
                            &suspects[i]);
        suspect_of_group[group] = (int32_t)i;
    }
    findings->suspects = suspects;
    findings->suspects_count = count;
    set_rest(input, suspect_of_group, findings);
    return suspect_of_group;
}
