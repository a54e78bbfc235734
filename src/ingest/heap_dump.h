// SPDX-License-Identifier: MIT
// What one file of dumps said, whatever form it has and whoever reads it.
#pragma once

#include "model/dump.h"
#include "model/given.h"
#include "model/mapping.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Room for the rows of a dump, grown as needed; start from all zero, free the rows with g_free().
struct hr_row_buffer {
    struct hr_row *rows;
    size_t capacity;
};

// How a dump is written. Of jemalloc's own form; with counts and stack in one line (one_line.h),
// and then counted or sampled.
enum hr_heap_form { HR_HEAP_FORM_JEMALLOC, HR_HEAP_FORM_COUNTED, HR_HEAP_FORM_SAMPLED };

// What one file said. Rows (in the order of the file, each stack once) lie in the buffer given to
// the read; the map text belongs to the reader until its next read.
struct hr_heap_dump {
    enum hr_dump_note note; // NONE, CUT, or why nothing could be read
    const char *note_detail;
    enum hr_heap_form form;
    uint64_t size_bytes; // of the content, unpacked
    uint64_t sample_interval_bytes;
    bool prescaled; // see struct hr_dump
    uint64_t header_objects;
    uint64_t header_bytes;
    uint64_t header_accum_objects;
    uint64_t header_accum_bytes;
    double born_bytes; // since start, scaled: the counts of the header are bent (docs/method.md)
    uint64_t raw_objects; // of all rows, as printed; 0 where a format has no such sum beside them
    uint64_t raw_bytes;
    const struct hr_row *rows;
    size_t rows_count;
    bool has_map;         // the map section was reached: all rows were read
    const char *map_text; // "" unless asked for
    size_t map_bytes;
    const struct hr_mapping *mappings; // of a format that lists them itself, in place of a text
    size_t mappings_count;
    bool map_cut;                // it ends inside a line, or could not be read to its end
    size_t map_limit_bytes;      // it was longer than this, and cut; 0: it was not
    struct hr_given_names names; // the reader's until its next read
    unsigned leading_lines;      // before the header
    unsigned skipped_lines;      // that make no sense
    uint64_t skipped_offset;     // of the first one
};
