// SPDX-License-Identifier: MIT
// The words of the result for what the model and the findings enumerate (docs/result.md). Words for
// programs: they are never translated.
#pragma once

#include "analysis/findings.h"

const char *hr_name_dump_kind(enum hr_dump_kind kind);
const char *hr_name_dump_note(enum hr_dump_note note); // NULL: none
const char *hr_name_time_axis(enum hr_time_axis axis);
const char *hr_name_sampling(enum hr_sampling sampling);
const char *hr_name_break(enum hr_break_kind kind);
const char *hr_name_shape(enum hr_shape shape);
const char *hr_name_class(enum hr_class class);
const char *hr_name_scope(enum hr_scope scope);
const char *hr_name_confidence(enum hr_confidence confidence);
const char *hr_name_part(enum hr_part_id part);
const char *hr_name_outcome(enum hr_rule_outcome outcome);
const char *hr_name_frame_kind(enum hr_frame_kind kind);
const char *hr_name_trust(enum hr_trust trust);
const char *hr_name_match(enum hr_binary_match match);
const char *hr_name_severity(enum hr_severity severity);
