// SPDX-License-Identifier: MIT
#include "render/chart/layout.h"

#include "render/chart/plot.h"

struct kind {
    const char *name;
    void (*layout)(struct hr_plot *plot);
};

static const struct kind kinds[] = {
    [HR_CHART_TIMELINE] = {"timeline", hr_chart_layout_timeline},
    [HR_CHART_BALANCE] = {"balance", hr_chart_layout_balance},
    [HR_CHART_AREA] = {"area", hr_chart_layout_area},
    [HR_CHART_SPARKLINE] = {"sparkline", hr_chart_layout_sparkline},
    [HR_CHART_SUSPECT] = {"suspect", hr_chart_layout_suspect},
    [HR_CHART_FLAME] = {"flame", hr_chart_layout_flame},
    [HR_CHART_HISTOGRAM] = {"histogram", hr_chart_layout_histogram},
    [HR_CHART_NIGHTS] = {"nights", hr_chart_layout_nights},
};

struct hr_scene *hr_chart_layout(struct hr_fonts *fonts, const struct hr_chart *chart,
                                 struct hr_chart_space space)
{
    struct hr_plot plot = {
        .fonts = fonts,
        .chart = chart,
        .space = space,
        .scene = hr_scene_new(space.width, 0),
    };
    kinds[chart->kind].layout(&plot);
    plot.scene->x = plot.x;
    return plot.scene;
}

const char *hr_chart_kind_name(enum hr_chart_kind kind)
{
    return kinds[kind].name;
}
