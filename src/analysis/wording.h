// SPDX-License-Identifier: MIT
// The phrases of the verdict: its sentence, and for each rule its numbers, what speaks for it, what
// against, and what would overturn it. Ids and slots only; the words are in templates/text.xml.
#pragma once

#include "analysis/classes.h"

// What the sentence names besides the facts; NULL and NAN where unknown.
struct hr_wording_context {
    const char *function; // of the suspect with most of the heap's growth
    double function_share_ratio;
    double thread_stacks_growth_bytes;
    double glibc_arenas_growth_bytes;
    double huge_pages_growth_bytes;
    double retained_bytes; // address space that the allocator keeps, at the end
};

struct hr_phrase hr_wording_sentence(const struct hr_facts *facts,
                                     const struct hr_decision *decision,
                                     const struct hr_wording_context *context);

// The sentence of a report on what was allocated, and its rules: none is asked.
struct hr_phrase hr_wording_allocated(const struct hr_run *run, const struct hr_findings *findings);
unsigned hr_wording_rules_open(struct hr_rule_finding findings[HR_CLASSES_COUNT]);

// All rules of the verdict, fired or not; returns how many were written to `findings`.
unsigned hr_wording_rules(struct hr_arena *arena, const struct hr_facts *facts,
                          const struct hr_rules *rules, const struct hr_decision *decision,
                          const struct hr_wording_context *context,
                          struct hr_rule_finding findings[HR_CLASSES_COUNT]);
