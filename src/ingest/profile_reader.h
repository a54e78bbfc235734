// SPDX-License-Identifier: MIT
// Reads pprof profiles as dumps. Their values were scaled where they were written; where a profile
// says how it was sampled, the samples behind a value are found again, so that all that follows
// works as for a dump and scales them back to the value that was written. Else the values count as
// they are.
#pragma once

#include "base/cleanup.h"
#include "ingest/heap_dump.h"
#include "ingest/stream.h"
#include "model/stacks.h"

struct hr_profile_reader;

// A sample of more locations than this is left out.
#define HR_PROFILE_STACK_MAX 65536u

// Behind the name of a profile that holds two dumps (heapreport's own): its earlier one.
#define HR_PROFILE_BASE_SUFFIX "#base"

// What a profile says of itself as a whole.
struct hr_profile_summary {
    double taken_at_s; // Unix time; NAN when it does not say
    double base_at_s;  // of the earlier dump in it
    bool has_base;
};

// Reads the summary of an opened stream; false when it is no such profile.
bool hr_profile_summarise(struct hr_stream *stream, struct hr_profile_summary *summary);

// The name under which a dump is stored: without the suffix of a part.
char *hr_profile_stored_name(const char *file, bool *is_base);

// The stacks stay the caller's, as do those that its rows refer to.
struct hr_profile_reader *hr_profile_reader_new(struct hr_stacks *stacks);
void hr_profile_reader_free(struct hr_profile_reader *reader);
HR_DEFINE_AUTO(hr_profile_reader, hr_profile_reader_free)

// As hr_heap_reader_read(); is_base: the earlier of its two dumps.
void hr_profile_reader_read(struct hr_profile_reader *reader, struct hr_stream *stream,
                            bool is_base, struct hr_row_buffer *rows, struct hr_heap_dump *dump);
