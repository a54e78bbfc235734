// SPDX-License-Identifier: MIT
#include "analysis/parts.h"

#include <math.h>

double hr_part_error_bytes(struct hr_estimate growth)
{
    const double below = growth.value - growth.low;
    const double above = growth.high - growth.value;
    return fmax(below, above); // fmax passes over NAN
}

double hr_part_needed_bytes(const struct hr_rules *rules, const struct hr_part *part)
{
    const double *limits = rules->thresholds;
    double needed = limits[HR_THRESHOLD_floor_bytes];
    needed = fmax(needed, limits[HR_THRESHOLD_floor_of_base_ratio] * part->base_bytes);
    return fmax(needed, hr_part_error_bytes(part->growth));
}

enum hr_part_state hr_part_judge(const struct hr_rules *rules, const struct hr_part *part)
{
    const double growth = part->growth.value;
    if (isnan(growth)) {
        return HR_PART_UNKNOWN;
    }
    const double needed = hr_part_needed_bytes(rules, part);
    if (growth <= needed) {
        return growth < -needed ? HR_PART_FALLS : HR_PART_FLAT;
    }
    const double *limits = rules->thresholds;
    if (part->last_third.low > 0 &&
        part->last_third.value > limits[HR_THRESHOLD_grows_last_third_ratio] * growth) {
        return HR_PART_GROWS;
    }
    if (part->last_third.high < limits[HR_THRESHOLD_grew_last_third_ratio] * growth) {
        return HR_PART_GREW;
    }
    return HR_PART_UNDECIDED;
}

struct hr_part hr_part_of_movement(const struct hr_rules *rules, struct hr_movement movement)
{
    struct hr_part part = {HR_PART_UNKNOWN, movement.growth, movement.last_third, movement.base,
                           movement.count};
    part.state = hr_part_judge(rules, &part);
    return part;
}

struct hr_part hr_part_of_gauge(const struct hr_rules *rules, const struct hr_windows *windows,
                                struct hr_gauge gauge)
{
    const struct hr_part first =
        hr_part_of_movement(rules, hr_movement_compute(gauge, windows->dumps));
    if (hr_part_passes(first.state)) {
        return first;
    }
    const struct hr_part longer =
        hr_part_of_movement(rules, hr_movement_compute(gauge, windows->longer));
    const bool better = first.state == HR_PART_UNKNOWN || hr_part_passes(longer.state);
    return better ? longer : first;
}

void hr_part_leave_out_swings(struct hr_gauge gauge, struct hr_part *part)
{
    if (hr_part_passes(part->state) &&
        hr_gauge_swings_back(gauge, part->base_bytes, part->growth.value)) {
        part->state = HR_PART_FLAT;
    }
}
