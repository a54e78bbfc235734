// SPDX-License-Identifier: MIT
//
//   7f5638aed000-7f5638afa000 rw-p 00000000 00:00 0 [path]
//   Rss:                  12 kB
//   ...                                          one such block a mapping, VmFlags its last key
//
#include "ingest/smaps.h"

#include "base/cursor.h"

#include <glib.h>
#include <math.h>
#include <string.h>

#define KIB 1024.0

// glibc's HEAP_MAX_SIZE on 64-bit machines: an arena's heaps are so large and so aligned; the part
// in use is readable, the rest is reserved.
#define ARENA_BYTES ((uint64_t)64 * 1024 * 1024)

// A page mostly, more with large pages. What is reserved in larger pieces guards nothing.
#define GUARD_MAX_BYTES ((uint64_t)1024 * 1024)

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

static const struct {
    const char *key;
    enum hr_evidence_id id; // HR_EVIDENCE_COUNT: a means to another sum
} KEYS[SUMS] = {
    [SUM_RSS] = {"Rss:", HR_EVIDENCE_RSS},
    [SUM_PSS] = {"Pss:", HR_EVIDENCE_COUNT},
    [SUM_ANONYMOUS] = {"Anonymous:", HR_EVIDENCE_ANONYMOUS},
    [SUM_PRIVATE_DIRTY] = {"Private_Dirty:", HR_EVIDENCE_PRIVATE_DIRTY},
    [SUM_LAZY_FREE] = {"LazyFree:", HR_EVIDENCE_LAZY_FREE},
    [SUM_SWAP] = {"Swap:", HR_EVIDENCE_SWAP},
    [SUM_HUGE] = {"AnonHugePages:", HR_EVIDENCE_HUGE_PAGES},
};

struct region {
    uint64_t start;
    uint64_t end;
    bool accessible; // not ---p
    bool anonymous;  // of no file
    bool is_shmem;
    bool is_stack; // by its name
    bool is_arena; // by its name
    bool is_jemalloc;
    bool has_key[SUMS];
    double kib[SUMS];
};

struct totals {
    double kib[SUMS];
    double file_kib;
    double shmem_kib;
    double thread_stacks_kib;
    double glibc_arenas_kib;
    double whole_arenas_kib; // of what looks like a full heap of an arena
    bool has_key[SUMS];
    bool has_arenas;
    bool before_was_arena;
    bool before_is_rest; // of an arena, reserved
    bool broken;         // no sum of one snapshot
    struct region before;
    struct region current;
    size_t regions_count;
};

static bool has_word(struct hr_span path, const char *word)
{
    return memmem(path.text, path.length, word, strlen(word)) != NULL;
}

// The names of threads' stacks and of glibc's memory where the kernel keeps them: bionic's, and
// glibc's with glibc.mem.decorate_maps. [heap] is what only the C library's malloc asks for.
static void take_path(struct hr_span path, struct region *region)
{
    region->anonymous = path.length == 0 || *path.text == '[';
    region->is_stack = has_word(path, "[stack") || has_word(path, "stack_and_tls") ||
                       has_word(path, "pthread stack");
    region->is_arena = has_word(path, "[heap]") || has_word(path, "glibc: malloc");
    region->is_jemalloc = has_word(path, "[anon:jemalloc");
    region->is_shmem = has_word(path, "/dev/shm/") || has_word(path, "/memfd:") ||
                       has_word(path, "/SYSV") || has_word(path, "/dev/zero");
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
    if (!hr_cursor_ok(&line) || permissions.length != 4 || start >= end) {
        return false;
    }
    *region = (struct region){
        .start = start, .end = end, .accessible = memcmp(permissions.text, "---", 3) != 0};
    take_path((struct hr_span){line.at, (size_t)(line.end - line.at)}, region);
    return true;
}

static uint64_t size_of(const struct region *region)
{
    return region->end - region->start;
}

static bool is_reserved(const struct region *region)
{
    return region->end != 0 && !region->accessible && region->anonymous;
}

static double kib_held(const struct region *region)
{
    return region->kib[SUM_ANONYMOUS] + region->kib[SUM_SWAP];
}

// A heap of an arena in use begins aligned, and the reserved rest behind it makes it as large as
// all heaps are. The kernel may have made one mapping of it and of what lies right below; then what
// the heap has in use at most is taken for its own. 0 where there is none.
static double arena_kib(const struct region *region, const struct region *behind)
{
    const uint64_t begin = region->end - region->end % ARENA_BYTES;
    const bool reserved = behind && behind->start == region->end && is_reserved(behind) &&
                          behind->end - begin >= ARENA_BYTES;
    if (!reserved || begin < region->start || begin == region->end || !region->anonymous ||
        !region->accessible || region->is_jemalloc) {
        return 0;
    }
    if (begin == region->start) {
        return kib_held(region);
    }
    const double in_use_kib = (double)(region->end - begin) / KIB;
    return size_of(behind) > GUARD_MAX_BYTES ? MIN(kib_held(region), in_use_kib) : 0;
}

