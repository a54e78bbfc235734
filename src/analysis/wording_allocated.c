// SPDX-License-Identifier: MIT
// What a report on allocated bytes says in place of a verdict.
#include "analysis/wording.h"

#include <math.h>

struct hr_phrase hr_wording_allocated(const struct hr_run *run, const struct hr_findings *findings)
{
    const struct hr_totals *totals = &findings->totals;
    const struct hr_suspect *first =
        findings->suspects_count > 0 && findings->suspects[0].significant ? &findings->suspects[0]
                                                                          : NULL;
    struct hr_phrase phrase = hr_phrase_new(run->comparison ? "verdict-allocated-compared"
                                            : isnan(totals->growth.value) ? "verdict-allocated-once"
                                                                          : "verdict-allocated");
    hr_phrase_add_number(&phrase, "growth_bytes", totals->growth.value);
    hr_phrase_add_number(&phrase, "growth_bytes_low", totals->growth.low);
    hr_phrase_add_number(&phrase, "growth_bytes_high", totals->growth.high);
    hr_phrase_add_number(&phrase, "allocated_bytes", totals->growth.value);
    hr_phrase_add_number(&phrase, "allocated_bytes_low", totals->growth.low);
    hr_phrase_add_number(&phrase, "allocated_bytes_high", totals->growth.high);
    hr_phrase_add_number(&phrase, "final_bytes", totals->final.value);
    hr_phrase_add_text_id(&phrase, "place", first ? "place-allocated" : "place-allocated-unnamed");
    hr_phrase_add_text(&phrase, "function", first ? first->function : "");
    hr_phrase_add_number(&phrase, "function_ratio", first ? first->share_ratio : NAN);
    return phrase;
}

static struct hr_rule_finding open_rule(enum hr_class class)
{
    return (struct hr_rule_finding){.id = hr_class_name(class),
                                    .class = class,
                                    .outcome = HR_RULE_UNKNOWN,
                                    .because = hr_phrase_new("rule-allocated"),
                                    .against = hr_phrase_new(NULL),
                                    .would_overturn = hr_phrase_new(NULL)};
}

unsigned hr_wording_rules_open(struct hr_rule_finding findings[HR_CLASSES_COUNT])
{
    unsigned count = 0;
    for (unsigned i = 0; i < hr_class_rules_count; i++) {
        findings[count++] = open_rule(hr_class_rules[i].class);
    }
    findings[count++] = open_rule(HR_CLASS_NO_GROWTH);
    findings[count++] = open_rule(HR_CLASS_INCONCLUSIVE);
    return count;
}
