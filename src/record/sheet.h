// SPDX-License-Identifier: MIT
// The record's file: one JSON object a line, only ever appended to, each line with one write, so
// that a reader sees whole lines whenever it looks.
#pragma once

#include "base/cleanup.h"
#include "base/error.h"

#include <glib.h>
#include <stdbool.h>

// How every line begins.
#define HR_SHEET_BEGIN "{\"schema\":\"heapreport-record\","

struct hr_sheet;

// Opens DIR/heapreport-record.PID.jsonl, made when it is missing. Where an earlier run was cut off
// inside a line, that line is ended first. Refuses a link, anything that is no regular file, and in
// a directory that everybody can write to another user's file.
struct hr_sheet *hr_sheet_open(const char *directory, long pid, GError **error);
void hr_sheet_close(struct hr_sheet *sheet);
HR_DEFINE_AUTO(hr_sheet, hr_sheet_close)

// Appends one line. On a full disk nothing of the line stays, and the call fails.
bool hr_sheet_append(struct hr_sheet *sheet, const char *line, GError **error);
