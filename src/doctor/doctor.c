// SPDX-License-Identifier: MIT
#include "doctor/doctor.h"

#include "doctor/advice.h"
#include "doctor/check.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// In the order in which dumps come about: a fault further up explains those below it.
static const struct {
    const char *id;
    hr_check_function *ask;
} table[] = {
    {"allocator", hr_check_allocator},
    {"profiling", hr_check_profiling},
    {"variable", hr_check_variable},
    {"environment", hr_check_environment},
    {"unit-applied", hr_check_unit_applied},
    {"running-program", hr_check_running_program},
    {"unit-program", hr_check_unit_program},
    {"blanks", hr_check_blanks},
    {"form", hr_check_form},
    {"options", hr_check_options},
    {"values", hr_check_values},
    {"prof", hr_check_prof},
    {"active", hr_check_active},
    {"prefix", hr_check_prefix},
    {"interval", hr_check_interval},
    {"final", hr_check_final},
    {"unit-stop", hr_check_unit_stop},
    {"directory", hr_check_directory},
    {"writable", hr_check_writable},
    {"user", hr_check_user},
    {"unit-paths", hr_check_unit_paths},
    {"space", hr_check_space},
    {"file-limit", hr_check_file_limit},
    {"log", hr_check_log},
    {"same-directory", hr_check_same_directory},
    {"dumps", hr_check_dumps},
    {"sampled", hr_check_sampled},
    {"match", hr_check_match},
    {"whole-stacks", hr_check_whole_stacks},
    {"symbols", hr_check_symbols},
    {"debug-data", hr_check_debug_data},
    {"frame-pointers", hr_check_frame_pointers},
    {"build-id", hr_check_build_id},
};

static bool check_log(const struct hr_doctor_options *options, GError **error)
{
    if (options->log && access(options->log, R_OK) != 0) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s: %s", options->log, g_strerror(errno));
        return false;
    }
    return true;
}

const struct hr_doctor_report *hr_doctor_examine(struct hr_arena *arena,
                                                 const struct hr_doctor_options *options,
                                                 const struct hr_rules *rules, GError **error)
{
    struct hr_subject *subject = HR_ARENA_NEW(arena, struct hr_subject);
    if (!check_log(options, error) || !hr_subject_read(subject, arena, options, rules, error)) {
        return NULL;
    }
    struct hr_doctor_report *report = HR_ARENA_NEW(arena, struct hr_doctor_report);
    struct hr_check *checks = HR_ARENA_ARRAY(arena, struct hr_check, G_N_ELEMENTS(table));
    for (size_t i = 0; i < G_N_ELEMENTS(table); i++) {
        struct hr_check *check = &checks[report->checks_count];
        *check = (struct hr_check){.id = table[i].id};
        if (table[i].ask(subject, check)) {
            report->checks_count++;
            report->mend_count += check->outcome == HR_CHECK_MEND;
        }
    }
    report->checks = checks;
    report->advice = hr_advice_compose(subject);
    return report;
}
