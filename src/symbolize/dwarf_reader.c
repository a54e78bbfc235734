// SPDX-License-Identifier: MIT
// The addresses are sorted by the unit that they lie in, and cut into chunks of whole units, which
// threads take in any order; how they are cut depends on the file and the addresses alone, and so
// do the answers.
#include "symbolize/dwarf_reader.h"

#include "symbolize/dwarf_chunk.h"

// Below some such bytes of DIEs in a chunk, threads cost more than they bring.
#define CHUNK_BYTES 262144u
#define CHUNKS_MAX 16u

struct crew {
    struct hr_dwarf_chunk *chunks;
    gint count;
    gint next; // atomic
};

static gpointer work(gpointer argument)
{
    struct crew *crew = argument;
    gint at;
    while ((at = g_atomic_int_add(&crew->next, 1)) < crew->count) {
        hr_dwarf_chunk_read(&crew->chunks[at]);
    }
    return NULL;
}

static void read_chunks(struct hr_dwarf_chunk *chunks, uint32_t count, unsigned jobs)
{
    struct crew crew = {.chunks = chunks, .count = (gint)count};
    GThread *helpers[CHUNKS_MAX];
    uint32_t helpers_count = 0;
    while (helpers_count + 1 < MIN(jobs, count)) {
        GThread *helper = g_thread_try_new("symbolize", work, &crew, NULL);
        if (!helper) {
            break; // fewer do the same work
        }
        helpers[helpers_count++] = helper;
    }
    work(&crew);
    for (uint32_t i = 0; i < helpers_count; i++) {
        g_thread_join(helpers[i]);
    }
    for (uint32_t i = 0; i < count; i++) {
        hr_dwarf_chunk_take(&chunks[i]);
    }
}

// The queries that lie in a unit, by unit and vaddr.
struct plan {
    uint32_t *queries;
    uint64_t *vaddrs;
    uint32_t count;
    uint64_t unit_bytes; // of all units that are to be read
};

static struct plan make_plan(const struct hr_dwarf_units *units, const struct hr_lookup *lookup,
                             const struct hr_claim *claims)
{
    struct plan plan = {.queries = g_new(uint32_t, lookup->count),
                        .vaddrs = g_new(uint64_t, lookup->count)};
    g_autofree uint32_t *ends = g_new0(uint32_t, units->units->len + 1);
    for (uint32_t i = 0; i < lookup->count; i++) {
        if (claims[i].unit != HR_NO_UNIT) {
            ends[claims[i].unit + 1]++;
        }
    }
    for (uint32_t i = 0; i < units->units->len; i++) {
        const struct hr_dwarf_unit *unit = hr_dwarf_units_get(units, i);
        plan.unit_bytes += ends[i + 1] > 0 ? unit->end - unit->offset : 0;
        ends[i + 1] += ends[i];
    }
    for (uint32_t i = 0; i < lookup->count; i++) {
        if (claims[i].unit != HR_NO_UNIT) {
            const uint32_t place = ends[claims[i].unit]++;
            plan.queries[place] = i;
            plan.vaddrs[place] = lookup->vaddrs[i];
            plan.count++;
        }
    }
    return plan;
}

// Cuts the plan into chunks with about as many bytes of DIEs each; returns how many there are.
static uint32_t cut_plan(const struct plan *plan, const struct hr_dwarf_chunk *pattern,
                         struct hr_dwarf_chunk *chunks)
{
    const uint64_t wanted = MAX(CHUNK_BYTES, plan->unit_bytes / CHUNKS_MAX + 1);
    uint32_t count = 0;
    uint64_t bytes = wanted;
    uint32_t last_unit = HR_NO_UNIT;
    for (uint32_t i = 0; i < plan->count; i++) {
        const uint32_t index = pattern->claims[plan->queries[i]].unit;
        if (index != last_unit && bytes >= wanted && count < CHUNKS_MAX) {
            chunks[count] = *pattern;
            chunks[count].queries = plan->queries + i;
            chunks[count].vaddrs = plan->vaddrs + i;
            count++;
            bytes = 0;
        }
        if (index != last_unit) {
            const struct hr_dwarf_unit *unit = hr_dwarf_units_get(pattern->units, index);
            bytes += unit->end - unit->offset;
            last_unit = index;
        }
        g_assert(count > 0); // no query without a unit
        chunks[count - 1].count++;
    }
    return count;
}

static void read_units(const struct hr_dwarf_chunk *pattern)
{
    struct plan plan = make_plan(pattern->units, pattern->lookup, pattern->claims);
    struct hr_dwarf_chunk chunks[CHUNKS_MAX];
    read_chunks(chunks, cut_plan(&plan, pattern, chunks), pattern->lookup->jobs);
    g_free(plan.queries);
    g_free(plan.vaddrs);
}

// What no unit claims is looked for in each unit that does not tell its ranges, until it is found.
static void read_units_without_ranges(const struct hr_dwarf_chunk *pattern)
{
    struct hr_lookup *lookup = pattern->lookup;
    g_autofree uint32_t *queries = g_new(uint32_t, lookup->count);
    g_autofree uint64_t *vaddrs = g_new(uint64_t, lookup->count);
    for (uint32_t i = 0; i < pattern->units->units->len; i++) {
        const struct hr_dwarf_unit *unit = hr_dwarf_units_get(pattern->units, i);
        struct hr_dwarf_chunk chunk = *pattern;
        if (!hr_dwarf_units_is_without_ranges(unit)) {
            continue;
        }
        for (uint32_t query = 0; query < lookup->count; query++) {
            if (pattern->claims[query].unit == HR_NO_UNIT && !pattern->left[query] &&
                lookup->answers[query].frame_count == 0) {
                queries[chunk.count] = query;
                vaddrs[chunk.count++] = lookup->vaddrs[query];
            }
        }
        if (chunk.count == 0) {
            return;
        }
        chunk.queries = queries;
        chunk.vaddrs = vaddrs;
        chunk.single = unit;
        hr_dwarf_chunk_read(&chunk);
        hr_dwarf_chunk_take(&chunk);
    }
}

bool hr_dwarf_read(const struct hr_object *holder, const struct hr_object *package,
                   struct hr_dwarf_split_files *files, struct hr_lookup *lookup, bool *left)
{
    struct hr_dwarf_units units;
    const int broken = hr_dwarf_units_init(&units, holder, package, files);
    if (broken >= 0) {
        g_autofree struct hr_claim *claims = hr_claims_new(lookup);
        lookup->broken_units += (unsigned)broken;
        lookup->unreached_bytes = units.unreached_bytes;
        hr_dwarf_units_assign(&units, lookup, claims);
        for (uint32_t i = 0; i < lookup->count; i++) {
            left[i] = units.foreign && claims[i].unit == HR_NO_UNIT;
        }
        const struct hr_dwarf_chunk pattern = {
            .units = &units, .lookup = lookup, .left = left, .claims = claims};
        read_units(&pattern);
        read_units_without_ranges(&pattern);
    }
    hr_dwarf_units_clear(&units);
    return broken >= 0;
}
