// SPDX-License-Identifier: MIT
// One check: asks the subject one thing. A new check is a function and a line in doctor.c's table.
#pragma once

#include "doctor/subject.h"

// Answers into `check`; false where what it needs to know was not given, and nothing is told.
typedef bool hr_check_function(const struct hr_subject *subject, struct hr_check *check);

static inline bool hr_check_fine(struct hr_check *check, struct hr_phrase reason)
{
    check->outcome = HR_CHECK_FINE;
    check->reason = reason;
    return true;
}

static inline bool hr_check_mend(struct hr_check *check, struct hr_phrase reason,
                                 struct hr_phrase mend)
{
    check->outcome = HR_CHECK_MEND;
    check->reason = reason;
    check->mend = mend;
    return true;
}

static inline bool hr_check_unknown(struct hr_check *check, struct hr_phrase reason)
{
    check->outcome = HR_CHECK_UNKNOWN;
    check->reason = reason;
    return true;
}

// The program and the allocator in it.
hr_check_function hr_check_allocator, hr_check_profiling, hr_check_variable, hr_check_environment,
    hr_check_symbols, hr_check_debug_data, hr_check_frame_pointers, hr_check_build_id;
// The configuration string.
hr_check_function hr_check_blanks, hr_check_form, hr_check_options, hr_check_values, hr_check_prof,
    hr_check_active, hr_check_prefix, hr_check_interval, hr_check_final;
// Where the dumps go, and how the service is run.
hr_check_function hr_check_directory, hr_check_writable, hr_check_user, hr_check_space,
    hr_check_same_directory, hr_check_unit_program, hr_check_unit_paths, hr_check_unit_stop,
    hr_check_unit_applied, hr_check_running_program, hr_check_file_limit;
// What has come of it.
hr_check_function hr_check_log, hr_check_dumps, hr_check_sampled, hr_check_match,
    hr_check_whole_stacks;
