// SPDX-License-Identifier: MIT
#include "analysis/findings.h"
