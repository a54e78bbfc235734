// SPDX-License-Identifier: MIT
// Reads jemalloc's heap_v2 dumps and the older one-line form, one after another, and keeps what it
// learns: a stack line that stood in an earlier dump is recognised, not parsed. One reader belongs
// to one thread; stack ids are the reader's own, so that readers need nothing of each other.
#pragma once

#include "base/cleanup.h"
#include "ingest/heap_dump.h"
#include "ingest/stream.h"
#include "model/stacks.h"

struct hr_heap_reader;

struct hr_heap_reader *hr_heap_reader_new(void);
void hr_heap_reader_free(struct hr_heap_reader *reader);
HR_DEFINE_AUTO(hr_heap_reader, hr_heap_reader_free)

// Reads a dump from a stream that was just opened (NULL: it could not be); without `with_map`
// reading ends where the memory map begins. Never fails: what went wrong is the dump's note.
void hr_heap_reader_read(struct hr_heap_reader *reader, struct hr_stream *stream, bool with_map,
                         struct hr_row_buffer *rows, struct hr_heap_dump *dump);

// The stacks that rows refer to; readers of other formats may add to them.
struct hr_stacks *hr_heap_reader_stacks(const struct hr_heap_reader *reader);
