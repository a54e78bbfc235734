// SPDX-License-Identifier: MIT
#include "analysis/forecast.h"

#include <math.h>

#define HOUR_S 3600
// The last third of a straight line holds a third of its growth, give or take.
#define STRAIGHT_THIRD_MIN 0.2
#define STRAIGHT_THIRD_MAX 0.5
// "max" in a cgroup file, as a number: nothing that a machine has.
#define LIMIT_MAX_BYTES 1e18

static double last_value(struct hr_gauge gauge)
{
    return gauge.count > 0 ? gauge.value[gauge.count - 1] : NAN;
}

// The growth per second of what the limit is about: the process where it was measured, else the
// heap.
static struct hr_estimate growth_rate(const struct hr_findings *findings,
                                      const struct hr_facts *facts)
{
    const struct hr_part *process = &facts->parts[HR_PART_PROCESS];
    if (process->state == HR_PART_GROWS && facts->duration_s > 0) {
        const double third = process->last_third.value / process->growth.value;
        if (third < STRAIGHT_THIRD_MIN || third > STRAIGHT_THIRD_MAX) {
            return HR_ESTIMATE_UNKNOWN;
        }
        // The medians of the tenths lie nine tenths of the window apart.
        const double between_s = 0.9 * facts->duration_s;
        return (struct hr_estimate){process->growth.value / between_s,
                                    process->growth.low / between_s,
                                    process->growth.high / between_s};
    }
    const struct hr_trend *trend = &findings->totals.trend;
    if (facts->process_known || trend->shape != HR_SHAPE_LINEAR || !trend->counts) {
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
        forecast.limit_bytes = last_value(hr_facts_gauge(&run->evidence, HR_EVIDENCE_CGROUP_LIMIT));
        forecast.limit_source = run->evidence.series[HR_EVIDENCE_CGROUP_LIMIT].source;
    }
    if (!(forecast.limit_bytes < LIMIT_MAX_BYTES)) {
        forecast.limit_bytes = NAN;
        return forecast;
    }
    const double measured = last_value(hr_facts_process(arena, &run->evidence));
    const double left = forecast.limit_bytes - (isnan(measured) ? facts->heap_bytes : measured);
    const struct hr_estimate rate = growth_rate(findings, facts);
    if (!(rate.low > 0) || !(left > 0)) {
        return forecast;
    }
    forecast.known = true;
    forecast.low_s = left / rate.high;
    forecast.high_s = left / rate.low;
    return forecast;
}
