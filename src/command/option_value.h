// SPDX-License-Identifier: MIT
// Setting one option to what a command line or a configuration file says, and keeping where it was
// said.
#pragma once

#include "command/option_table.h"

struct hr_option_given {
    const struct hr_option *option;
    const char *value; // NULL for a flag
    unsigned line;     // of the configuration file; 0: the command line
};

// Sets the option and keeps that it was given. `value` stays the caller's, and has to live as long
// as the options; NULL for a flag, which it sets. Fails (HR_ERROR_USAGE, the message without the
// option's name) on a value that is not of its type.
bool hr_option_set(struct hr_options *options, const struct hr_option *option, char *value,
                   unsigned line, GError **error);

// Options of this kind may be given several times.
bool hr_option_is_list(const struct hr_option *option);

// What the option was (first) set to; NULL: it was not given.
struct hr_option_given *hr_option_find_given(const struct hr_options *options,
                                             const struct hr_option *option);

// "--title 'A title'", as a shell reads it. g_free() it.
char *hr_option_write(const struct hr_option_given *given);
