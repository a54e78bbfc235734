// SPDX-License-Identifier: MIT
// All that is known of the service before it is judged: read once, const for the checks.
#pragma once

#include "doctor/access.h"
#include "doctor/doctor.h"
#include "doctor/dumps.h"
#include "doctor/process.h"
#include "doctor/settings.h"
#include "doctor/unit.h"
#include "symbolize/program.h"

struct hr_subject {
    struct hr_arena *arena;
    const struct hr_rules *rules;
    const struct hr_doctor_options *options;

    const struct hr_unit *unit;              // NULL: none was given
    const struct hr_doctor_process *process; // NULL: none was given
    const struct hr_program *program;        // NULL: not known which it is
    const struct hr_program *allocator;      // the file that jemalloc is in; NULL: none was found
    const char *const *environment;          // of the process, else of the unit; NULL: neither
    const char *preload;                     // LD_PRELOAD's jemalloc, NULL: none

    const char *variable; // that the allocator reads; NULL: not known
    const char *set_in;   // the variable that has the string; NULL: none has, or it was given
    const char *text;     // the configuration string; NULL: none
    struct hr_settings settings;

    const char *prefix; // of prof_prefix; NULL: none
    const char *place;  // the directory that dumps go to, as the service sees it; NULL: not known
    const char *place_here; // the same as we see it
    struct hr_doctor_user user;
    bool has_user;
    const char *unknown_user; // who the service runs as, where that says nothing here; else NULL

    struct hr_doctor_dumps dumps; // in --dir
};

bool hr_subject_read(struct hr_subject *subject, struct hr_arena *arena,
                     const struct hr_doctor_options *options, const struct hr_rules *rules,
                     GError **error);

// The value of NAME in "NAME=VALUE" of that list, the last one; NULL: not there.
const char *hr_subject_find_variable(const char *const *environment, const char *name);

// Text for a shell, quoted where it must be.
const char *hr_subject_quote(const struct hr_subject *subject, const char *text);
