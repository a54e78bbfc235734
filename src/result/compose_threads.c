// SPDX-License-Identifier: MIT
// threads, threads_rest: the heap by the threads that allocated it.
#include "result/composer.h"

#include <math.h>

#define THREADS_MAX 200

// Each line of a thread is rounded to whole samples for itself.
#define ROUNDING_RATIO 0.002

// The row of what no line of a thread says.
#define OTHER "(other)"

// Whole bytes.
struct amounts {
    double base, final;
};

static void set_amounts(json_t *entry, struct amounts amounts)
{
    hr_json_set(entry, "base_bytes", hr_json_integer(amounts.base));
    hr_json_set(entry, "final_bytes", hr_json_integer(amounts.final));
    hr_json_set(entry, "growth_bytes", hr_json_integer(amounts.final - amounts.base));
}

static json_t *compose_row(json_t *name, size_t threads_count, struct amounts amounts)
{
    json_t *entry = json_object();
    hr_json_set(entry, "name", name);
    hr_json_set(entry, "threads_count", hr_json_count(threads_count));
    set_amounts(entry, amounts);
    return entry;
}

static struct amounts take(struct amounts from, struct amounts part)
{
    return (struct amounts){from.base - part.base, from.final - part.final};
}

static struct amounts amounts_of(const struct hr_thread_group *group)
{
    return (struct amounts){round(group->base_bytes), round(group->final_bytes)};
}

static struct amounts totals_of(const struct hr_findings *findings)
{
    return (struct amounts){round(findings->totals.base.value),
                            round(findings->totals.final.value)};
}

// What the lines of threads lack to those of whole stacks; more than rounding.
static struct amounts find_untold(const struct hr_findings *findings)
{
    const struct amounts totals = totals_of(findings);
    struct amounts left = totals;
    for (size_t i = 0; i < findings->threads_count; i++) {
        left = take(left, amounts_of(&findings->threads[i]));
    }
    const bool is_rounding = fabs(left.base) <= ROUNDING_RATIO * totals.base &&
                             fabs(left.final) <= ROUNDING_RATIO * totals.final;
    return is_rounding ? (struct amounts){0, 0} : left;
}

// Rows and rest make the totals in whole bytes.
void hr_compose_set_threads(const struct hr_composer *composer, json_t *result)
{
    const struct hr_findings *findings = composer->findings;
    const struct amounts untold = find_untold(findings);
    struct amounts left = take(totals_of(findings), untold);
    size_t unlisted = 0;
    json_t *list = json_array();
    for (size_t i = 0; i < findings->threads_count; i++) {
        const struct hr_thread_group *group = &findings->threads[i];
        if (i >= THREADS_MAX) {
            unlisted += group->threads_count;
            continue;
        }
        left = take(left, amounts_of(group));
        hr_json_append(list, compose_row(hr_composer_name(composer, group->name),
                                         group->threads_count, amounts_of(group)));
    }
    if (findings->threads_count > 0 && (untold.base != 0 || untold.final != 0)) {
        hr_json_append(list, compose_row(json_string(OTHER), 0, untold));
    }
    json_t *rest = findings->threads_count > 0 ? json_object() : json_null();
    if (findings->threads_count > 0) {
        hr_json_set(rest, "threads_count", hr_json_count(unlisted));
        set_amounts(rest, left);
    }
    hr_json_set(result, "threads", list);
    hr_json_set(result, "threads_rest", rest);
}
