// SPDX-License-Identifier: MIT
// Diagnostics: the run goes on, but with less, and the reader must know. A sink is passed to
// whoever may have something to say; it is never global and prints nothing. Words for a code stand
// in templates/text.xml; here a diagnostic is a code, the files it is about, and named slot values
// for its text.
#pragma once

#include "base/cleanup.h"

#include <glib.h>

enum hr_severity { HR_SEVERITY_NOTE, HR_SEVERITY_WARNING, HR_SEVERITY_ERROR };

enum hr_diagnostic_code {
#define HR_MESSAGE(name, number, severity) HR_DIAG_##name = (number),
#include "base/messages.def"
#undef HR_MESSAGE
};

#define HR_DIAGNOSTIC_FILES_MAX 5
#define HR_DIAGNOSTIC_SLOTS_MAX 6

struct hr_diagnostic_slot {
    char *name;
    char *value;
};

// All reports of one code, folded: the slots are those of the first report.
struct hr_diagnostic {
    enum hr_diagnostic_code code;
    enum hr_severity severity;
    unsigned count;
    char *files[HR_DIAGNOSTIC_FILES_MAX];
    unsigned files_count;
    struct hr_diagnostic_slot slots[HR_DIAGNOSTIC_SLOTS_MAX];
    unsigned slots_count;
};

struct hr_diagnostics;

struct hr_diagnostics *hr_diagnostics_new(void);
void hr_diagnostics_free(struct hr_diagnostics *diagnostics);
HR_DEFINE_AUTO(hr_diagnostics, hr_diagnostics_free)

// Adds one report of `code` about `file` (NULL: about no file). Then follow slot name and value
// pairs, ended by NULL. Not for use from two threads at once: a worker has a sink of its own,
// merged in input order.
void hr_diagnostics_add(struct hr_diagnostics *diagnostics, enum hr_diagnostic_code code,
                        const char *file, ...) G_GNUC_NULL_TERMINATED;

// Adds all of `other` as if it had been reported here now.
void hr_diagnostics_merge(struct hr_diagnostics *diagnostics, const struct hr_diagnostics *other);

// Folded diagnostics, the most severe first, then by code.
guint hr_diagnostics_count(const struct hr_diagnostics *diagnostics);
const struct hr_diagnostic *hr_diagnostics_get(const struct hr_diagnostics *diagnostics,
                                               guint index);
const struct hr_diagnostic *hr_diagnostics_find(const struct hr_diagnostics *diagnostics,
                                                enum hr_diagnostic_code code);
