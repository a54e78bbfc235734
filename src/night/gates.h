// SPDX-License-Identifier: MIT
// Gates: --fail-on, a list of rules that a night must pass. A gate is judged on its own quantity
// and its 95 % interval, and fails closed: what is unknown, or whose interval holds the limit, is no
// pass.
#pragma once

#include "base/cleanup.h"
#include "base/error.h"
#include "result/text.h"

#include <jansson.h>

struct hr_gates;

// Reads "class=heap_growth,growth>8MiB,rate>1MiB/h,new-suspect". Fails with HR_ERROR_USAGE.
struct hr_gates *hr_gates_new(const char *rules, GError **error);
void hr_gates_free(struct hr_gates *gates);
HR_DEFINE_AUTO(hr_gates, hr_gates_free)

// True when a rule asks what earlier nights knew.
bool hr_gates_need_history(const struct hr_gates *gates);

enum hr_gates_outcome { HR_GATES_PASSED, HR_GATES_INCONCLUSIVE, HR_GATES_TRIPPED };

// Judges every rule, sets the result's "gates", and returns the worst outcome (tripped beats
// inconclusive). Statuses and allowances must be in the result already.
enum hr_gates_outcome hr_gates_judge(const struct hr_gates *gates, const struct hr_text *text,
                                     json_t *result);
