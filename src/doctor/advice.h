// SPDX-License-Identifier: MIT
// What the service should be given: its configuration string, put right, and a systemd drop-in that
// sets it.
#pragma once

#include "doctor/subject.h"

struct hr_advice hr_advice_compose(const struct hr_subject *subject);
