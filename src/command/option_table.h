// SPDX-License-Identifier: MIT
// The rows of the option table, for those who walk it: the parser, the help, and the checks that
// hold the manual page against it.
#pragma once

#include "command/options.h"

#include <stddef.h>

enum hr_option_type {
    HR_OPTION_FLAG,         // bool
    HR_OPTION_TEXT,         // const char *
    HR_OPTION_LIST,         // GPtrArray *, may be given several times
    HR_OPTION_PAIR,         // GPtrArray * of "key=value", may be given several times
    HR_OPTION_COUNT,        // unsigned, from 1
    HR_OPTION_TOP,          // int, from 0
    HR_OPTION_PID,          // int64_t, from 1
    HR_OPTION_SIZE,         // double, bytes, above 0
    HR_OPTION_PAPER,        // const char *, "a4" or "letter"
    HR_OPTION_DURATION,     // double, seconds
    HR_OPTION_TIME,         // double, Unix seconds
    HR_OPTION_WARMUP,       // a duration, or "auto"
    HR_OPTION_FILE_OR_NONE, // const char *; "" is "none"
};

// Says what a single run does, so that it cannot stand in a configuration file.
#define HR_OPTION_ONE_RUN (1u << HR_VERBS_COUNT)

struct hr_option {
    const char *group; // heading in the help; NULL: as the row before
    const char *name;  // without the dashes
    char letter;       // 0: none
    const char *argument;
    enum hr_option_type type;
    unsigned verbs; // bits 1 << enum hr_verb, and HR_OPTION_ONE_RUN
    size_t offset;  // in struct hr_options
    bool changes_result;
    const char *help;
};

// All rows, in the order of the help, ended by one with name NULL.
const struct hr_option *hr_option_table(void);

// "report", "render"...
const char *hr_verb_name(enum hr_verb verb);

// The row of that verb and name, or letter; NULL when there is none.
const struct hr_option *hr_option_find(enum hr_verb verb, const char *name);
const struct hr_option *hr_option_find_letter(enum hr_verb verb, char letter);

// The row of that verb whose name is most like this one; NULL when none is.
const struct hr_option *hr_option_find_nearest(enum hr_verb verb, const char *name);
