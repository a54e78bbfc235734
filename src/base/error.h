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

// Keeps in the error, where there is one, which option it is about: its long name without the
// dashes, a literal; of one that may be given several times the value too, which is copied.
void hr_error_blame(GError **error, const char *option, const char *value);

// What hr_error_blame() kept; NULL, and *value NULL, where that is nothing. Both stay the error's.
const char *hr_error_blamed(const GError *error, const char **value);
