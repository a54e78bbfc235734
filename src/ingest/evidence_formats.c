// SPDX-License-Identifier: MIT
#include "ingest/evidence.h"

#include <math.h>
#include <string.h>

// The first that recognises a file reads it. Where two sources say as much of one quantity, the
// upper one counts.
static const struct hr_evidence_format FORMATS[] = {
    {"smaps_rollup", hr_rollup_recognise, hr_rollup_read},
    {"smaps", hr_smaps_recognise, hr_smaps_read},
    {"status", hr_status_recognise, hr_status_read},
    {"pmap", hr_pmap_recognise, hr_pmap_read},
    {"JSON", hr_json_recognise, hr_json_read},
    {"cgroup", hr_cgroup_recognise, hr_cgroup_read},
    {"CSV", hr_columns_recognise, hr_columns_read},
    {"Prometheus", hr_prometheus_recognise, hr_prometheus_read},
    {"text", hr_stats_text_recognise, hr_stats_text_read},
};

const struct hr_evidence_format *hr_evidence_format_find(const struct hr_evidence_input *head,
                                                         unsigned *rank)
{
    for (unsigned i = 0; i < G_N_ELEMENTS(FORMATS); i++) {
        if (FORMATS[i].recognise(head)) {
            *rank = i;
            return &FORMATS[i];
        }
    }
    return NULL;
}

// What a process can address on any machine, with room above: counters that ran below zero read as
// numbers near 2^64.
#define MOST_BYTES 0x1p57

// The year 10000: the first that a time of four digits cannot tell.
#define TIMES_END_S 253402300800.0

// No limit is written as a limit that nobody can reach.
static bool is_possible(enum hr_evidence_id id, double time_s, double value)
{
    return value >= 0 && (value < MOST_BYTES || id == HR_EVIDENCE_CGROUP_LIMIT) && time_s > 0 &&
           time_s < TIMES_END_S;
}

void hr_evidence_add(struct hr_evidence_sink *sink, enum hr_evidence_id id, const char *source,
                     double time_s, double value)
{
    // No process runs on nothing: where one of these is 0, its reading failed.
    const bool never_zero = id == HR_EVIDENCE_ALLOCATED || id == HR_EVIDENCE_RESIDENT ||
                            id == HR_EVIDENCE_ACTIVE || id == HR_EVIDENCE_RSS ||
                            id == HR_EVIDENCE_ANONYMOUS;
    if (isnan(time_s) || isnan(value) || (value == 0 && never_zero)) {
        return;
    }
    if (!is_possible(id, time_s, value)) {
        hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_IMPOSSIBLE, sink->file_shown, NULL);
        return;
    }
    if (value >= MOST_BYTES) {
        return; // no limit
    }
    const struct hr_evidence_sample sample = {.time_s = time_s,
                                              .value = value,
                                              .pid = sink->pid,
                                              .source = source,
                                              .rank = sink->rank,
                                              .file = sink->file,
                                              .id = id};
    g_array_append_val(sink->samples, sample);
}

bool hr_evidence_has_line(const struct hr_evidence_input *head, const char *mark)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    hr_cursor_init(&cursor, head->text, head->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        if (hr_cursor_take_if(&line, mark)) {
            return true;
        }
    }
    return false;
}

bool hr_evidence_take_time_line(struct hr_cursor line, double *time_s)
{
    if (!hr_cursor_take_if(&line, "# time ")) {
        return false;
    }
    const double time = hr_cursor_take_double(&line);
    if (!hr_cursor_ok(&line)) {
        return false;
    }
    *time_s = time;
    return true;
}
