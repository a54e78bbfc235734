// SPDX-License-Identifier: MIT
// Charts as data: one file a kind (chart_*.c) turns the result's numbers into a struct hr_chart.
// The words around it (title, caption, alt) stand in the template, which may name the facts below.
#pragma once

#include "document/node.h"
#include "document/template.h"

#include <jansson.h>
#include <stdbool.h>

// What a template may say about a chart: <value of="chart.first_bytes"/>. First, last, least and
// most are those of the chart's first series or bars. Ended by NULL.
extern const char *const hr_chart_fact_keys[];

struct hr_chart_source {
    struct hr_arena *arena;
    const struct hr_template *template; // <names key="mark"> has the words on a chart
    const json_t *result;
    const json_t *subject; // what the chart is about (a suspect); NULL: the whole
};

struct hr_chart_composer {
    const char *name; // kind="..." in the template
    // Fills the chart; false when there is nothing to show.
    bool (*compose)(const struct hr_chart_source *source, struct hr_chart *chart);
};

const struct hr_chart_composer *hr_charts_find(const char *kind);

// The facts of a composed chart as an object. The caller owns the reference.
json_t *hr_chart_facts(const struct hr_chart *chart);

bool hr_chart_timeline_compose(const struct hr_chart_source *source, struct hr_chart *chart);
bool hr_chart_balance_compose(const struct hr_chart_source *source, struct hr_chart *chart);
bool hr_chart_area_compose(const struct hr_chart_source *source, struct hr_chart *chart);
bool hr_chart_suspect_compose(const struct hr_chart_source *source, struct hr_chart *chart);
bool hr_chart_sparkline_compose(const struct hr_chart_source *source, struct hr_chart *chart);
bool hr_chart_flame_compose(const struct hr_chart_source *source, struct hr_chart *chart);
bool hr_chart_sizes_compose(const struct hr_chart_source *source, struct hr_chart *chart);
bool hr_chart_nights_compose(const struct hr_chart_source *source, struct hr_chart *chart);
