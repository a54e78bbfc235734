// SPDX-License-Identifier: MIT
// What the readers of evidence share: a file in, samples out. A reader is one file and one line in
// the table of evidence_formats.c; it is chosen by content. Units come from the source or the key,
// never from the size of a number.
#pragma once

#include "base/cursor.h"
#include "base/diagnostics.h"
#include "model/evidence.h"
#include "model/rules.h"

#include <glib.h>

struct hr_evidence_input {
    const char *file; // as in diagnostics
    const char *text; // NUL-terminated behind size
    size_t size;
    double time_s; // of what says no time itself: the Unix time in the name, else the file's
    double modified_at_s;
    const struct hr_rules *rules;
};

// One value. `source` is a literal or from the rules.
struct hr_evidence_sample {
    double time_s;
    double value;
    int64_t pid; // -1: not said
    const char *source;
    unsigned rank; // of the source: smaller is better where two have as much to say
    unsigned file; // index of the input
    enum hr_evidence_id id;
    bool zoneless; // its time was written without a zone
};

struct json_t;

// Collects what the readers find.
struct hr_evidence_sink {
    GArray *samples; // of struct hr_evidence_sample
    GArray *bins;    // of struct hr_bin, the newest
    double bins_time_s;
    int64_t wanted_pid; // of the run; -1: any
    struct hr_diagnostics *diagnostics;
    unsigned file;
    const char *file_shown; // as in diagnostics
    int64_t pid;            // of the file's name; a reader may know better
    unsigned rank;
};

// Adds a value in the id's unit. What is no number is unknown and left out; what no process can
// have (negative, beyond all addresses) or at no time is left out and told.
void hr_evidence_add(struct hr_evidence_sink *sink, enum hr_evidence_id id, const char *source,
                     double time_s, double value);

// A sample stamped with a whole second takes the time of the one moment within that second at which
// others were taken, where these tell fractions and agree: they were asked in one go.
void hr_evidence_refine_moments(GArray *samples);

struct hr_evidence_format {
    const char *name;
    // Looks at the first bytes (HR_CONTENT_HEAD_BYTES at most) and, where content cannot tell, at
    // the name.
    bool (*recognise)(const struct hr_evidence_input *head);
    void (*read)(const struct hr_evidence_input *input, struct hr_evidence_sink *sink);
};

// The table's entry for this head, or NULL; its place is the rank of its values.
const struct hr_evidence_format *hr_evidence_format_find(const struct hr_evidence_input *head,
                                                         unsigned *rank);

// One recogniser and reader for each format.
bool hr_rollup_recognise(const struct hr_evidence_input *head);
void hr_rollup_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink);
bool hr_status_recognise(const struct hr_evidence_input *head);
void hr_status_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink);
bool hr_smaps_recognise(const struct hr_evidence_input *head);
void hr_smaps_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink);
bool hr_pmap_recognise(const struct hr_evidence_input *head);
void hr_pmap_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink);
bool hr_json_recognise(const struct hr_evidence_input *head);
void hr_json_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink);
bool hr_stats_text_recognise(const struct hr_evidence_input *head);
void hr_stats_text_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink);
bool hr_columns_recognise(const struct hr_evidence_input *head);
void hr_columns_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink);
bool hr_prometheus_recognise(const struct hr_evidence_input *head);
void hr_prometheus_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink);
bool hr_cgroup_recognise(const struct hr_evidence_input *head);
void hr_cgroup_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink);

// Takes the size classes of a whole malloc_stats_print() tree where it has them.
void hr_bins_read(const struct json_t *tree, double time_s, struct hr_evidence_sink *sink);

// True when one of the first lines begins with `mark`.
bool hr_evidence_has_line(const struct hr_evidence_input *head, const char *mark);

// Takes a leading `# time <Unix seconds>` line's time; false for another line.
bool hr_evidence_take_time_line(struct hr_cursor line, double *time_s);
