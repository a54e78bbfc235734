// SPDX-License-Identifier: MIT
#include "record/record.h"
