// SPDX-License-Identifier: MIT
// Where one process ends and the next begins among dumps of one name: a restarted container is pid
// 1 again and leaves the high sequence numbers of its predecessor behind.
#pragma once

#include "ingest/process.h"

// Returns the ends (of guint, rising, the last is `count`) of the processes in `dumps`, which are
// in order. The address space in the dumps decides (stack and vdso lie elsewhere in each process);
// without one, a single step back of the file times. Reorders `dumps` when two processes have dumps
// of the same sequence number. Reads few files. *by_times says that only the times told.
GArray *hr_boundaries_find(struct hr_listed *dumps, guint count, enum hr_process_order order,
                           const struct hr_source *source, bool *by_times);
