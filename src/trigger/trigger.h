// SPDX-License-Identifier: MIT
// A small library for services: writes heap dumps on demand. It is linked in, or preloaded where
// jemalloc is a shared library. Does nothing at all unless HEAPREPORT_TRIGGER_DIR is set, to an
// absolute path; then a thread listens on DIR/heapreport-trigger.PID.sock, and only its own user
// and root are heard.
// Needs the C library alone and allocates nothing, so that it leaves no trace in what it dumps.
//
//   request, a line           answer, a line
//   dump                      ok                     named by prof_prefix
//   dump NAME.heap            ok DIR/NAME.heap       no slash, never over a file that is there
//   active on, active off     ok                     prof.active
//   reset                     ok                     prof.reset
//   stats                     {"allocated":...}      bytes, as JSON
//   anything else             error WHY
#pragma once

#define HR_TRIGGER_DIRECTORY_VARIABLE "HEAPREPORT_TRIGGER_DIR"
#define HR_TRIGGER_LIMIT_VARIABLE "HEAPREPORT_TRIGGER_LIMIT_MS"  // between two dumps; 10000
#define HR_TRIGGER_MALLCTL_VARIABLE "HEAPREPORT_TRIGGER_MALLCTL" // its name under another prefix
#define HR_TRIGGER_LIMIT_MS 10000
#define HR_TRIGGER_REQUEST_BYTES_MAX 256

// Starts listening, when the variable is set and nothing listens yet. Runs by itself when the
// library is loaded; a program that links it statically calls it once, or links with
// -u hr_trigger_start, so that the linker keeps it.
void hr_trigger_start(void);
