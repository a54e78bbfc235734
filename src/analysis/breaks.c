// SPDX-License-Identifier: MIT
#include "analysis/breaks.h"

#include "analysis/quantile.h"

// A pause counts as a gap when it is this many times the usual one, and this share of all time.
#define GAP_OF_USUAL 10
#define GAP_OF_WINDOW 0.1
// Births fall when their sum does by more than so many sampling intervals, and by this share.
#define ROUNDING_INTERVALS 2
#define FALL_RATIO 0.01

bool hr_break_splits(const struct hr_break *found)
{
    return found->kind != HR_BREAK_GAP;
}

static size_t used_dumps(struct hr_arena *arena, const struct hr_run *run, size_t **used)
{
    size_t count = 0;
    *used = HR_ARENA_ARRAY(arena, size_t, run->dumps_count);
    for (size_t i = 0; i < run->dumps_count; i++) {
        if (run->dumps[i].used) {
            (*used)[count++] = i;
        }
    }
    return count;
}

// The pause above which two dumps have a gap between them; INFINITY without a clock.
static double gap_limit_s(struct hr_arena *arena, const struct hr_run *run, const size_t *used,
                          size_t count)
{
    if (count < 3) {
        return INFINITY;
    }
    double *pauses = HR_ARENA_ARRAY(arena, double, count - 1);
    for (size_t i = 1; i < count; i++) {
        pauses[i - 1] = run->dumps[used[i]].taken_at_s - run->dumps[used[i - 1]].taken_at_s;
        if (isnan(pauses[i - 1])) {
            return INFINITY;
        }
    }
    const double window = run->dumps[used[count - 1]].taken_at_s - run->dumps[used[0]].taken_at_s;
    return fmax(GAP_OF_USUAL * hr_quantile(pauses, count - 1, 0.5), GAP_OF_WINDOW * window);
}

static struct hr_phrase rate_change_text(const struct hr_dump *before, const struct hr_dump *after)
{
    struct hr_phrase text = hr_phrase_new("break-rate-change");
    hr_phrase_add_number(&text, "before_bytes", (double)before->sample_interval_bytes);
    hr_phrase_add_number(&text, "after_bytes", (double)after->sample_interval_bytes);
    return text;
}

// Births only add up: when their sum falls, counting began anew. Only the scaled sum rises always:
// in the counts as they are printed many small objects hide a large one. They are whole numbers, so
// the sum of two dumps is known to within an interval or so.
static bool births_fell(const struct hr_dump *before, const struct hr_dump *after)
{
    const double rounding = ROUNDING_INTERVALS * (double)after->sample_interval_bytes;
    return before->born_bytes - after->born_bytes > fmax(rounding, FALL_RATIO * before->born_bytes);
}

// The break between two neighbouring dumps; its text has no id when there is none.
static struct hr_break compare(const struct hr_dump *before, const struct hr_dump *after,
                               double limit_s)
{
    const double pause_s = after->taken_at_s - before->taken_at_s;
    if (before->sample_interval_bytes != after->sample_interval_bytes) {
        return (struct hr_break){
            .kind = HR_BREAK_RATE_CHANGE, .pause_s = NAN, .text = rate_change_text(before, after)};
    }
    if (births_fell(before, after)) {
        return (struct hr_break){
            .kind = HR_BREAK_RESET, .pause_s = NAN, .text = hr_phrase_new("break-reset")};
    }
    if (pause_s < 0) {
        return (struct hr_break){
            .kind = HR_BREAK_RESTART, .pause_s = NAN, .text = hr_phrase_new("break-restart")};
    }
    if (pause_s > limit_s) {
        struct hr_break gap = {
            .kind = HR_BREAK_GAP, .pause_s = pause_s, .text = hr_phrase_new("break-gap")};
        hr_phrase_add_number(&gap.text, "pause_s", pause_s);
        return gap;
    }
    return (struct hr_break){.text = {.id = NULL}};
}

const struct hr_break *hr_breaks_find(struct hr_arena *arena, const struct hr_run *run,
                                      size_t *count)
{
    size_t *used = NULL;
    const size_t used_count = used_dumps(arena, run, &used);
    const double limit_s = gap_limit_s(arena, run, used, used_count);
    struct hr_break *breaks = HR_ARENA_ARRAY(arena, struct hr_break, used_count);
    *count = 0;
    for (size_t i = 1; i < used_count && !run->comparison; i++) {
        struct hr_break found = compare(&run->dumps[used[i - 1]], &run->dumps[used[i]], limit_s);
        if (found.text.id) {
            found.dump = used[i];
            breaks[(*count)++] = found;
        }
    }
    return breaks;
}

double hr_breaks_silence_s(struct hr_arena *arena, const struct hr_run *run)
{
    size_t *used = NULL;
    const size_t count = used_dumps(arena, run, &used);
    if (count == 0 || run->comparison || run->dumps[used[count - 1]].kind == HR_DUMP_FINAL) {
        return 0;
    }
    const double age_s =
        hr_evidence_last_time_s(&run->evidence) - run->dumps[used[count - 1]].taken_at_s;
    return age_s > gap_limit_s(arena, run, used, count) ? age_s : 0;
}
