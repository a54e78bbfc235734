// SPDX-License-Identifier: MIT
// jemalloc writes each stack's sum and then what every thread has of it:
//
//   @ 0x5581 0x5590
//     t*: 12: 3456 [0: 0]
//     t0: 10: 3000 [0: 0]
//     t7: 2: 456 [0: 0]
//
// Each line is rounded for itself since 5.3, and threads go on while a dump is written; what is
// farther apart than that was not written so.
#include "base/cursor.h"
#include "ingest/cross_stacks.h"
#include "ingest/feed.h"
#include "ingest/ingest.h"

#include <inttypes.h>

#define APART_MAX_RATIO 0.05

// Other dumps are read once more while all have no more bytes than this.
#define OTHERS_MAX_BYTES ((uint64_t)32 * 1024 * 1024)

struct block {
    uint64_t objects, bytes; // of its t* line
    uint64_t thread_objects, thread_bytes;
    unsigned threads;
};

static bool is_apart(uint64_t total, uint64_t sum, unsigned threads)
{
    const uint64_t difference = total > sum ? total - sum : sum - total;
    return (double)difference > (double)threads + APART_MAX_RATIO * (double)MAX(total, sum);
}

// 1 when the block's lines contradict each other.
static unsigned judge(const struct block *block)
{
    return block->threads > 0 && (is_apart(block->objects, block->thread_objects, block->threads) ||
                                  is_apart(block->bytes, block->thread_bytes, block->threads));
}

static void take_line(struct block *block, struct hr_cursor *line)
{
    hr_cursor_skip_blanks(line);
    if (!hr_cursor_take_if(line, "t")) {
        return;
    }
    const bool is_sum = hr_cursor_take_if(line, "*");
    if (!is_sum) {
        (void)hr_cursor_take_u64(line);
    }
    hr_cursor_expect(line, ":");
    hr_cursor_skip_blanks(line);
    const uint64_t objects = hr_cursor_take_u64(line);
    hr_cursor_expect(line, ":");
    hr_cursor_skip_blanks(line);
    const uint64_t bytes = hr_cursor_take_u64(line);
    if (!hr_cursor_ok(line)) {
        return;
    }
    if (is_sum) {
        *block = (struct block){.objects = objects, .bytes = bytes};
    } else {
        block->thread_objects += objects;
        block->thread_bytes += bytes;
        block->threads++;
    }
}

// Stacks whose lines contradict each other.
static unsigned count_contradictions(struct hr_stream *stream)
{
    struct hr_feed feed;
    struct block block = {0};
    unsigned count = 0;
    bool in_stack = false;
    const char *at;
    const char *stop;
    hr_feed_init(&feed);
    hr_feed_open(&feed, stream);
    while (hr_feed_next(&feed, &at, &stop)) {
        struct hr_cursor lines;
        struct hr_cursor line;
        hr_cursor_init(&lines, at, (size_t)(stop - at));
        while (hr_cursor_take_line(&lines, &line)) {
            if (hr_cursor_take_if(&line, "@") || hr_cursor_take_if(&line, "MAPPED_LIBRARIES:")) {
                count += in_stack ? judge(&block) : 0;
                block = (struct block){0};
                in_stack = true;
            } else {
                take_line(&block, &line);
            }
        }
    }
    hr_feed_clear(&feed);
    return count + (in_stack ? judge(&block) : 0);
}

static void check_dump(struct hr_dump *dump, const struct hr_source *source,
                       struct hr_diagnostics *diagnostics)
{
    struct hr_stream stream;
    if (dump->cross_checked || !hr_source_open(source, dump->file, &stream, NULL)) {
        return;
    }
    const unsigned count = count_contradictions(&stream);
    hr_stream_close(&stream);
    dump->cross_checked = true;
    if (count > 0) {
        dump->damage |= HR_DUMP_DAMAGE_THREADS;
        hr_diagnostics_add(diagnostics, HR_DIAG_DUMP_CONTRADICTS, dump->file, NULL);
    }
}

// Beside base and final, those that the series stands on.
static bool is_other(const struct hr_dump *dump)
{
    return dump->used && dump->rows != NULL;
}

// To read the others once more has to cost next to nothing.
static bool others_are_small(const struct hr_run *run)
{
    uint64_t bytes = 0;
    for (size_t i = 0; i < run->dumps_count; i++) {
        bytes += is_other(&run->dumps[i]) ? run->dumps[i].size_bytes : 0;
    }
    return bytes <= OTHERS_MAX_BYTES;
}

static unsigned damage_of(const struct hr_run *run, const size_t *chosen, size_t chosen_count)
{
    unsigned damage = 0;
    for (size_t i = 0; i < chosen_count; i++) {
        damage |= chosen[i] < run->dumps_count ? run->dumps[chosen[i]].damage : 0;
    }
    return damage;
}

bool hr_ingest_cross_check(struct hr_run *run, const struct hr_ingest_options *options,
                           const size_t *chosen, size_t chosen_count,
                           struct hr_diagnostics *diagnostics)
{
    const unsigned before = damage_of(run, chosen, chosen_count);
    const bool others = others_are_small(run);
    for (size_t i = 0; i < run->dumps_count; i++) {
        bool is_chosen = false;
        for (size_t c = 0; c < chosen_count; c++) {
            is_chosen |= chosen[c] == i;
        }
        if (is_chosen || (others && is_other(&run->dumps[i]))) {
            check_dump(&run->dumps[i], options->source, diagnostics);
        }
    }
    hr_cross_check_stacks(run, diagnostics);
    return damage_of(run, chosen, chosen_count) != before;
}
