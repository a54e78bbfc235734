// SPDX-License-Identifier: MIT
//
//   [# time 1796160571.85]
//   7f5638aed000-7f5638afa000 rw-p 00000000 00:00 0 [path]
//   Rss:                  12 kB
//   ...                                          one such block a mapping
//
// The sums are what smaps_rollup says, and the mappings tell two kinds of memory apart that no
// allocator of ours made: threads' stacks, and the arenas of the C library.
//
#include "ingest/evidence.h"

#include <string.h>

#define SOURCE "smaps"

// glibc's HEAP_MAX_SIZE on 64-bit machines: an arena's heaps are so large and so aligned; the part
// in use is readable, the rest is reserved.
#define ARENA_BYTES ((uint64_t)64 * 1024 * 1024)

enum {
    SUM_RSS,
    SUM_PSS,
    SUM_ANONYMOUS,
    SUM_PRIVATE_DIRTY,
    SUM_LAZY_FREE,
    SUM_SWAP,
    SUM_HUGE,
    SUMS
};

static const char *const KEYS[SUMS] = {
    "Rss:", "Pss:", "Anonymous:", "Private_Dirty:", "LazyFree:", "Swap:", "AnonHugePages:"};

struct region {
    uint64_t start;
    uint64_t end;
    bool accessible; // not ---p
    bool anonymous;  // of no file
    bool is_stack;   // named so
    bool is_shmem;
    double kib[SUMS];
};

struct totals {
    double kib[SUMS];
    double file_kib;
    double shmem_kib;
    double thread_stacks_kib;
    double glibc_arenas_kib;
    bool has_key[SUMS];
    struct region before;
    struct region current;
    bool any;
};

bool hr_smaps_recognise(const struct hr_evidence_input *head)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    double time_s;
    hr_cursor_init(&cursor, head->text, head->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        if (hr_evidence_take_time_line(line, &time_s)) {
            continue;
        }
        hr_cursor_take_hex(&line);
        hr_cursor_expect(&line, "-");
        hr_cursor_take_hex(&line);
        return hr_cursor_ok(&line) && hr_cursor_take_line(&cursor, &line) &&
               hr_cursor_take_if(&line, "Size:");
    }
    return false;
}

static bool has_word(struct hr_span path, const char *word)
{
    return memmem(path.text, path.length, word, strlen(word)) != NULL;
}

static bool take_region(struct hr_cursor line, struct region *region)
{
    const uint64_t start = hr_cursor_take_hex(&line);
    hr_cursor_expect(&line, "-");
    const uint64_t end = hr_cursor_take_hex(&line);
    hr_cursor_expect(&line, " ");
    const struct hr_span permissions = hr_cursor_take_word(&line);
    for (int i = 0; i < 3; i++) {
        hr_cursor_skip_blanks(&line);
        hr_cursor_take_word(&line); // offset, device, inode
    }
    hr_cursor_skip_blanks(&line);
    const struct hr_span path = {line.at, (size_t)(line.end - line.at)};
    if (!hr_cursor_ok(&line) || permissions.length != 4 || start >= end) {
        return false;
    }
    *region =
        (struct region){.start = start,
                        .end = end,
                        .accessible = memcmp(permissions.text, "---", 3) != 0,
                        .anonymous = path.length == 0 || *path.text == '[',
                        .is_stack = has_word(path, "[stack") || has_word(path, "stack_and_tls"),
                        .is_shmem = has_word(path, "/dev/shm/") || has_word(path, "/memfd:") ||
                                    has_word(path, "/SYSV") || has_word(path, "/dev/zero")};
    return true;
}

static double kib_held(const struct region *region)
{
    return region->kib[SUM_ANONYMOUS] + region->kib[SUM_SWAP];
}

// A heap of an arena: aligned, and with the reserved rest behind it just as large as all heaps are.
static bool is_arena(const struct region *region, const struct region *behind)
{
    const bool whole = region->end - region->start == ARENA_BYTES;
    const bool rest_reserved = behind && behind->start == region->end && !behind->accessible &&
                               behind->end - region->start >= ARENA_BYTES;
    return region->start % ARENA_BYTES == 0 && region->anonymous && region->accessible &&
           (whole || rest_reserved);
}

