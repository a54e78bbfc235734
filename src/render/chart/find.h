// SPDX-License-Identifier: MIT
// One chart out of a document, for outputs that show nothing else.
#pragma once

#include "base/error.h"
#include "document/node.h"

// The chart of that name, or for NULL the timeline, else the first one. Fails (HR_ERROR_USAGE) with
// the names that there are.
const struct hr_chart *hr_chart_find(const struct hr_document *document, const char *name,
                                     GError **error);
