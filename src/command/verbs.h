// SPDX-License-Identifier: MIT
// One function a verb. Each reads as the story of its verb; what it fails with decides the exit
// status.
#pragma once

#include "command/messages.h"
#include "command/options.h"

bool hr_verb_report(const struct hr_options *options, struct hr_messages *messages, GError **error);
bool hr_verb_render(const struct hr_options *options, struct hr_messages *messages, GError **error);
bool hr_verb_record(const struct hr_options *options, struct hr_messages *messages, GError **error);
