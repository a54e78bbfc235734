// SPDX-License-Identifier: MIT
#include "analysis/choice.h"

#include "analysis/breaks.h"
#include "analysis/choice_points.h"
#include "analysis/quantile.h"
#include "analysis/warmup.h"

#include <string.h>

// A dump is judged against so many neighbours on its side of the window.
#define NEIGHBOURS 5
// An end dump is an outlier when it lies this far above its neighbours' median.
#define OUTLIER_RATIO 1.5
#define OUTLIER_SIGMAS 4
// And so many times the span of its neighbours above the highest: a heap that grows from dump to
// dump ends above them all.
#define OUTLIER_SPANS 2

// The used dumps among which base and final are chosen, in order.
struct candidates {
    const struct hr_run *run;
    const size_t *at; // indices in run->dumps
    size_t count;
};

static const struct hr_dump *candidate(const struct candidates *dumps, size_t i)
{
    return &dumps->run->dumps[dumps->at[i]];
}

// The longest stretch of used dumps without a break that splits; of equals the latest.
static struct candidates longest_stretch(struct hr_arena *arena, const struct hr_run *run,
                                         bool *split)
{
    size_t breaks_count = 0;
    const struct hr_break *breaks = hr_breaks_find(arena, run, &breaks_count);
    size_t *at = HR_ARENA_ARRAY(arena, size_t, run->dumps_count);
    struct candidates best = {.run = run};
    struct candidates current = {.run = run, .at = at};
    size_t next_break = 0;
    for (size_t i = 0, used = 0; i < run->dumps_count; i++) {
        if (!run->dumps[i].used) {
            continue;
        }
        while (next_break < breaks_count && breaks[next_break].dump <= i) {
            if (hr_break_splits(&breaks[next_break]) && breaks[next_break].dump == i) {
                best = current.count >= best.count ? current : best;
                current = (struct candidates){.run = run, .at = at + used};
                *split = true;
            }
            next_break++;
        }
        at[used++] = i;
        current.count++;
    }
    return current.count >= best.count ? current : best;
}

// The index among the candidates of the dump named `file` (or whose last path part that is).
static size_t find_named(const struct candidates *dumps, const char *file)
{
    for (size_t i = 0; i < dumps->count; i++) {
        const char *name = candidate(dumps, i)->file;
        const char *slash = strrchr(name, '/');
        if (strcmp(name, file) == 0 || (slash && strcmp(slash + 1, file) == 0)) {
            return i;
        }
    }
    return HR_CHOICE_NONE;
}

static bool fail_named(const char *option, const char *file, GError **error)
{
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                "--%s: %s is no usable dump of this run, or lies beyond a break in it", option,
                file);
    hr_error_blame(error, option, NULL);
    return false;
}

static bool whole(const struct hr_dump *dump)
{
    return dump->note != HR_DUMP_NOTE_CUT && dump->note != HR_DUMP_NOTE_GROWING &&
           dump->live_bytes > 0;
}

// The nearest dump to `at`, towards `last`, of which nothing says that it is damaged; `at` where
// none of the next few is sound: what they all have is no damage.
static size_t nearest_sound(const struct candidates *dumps, size_t at, size_t last)
{
    for (size_t i = at, seen = 0; seen <= NEIGHBOURS; seen++) {
        const struct hr_dump *dump = candidate(dumps, i);
        if (dump->damage == 0 && whole(dump)) {
            return i;
        }
        if (i == last) {
            break;
        }
        i = last > i ? i + 1 : i - 1;
    }
    return at;
}

static struct hr_phrase damaged_reason(const char *id, const struct hr_dump *dump)
{
    struct hr_phrase reason = hr_phrase_new(id);
    hr_phrase_add_text(&reason, "file", dump->file);
    return reason;
}

static double median_live_bytes(const struct candidates *dumps, size_t first, size_t end)
{
    double values[NEIGHBOURS];
    size_t count = 0;
    for (size_t i = first; i < end && count < NEIGHBOURS; i++) {
        values[count++] = candidate(dumps, i)->live_bytes;
    }
    return hr_quantile(values, count, 0.5);
}

// A clean shutdown frees the heap and then writes the f dump: it tells what survived, not what was
// live.
static bool ends_with_teardown(const struct candidates *dumps, const struct hr_rules *rules)
{
    if (dumps->count < 2) {
        return false;
    }
    const size_t last = dumps->count - 1;
    const size_t first = last > NEIGHBOURS ? last - NEIGHBOURS : 0;
    return candidate(dumps, last)->kind == HR_DUMP_FINAL &&
           candidate(dumps, last)->live_bytes < rules->thresholds[HR_THRESHOLD_teardown_ratio] *
                                                    median_live_bytes(dumps, first, last);
}

