// SPDX-License-Identifier: MIT
#include "analysis/forecast.h"

#include <math.h>

#define HOUR_S 3600
// The last third of a straight line is as steep as the whole, give or take.
#define STRAIGHT_MIN 0.6
#define STRAIGHT_MAX 1.5
// "max" in a cgroup file, as a number: nothing that a machine has.
#define LIMIT_MAX_BYTES 1e18

static double last_value(struct hr_gauge gauge)
{
    return gauge.count > 0 ? gauge.value[gauge.count - 1] : NAN;
}

// The rate of a movement that is straight. Its interval holds the rate of the last third too: what
// will be is at least as uncertain as what was.
static struct hr_estimate straight_rate(struct hr_movement movement)
{
    const double whole = movement.growth.value / movement.growth_s;
    const double third = movement.last_third.value / movement.last_third_s;
    const double ratio = third / whole;
    if (!(ratio >= STRAIGHT_MIN && ratio <= STRAIGHT_MAX)) {
        return HR_ESTIMATE_UNKNOWN;
    }
    return (struct hr_estimate){whole, fmin(third, movement.growth.low / movement.growth_s),
                                fmax(third, movement.growth.high / movement.growth_s)};
}

// The growth per second of what the limit is about: the process where it was measured, else the
// heap.
static struct hr_estimate growth_rate(struct hr_gauge process, const struct hr_findings *findings,
                                      const struct hr_facts *facts)
{
    const struct hr_trend *trend = &findings->totals.trend;
    if (facts->process_known) {
        return facts->parts[HR_PART_PROCESS].state == HR_PART_GROWS
                   ? straight_rate(hr_movement_compute(process, facts->windows.dumps))
                   : HR_ESTIMATE_UNKNOWN;
    }
    if (trend->shape != HR_SHAPE_LINEAR || !trend->counts) {
        return HR_ESTIMATE_UNKNOWN;
    }
    const struct hr_estimate rate = trend->rate_bytes_per_hour;
    return (struct hr_estimate){rate.value / HOUR_S, rate.low / HOUR_S, rate.high / HOUR_S};
}

struct hr_forecast hr_forecast_compute(struct hr_arena *arena, const struct hr_run *run,
                                       const struct hr_analysis_options *options,
                                       const struct hr_findings *findings,
                                       const struct hr_facts *facts)
{
    struct hr_forecast forecast = {false, options->limit_bytes, "--limit", NAN, NAN};
    if (isnan(forecast.limit_bytes)) {
        forecast.limit_bytes =
            last_value(hr_gauge_of_evidence(&run->evidence, HR_EVIDENCE_CGROUP_LIMIT));
        forecast.limit_source = run->evidence.series[HR_EVIDENCE_CGROUP_LIMIT].source;
    }
    if (!(forecast.limit_bytes < LIMIT_MAX_BYTES)) {
        forecast.limit_bytes = NAN;
        return forecast;
    }
    const struct hr_gauge process = hr_facts_process(arena, &run->evidence);
    const double measured = last_value(process);
    const double left = forecast.limit_bytes - (isnan(measured) ? facts->heap_bytes : measured);
    const struct hr_estimate rate = growth_rate(process, findings, facts);
    if (!(rate.low > 0) || !(left > 0)) {
        return forecast;
    }
    forecast.known = true;
    forecast.low_s = left / rate.high;
    forecast.high_s = left / rate.low;
    return forecast;
}
