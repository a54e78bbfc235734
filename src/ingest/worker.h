// SPDX-License-Identifier: MIT
// Reads many dumps with several threads. Each thread has its own tables; what it found out about a
// dump is handed over in an outcome that names the tables it refers to. Which thread reads which
// dump is left to chance, and nothing that follows may depend on it.
#pragma once

#include "ingest/heap_reader.h"
#include "ingest/source.h"
#include "model/mapping.h"

#include <glib.h>

struct hr_read_order {
    const char *file; // name in the source
    bool with_rows;
};

struct hr_read_outcome {
    struct hr_heap_dump dump;  // no map text
    struct hr_row_buffer rows; // where dump.rows lie; used again for the next batch
    double live_bytes;
    double live_objects;
    double live_variance;
    bool allocated_less; // a stack holds more than was ever allocated there
    struct hr_mapping *mappings; // NULL when they are those of the dump the same worker read before
    guint mappings_count;
    uint64_t map_end;               // hr_maps_end() of the dump's map
    struct hr_given_names names;    // owned, as the mappings are; the strings are the worker's
    const struct hr_stacks *stacks; // that rows refer to
    unsigned worker;
};

// Called between the batches by the thread that called hr_workers_read(), for each order in turn:
// no worker runs meanwhile, so the stacks that rows refer to may be looked at.
typedef void hr_workers_take(void *context, size_t order, struct hr_read_outcome *outcome);

// Carries out `orders` with `jobs` threads (the calling one among them), a batch at a time, and
// hands every outcome to `take`. Memory is bounded by the batch and by what `take` keeps.
void hr_workers_read(const struct hr_source *source, const struct hr_read_order *orders,
                     size_t count, unsigned jobs, hr_workers_take *take, void *context);
