// SPDX-License-Identifier: MIT
#include "symbolize/symbolize.h"