// Counts the region before the current one; which kind it is shows in its neighbours.
static void count_region(struct totals *totals, const struct region *region,
                         const struct region *behind)
{
    const bool guarded = totals->before.end == region->start && !totals->before.accessible &&
                         totals->before.anonymous && totals->before.end != 0;
    for (int i = 0; i < SUMS; i++) {
        totals->kib[i] += region->kib[i];
    }
    const double of_files = MAX(0, region->kib[SUM_PSS] - region->kib[SUM_ANONYMOUS]);
    if (region->is_shmem) {
        totals->shmem_kib += of_files;
    } else if (!region->anonymous) {
        totals->file_kib += of_files;
    }
    if (is_arena(region, behind)) {
        totals->glibc_arenas_kib += kib_held(region);
    } else if (region->is_stack || (guarded && region->anonymous && region->accessible)) {
        totals->thread_stacks_kib += kib_held(region);
    }
}

static void begin_region(struct totals *totals, const struct region *next)
{
    if (totals->any) {
        count_region(totals, &totals->current, next);
        totals->before = totals->current;
    }
    totals->any = next != NULL;
    totals->current = next ? *next : (struct region){0};
}

static void add(struct hr_evidence_sink *sink, enum hr_evidence_id id, double time_s, double kib)
{
    hr_evidence_add(sink, id, SOURCE, time_s, kib * 1024);
}

static void end_snapshot(struct totals *totals, struct hr_evidence_sink *sink, double time_s)
{
    static const enum hr_evidence_id ids[SUMS] = {
        [SUM_RSS] = HR_EVIDENCE_RSS,
        [SUM_PSS] = HR_EVIDENCE_COUNT,
        [SUM_ANONYMOUS] = HR_EVIDENCE_ANONYMOUS,
        [SUM_PRIVATE_DIRTY] = HR_EVIDENCE_PRIVATE_DIRTY,
        [SUM_LAZY_FREE] = HR_EVIDENCE_LAZY_FREE,
        [SUM_SWAP] = HR_EVIDENCE_SWAP,
        [SUM_HUGE] = HR_EVIDENCE_HUGE_PAGES,
    };
    if (!totals->any) {
        return;
    }
    begin_region(totals, NULL);
    for (int i = 0; i < SUMS; i++) {
        if (totals->has_key[i] && ids[i] != HR_EVIDENCE_COUNT) {
            add(sink, ids[i], time_s, totals->kib[i]);
        }
    }
    add(sink, HR_EVIDENCE_FILE, time_s, totals->file_kib);
    add(sink, HR_EVIDENCE_SHMEM, time_s, totals->shmem_kib);
    add(sink, HR_EVIDENCE_THREAD_STACKS, time_s, totals->thread_stacks_kib);
    add(sink, HR_EVIDENCE_GLIBC_ARENAS, time_s, totals->glibc_arenas_kib);
}

static void take_key(struct totals *totals, struct hr_cursor line)
{
    for (int i = 0; i < SUMS; i++) {
        if (!hr_cursor_take_if(&line, KEYS[i])) {
            continue;
        }
        hr_cursor_skip_blanks(&line);
        const uint64_t kib = hr_cursor_take_u64(&line);
        hr_cursor_expect(&line, " kB");
        if (hr_cursor_ok(&line)) {
            totals->current.kib[i] = (double)kib;
            totals->has_key[i] = true;
        }
        return;
    }
}

// A snapshot that was cut is no sum of anything: VmFlags is a block's last key.
static bool ends_whole(const struct hr_evidence_input *input)
{
    if (input->size == 0 || input->text[input->size - 1] != '\n') {
        return false;
    }
    const size_t before = input->size - 1;
    const char *newline = memrchr(input->text, '\n', before);
    const char *last = newline ? newline + 1 : input->text;
    return g_str_has_prefix(last, "VmFlags:");
}

void hr_smaps_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    struct totals totals = {0};
    double time_s = input->time_s;
    double next_time_s;
    hr_cursor_init(&cursor, input->text, input->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        struct region region;
        if (hr_evidence_take_time_line(line, &next_time_s)) {
            end_snapshot(&totals, sink, time_s);
            totals = (struct totals){0};
            time_s = next_time_s;
        } else if (take_region(line, &region)) {
            begin_region(&totals, &region);
        } else {
            take_key(&totals, line);
        }
    }
    if (ends_whole(input)) {
        end_snapshot(&totals, sink, time_s);
    } else {
        hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_CUT, input->file, NULL);
    }
}
