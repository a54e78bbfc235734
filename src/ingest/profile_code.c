// SPDX-License-Identifier: MIT
#include "ingest/profile_code.h"

#include "ingest/pprof.h"
#include "model/mapping.h"

#include <string.h>
#include <xxhash.h>

// Bytes of a build-id, as linkers make them, in hex.
#define BUILD_ID_HEX_MIN 8
#define BUILD_ID_HEX_MAX 128

// Of a hash, beside the bits of HR_GIVEN_NO_ADDRESS.
#define HASH_SHIFT 8

void hr_profile_code_init(struct hr_profile_code *code)
{
    hr_name_list_init(&code->names);
    code->mappings = g_array_new(FALSE, FALSE, sizeof(struct hr_mapping));
    code->addresses = g_array_new(FALSE, FALSE, sizeof(uint64_t));
}

void hr_profile_code_clear(struct hr_profile_code *code)
{
    hr_name_list_clear(&code->names);
    g_array_unref(code->mappings);
    g_array_unref(code->addresses);
}

// What stands for the address in every dump that has the same functions there.
static uint64_t address_of_names(const struct hr_pprof_location *location,
                                 const struct hr_given_frame *frames, uint32_t count)
{
    XXH3_state_t *state = XXH3_createState();
    XXH3_64bits_reset(state);
    for (uint32_t i = 0; i < count; i++) {
        XXH3_64bits_update(state, frames[i].symbol, strlen(frames[i].symbol) + 1);
        const char *file = frames[i].file ? frames[i].file : "";
        XXH3_64bits_update(state, file, strlen(file) + 1);
        XXH3_64bits_update(state, &frames[i].line, sizeof frames[i].line);
    }
    if (count == 0) {
        XXH3_64bits_update(state, &location->id, sizeof location->id);
    }
    const uint64_t hash = XXH3_64bits_digest(state);
    XXH3_freeState(state);
    return hash >> HASH_SHIFT | HR_GIVEN_NO_ADDRESS;
}

static const char *intern_text(struct hr_profile_code *code, struct hr_pprof_text text)
{
    g_autofree char *terminated = g_strndup(text.text, text.size);
    return hr_strings_intern(code->names.strings, terminated);
}

// "[libjemalloc.so.2]" stands for code without a name (export/pprof_frames.h; pprof shows it so).
static bool is_stand_in(struct hr_pprof_text name)
{
    return name.size > 2 && name.text[0] == '[' && name.text[name.size - 1] == ']';
}

// The name as the compiler made it, where that is told: it holds most.
static struct hr_given_frame frame_of(struct hr_profile_code *code, const struct hr_pprof *profile,
                                      const struct hr_pprof_line *line)
{
    const struct hr_pprof_function *function = hr_pprof_find_function(profile, line->function_id);
    struct hr_given_frame frame = {.symbol = "", .line = (unsigned)MIN(line->line, UINT_MAX)};
    if (!function) {
        return frame;
    }
    const struct hr_pprof_text name = hr_pprof_string(profile, function->name);
    if (is_stand_in(name)) {
        return frame;
    }
    const struct hr_pprof_text whole = hr_pprof_string(profile, function->system_name);
    frame.symbol = intern_text(code, whole.size > 0 ? whole : name);
    const struct hr_pprof_text file = hr_pprof_string(profile, function->file);
    frame.file = file.size > 0 ? intern_text(code, file) : NULL;
    return frame;
}

// False where its names are too many. In a profile an address lies inside the call, in a dump
// behind it.
static bool read_location(struct hr_profile_code *code, const struct hr_pprof *profile,
                          const struct hr_pprof_location *location)
{
    struct hr_given_frame frames[HR_NAME_FRAMES_MAX];
    uint32_t count = 0;
    struct hr_wire message = location->message;
    struct hr_pprof_line line;
    while (count < HR_NAME_FRAMES_MAX && hr_pprof_next_line(&message, &line)) {
        frames[count] = frame_of(code, profile, &line);
        count += *frames[count].symbol != '\0';
    }
    const uint64_t address =
        location->address > 0 ? location->address + 1 : address_of_names(location, frames, count);
    g_array_append_val(code->addresses, address);
    return count == 0 || hr_name_list_add(&code->names, address, frames, count);
}

// What the linker wrote into the file, as ELF files carry it. Other tool chains put other things
// here (Go: four parts with slashes), which no file can be held against.
static const char *read_build_id(struct hr_profile_code *code, struct hr_pprof_text text)
{
    if (text.size < BUILD_ID_HEX_MIN || text.size > BUILD_ID_HEX_MAX || text.size % 2 != 0) {
        return NULL;
    }
    for (size_t i = 0; i < text.size; i++) {
        if (!g_ascii_isxdigit(text.text[i])) {
            return NULL;
        }
    }
    g_autofree char *hex = g_ascii_strdown(text.text, (gssize)text.size);
    return hr_strings_intern(code->names.strings, hex);
}

static gint compare_mappings(gconstpointer left, gconstpointer right)
{
    const struct hr_mapping *a = left;
    const struct hr_mapping *b = right;
    return (a->start > b->start) - (a->start < b->start);
}

// A profile does not tell which mappings may be executed, and may list others too: those are code
// in which an address lies.
static void mark_code(struct hr_profile_code *code)
{
    struct hr_mapping *mappings = (struct hr_mapping *)(void *)code->mappings->data;
    g_array_sort(code->mappings, compare_mappings);
    for (guint i = 0; i < code->addresses->len; i++) {
        const uint64_t address = g_array_index(code->addresses, uint64_t, i) - 1;
        guint from = 0;
        guint to = code->mappings->len;
        while (from < to) {
            const guint middle = from + (to - from) / 2;
            if (mappings[middle].start <= address) {
                from = middle + 1;
            } else {
                to = middle;
            }
        }
        if (from > 0 && address < mappings[from - 1].end) {
            mappings[from - 1].executable = true;
        }
    }
}

static void read_mappings(struct hr_profile_code *code, const struct hr_pprof *profile)
{
    g_array_set_size(code->mappings, 0);
    for (guint i = 0; i < profile->mappings->len; i++) {
        const struct hr_pprof_mapping *said =
            &g_array_index(profile->mappings, struct hr_pprof_mapping, i);
        if (said->limit <= said->start) {
            continue;
        }
        const struct hr_mapping mapping = {
            .start = said->start,
            .end = said->limit,
            .offset = said->offset,
            .path = intern_text(code, hr_pprof_string(profile, said->file)),
            .build_id = read_build_id(code, hr_pprof_string(profile, said->build_id)),
        };
        g_array_append_val(code->mappings, mapping);
    }
    mark_code(code);
}

uint32_t hr_profile_code_read(struct hr_profile_code *code, const struct hr_pprof *profile)
{
    uint32_t left_out = 0;
    g_array_set_size(code->addresses, 0);
    for (guint i = 0; i < profile->locations->len; i++) {
        left_out += !read_location(code, profile,
                                   &g_array_index(profile->locations, struct hr_pprof_location, i));
    }
    read_mappings(code, profile);
    return left_out;
}

const uint64_t *hr_profile_code_find(const struct hr_profile_code *code,
                                     const struct hr_pprof *profile, uint64_t location_id)
{
    const struct hr_pprof_location *location = hr_pprof_find_location(profile, location_id);
    if (!location) {
        return NULL;
    }
    const size_t place =
        (size_t)(location - (const struct hr_pprof_location *)(void *)profile->locations->data);
    return &g_array_index(code->addresses, uint64_t, place);
}
