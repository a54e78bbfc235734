// SPDX-License-Identifier: MIT
#include "base/error.h"

G_DEFINE_QUARK(heapreport, hr_error)
