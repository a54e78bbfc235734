// SPDX-License-Identifier: MIT
// The files that may be evidence: where they lie, what their names and first bytes say, and their
// content, given to the reader of its format.
#pragma once

#include "ingest/evidence.h"

struct hr_ingest_options;
struct hr_source;

struct hr_evidence_candidate {
    char *file; // as shown
    const struct hr_source *source;
    char *name;     // in the source
    bool asked_for; // by --evidence: it must be readable and known
    bool is_regular;
    double modified_at_s;
    uint64_t size_bytes;
    char *hash; // SHA-256 in hex; NULL: not read, or not readable
};

// All that may be read: the candidates by name, and the sources that they lie in beside --dir.
struct hr_evidence_files {
    GArray *candidates; // of struct hr_evidence_candidate
    GPtrArray *sources;
};

// Lists --dir and what --evidence names; what is missing there is told. To be cleared.
void hr_evidence_files_find(struct hr_evidence_files *found,
                            const struct hr_ingest_options *options,
                            struct hr_diagnostics *diagnostics);
void hr_evidence_files_clear(struct hr_evidence_files *found);

// Gives a candidate to the reader of its format, whose values go to `sink`. A file that is no
// evidence is passed over, unless it was asked for; what cannot be read is told.
void hr_evidence_files_read(struct hr_evidence_candidate *candidate, const struct hr_rules *rules,
                            struct hr_evidence_sink *sink);
