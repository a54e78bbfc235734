// SPDX-License-Identifier: MIT
#include "ingest/clock.h"

#include <math.h>
#include <string.h>

// File times are believed when at least this share of them rises with the order of the dumps.
#define RISING_MIN_RATIO 0.9

// File times are whole seconds when more than this share of them are.
#define WHOLE_MIN_RATIO 0.9

// Files that were all written within less than this are a copy without its times: what order they
// rise in is that of the copy, and a rate over that window would be made up.
#define WINDOW_MIN_S 1.0

// A local time in a name differs from the file time by whole quarters of an hour, give or take the
// time it took to write.
#define ZONE_STEP_S 900.0
#define ZONE_MAX_S (15 * 3600.0)
#define ZONE_ERROR_S 60.0

// Marks a longest subsequence that never falls; returns its length. Patience sorting: tails[k] is
// the dump with the smallest time that ends a subsequence of length k + 1.
static size_t mark_rising(const struct hr_listed *listed, size_t count, bool *rises)
{
    g_autofree size_t *tails = g_new(size_t, count);
    g_autofree size_t *before = g_new(size_t, count);
    size_t length = 0;
    for (size_t i = 0; i < count; i++) {
        size_t low = 0;
        size_t high = length;
        while (low < high) {
            const size_t middle = low + (high - low) / 2;
            if (listed[tails[middle]].modified_at_s <= listed[i].modified_at_s) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        before[i] = low > 0 ? tails[low - 1] : SIZE_MAX;
        tails[low] = i;
        length = MAX(length, low + 1);
    }
    memset(rises, 0, count * sizeof *rises);
    for (size_t i = length > 0 ? tails[length - 1] : SIZE_MAX; i != SIZE_MAX; i = before[i]) {
        rises[i] = true;
    }
    return length;
}

// Gives the dumps that do not rise a time evenly between their neighbours; at the ends, the
// neighbour's.
static void fill_gaps(struct hr_dump *dumps, size_t count, const bool *rises)
{
    size_t last = SIZE_MAX;
    for (size_t i = 0; i <= count; i++) {
        if (i < count && !rises[i]) {
            continue;
        }
        for (size_t gap = last == SIZE_MAX ? 0 : last + 1; gap < i; gap++) {
            const double from = last == SIZE_MAX ? dumps[i].taken_at_s : dumps[last].taken_at_s;
            const double to = i == count ? from : dumps[i].taken_at_s;
            const double share = last == SIZE_MAX ? 0 : (double)(gap - last) / (double)(i - last);
            dumps[gap].taken_at_s = from + (to - from) * share;
        }
        last = i;
    }
}

// Whole seconds: the k rising dumps of one second are spread over it.
static void spread_seconds(struct hr_dump *dumps, size_t count, const bool *rises)
{
    for (size_t first = 0; first < count;) {
        if (!rises[first]) {
            first++;
            continue;
        }
        const double second = dumps[first].taken_at_s;
        size_t members = 0;
        size_t end = first;
        for (; end < count && (!rises[end] || dumps[end].taken_at_s == second); end++) {
            members += rises[end];
        }
        size_t member = 0;
        for (size_t i = first; i < end; i++) {
            if (rises[i]) {
                dumps[i].taken_at_s = second + (double)member++ / (double)members;
            }
        }
        first = end;
    }
}

static double window_s(const struct hr_listed *listed, size_t count)
{
    double oldest_s = INFINITY;
    double newest_s = -INFINITY;
    for (size_t i = 0; i < count; i++) {
        oldest_s = fmin(oldest_s, listed[i].modified_at_s);
        newest_s = fmax(newest_s, listed[i].modified_at_s);
    }
    return newest_s - oldest_s;
}

// A file system or an archive either keeps fractions or it does not; a single other file that lies
// among the dumps has no say in that.
static bool are_whole_seconds(const struct hr_listed *listed, size_t count)
{
    size_t whole = 0;
    for (size_t i = 0; i < count; i++) {
        whole += listed[i].whole_second;
    }
    return (double)whole > WHOLE_MIN_RATIO * (double)count;
}

static enum hr_time_axis read_file_times(struct hr_dump *dumps, const struct hr_listed *listed,
                                         size_t count, size_t *replaced_count)
{
    g_autofree bool *rises = g_new(bool, count);
    const size_t rising = mark_rising(listed, count, rises);
    if (count == 0 || (double)rising < RISING_MIN_RATIO * (double)count ||
        (count > 1 && window_s(listed, count) < WINDOW_MIN_S)) {
        return HR_TIME_SEQUENCE;
    }
    const bool whole_seconds = are_whole_seconds(listed, count);
    for (size_t i = 0; i < count; i++) {
        const double time_s = listed[i].modified_at_s;
        dumps[i].taken_at_s = whole_seconds ? floor(time_s) : time_s;
    }
    if (whole_seconds) {
        spread_seconds(dumps, count, rises);
    }
    fill_gaps(dumps, count, rises);
    *replaced_count = count - rising;
    return HR_TIME_MTIME;
}

// What must be added to a time without zone to make it UTC, as the file times tell; 0 when they
// tell nothing.
static double zone_correction_s(const struct hr_listed *listed, size_t count)
{
    const double first = listed[0].modified_at_s - listed[0].name.time_s;
    const double correction = round(first / ZONE_STEP_S) * ZONE_STEP_S;
    for (size_t i = 0; i < count; i++) {
        const double rest = listed[i].modified_at_s - listed[i].name.time_s - correction;
        if (fabs(rest) > ZONE_ERROR_S) {
            return 0;
        }
    }
    return fabs(correction) <= ZONE_MAX_S ? correction : 0;
}

static enum hr_time_axis read_name_times(struct hr_dump *dumps, const struct hr_listed *listed,
                                         size_t count)
{
    bool zoned = true;
    bool whole_seconds = true;
    for (size_t i = 0; i < count; i++) {
        zoned &= listed[i].name.time_is_zoned;
        whole_seconds &= listed[i].name.time_s == floor(listed[i].name.time_s);
    }
    const double correction = zoned ? 0 : zone_correction_s(listed, count);
    for (size_t i = 0; i < count; i++) {
        dumps[i].taken_at_s =
            listed[i].name.time_s + (listed[i].name.time_is_zoned ? 0 : correction);
    }
    if (whole_seconds) {
        g_autofree bool *rises = g_new(bool, count);
        memset(rises, true, count);
        spread_seconds(dumps, count, rises);
    }
    bool inside = true;
    for (size_t i = 0; i < count; i++) {
        inside &= listed[i].time_inside;
    }
    return inside ? HR_TIME_INSIDE : HR_TIME_NAME;
}

enum hr_time_axis hr_clock_read(struct hr_dump *dumps, const struct hr_listed *listed, size_t count,
                                enum hr_process_order order, size_t *replaced_count)
{
    *replaced_count = 0;
    for (size_t i = 0; i < count; i++) {
        dumps[i].taken_at_s = NAN;
    }
    return order == HR_ORDER_NAME_TIME ? read_name_times(dumps, listed, count)
                                       : read_file_times(dumps, listed, count, replaced_count);
}
