// SPDX-License-Identifier: MIT
// Whole seconds beside finer times. A loop that asks /proc and the allocator in turn often stamps one
// answer with a clock that has fractions and the other with a second in its name. Of a heap that
// grows by megabytes a second, that would be megabytes of difference between the two.
#include "ingest/evidence.h"

#include <math.h>

static int compare_times(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

// All times with fractions, rising.
static GArray *collect_fine_times(const GArray *samples)
{
    GArray *times = g_array_new(FALSE, FALSE, sizeof(double));
    for (guint i = 0; i < samples->len; i++) {
        const double time_s = g_array_index(samples, struct hr_evidence_sample, i).time_s;
        if (time_s != floor(time_s)) {
            g_array_append_val(times, time_s);
        }
    }
    g_array_sort(times, compare_times);
    return times;
}

// The one fine time within the second that begins at `second_s`; NAN without one, or with several.
static double find_moment(const GArray *times, double second_s)
{
    guint low = 0;
    guint high = times->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (g_array_index(times, double, middle) < second_s) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    double moment_s = NAN;
    for (; low < times->len && g_array_index(times, double, low) < second_s + 1; low++) {
        const double time_s = g_array_index(times, double, low);
        if (!isnan(moment_s) && time_s != moment_s) {
            return NAN;
        }
        moment_s = time_s;
    }
    return moment_s;
}

void hr_evidence_refine_moments(GArray *samples)
{
    g_autoptr(GArray) times = collect_fine_times(samples);
    if (times->len == 0) {
        return;
    }
    for (guint i = 0; i < samples->len; i++) {
        struct hr_evidence_sample *sample = &g_array_index(samples, struct hr_evidence_sample, i);
        if (sample->time_s == floor(sample->time_s)) {
            const double moment_s = find_moment(times, sample->time_s);
            sample->time_s = isnan(moment_s) ? sample->time_s : moment_s;
        }
    }
}
