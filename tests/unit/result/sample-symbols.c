// SPDX-License-Identifier: MIT
// One stack for each suspect and number: allocator, runtime, the suspect's function, the service
// down to main.
#include "sample.h"

#include <string.h>

#define MODULE_PATH "/opt/filedrive/bin/filedrive"
#define ADDRESS_FIRST UINT64_C(0x55d0c8a41000)

struct sample_frame {
    const char *function;
    const char *file;
    unsigned line;
    enum hr_frame_kind kind;
    bool inlined;
};

// Innermost first; the suspect's own function comes between the two.
static const struct sample_frame INNER[] = {
    {"_rjem_je_prof_backtrace", NULL, 0, HR_FRAME_ALLOCATOR, false},
    {"_rjem_malloc", NULL, 0, HR_FRAME_ALLOCATOR, false},
    {"alloc::alloc::alloc", "library/alloc/src/alloc.rs", 98, HR_FRAME_RUNTIME, true},
    {"alloc::raw_vec::RawVec<T,A>::grow_amortized", "library/alloc/src/raw_vec.rs", 412,
     HR_FRAME_RUNTIME, false},
};

static const struct sample_frame OUTER[] = {
    {"filedrive::api::files::get_metadata::{{closure}}", "src/api/files.rs", 211, HR_FRAME_APP,
     false},
    {"filedrive::api::router::dispatch::{{closure}}", "src/api/router.rs", 64, HR_FRAME_APP, true},
    {"<axum::routing::Route as tower_service::Service<http::Request<B>>>::call",
     "axum-0.7.5/src/routing/route.rs", 140, HR_FRAME_LIBRARY, false},
    {"tokio::runtime::task::raw::poll", "tokio-1.38.0/src/runtime/task/raw.rs", 271,
     HR_FRAME_LIBRARY, false},
    {"std::thread::Builder::spawn_unchecked_", "library/std/src/thread/mod.rs", 528,
     HR_FRAME_RUNTIME, false},
    {"start_thread", NULL, 0, HR_FRAME_LIBRARY, false},
};

static const char *const PLAIN[] = {"filedrive::cache::MetadataCache::insert",
                                    "filedrive::session::SessionStore::create",
                                    "filedrive::api::upload::collect_chunks"};

// Names that a renderer must survive; each becomes another function by its number.
static const char *const HOSTILE[] = {
    "filedrive::缓存::元数据缓存::插入%u",
    "filedrive::\u05de\u05d8\u05de\u05d5\u05df::\u05d4\u05db\u05e0\u05e1%u",
    "filedrive::\u0627\u0644\u0630\u0627\u0643\u0631\u0629::\u0623\u0636\u0641%u",
    "<b>filedrive</b>::\"quoted\"&amp;|pipes|%u;semi;`ticks`",
    "filedrive::turns\u202eback%u",
    "filedrive::new\nline\tand\x1b[31mred%u",
    "filedrive::broken\xff\xc3(%u",
};

static const char *long_name(struct hr_arena *arena, unsigned suspect)
{
    GString *name = g_string_new("<core::iter::adapters::map::Map<");
    while (name->len < 280) {
        g_string_append_printf(name, "alloc::collections::btree_map::IntoIter<filedrive::t%u::Key,",
                               suspect);
    }
    g_string_append_printf(name, "F>::next_%u", suspect);
    const char *kept = hr_arena_strdup(arena, name->str);
    g_string_free(name, TRUE);
    return kept;
}

static const char *suspect_name(struct hr_arena *arena, const struct hr_sample_options *options,
                                unsigned suspect)
{
    if (options->names == HR_SAMPLE_PLAIN && suspect < G_N_ELEMENTS(PLAIN)) {
        return PLAIN[suspect];
    }
    if (options->names == HR_SAMPLE_PLAIN) {
        return hr_arena_printf(arena, "filedrive::work::part_%u::run", suspect);
    }
    const unsigned kind = suspect % (G_N_ELEMENTS(HOSTILE) + 1);
    if (kind == G_N_ELEMENTS(HOSTILE)) {
        return long_name(arena, suspect);
    }
    GString *name = g_string_new(HOSTILE[kind]);
    g_autofree char *number = g_strdup_printf("%u", suspect);
    g_string_replace(name, "%u", number, 0);
    const char *kept = hr_arena_strdup(arena, name->str);
    g_string_free(name, TRUE);
    return kept;
}

struct builder {
    struct hr_sample *sample;
    const struct hr_sample_options *options;
    GArray *frames;    // of struct hr_frame
    GArray *kinds;     // of enum hr_frame_kind
    GArray *locations; // of struct hr_location
    GArray *responsible;
};

