// SPDX-License-Identifier: MIT
//
//   [# time 1796160571.85]
//   7f5638aed000-7f5638afa000 rw-p 00000000 00:00 0 [path]
//   Size:                 52 kB
//   ...                                          as smaps.h reads it; several snapshots may follow
//
#include "ingest/evidence.h"
#include "ingest/smaps.h"

bool hr_smaps_recognise(const struct hr_evidence_input *head)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    double time_s;
    hr_cursor_init(&cursor, head->text, head->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        if (hr_evidence_take_time_line(line, &time_s)) {
            continue;
        }
        hr_cursor_take_hex(&line);
        hr_cursor_expect(&line, "-");
        hr_cursor_take_hex(&line);
        return hr_cursor_ok(&line) && hr_cursor_take_line(&cursor, &line) &&
               hr_cursor_take_if(&line, "Size:");
    }
    return false;
}

static void add_snapshot(const char *from, const char *to, double time_s,
                         const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    struct hr_smaps_sums sums;
    if (from == to) {
        return;
    }
    if (!hr_smaps_sum(from, (size_t)(to - from), &sums)) {
        hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_CUT, input->file, NULL);
        return;
    }
    for (int id = 0; id < HR_EVIDENCE_COUNT; id++) {
        hr_evidence_add(sink, (enum hr_evidence_id)id, "smaps", time_s, sums.bytes[id]);
    }
}

void hr_smaps_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    double time_s = input->time_s;
    const char *begun = input->text;
    hr_cursor_init(&cursor, input->text, input->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        double next_time_s;
        if (hr_evidence_take_time_line(line, &next_time_s)) {
            add_snapshot(begun, line.at, time_s, input, sink);
            time_s = next_time_s;
            begun = cursor.at;
        }
    }
    add_snapshot(begun, input->text + input->size, time_s, input, sink);
}
