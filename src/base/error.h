// SPDX-License-Identifier: MIT
// The one GError domain: a call could not do its job. What lets the run go on with less is a
// diagnostic instead (base/diagnostics.h). The caller that knows more prefixes the message
// (g_prefix_error).
#pragma once

#include <glib.h>

#define HR_ERROR hr_error_quark()
GQuark hr_error_quark(void);

// Each value decides the exit status: usage 2, all others 3.
enum hr_error {
    HR_ERROR_USAGE,    // the command line cannot be carried out as it stands
    HR_ERROR_INPUT,    // dumps, evidence or result unusable
    HR_ERROR_BINARY,   // the binary or a debug file is unusable
    HR_ERROR_TEMPLATE, // a template, a rule file or a font is unusable
    HR_ERROR_OUTPUT,   // an output could not be written
    HR_ERROR_LIMIT,    // a stated limit was reached
};