// True when the dump at `i` stands far above the median of its neighbours [first, end).
static bool stands_out(const struct candidates *dumps, size_t i, size_t first, size_t end)
{
    if (end - first < 3) {
        return false;
    }
    const struct hr_dump *dump = candidate(dumps, i);
    const double usual = median_live_bytes(dumps, first, end);
    double largest = 0;
    double smallest = INFINITY;
    for (size_t k = first; k < end; k++) {
        largest = fmax(largest, candidate(dumps, k)->live_bytes);
        smallest = fmin(smallest, candidate(dumps, k)->live_bytes);
    }
    const double span = largest - smallest;
    return dump->live_bytes > OUTLIER_RATIO * usual &&
           dump->live_bytes > largest + OUTLIER_SPANS * span &&
           dump->live_bytes - usual > OUTLIER_SIGMAS * sqrt(dump->live_variance);
}

// The one of [first, end) nearest to their median, a damaged one only where all are; of equals the
// one nearest to the end of the run that it stands for, so that the window keeps its length.
static size_t most_typical(const struct candidates *dumps, size_t first, size_t end, bool latest)
{
    const double usual = median_live_bytes(dumps, first, end);
    size_t best = first;
    for (size_t i = first; i < end; i++) {
        const double off = fabs(candidate(dumps, i)->live_bytes - usual);
        const double best_off = fabs(candidate(dumps, best)->live_bytes - usual);
        const bool damaged = candidate(dumps, i)->damage != 0;
        const bool best_damaged = candidate(dumps, best)->damage != 0;
        const bool nearer = off < best_off || (latest && off == best_off);
        if (damaged == best_damaged ? nearer : best_damaged) {
            best = i;
        }
    }
    return best;
}

// True when the exact total, measured at or after the dump, says that its height was no moment.
static bool allocated_confirms(const struct hr_run *run, const struct hr_dump *dump)
{
    const struct hr_evidence_series *allocated = &run->evidence.series[HR_EVIDENCE_ALLOCATED];
    for (size_t i = 0; i < allocated->count; i++) {
        if (allocated->time_s[i] >= dump->taken_at_s) {
            return allocated->value[i] > dump->live_bytes / OUTLIER_RATIO;
        }
    }
    return false;
}

static struct hr_phrase outlier_reason(const char *id, const struct hr_dump *dump, double usual)
{
    struct hr_phrase reason = hr_phrase_new(id);
    hr_phrase_add_text(&reason, "file", dump->file);
    hr_phrase_add_number(&reason, "live_bytes", dump->live_bytes);
    hr_phrase_add_number(&reason, "usual_bytes", usual);
    return reason;
}

static size_t after_warmup(struct hr_arena *arena, const struct candidates *dumps,
                           const struct hr_choice_options *options, GError **error)
{
    if (options->warmup_auto) {
        double *live_bytes = HR_ARENA_ARRAY(arena, double, dumps->count);
        for (size_t i = 0; i < dumps->count; i++) {
            live_bytes[i] = candidate(dumps, i)->live_bytes;
        }
        return hr_warmup_end(live_bytes, dumps->count);
    }
    const double start_s = candidate(dumps, 0)->taken_at_s;
    for (size_t i = 0; i < dumps->count; i++) {
        if (candidate(dumps, i)->taken_at_s >= start_s + options->warmup_s) {
            return i;
        }
    }
    if (isnan(start_s)) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--warmup: the dumps have no clock");
    } else {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--warmup: no dump was written after %.0f s",
                    options->warmup_s);
    }
    hr_error_blame(error, "warmup", NULL);
    return HR_CHOICE_NONE;
}

static bool choose_base(struct hr_arena *arena, const struct candidates *dumps, bool split,
                        const struct hr_choice_options *options, size_t *base,
                        struct hr_phrase *reason, GError **error)
{
    if (options->base_file) {
        *reason = hr_phrase_new("choice-base-given");
        *base = find_named(dumps, options->base_file);
        return *base != HR_CHOICE_NONE || fail_named("base", options->base_file, error);
    }
    *base = 0;
    if (options->warmup_auto || !isnan(options->warmup_s)) {
        *base = after_warmup(arena, dumps, options, error);
        if (*base == HR_CHOICE_NONE) {
            return false;
        }
        *reason = hr_phrase_new("choice-base-warmup");
        const double from_s = candidate(dumps, 0)->taken_at_s;
        hr_phrase_add_number(reason, "skipped_s", candidate(dumps, *base)->taken_at_s - from_s);
        hr_phrase_add_number(reason, "skipped_count", (double)*base);
        return true;
    }
    while (*base + 1 < dumps->count && !whole(candidate(dumps, *base))) {
        (*base)++;
    }
    const size_t earliest = *base;
    *base = nearest_sound(dumps, earliest, dumps->count - 1);
    const size_t end = MIN(*base + 1 + NEIGHBOURS, dumps->count);
    const struct hr_dump *first = candidate(dumps, *base);
    if (stands_out(dumps, *base, *base + 1, end)) {
        *reason =
            outlier_reason("choice-base-outlier", first, median_live_bytes(dumps, *base + 1, end));
        *base = most_typical(dumps, *base + 1, end, false);
    } else if (*base != earliest) {
        *reason = damaged_reason("choice-base-damaged", candidate(dumps, earliest));
    } else if (split) {
        *reason = hr_phrase_new("choice-base-after-break");
    } else {
        *reason = hr_phrase_new(first->kind == HR_DUMP_INTERVAL ? "choice-base-first-under-load"
                                                                : "choice-base-first");
    }
    return true;
}

