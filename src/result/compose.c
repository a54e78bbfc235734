// SPDX-License-Identifier: MIT
#include "result/result.h"
