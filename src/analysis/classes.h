// SPDX-License-Identifier: MIT
// The classes of the verdict as a table of conditions over the facts, and which of those that fire
// decides. Method 5. Computes no numbers and knows no words.
#pragma once

#include "analysis/facts.h"

// One class judged: whether its condition holds, and for how much.
struct hr_firing {
    enum hr_rule_outcome outcome;
    enum hr_part_id part; // whose bytes these are
    double bytes;         // what the class is about; compared for precedence
};

// In the order of the table, which breaks ties.
struct hr_class_rule {
    const char *id;
    enum hr_class class;
    struct hr_firing (*judge)(const struct hr_facts *facts, const struct hr_rules *rules);
};

// Why a verdict is inconclusive; the first that holds.
enum hr_doubt {
    HR_DOUBT_NONE,
    HR_DOUBT_CONTRADICTION,      // dumps and the allocator's count cannot be of one heap
    HR_DOUBT_HEAP_OPEN,          // the heap grew, and nothing tells whether that goes on
    HR_DOUBT_PROCESS_GREW_ALONE, // A grows and no part does
    HR_DOUBT_NO_FIGURES,         // nothing was measured at two moments
    HR_DOUBT_NO_HEAP_FIGURE,     // A grows, and nothing is known of the heap
    HR_DOUBT_COVERAGE,           // the dumps show too little of the allocator's count
    HR_DOUBT_TOO_COARSE,         // a growth worth knowing could hide in the sampling error
};

struct hr_decision {
    enum hr_class class;
    enum hr_doubt doubt;
    struct hr_firing firings[HR_CLASSES_COUNT]; // by class
};

// The classes with a condition of their own (five); no_growth and inconclusive are what is left.
extern const struct hr_class_rule hr_class_rules[];
extern const unsigned hr_class_rules_count;

// The class's name in the result ("heap_growth").
const char *hr_class_name(enum hr_class class);

// Decides the class: exactly one for any facts.
struct hr_decision hr_classes_decide(const struct hr_facts *facts, const struct hr_rules *rules);
