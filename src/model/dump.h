// SPDX-License-Identifier: MIT
// One dump file: what its name and header say, its totals, and (where read in full) its rows.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hr_dump_kind {
    HR_DUMP_UNKNOWN,
    HR_DUMP_INTERVAL, // i: every lg_prof_interval bytes allocated
    HR_DUMP_MANUAL,   // m: on request
    HR_DUMP_GDUMP,    // u: a new maximum of virtual memory
    HR_DUMP_FINAL,    // f: at exit
};

// Why a dump is not used, or not wholly. Words stand in templates/text.xml as dump-note-<name>.
enum hr_dump_note {
    HR_DUMP_NOTE_NONE,
    HR_DUMP_NOTE_CUT,            // ends inside; whole stacks were kept
    HR_DUMP_NOTE_EMPTY,          // no bytes, or no rows at all
    HR_DUMP_NOTE_FOREIGN,        // not a jemalloc dump
    HR_DUMP_NOTE_UNREADABLE,     // cannot be opened or read
    HR_DUMP_NOTE_MALFORMED,      // a jemalloc dump whose content makes no sense
    HR_DUMP_NOTE_GROWING,        // still being written
    HR_DUMP_NOTE_EXCLUDED,       // left out by --since, --until, --every
    HR_DUMP_NOTE_THINNED,        // totals used, rows not needed for the series
    HR_DUMP_NOTE_TEARDOWN,       // written after shutdown freed the heap
    HR_DUMP_NOTE_UNPACKED_LIMIT, // packed, and larger than the limit
};

// What shows that bytes of a dump that was read to its end are not those that were written.
enum hr_dump_damage {
    HR_DUMP_DAMAGE_LINES = 1 << 0,     // lines make no sense
    HR_DUMP_DAMAGE_TOTAL = 1 << 1,     // the stacks do not add up to the whole heap
    HR_DUMP_DAMAGE_THREADS = 1 << 2,   // the threads do not add up to their stack
    HR_DUMP_DAMAGE_STACK = 1 << 3,     // a stack stands in the place of another
    HR_DUMP_DAMAGE_ALLOCATED = 1 << 4, // a stack holds more than was ever allocated there
};

// What a dump says of one stack, as jemalloc printed it (not scaled). In a run whose metric is not
// live bytes the two pairs have changed places: model/metric.h.
struct hr_row {
    uint32_t stack; // id in the run's hr_stacks
    uint64_t objects;
    uint64_t bytes;
    uint64_t accum_objects; // since start; 0 unless prof_accum was on
    uint64_t accum_bytes;
};

// What one thread has of a stack.
struct hr_thread_row {
    uint32_t thread; // index in the run's threads
    struct hr_row row;
};

struct hr_dump {
    const char *file; // name below --dir
    enum hr_dump_kind kind;
    uint64_t sequence;
    double taken_at_s; // Unix time; NAN without a clock
    uint64_t size_bytes;
    bool used; // false: skipped, see note
    enum hr_dump_note note;
    unsigned damage;         // bits of enum hr_dump_damage, as far as it was looked for
    bool cross_checked;      // its threads were added up
    const char *sha256;      // of the content, unpacked; NULL but for base and final
    const char *note_detail; // NULL, or a word for the note ("gperftools heap profile")

    uint64_t sample_interval_bytes; // R
    bool
        prescaled; // rows were found again from scaled values; with an R of 1 they are those values
    bool other_allocator;    // written by another one than jemalloc, whose options do not apply
    uint64_t header_objects; // as printed; bent, so no sum of rows
    uint64_t header_bytes;
    double born_bytes; // allocated since start, scaled from the header; 0 unless prof_accum was on

    // Sums over rows of what is live, each scaled by itself (model/sample.h).
    double live_bytes;
    double live_objects;
    double live_variance; // of live_bytes: hr_sample_sum_variance() over the rows
    double kept_ratio;    // of a cut dump: rows' raw bytes / header_bytes; 1 when whole
    uint32_t rows_count;

    // Rows by rising stack id; NULL when only the totals were kept.
    const struct hr_row *rows;

    // What its threads have of the stacks, in the order of the file; none unless asked for.
    const struct hr_thread_row *thread_rows;
    uint32_t thread_rows_count;
};
