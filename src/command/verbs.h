// SPDX-License-Identifier: MIT
// One function a verb. Each reads as the story of its verb; what it fails with decides the exit
// status, or else the worst outcome of the gates, where there were any.
#pragma once

#include "command/messages.h"
#include "command/options.h"
#include "night/gates.h"

bool hr_verb_report(const struct hr_options *options, struct hr_messages *messages,
                    enum hr_gates_outcome *outcome, GError **error);
bool hr_verb_render(const struct hr_options *options, struct hr_messages *messages, GError **error);
bool hr_verb_show(const struct hr_options *options, struct hr_messages *messages, GError **error);
bool hr_verb_trend(const struct hr_options *options, struct hr_messages *messages, GError **error);
bool hr_verb_dump(const struct hr_options *options, struct hr_messages *messages, GError **error);
// Sets *outcome to tripped where something is to be mended.
bool hr_verb_doctor(const struct hr_options *options, struct hr_messages *messages,
                    enum hr_gates_outcome *outcome, GError **error);
bool hr_verb_record(const struct hr_options *options, struct hr_messages *messages,
                    enum hr_gates_outcome *outcome, GError **error);
