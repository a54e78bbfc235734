// SPDX-License-Identifier: MIT
// The only place that prints: "heapreport: ..." on standard error, and on standard output what was
// asked for. Progress shows on a terminal alone. Words come from the catalogue, but for errors,
// which bring theirs.
#pragma once

#include "base/diagnostics.h"
#include "base/phrase.h"
#include "result/text.h"

#include <glib.h>
#include <stdbool.h>

struct hr_messages {
    bool quiet;
    bool verbose;
    bool terminal;       // standard error is one
    bool progress_shown; // a line of progress stands there and must be wiped
    const char *phase;   // text id, NULL: none
    gint64 phase_began_us;
    const struct hr_text *text; // NULL until the catalogue is loaded
};

void hr_messages_init(struct hr_messages *messages);

// Writes text to standard output as it is, or a path and a newline. False when it cannot be
// written.
bool hr_messages_output(const char *bytes, size_t size);
bool hr_messages_path(const char *path);

// Why it could not be written, the last time.
const char *hr_messages_output_fault(void);

// Writes a line to standard output for people to read: what may be a file's name cannot steer the
// terminal.
bool hr_messages_line(const char *text);

// One line each on standard error, control characters and broken UTF-8 shown as \xNN.
void hr_messages_error(struct hr_messages *messages, const GError *error);
void hr_messages_phrase(struct hr_messages *messages, const struct hr_phrase *phrase);

// Warnings and errors of the run; with --verbose notes, files and remedies too.
void hr_messages_diagnostics(struct hr_messages *messages,
                             const struct hr_diagnostics *diagnostics);

// A phase of the run begins (a text id): shown on a terminal over the phase before; with --verbose
// the time that the phase before took is printed when it ends.
void hr_messages_phase(struct hr_messages *messages, const char *id);
void hr_messages_phase_end(struct hr_messages *messages);
