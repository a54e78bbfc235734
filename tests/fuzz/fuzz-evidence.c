// SPDX-License-Identifier: MIT
// An evidence file of any kind. What must hold whatever comes: values are finite, not negative, and
// of a known quantity.
#include "fuzz.h"

#include "ingest/evidence.h"
#include "ingest/foreign.h"

#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const char *const needs[] = {"rss_mb", NULL};
    static const struct hr_column_rule columns[] = {{"rss_mb", HR_EVIDENCE_RSS, 1048576}};
    static const struct hr_table_rule table = {"monitor", "timestamp", needs, columns, 1};
    const struct hr_rules rules = {.table_rules = &table, .table_rules_count = 1};
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(struct hr_evidence_sample));
    g_autoptr(GArray) bins = g_array_new(FALSE, FALSE, sizeof(struct hr_bin));
    struct hr_evidence_sink sink = {
        .samples = samples, .bins = bins, .wanted_pid = -1, .diagnostics = diagnostics, .pid = -1};
    // The readers may look at the NUL behind the text, as hr_file_read() gives it.
    g_autofree char *text = g_strndup("", size);
    if (size > 0) {
        memcpy(text, bytes, size);
    }
    static const char *const names[] = {"evidence", "memory.max"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        struct hr_evidence_input input = {.file = names[i],
                                          .text = text,
                                          .size = MIN(size, HR_CONTENT_HEAD_BYTES),
                                          .time_s = 1796158800,
                                          .modified_at_s = 1796158800,
                                          .rules = &rules};
        const struct hr_evidence_format *format = hr_evidence_format_find(&input, &sink.rank);
        if (format) {
            input.size = size;
            format->read(&input, &sink);
        }
    }
    for (guint i = 0; i < samples->len; i++) {
        const struct hr_evidence_sample *sample =
            &g_array_index(samples, struct hr_evidence_sample, i);
        g_assert(isfinite(sample->time_s) && isfinite(sample->value) && sample->value >= 0);
        g_assert(sample->id < HR_EVIDENCE_COUNT && sample->source);
    }
    return 0;
}
