// SPDX-License-Identifier: MIT
// The door of doctor: why does a service write no dumps, or dumps without names? Whatever is known
// of it (program, configuration string, unit, process, directory, log) goes through one table of
// checks. Judges no heap; says nothing itself: words are phrases.
#pragma once

#include "base/arena.h"
#include "base/error.h"
#include "base/phrase.h"
#include "model/rules.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hr_doctor_options {
    const char *binary;
    const char *settings;     // the configuration string
    const char *const *units; // unit file and drop-ins, NULL-terminated; NULL: none
    int64_t pid;              // -1: none
    const char *directory;    // of the dumps
    const char *log;
    const char *user; // that the service runs as; NULL: as unit or process say
    const char *const *debug_dirs;
};

enum hr_check_outcome { HR_CHECK_FINE, HR_CHECK_MEND, HR_CHECK_UNKNOWN };

struct hr_check {
    const char *id; // "frame-pointers"
    enum hr_check_outcome outcome;
    struct hr_phrase reason;
    struct hr_phrase mend; // a command or what to do; id NULL where nothing is to be mended
};

// What this service should be given.
struct hr_advice {
    const char *variable; // that its jemalloc reads; NULL: not known, both usual ones are meant
    const char *settings; // the configuration string
    const char *override; // text of a systemd drop-in
};

struct hr_doctor_report {
    const struct hr_check *checks; // those that could be asked, in the order of the table
    size_t checks_count;
    size_t mend_count;
    struct hr_advice advice;
};

// Examines. All memory is the arena's. Fails when something that was named cannot be read at all (a
// directory that is missing is a finding, no failure).
const struct hr_doctor_report *hr_doctor_examine(struct hr_arena *arena,
                                                 const struct hr_doctor_options *options,
                                                 const struct hr_rules *rules, GError **error);
