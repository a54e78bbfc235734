// SPDX-License-Identifier: MIT
#include "render/chart/scale.h"

#include <glib.h>
#include <math.h>

#define KIB 1024.0

double hr_scale_apply(const struct hr_scale *scale, double value)
{
    const double extent = scale->domain_high - scale->domain_low;
    const double share = extent > 0 ? (value - scale->domain_low) / extent : 0.5;
    return scale->range_low + share * (scale->range_high - scale->range_low);
}

// The smallest of 1, 2, 5 times a power of ten that is not below `least`.
static double round_step(double least)
{
    const double power = pow(10, floor(log10(least)));
    static const double factors[] = {1, 2, 5, 10};
    for (size_t i = 0; i < G_N_ELEMENTS(factors); i++) {
        if (factors[i] * power >= least * (1 - 1e-9)) {
            return factors[i] * power;
        }
    }
    return 10 * power;
}

static void format_number(char *out, size_t size, double value, double step, const char *unit)
{
    if (fabs(value) < step * 1e-6) {
        g_strlcpy(out, "0", size);
        return;
    }
    char number[G_ASCII_DTOSTR_BUF_SIZE];
    const char *format = step >= 0.999 ? "%.0f" : step >= 0.0999 ? "%.1f" : "%.2f";
    g_ascii_formatd(number, sizeof number, format, fabs(value));
    g_snprintf(out, size, "%s%s%s%s", value < 0 ? "\u2212" : "", number, *unit ? " " : "", unit);
}

void hr_ticks_bytes(double high, unsigned wanted, struct hr_ticks *ticks)
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    if (!(high > 0) || isinf(high)) {
        high = KIB * KIB;
    }
    double unit = 1;
    size_t name = 0;
    while (high >= unit * KIB && name + 1 < G_N_ELEMENTS(units)) {
        unit *= KIB;
        name++;
    }
    double step = round_step(high / unit / wanted);
    if (unit == 1 && step < 1) {
        step = 1;
    }
    ticks->count = 0;
    for (unsigned i = 0; i * step * unit <= high && ticks->count < HR_TICKS_MAX; i++) {
        const double at = i * step;
        ticks->at[ticks->count] = at * unit;
        format_number(ticks->label[ticks->count], sizeof ticks->label[0], at, step, units[name]);
        ticks->count++;
    }
}

struct elapsed_step {
    double seconds;
    double unit;
    const char *name;
};

static struct elapsed_step elapsed_step(double least)
{
    static const struct elapsed_step steps[] = {
        {1, 1, "s"},          {2, 1, "s"},         {5, 1, "s"},          {10, 1, "s"},
        {15, 1, "s"},         {30, 1, "s"},        {60, 60, "min"},      {120, 60, "min"},
        {300, 60, "min"},     {600, 60, "min"},    {900, 60, "min"},     {1800, 60, "min"},
        {3600, 3600, "h"},    {7200, 3600, "h"},   {10800, 3600, "h"},   {21600, 3600, "h"},
        {43200, 3600, "h"},   {86400, 86400, "d"}, {172800, 86400, "d"}, {432000, 86400, "d"},
        {864000, 86400, "d"},
    };
    if (least < 1) {
        return (struct elapsed_step){round_step(least), 1, "s"};
    }
    for (size_t i = 0; i < G_N_ELEMENTS(steps); i++) {
        if (steps[i].seconds >= least) {
            return steps[i];
        }
    }
    return (struct elapsed_step){round_step(least / 86400) * 86400, 86400, "d"};
}

static void fill_inside(struct hr_ticks *ticks, double low, double high, double step, double unit,
                        const char *name)
{
    ticks->count = 0;
    for (double at = ceil(low / step - 1e-9) * step;
         at <= high + step * 1e-9 && ticks->count < HR_TICKS_MAX; at += step) {
        ticks->at[ticks->count] = at;
        format_number(ticks->label[ticks->count], sizeof ticks->label[0], at / unit, step / unit,
                      name);
        ticks->count++;
    }
}

static double least_step(double low, double high, unsigned wanted)
{
    const double extent = high - low;
    return extent > 0 && !isinf(extent) ? extent / wanted : 1;
}

void hr_ticks_elapsed(double low_s, double high_s, unsigned wanted, struct hr_ticks *ticks)
{
    const struct elapsed_step step = elapsed_step(least_step(low_s, high_s, wanted));
    fill_inside(ticks, low_s, high_s, step.seconds, step.unit, step.name);
}

void hr_ticks_sequence(double low, double high, unsigned wanted, struct hr_ticks *ticks)
{
    const double step = round_step(least_step(low, high, wanted));
    fill_inside(ticks, low, high, step < 1 ? 1 : step, 1, "");
}
