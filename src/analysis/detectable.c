// SPDX-License-Identifier: MIT
#include "analysis/detectable.h"

#include "analysis/quantile.h"
#include "analysis/significance.h"

#include <stdlib.h>

// So much above what is asked makes it nine times in ten (docs/accuracy.md compares).
#define NINE_IN_TEN_SIGMAS 1.28
#define TREND_NINE_IN_TEN_SIGMAS 1.3
#define DISPERSION_UNSEEN 1.5

// One place's churn: squared bytes that its samples stand for, and the largest of them.
struct churn {
    double bytes;
    double weights;
    double largest;
};

static int by_bytes(const void *a, const void *b)
{
    const struct churn *left = a;
    const struct churn *right = b;
    return (left->bytes < right->bytes) - (left->bytes > right->bytes);
}

static struct churn median_churn(const struct hr_suspects_input *input, double *tests)
{
    g_autofree struct churn *places = g_new0(struct churn, input->groups->count + 1);
    size_t count = 0;
    double bytes = 0;
    for (size_t g = 0; g < input->groups->count; g++) {
        // What grew is the finding, not the churn against which another would have to be seen.
        const struct hr_change *change = &input->difference->groups[g];
        const struct hr_side *side =
            change->base.bytes < change->final.bytes ? &change->base : &change->final;
        if (side->samples > 0) {
            const double weight = side->bytes / side->samples;
            places[count++] = (struct churn){side->bytes, weight * side->bytes, weight};
            bytes += side->bytes;
        }
    }
    *tests = fmax((double)count, 1);
    if (count == 0) {
        return (struct churn){NAN, NAN, NAN};
    }
    qsort(places, count, sizeof *places, by_bytes);
    size_t median = 0;
    for (double below = places[0].bytes; below < bytes / 2 && median + 1 < count;) {
        below += places[++median].bytes;
    }
    return places[median];
}

// Variance of a growth read by the trend's bound, in units of a single value's, over the places
// that have a series.
static double trend_factor(const struct hr_suspects_input *input)
{
    g_autofree double *sigmas = g_new(double, input->chosen_count + 1);
    size_t count = 0;
    for (size_t i = 0; i < input->chosen_count; i++) {
        const double sigma = hr_trend_relative_sigma(input->plan, &input->tracks->groups[i],
                                                     input->tracks->accumulates);
        if (sigma > 0) {
            sigmas[count++] = sigma;
        }
    }
    const double sigma = hr_quantile(sigmas, count, 0.5);
    return sigma * sigma * (input->tracks->accumulates ? 1 : DISPERSION_UNSEEN);
}

double hr_detectable_compute(const struct hr_suspects_input *input)
{
    double tests = 1;
    const struct churn place = median_churn(input, &tests);
    // The growth D solves D^2 = a (weights + largest^2 + largest D / 2): what grows adds to the
    // noise, on average half of itself.
    double a = 0;
    if (input->plan->count >= HR_TREND_POINTS_MIN) {
        const double factor = trend_factor(input);
        const double sigmas = input->trend_z_min + TREND_NINE_IN_TEN_SIGMAS;
        a = sigmas * sigmas * (isnan(factor) ? 2 * DISPERSION_UNSEEN : factor);
    } else {
        const double share = input->rules->thresholds[HR_THRESHOLD_false_discovery_ratio];
        const double sigmas = hr_significance_z(share / tests) + NINE_IN_TEN_SIGMAS;
        a = 2 * sigmas * sigmas;
    }
    const double half = a * place.largest / 4;
    return half + sqrt(half * half + a * (place.weights + place.largest * place.largest));
}
