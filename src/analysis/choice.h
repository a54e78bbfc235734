// SPDX-License-Identifier: MIT
// Which dumps are compared: base, final, the points of the series. Computed from totals alone,
// between the two reading passes. Method 4.
#pragma once

#include "base/error.h"
#include "base/phrase.h"
#include "model/rules.h"
#include "model/run.h"

#define HR_CHOICE_NONE SIZE_MAX

struct hr_choice_options {
    const char *base_file;  // --base, a name below --dir; NULL: by rule
    const char *final_file; // --final
    double warmup_s;        // --warmup; NAN: none
    bool warmup_auto;
    unsigned points; // --points: at most so many dumps in the series
};

struct hr_choice {
    size_t base; // indices in run->dumps; HR_CHOICE_NONE without usable dumps
    size_t final;
    size_t peak;     // the used dump with the largest total between base and final
    size_t teardown; // an f dump after shutdown, or HR_CHOICE_NONE
    size_t outlier;  // a last dump far above those before, passed over as final, or HR_CHOICE_NONE
    struct hr_phrase base_reason;
    struct hr_phrase final_reason;
    const bool *wanted; // [dumps_count]: rows are needed (base, final, peak, teardown and the
                        // series' points)
    const size_t
        *points; // indices of the dumps in the series, rising; base, peak and final among them
    size_t points_count;
};

// Of no dump: what a choice that is made otherwise begins with.
static inline struct hr_choice hr_choice_nothing(void)
{
    return (struct hr_choice){.base = HR_CHOICE_NONE,
                              .final = HR_CHOICE_NONE,
                              .peak = HR_CHOICE_NONE,
                              .teardown = HR_CHOICE_NONE,
                              .outlier = HR_CHOICE_NONE};
}

// Computes the choice for a run whose totals were read. All memory is in `arena`. Fails when --base
// or --final names no usable dump of the run.
bool hr_choice_compute(struct hr_arena *arena, const struct hr_run *run,
                       const struct hr_rules *rules, const struct hr_choice_options *options,
                       struct hr_choice *choice, GError **error);

// Base and final are the same dump: who holds memory is known, and no growth.
static inline bool hr_choice_is_one_dump(const struct hr_choice *choice)
{
    return choice->base != HR_CHOICE_NONE && choice->base == choice->final;
}
