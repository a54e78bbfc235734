// SPDX-License-Identifier: MIT
#include "analysis/trend.h"

#include "analysis/quantile.h"
#include "analysis/shape.h"

#define SIGMAS_OF_95_PERCENT 1.96
#define HALF_Z_MIN 1.0
#define SLOWING_Z_MAX 2.0
#define JUMP_SHARE_MIN 0.25
// The last third must bring at least this share of all growth, half of its due, within one standard
// deviation: asking for the whole of it costs a third of the power and stops no warm-up that the
// other gates let through (docs/accuracy.md).
#define LAST_THIRD_SHARE_MIN (1.0 / 6)
// Without births their bursts are not seen; so much over-dispersion is granted.
#define DISPERSION_UNSEEN 1.5
#define LAGS_MAX (512 / 8)

// Lower bound of the variogram: [lag], constant from `lags` on.
struct variogram {
    double at[LAGS_MAX + 1];
    size_t lags;
    double ceiling; // C: upper bound of the variance of one value
    double granted; // the same without what the series itself shows: steps and swings are in that
};

// Half the mean squared difference of values `lag` apart, their mean drift taken out or not.
static double half_mean_square(const double *values, size_t count, size_t lag, bool detrended)
{
    const double pairs = (double)(count - lag);
    double sum = 0;
    double squares = 0;
    for (size_t i = 0; i + lag < count; i++) {
        const double step = values[i + lag] - values[i];
        sum += step;
        squares += step * step;
    }
    return (squares - (detrended ? sum * sum / pairs : 0)) / pairs / 2;
}

// How much more the births vary than those of independent objects would.
static double dispersion_of_births(const struct hr_track *track, size_t points_count)
{
    if (points_count < 3) {
        return 1;
    }
    const double intervals = (double)points_count - 1;
    const double mean = (track->births[points_count - 1] - track->births[0]) / intervals;
    double squares = 0;
    for (size_t i = 1; i < points_count; i++) {
        const double births = track->births[i] - track->births[i - 1];
        squares += (births - mean) * (births - mean);
    }
    return mean > 0 ? squares / (intervals - 1) / mean : 1;
}

static struct variogram bound_variogram(const struct hr_trend_plan *plan,
                                        const struct hr_track *track, const double *values,
                                        bool accumulates, bool drifts)
{
    struct variogram v = {.lags = plan->lags};
    double weights = 0;
    for (size_t i = 0; i < plan->count; i++) {
        weights += track->weights[plan->point[i]] / (double)plan->count;
    }
    weights += track->largest * track->largest;
    const double seen = half_mean_square(values, plan->count, plan->lags, true) / weights;
    const double granted =
        accumulates ? fmax(dispersion_of_births(track, plan->count), 1) : DISPERSION_UNSEEN;
    v.granted = weights * granted;
    v.ceiling = weights * fmax(granted, weights > 0 ? seen : 0);
    double running = 0;
    for (size_t lag = 1; lag <= plan->lags; lag++) {
        const double shrink = 1 - sqrt(2 * (double)lag / (double)plan->count);
        running = fmax(running, half_mean_square(values, plan->count, lag, drifts) * shrink);
        v.at[lag] = fmin(running, v.ceiling);
    }
    return v;
}

// Upper bound of a contrast's variance: pairs of opposite sign as if they never were alike, pairs
// of one sign as alike as the variogram allows.
static double bound_variance(const struct hr_contrast *contrast, const struct variogram *v)
{
    double alike = 0;
    double far = contrast->same_total;
    for (size_t lag = 1; lag <= v->lags; lag++) {
        alike += v->at[lag] * contrast->same[lag];
        far -= contrast->same[lag];
    }
    alike += v->at[v->lags] * far;
    return fmax(2 * (v->ceiling * contrast->mass * contrast->mass - alike), 0);
}

struct reading {
    double growth;
    double sigma;
};

static double z_of(struct reading reading)
{
    return reading.sigma > 0    ? reading.growth / reading.sigma
           : reading.growth > 0 ? INFINITY
           : reading.growth < 0 ? -INFINITY
                                : 0;
}

// Reads the contrast whose bound is smallest.
static struct reading read_best(const struct hr_contrast contrasts[HR_CONTRAST_KINDS],
                                const struct variogram *v, const double *values, size_t count)
{
    int best = 0;
    double best_variance = INFINITY;
    for (int kind = 0; kind < HR_CONTRAST_KINDS; kind++) {
        const double variance = bound_variance(&contrasts[kind], v);
        if (contrasts[kind].mass > 0 && variance < best_variance) {
            best = kind;
            best_variance = variance;
        }
    }
    struct reading reading = {0, sqrt(best_variance)};
    for (size_t i = 0; i < count; i++) {
        reading.growth += contrasts[best].weight[i] * values[i];
    }
    return reading;
}

