// SPDX-License-Identifier: MIT
// The history file: one line of JSON for each night, kept by --history. Reading and appending are
// one step under a lock, so that runs that end together lose nothing. What a night means beside the
// others is night/status.h.
#pragma once

#include "base/cleanup.h"
#include "base/error.h"

#include <jansson.h>
#include <stdbool.h>

struct hr_history;

// Opens (and makes) the file, locks it, and reads its lines. Waits some seconds for the lock. Fails
// with the path, also where there are lines and none of them can be of a history.
struct hr_history *hr_history_open(const char *path, GError **error);

// Reads the file without keeping it open. Fails as above, but needs no lock.
struct hr_history *hr_history_read(const char *path, GError **error);
void hr_history_free(struct hr_history *history);
HR_DEFINE_AUTO(hr_history, hr_history_free)

// The nights of `service` (NULL: of all), oldest first; of a run that was reported twice the later
// line. The records stay the history's; free the array alone.
GPtrArray *hr_history_nights(const struct hr_history *history, const char *service);

// Lines that are no record. They stay in the file.
unsigned hr_history_skipped_count(const struct hr_history *history);

// Appends one record. Fails leaving the file as it was.
bool hr_history_append(struct hr_history *history, const json_t *record, GError **error);

// The record of a result: what later nights need of it.
json_t *hr_history_compose_record(const json_t *result);

// True when both are records of the same run.
bool hr_history_is_same_run(const json_t *record, const json_t *other);