// A stack has a guard at its low end, and another stack's above it or a usual size: before Linux
// 6.7 the kernel made one mapping of a stack and of what an allocator had mapped right above.
static bool is_stack(const struct totals *totals, const struct region *region,
                     const struct region *behind)
{
    const struct region *guard = &totals->before;
    if (!is_reserved(guard) || guard->end != region->start || size_of(guard) > GUARD_MAX_BYTES ||
        totals->before_is_rest) {
        return false;
    }
    const uint64_t size = size_of(region);
    const uint64_t with_guard = size + size_of(guard);
    const bool between_guards = behind && behind->start == region->end && is_reserved(behind) &&
                                size_of(behind) == size_of(guard);
    return region->anonymous && region->accessible &&
           (between_guards || (size & (size - 1)) == 0 || (with_guard & (with_guard - 1)) == 0);
}

// Counts the region before `behind`; which kind it is shows in its neighbours.
static void count_region(struct totals *totals, const struct region *region,
                         const struct region *behind)
{
    for (int i = 0; i < SUMS; i++) {
        totals->kib[i] += region->kib[i];
    }
    const double of_files = MAX(0, region->kib[SUM_PSS] - region->kib[SUM_ANONYMOUS]);
    if (region->is_shmem) {
        totals->shmem_kib += of_files;
    } else if (!region->anonymous) {
        totals->file_kib += of_files;
    }
    const double in_arena_kib = arena_kib(region, behind);
    if (region->is_stack || is_stack(totals, region, behind)) {
        totals->thread_stacks_kib += kib_held(region);
    } else if (region->is_arena || in_arena_kib > 0) {
        totals->glibc_arenas_kib += region->is_arena ? kib_held(region) : in_arena_kib;
        totals->has_arenas = true;
    } else if (region->start % ARENA_BYTES == 0 && size_of(region) == ARENA_BYTES &&
               region->anonymous && region->accessible && !region->is_jemalloc) {
        totals->whole_arenas_kib += kib_held(region);
    }
    totals->before_is_rest = totals->before_was_arena && is_reserved(region);
    totals->before_was_arena = in_arena_kib > 0;
}

static void begin_region(struct totals *totals, const struct region *next)
{
    if (totals->regions_count > 0) {
        count_region(totals, &totals->current, next);
        totals->before = totals->current;
    }
    totals->regions_count += next != NULL;
    totals->current = next ? *next : (struct region){0};
}

static void take_key(struct totals *totals, struct hr_cursor line)
{
    for (int i = 0; i < SUMS; i++) {
        if (!hr_cursor_take_if(&line, KEYS[i].key)) {
            continue;
        }
        hr_cursor_skip_blanks(&line);
        const uint64_t kib = hr_cursor_take_u64(&line);
        hr_cursor_expect(&line, " kB");
        // The kernel says each once; a second one is of another mapping, whose line is lost.
        totals->broken |= !hr_cursor_ok(&line) || totals->current.has_key[i];
        totals->current.kib[i] = (double)kib;
        totals->current.has_key[i] = true;
        totals->has_key[i] = true;
        return;
    }
}

// A full heap of an arena looks like any mapping of that size, so it needs one in use beside it.
static void write_sums(const struct totals *totals, struct hr_smaps_sums *sums)
{
    for (int id = 0; id < HR_EVIDENCE_COUNT; id++) {
        sums->bytes[id] = NAN;
    }
    for (int i = 0; i < SUMS; i++) {
        if (totals->has_key[i] && KEYS[i].id != HR_EVIDENCE_COUNT) {
            sums->bytes[KEYS[i].id] = totals->kib[i] * KIB;
        }
    }
    const double full_kib = totals->has_arenas ? totals->whole_arenas_kib : 0;
    sums->bytes[HR_EVIDENCE_FILE] = totals->file_kib * KIB;
    sums->bytes[HR_EVIDENCE_SHMEM] = totals->shmem_kib * KIB;
    sums->bytes[HR_EVIDENCE_THREAD_STACKS] = totals->thread_stacks_kib * KIB;
    sums->bytes[HR_EVIDENCE_GLIBC_ARENAS] = (totals->glibc_arenas_kib + full_kib) * KIB;
}

static bool ends_whole(const char *text, size_t size)
{
    if (size == 0 || text[size - 1] != '\n') {
        return false;
    }
    const char *newline = memrchr(text, '\n', size - 1);
    const char *last = newline ? newline + 1 : text;
    return g_str_has_prefix(last, "VmFlags:");
}

bool hr_smaps_sum(const char *text, size_t size, struct hr_smaps_sums *sums)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    struct totals totals = {0};
    hr_cursor_init(&cursor, text, size);
    while (hr_cursor_take_line(&cursor, &line)) {
        struct region region;
        if (take_region(line, &region)) {
            // Mappings rise: where they start again another snapshot does.
            totals.broken |= totals.regions_count > 0 && region.start <= totals.current.start;
            begin_region(&totals, &region);
        } else {
            take_key(&totals, line);
        }
    }
    begin_region(&totals, NULL);
    write_sums(&totals, sums);
    return totals.regions_count > 0 && !totals.broken && ends_whole(text, size);
}
