// SPDX-License-Identifier: MIT
#include "ingest/listing.h"

#include "ingest/foreign.h"

#include "ingest/profile_reader.h"

#include <math.h>
#include <string.h>

static void add_foreign(struct hr_listing *listing, const struct hr_listed *listed,
                        enum hr_dump_note note, const char *detail)
{
    const struct hr_dump dump = {.file = listed->file,
                                 .taken_at_s = NAN,
                                 .size_bytes = listed->size_bytes,
                                 .note = note,
                                 .note_detail = detail,
                                 .live_bytes = NAN,
                                 .kept_ratio = NAN};
    g_array_append_val(listing->foreign, dump);
}

// Times inside order the dumps; names only tell series apart, where they hold more than a word.
static void take_time(struct hr_listed *listed, double time_s)
{
    if (isnan(time_s)) {
        return;
    }
    if (!listed->name.has_sequence && isnan(listed->name.time_s)) {
        listed->name.prefix_length = 0;
    }
    listed->name.has_sequence = false;
    listed->name.time_s = time_s;
    listed->name.time_is_zoned = true;
    listed->time_inside = true;
}

static void add_profile(struct hr_listing *listing, struct hr_arena *arena,
                        const struct hr_source *source, struct hr_listed *listed)
{
    struct hr_stream stream;
    struct hr_profile_summary summary = {NAN, NAN, false};
    if (hr_source_open(source, listed->file, &stream, NULL)) {
        hr_profile_summarise(&stream, &summary);
        hr_stream_close(&stream);
    }
    hr_dump_name_read_own(listed->file, &listed->name);
    struct hr_listed base = *listed;
    take_time(listed, summary.taken_at_s);
    if (summary.has_base) {
        base.file = hr_arena_printf(arena, "%s" HR_PROFILE_BASE_SUFFIX, listed->file);
        base.is_base = true;
        take_time(&base, summary.base_at_s);
        g_array_append_val(listing->dumps, base);
    }
    g_array_append_val(listing->dumps, *listed);
}

// A name that jemalloc did not make: the content decides whether it is a dump at all.
static void add_own_name(struct hr_listing *listing, struct hr_arena *arena,
                         const struct hr_source *source, struct hr_listed *listed)
{
    char head[HR_CONTENT_HEAD_BYTES];
    const size_t size = hr_content_read_head(source, listed->file, head);
    if (hr_content_is_dump(head, size)) {
        hr_dump_name_read_own(listed->file, &listed->name);
        g_array_append_val(listing->dumps, *listed);
    } else if (hr_content_is_profile(head, size)) {
        add_profile(listing, arena, source, listed);
    } else if (size > 0) {
        add_foreign(listing, listed, HR_DUMP_NOTE_FOREIGN, hr_content_foreign_kind(head, size));
    } else {
        add_foreign(listing, listed,
                    listed->size_bytes == 0 && listed->is_regular ? HR_DUMP_NOTE_EMPTY
                                                                  : HR_DUMP_NOTE_UNREADABLE,
                    NULL);
    }
}

// One pass over the source: over its .heap files, or over the others.
struct pass {
    struct hr_listing *listing;
    struct hr_arena *arena;
    const struct hr_source *source;
    bool by_content;
};

static bool wants(const char *name, void *context)
{
    const struct pass *pass = context;
    return hr_dump_name_looks_like(name) != pass->by_content;
}

static void visit(const struct hr_entry *entry, void *context)
{
    const struct pass *pass = context;
    struct hr_listed listed = {.modified_at_s = entry->modified_at_s,
                               .whole_second = entry->whole_second,
                               .is_regular = entry->is_regular,
                               .size_bytes = entry->size_bytes};
    if (pass->by_content) {
        char head[HR_CONTENT_HEAD_BYTES];
        const size_t size = hr_content_read_head(pass->source, entry->name, head);
        if (!hr_content_is_dump(head, size) && !hr_content_is_profile(head, size)) {
            return;
        }
    }
    listed.file = hr_arena_strdup(pass->arena, entry->name);
    if (hr_dump_name_read(listed.file, &listed.name)) {
        g_array_append_val(pass->listing->dumps, listed);
    } else {
        add_own_name(pass->listing, pass->arena, pass->source, &listed);
    }
}

static bool list(struct hr_listing *listing, struct hr_arena *arena, const struct hr_source *source,
                 bool by_content, GError **error)
{
    struct pass pass = {listing, arena, source, by_content};
    const struct hr_source_visitor visitor = {.wants = wants, .visit = visit, .context = &pass};
    return hr_source_list(source, &visitor, error);
}

bool hr_listing_read(struct hr_listing *listing, struct hr_arena *arena,
                     const struct hr_source *source, GError **error)
{
    *listing = (struct hr_listing){.dumps = g_array_new(FALSE, FALSE, sizeof(struct hr_listed)),
                                   .foreign = g_array_new(FALSE, FALSE, sizeof(struct hr_dump))};
    if (!list(listing, arena, source, false, error) ||
        (listing->dumps->len == 0 && !list(listing, arena, source, true, error))) {
        hr_listing_clear(listing);
        return false;
    }
    return true;
}

void hr_listing_clear(struct hr_listing *listing)
{
    g_array_unref(listing->dumps);
    g_array_unref(listing->foreign);
}