// Sets the reason and the outlier of `chosen`, and *final to the candidate.
static bool choose_final(const struct candidates *dumps, bool teardown,
                         const struct hr_choice_options *options, size_t base, size_t *final,
                         struct hr_choice *chosen, GError **error)
{
    struct hr_phrase *reason = &chosen->final_reason;
    if (options->final_file) {
        *reason = hr_phrase_new("choice-final-given");
        *final = find_named(dumps, options->final_file);
        return *final != HR_CHOICE_NONE || fail_named("final", options->final_file, error);
    }
    *final = dumps->count - 1 - teardown;
    while (*final > base && !whole(candidate(dumps, *final))) {
        (*final)--;
    }
    const size_t latest = *final;
    *final = nearest_sound(dumps, latest, base);
    *reason = *final != latest
                  ? damaged_reason("choice-final-damaged", candidate(dumps, latest))
                  : hr_phrase_new(teardown ? "choice-final-before-teardown" : "choice-final-last");
    const struct hr_dump *last = candidate(dumps, *final);
    const size_t first = *final > base + NEIGHBOURS ? *final - NEIGHBOURS : base + 1;
    if (*final > first && stands_out(dumps, *final, first, *final) &&
        !allocated_confirms(dumps->run, last)) {
        *reason =
            outlier_reason("choice-final-outlier", last, median_live_bytes(dumps, first, *final));
        chosen->outlier = dumps->at[*final];
        *final = most_typical(dumps, first, *final, true);
    }
    return true;
}

static size_t find_peak(const struct candidates *dumps, size_t base, size_t final)
{
    size_t peak = base;
    for (size_t i = base; i <= final; i++) {
        if (candidate(dumps, i)->live_bytes > candidate(dumps, peak)->live_bytes) {
            peak = i;
        }
    }
    return peak;
}

static void mark_wanted(struct hr_arena *arena, const struct hr_run *run, struct hr_choice *choice)
{
    bool *wanted = HR_ARENA_ARRAY(arena, bool, run->dumps_count);
    for (size_t i = 0; i < choice->points_count; i++) {
        wanted[choice->points[i]] = true;
    }
    if (choice->teardown != HR_CHOICE_NONE) {
        wanted[choice->teardown] = true;
    }
    choice->wanted = wanted;
}

bool hr_choice_compute(struct hr_arena *arena, const struct hr_run *run,
                       const struct hr_rules *rules, const struct hr_choice_options *options,
                       struct hr_choice *choice, GError **error)
{
    struct hr_choice chosen = hr_choice_nothing();
    bool split = false;
    const struct candidates dumps = longest_stretch(arena, run, &split);
    if (dumps.count > 0) {
        const bool teardown = !options->final_file && ends_with_teardown(&dumps, rules);
        const struct candidates living = {run, dumps.at, dumps.count - teardown};
        size_t base = 0;
        size_t final = 0;
        if (!choose_base(arena, options->base_file ? &dumps : &living, split, options, &base,
                         &chosen.base_reason, error) ||
            !choose_final(&dumps, teardown, options, base, &final, &chosen, error)) {
            return false;
        }
        if (final < base) {
            g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "the base dump %s is later than %s",
                        candidate(&dumps, base)->file, candidate(&dumps, final)->file);
            return false;
        }
        const size_t peak = find_peak(&dumps, base, final);
        chosen.base = dumps.at[base];
        chosen.final = dumps.at[final];
        chosen.peak = dumps.at[peak];
        chosen.teardown = teardown ? dumps.at[dumps.count - 1] : HR_CHOICE_NONE;
        chosen.points = hr_choice_points(arena, run, dumps.at + base, final - base + 1, peak - base,
                                         options->points, &chosen.points_count);
    }
    mark_wanted(arena, run, &chosen);
    *choice = chosen;
    return true;
}
