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

void hr_evidence_add(struct hr_evidence_sink *sink, enum hr_evidence_id id, const char *source,
                     double time_s, double value)
{
    // No process runs on nothing: where one of these is 0, its reading failed.
    const bool never_zero = id == HR_EVIDENCE_ALLOCATED || id == HR_EVIDENCE_RESIDENT ||
                            id == HR_EVIDENCE_ACTIVE || id == HR_EVIDENCE_RSS ||
                            id == HR_EVIDENCE_ANONYMOUS;
    if (!isfinite(time_s) || !isfinite(value) || value < 0 || (value == 0 && never_zero)) {
        return;
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
