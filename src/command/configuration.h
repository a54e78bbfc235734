// SPDX-License-Identifier: MIT
// The configuration file: long names of options as keys, one section a command. It fills in what
// the command line leaves open; what an option means is not known here.
#pragma once

#include "command/options.h"

// Sets what options->config names, or else the first file found in the usual places (XDG Base
// Directory Specification), says for the verb and the command line did not. All sections are
// checked. Fails with HR_ERROR_USAGE, the message with file and line.
bool hr_configuration_apply(struct hr_options *options, GError **error);

// Puts file and line before an error about an option (hr_error_blame()) whose value came from
// there.
void hr_configuration_explain(const struct hr_options *options, GError **error);

// The options in force that came from the file, as they would be given on the command line, quoted
// for a shell, in the order of the file. g_strfreev() it.
char **hr_configuration_list(const struct hr_options *options);