static void add_frame(struct builder *builder, const struct sample_frame *source)
{
    const struct hr_frame frame = {.function = source->function,
                                   .key_name = source->function,
                                   .file = source->file,
                                   .line = source->line,
                                   .inlined = source->inlined,
                                   .trust = source->file ? HR_TRUST_EXACT : HR_TRUST_SYMBOL};
    g_array_append_val(builder->frames, frame);
    g_array_append_val(builder->kinds, source->kind);
}

// One address: the frame, and those behind it that it was inlined into.
static unsigned add_location(struct builder *builder, const struct sample_frame *frames,
                             unsigned count)
{
    struct hr_location location = {.first_frame = builder->frames->len,
                                   .offset = 0x1a0000 + 64 * builder->locations->len};
    unsigned taken = 0;
    do {
        add_frame(builder, &frames[taken]);
    } while (frames[taken++].inlined && taken < count);
    location.frame_count = taken;
    g_array_append_val(builder->locations, location);
    return taken;
}

static void add_stack(struct builder *builder, unsigned suspect, unsigned number)
{
    struct hr_arena *arena = builder->sample->run->arena;
    const unsigned depth = builder->options->depth;
    struct sample_frame *frames = g_new0(struct sample_frame, depth);
    const unsigned inner = MIN(depth - 1, G_N_ELEMENTS(INNER));
    memcpy(frames, INNER, inner * sizeof *frames);
    frames[inner] = (struct sample_frame){suspect_name(arena, builder->options, suspect),
                                          "src/cache.rs", 88 + number, HR_FRAME_APP, false};
    for (unsigned i = inner + 1; i < depth; i++) {
        const unsigned from_end = depth - i;
        frames[i] =
            from_end <= G_N_ELEMENTS(OUTER)
                ? OUTER[G_N_ELEMENTS(OUTER) - from_end]
                : (struct sample_frame){hr_arena_printf(arena, "filedrive::layer_%u::step", i),
                                        "src/layers.rs", i, HR_FRAME_APP, false};
    }
    uint64_t *addresses = g_new(uint64_t, depth);
    const uint32_t responsible = builder->frames->len + inner;
    unsigned locations = 0;
    for (unsigned i = 0; i < depth;) {
        addresses[locations] = ADDRESS_FIRST + 16 * builder->locations->len;
        i += add_location(builder, &frames[i], depth - i);
        locations++;
    }
    hr_stacks_intern(builder->sample->run->stacks, addresses, locations);
    g_array_append_val(builder->responsible, responsible);
    g_free(addresses);
    g_free(frames);
}

static void *keep(struct builder *builder, GArray *array)
{
    void *kept = hr_arena_copy(builder->sample->run->arena, array->data, array->len,
                               g_array_get_element_size(array));
    g_array_unref(array);
    return kept;
}

static void finish(struct builder *builder)
{
    struct hr_sample *sample = builder->sample;
    struct hr_symbols *symbols = HR_ARENA_NEW(sample->run->arena, struct hr_symbols);
    static const struct hr_module MODULES[] = {
        {.path = MODULE_PATH,
         .build_id = "8d0f3a52c1be4f6aa1d2b7f0c9e35d7714a0be93",
         .debug_file = MODULE_PATH,
         .is_binary = true,
         .addresses_count = 412,
         .named_count = 409}};
    *symbols = (struct hr_symbols){.frames_count = builder->frames->len,
                                   .locations_count = builder->locations->len,
                                   .modules = MODULES,
                                   .modules_count = G_N_ELEMENTS(MODULES),
                                   .binary_path = "filedrive",
                                   .binary_build_id = MODULES[0].build_id,
                                   .binary_match = HR_BINARY_CONFIRMED,
                                   .binary_match_ratio = 1};
    struct hr_phrase reason = hr_phrase_new("match-confirmed");
    hr_phrase_add_number(&reason, "behind_call_count", 412);
    hr_phrase_add_number(&reason, "addresses_count", 412);
    symbols->binary_match_reason = reason;
    symbols->frames = keep(builder, builder->frames);
    symbols->locations = keep(builder, builder->locations);
    sample->findings.frame_kinds = keep(builder, builder->kinds);
    sample->findings.responsible_frames = keep(builder, builder->responsible);
    sample->symbols = symbols;
}

void hr_sample_fill_symbols(struct hr_sample *sample, const struct hr_sample_options *options)
{
    struct builder builder = {.sample = sample,
                              .options = options,
                              .frames = g_array_new(FALSE, FALSE, sizeof(struct hr_frame)),
                              .kinds = g_array_new(FALSE, FALSE, sizeof(enum hr_frame_kind)),
                              .locations = g_array_new(FALSE, FALSE, sizeof(struct hr_location)),
                              .responsible = g_array_new(FALSE, FALSE, sizeof(uint32_t))};
    for (unsigned suspect = 0; suspect < options->suspects_count; suspect++) {
        for (unsigned number = 0; number < options->stacks_count; number++) {
            add_stack(&builder, suspect, number);
        }
    }
    finish(&builder);
}