static void set_thirds(struct hr_trend *trend, const double *values, size_t count)
{
    const size_t width = MAX(count / 10, 1);
    double level[4];
    for (size_t i = 0; i < 4; i++) {
        const size_t middle = (count - 1) * i / 3;
        const size_t first = MIN(middle > width / 2 ? middle - width / 2 : 0, count - width);
        level[i] = hr_median(values + first, width);
    }
    for (size_t i = 0; i < 3; i++) {
        trend->thirds_growth_bytes[i] = level[i + 1] - level[i];
    }
}

static struct hr_estimate around(struct reading reading, double scale)
{
    const double reach = SIGMAS_OF_95_PERCENT * reading.sigma;
    return (struct hr_estimate){reading.growth * scale, (reading.growth - reach) * scale,
                                (reading.growth + reach) * scale};
}

// Every gate that growth has to pass; `sign` -1 asks the same of shrinking.
static bool passes(const struct hr_trend_plan *plan, const struct variogram *v,
                   const double *values, struct reading whole, double jump_share, double z_min,
                   double sign)
{
    const size_t count = plan->count;
    const struct reading last = read_best(plan->last_third, v, values, count);
    return sign * z_of(whole) > z_min &&
           sign * z_of(read_best(plan->halves[0], v, values, count)) > HALF_Z_MIN &&
           sign * z_of(read_best(plan->halves[1], v, values, count)) > HALF_Z_MIN &&
           jump_share > JUMP_SHARE_MIN &&
           sign * z_of(read_best(plan->slowing, v, values, count)) < SLOWING_Z_MAX &&
           sign * last.growth + last.sigma > sign * whole.growth * LAST_THIRD_SHARE_MIN;
}

static double *values_on_grid(const struct hr_trend_plan *plan, const struct hr_track *track)
{
    double *values = g_new(double, plan->count);
    for (size_t i = 0; i < plan->count; i++) {
        values[i] = track->bytes[plan->point[i]];
    }
    return values;
}

struct hr_trend hr_trend_compute(const struct hr_trend_plan *plan, const struct hr_track *track,
                                 bool accumulates, double z_min)
{
    struct hr_trend trend = {.shape = HR_SHAPE_UNKNOWN,
                             .growth = HR_ESTIMATE_UNKNOWN,
                             .thirds_growth_bytes = {NAN, NAN, NAN},
                             .last_third = HR_ESTIMATE_UNKNOWN,
                             .rate_bytes_per_hour = HR_ESTIMATE_UNKNOWN};
    if (plan->count < HR_TREND_POINTS_MIN) {
        return trend;
    }
    g_autofree double *values = values_on_grid(plan, track);
    const struct variogram v = bound_variogram(plan, track, values, accumulates, false);
    // The test asks what a steady series would do. The interval is that of one which grows, whose
    // drift is no sign that neighbours differ.
    const struct variogram drifting = bound_variogram(plan, track, values, accumulates, true);
    const struct reading whole = read_best(plan->whole, &v, values, plan->count);
    struct hr_shape_facts facts = {
        .values = values,
        .count = plan->count,
        .growth = whole.growth,
        .z = whole.growth / sqrt(2 * v.granted),
        .jump_share = hr_shape_jump_share(values, plan->count),
        .sigma = sqrt(v.granted),
    };
    const struct reading shown = read_best(plan->whole, &drifting, values, plan->count);
    trend.growth = around(shown, 1);
    trend.z = z_of(whole);
    trend.last_third = around(read_best(plan->last_third, &v, values, plan->count), 1);
    set_thirds(&trend, values, plan->count);
    if (plan->window_h > 0) {
        trend.rate_bytes_per_hour = around(shown, 1 / plan->window_h);
    }
    trend.counts = passes(plan, &v, values, whole, facts.jump_share, z_min, 1);
    facts.counts = trend.counts;
    facts.counts_down = passes(plan, &v, values, whole, facts.jump_share, z_min, -1);
    facts.slows = z_of(read_best(plan->slowing, &v, values, plan->count)) > SLOWING_Z_MAX ||
                  trend.thirds_growth_bytes[2] < whole.growth * LAST_THIRD_SHARE_MIN;
    facts.z_min = z_min;
    trend.shape = hr_shape_name(&facts);
    return trend;
}

double hr_trend_relative_sigma(const struct hr_trend_plan *plan, const struct hr_track *track,
                               bool accumulates)
{
    if (plan->count < HR_TREND_POINTS_MIN) {
        return NAN;
    }
    g_autofree double *values = values_on_grid(plan, track);
    const struct variogram v = bound_variogram(plan, track, values, accumulates, false);
    return read_best(plan->whole, &v, values, plan->count).sigma / sqrt(v.ceiling);
}
