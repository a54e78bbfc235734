// SPDX-License-Identifier: MIT
// Reads many dumps with several threads. Each thread has its own tables; what it found out about a
// dump is handed over in an outcome that names the tables it refers to. Which thread reads which
// dump is left to chance, and nothing that follows may depend on it.
#pragma once

#include "ingest/heap-reader.h"
#include "model/mapping.h"

#include <glib.h>

struct hr_read_order {
    const char *file; // name below the directory
    bool with_rows;
};

struct hr_read_outcome {
    struct hr_heap_dump dump; // rows only with_rows, owned by the outcome; no map text
    double live_bytes;
    double live_objects;
    double live_variance;
    struct hr_mapping *mappings; // owned; NULL when they are those of the dump the same worker read
    guint mappings_count;        // before
    const struct hr_stacks *stacks; // that rows refer to
    unsigned worker;
};

struct hr_workers;

// Carries out `orders` with `jobs` threads (the calling one among them) and fills `outcomes`. The
// workers own the tables; keep them until the outcomes were used.
struct hr_workers *hr_workers_read(const char *directory, const struct hr_read_order *orders,
                                   struct hr_read_outcome *outcomes, size_t count, unsigned jobs);
void hr_workers_free(struct hr_workers *workers);
HR_DEFINE_AUTO(hr_workers, hr_workers_free)

unsigned hr_workers_count(const struct hr_workers *workers);

// Frees what one outcome owns.
void hr_read_outcome_clear(struct hr_read_outcome *outcome);
