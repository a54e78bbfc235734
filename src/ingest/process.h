// SPDX-License-Identifier: MIT
// From a listing to processes: dumps are grouped by prefix, pid namespace and pid, put in order,
// and split where one pid was used again (pid 1 after a container's restart).
#pragma once

#include "ingest/listing.h"
#include "model/run.h"

enum hr_process_order { HR_ORDER_SEQUENCE, HR_ORDER_NAME_TIME, HR_ORDER_FILE_TIME };

// listing->dumps[first .. first + count), in order.
struct hr_process {
    struct hr_run_key key;
    guint first;
    guint count;
    enum hr_process_order order;
    bool split;      // one of several with this key
    bool by_times;   // which only file times told apart
    double oldest_s; // file times
    double newest_s;
};

// Sorts listing->dumps and returns the processes in it (of struct hr_process), by key.
GArray *hr_processes_find(struct hr_listing *listing, struct hr_arena *arena,
                          const struct hr_source *source);
