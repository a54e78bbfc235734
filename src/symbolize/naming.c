// SPDX-License-Identifier: MIT
#include "symbolize/naming.h"

#include "symbolize/sources.h"

#include <inttypes.h>
#include <string.h>

// What a profile has neither an address nor a name for.
#define NO_ADDRESS_NAME "[no address recorded]"

// Makes room at once: there are more frames than anything else here.
static void reserve_frames(struct hr_naming *naming, guint count)
{
    const guint frames = naming->frames->len;
    g_array_set_size(naming->frames, frames + count);
    g_array_set_size(naming->frames, frames);
}

static void add_frame(struct hr_naming *naming, struct hr_location *location,
                      const struct hr_frame *frame)
{
    if (location->frame_count == 0) {
        location->first_frame = naming->frames->len;
    }
    location->frame_count++;
    g_array_append_vals(naming->frames, frame, 1);
}

// "libstdc++.so.6+0xa57ba": `frame` without a name gets one that says where it is.
static void add_unnamed(struct hr_naming *naming, struct hr_location *location, const char *path,
                        struct hr_frame frame)
{
    const char *slash = strrchr(path, '/');
    g_autofree char *text =
        g_strdup_printf("%s+0x%" PRIx64, slash ? slash + 1 : path, location->offset);
    frame.function = hr_strings_intern(naming->run->strings, text);
    frame.key_name = frame.function;
    frame.trust = HR_TRUST_NONE;
    add_frame(naming, location, &frame);
}

static void add_symbol(struct hr_naming *naming, struct hr_location *location, const char *symbol,
                       enum hr_trust limit)
{
    const struct hr_name name = hr_names_get(naming->names, symbol);
    add_frame(naming, location,
              &(struct hr_frame){
                  .function = name.function,
                  .key_name = name.key_name,
                  .trust = MIN(limit, HR_TRUST_SYMBOL),
              });
}

static const struct hr_name *name_of(struct hr_naming *naming, const struct hr_sources *sources,
                                     const char *symbol)
{
    struct hr_name *name = g_hash_table_lookup(sources->names, symbol);
    if (!name) {
        name = g_new(struct hr_name, 1);
        *name = hr_names_get(naming->names, symbol);
        g_hash_table_insert(sources->names, (gpointer)(uintptr_t)symbol, name);
    }
    return name;
}

static const char *file_of(struct hr_naming *naming, const struct hr_sources *sources,
                           const char *path)
{
    const char *file = path ? g_hash_table_lookup(sources->files, path) : NULL;
    if (path && !file) {
        file = hr_strings_intern(naming->run->strings, path);
        g_hash_table_insert(sources->files, (gpointer)(uintptr_t)path, (gpointer)(uintptr_t)file);
    }
    return file;
}

static void add_chain(struct hr_naming *naming, struct hr_location *location,
                      const struct hr_sources *sources, const struct hr_lookup_answer *answer,
                      const struct hr_symbol *symbol, enum hr_trust limit)
{
    for (uint32_t i = 0; i < answer->frame_count; i++) {
        const struct hr_lookup_frame *found = &g_array_index(
            sources->lookup->frames, struct hr_lookup_frame, answer->first_frame + i);
        const char *plain = found->qualified_name ? found->qualified_name : found->name;
        const char *raw = found->linkage_name ? found->linkage_name : plain;
        struct hr_frame frame = {
            .file = file_of(naming, sources, found->file),
            .line = found->line,
            .inlined = found->inlined,
            .trust = raw ? limit : MIN(limit, HR_TRUST_SYMBOL),
        };
        // Linkers fold equal functions of several names into one; the name that the symbol table
        // kept is the one other tools print.
        if (i + 1 == answer->frame_count && symbol) {
            raw = symbol->name;
        }
        if (!raw) {
            add_unnamed(naming, location, sources->debug->object->path, frame);
            continue;
        }
        const struct hr_name *name = name_of(naming, sources, raw);
        frame.function = name->function;
        frame.key_name = name->key_name;
        add_frame(naming, location, &frame);
    }
}

static void name_location(struct hr_naming *naming, struct hr_location *location,
                          const struct hr_sources *sources, const struct hr_fit_address *address,
                          enum hr_trust limit)
{
    const uint64_t vaddr = address->vaddr - 1;
    const struct hr_symbol *symbol = hr_symtab_find(sources->debug->symtab, vaddr);
    const uint32_t query = hr_lookup_find_first(sources->lookup, vaddr);
    const struct hr_lookup_answer *answer = &sources->lookup->answers[query];
    if (answer->frame_count > 0) {
        add_chain(naming, location, sources, answer, symbol, limit);
    } else if (symbol) {
        add_symbol(naming, location, symbol->name, limit);
    }
}

// Without a file the vaddr is not known: count from where the module's first bytes are mapped.
// FreeBSD's map tells no offsets; of lines side by side that all say 0 the first is meant.
static uint64_t measure_offset(const struct hr_layout_module *module, uint64_t address,
                               const struct hr_mapping *line)
{
    const struct hr_mapping *first = NULL;
    const struct hr_mapping *before = NULL;
    for (guint i = 0; i < module->lines->len; i++) {
        const struct hr_mapping *candidate = module->lines->pdata[i];
        const bool continues = before && before->offset == 0 && before->end == candidate->start;
        if (candidate->offset == 0 && candidate->start <= address && !continues) {
            first = candidate;
        }
        before = candidate;
    }
    return first ? address - first->start : address - line->start + line->offset;
}

// Code may have been generated anew since the dump was taken: at a place that saw that happen, the
// name is a guess.
static void add_generated(struct hr_naming *naming, uint32_t index)
{
    const struct hr_perf_name *found = &naming->generated->names[index];
    if (found->name) {
        add_frame(naming, &naming->locations[index],
                  &(struct hr_frame){
                      .function = found->name,
                      .key_name = found->name,
                      .trust = found->replaced ? HR_TRUST_GUESSED : HR_TRUST_SYMBOL,
                  });
    }
}

static const struct hr_given_name *find_given(const struct hr_naming *naming, uint32_t index)
{
    return hr_given_names_find(&naming->run->given,
                               hr_stacks_location_address(naming->run->stacks, index));
}

// What the dump itself says. False where it says nothing.
static bool add_given(struct hr_naming *naming, uint32_t index)
{
    const struct hr_given_names *given = &naming->run->given;
    const struct hr_given_name *found = find_given(naming, index);
    for (uint32_t i = 0; found && i < found->frames_count; i++) {
        const struct hr_given_frame *frame = &given->frames[found->first_frame + i];
        const struct hr_name name = hr_names_get(naming->names, frame->symbol);
        add_frame(naming, &naming->locations[index],
                  &(struct hr_frame){
                      .function = name.function,
                      .key_name = name.key_name,
                      .file = frame->file,
                      .line = frame->line,
                      .inlined = i + 1 < found->frames_count,
                      .trust = frame->file ? HR_TRUST_EXACT : HR_TRUST_SYMBOL,
                  });
    }
    return found != NULL;
}

// Names that the dump brought along were found where it ran, and stand. Only the same build knows
// better, where its debug data tell lines and inlined functions and the dump has names alone.
// False, and nothing is added, where it does not.
static bool add_better(struct hr_naming *naming, uint32_t index, const struct hr_sources *sources,
                       const struct hr_fit_address *address)
{
    struct hr_location *location = &naming->locations[index];
    const struct hr_given_name *found = find_given(naming, index);
    const struct hr_given_frame *said =
        found ? &naming->run->given.frames[found->first_frame] : NULL;
    if (!said || said->file || !sources->confirmed || address->limit != HR_TRUST_EXACT) {
        return false;
    }
    const guint before = naming->frames->len;
    name_location(naming, location, sources, address, HR_TRUST_EXACT);
    if (location->frame_count > 0 &&
        g_array_index(naming->frames, struct hr_frame, before).trust == HR_TRUST_EXACT) {
        return true;
    }
    g_array_set_size(naming->frames, before);
    *location = (struct hr_location){.module = location->module, .offset = location->offset};
    return false;
}

static void add_location(struct hr_naming *naming, struct hr_module *module, uint32_t index,
                         const struct hr_fit_address *address, const struct hr_sources *sources)
{
    const struct hr_layout_module *laid =
        hr_layout_get(naming->layout, naming->locations[index].module);
    const struct hr_layout_place *place = &naming->layout->places[index];
    struct hr_location *location = &naming->locations[index];
    const uint64_t mapped = hr_stacks_location_address(naming->run->stacks, index);
    const bool placed = address && address->placed;
    location->offset = placed ? address->vaddr : measure_offset(laid, mapped, place->line);
    if (placed && !place->inferred && add_better(naming, index, sources, address)) {
        // the file knows better
    } else if (add_given(naming, index)) {
        module->given_count++;
    } else if (placed && address->limit != HR_TRUST_NONE) {
        const enum hr_trust limit =
            place->inferred ? MIN(address->limit, HR_TRUST_GUESSED) : address->limit;
        name_location(naming, location, sources, address, limit);
    } else {
        add_generated(naming, index);
    }
    module->named_count += location->frame_count > 0;
    if (location->frame_count == 0) {
        add_unnamed(naming, location, laid->file_path ? laid->file_path : laid->path,
                    (struct hr_frame){0});
    }
    module->addresses_count++;
    module->inferred |= place->inferred;
}

// Says so where the dumps answered, not the file.
static void describe_given(struct hr_module *module, const struct hr_fit *fit)
{
    const bool other_build = fit && fit->match == HR_BINARY_MISMATCH;
    const bool all = module->given_count == module->addresses_count;
    if (module->given_count == 0 || other_build) {
        return;
    }
    if (all) {
        module->debug_file = NULL;
    }
    if (all || !fit || !module->problem.id) {
        module->problem = hr_phrase_new("module-given");
        hr_phrase_add_number(&module->problem, "given_count", module->given_count);
        hr_phrase_add_number(&module->problem, "addresses_count", module->addresses_count);
    }
}

void hr_naming_add_module(struct hr_naming *naming, uint32_t index, struct hr_module *module,
                          const struct hr_object *object, const struct hr_fit *fit)
{
    const struct hr_layout_module *laid = hr_layout_get(naming->layout, index);
    struct hr_sources sources = {0};
    const bool usable = fit && fit->match != HR_BINARY_MISMATCH;
    if (usable) {
        hr_sources_open(&sources, object, fit, &naming->search, naming->jobs);
        hr_sources_describe(&sources, module, naming->run->strings, naming->diagnostics);
        reserve_frames(naming, sources.lookup->frames->len);
    }
    for (guint i = 0; i < laid->locations->len; i++) {
        const uint32_t location = g_array_index(laid->locations, uint32_t, i);
        naming->locations[location].module = index;
        add_location(naming, module, location, usable ? &fit->addresses[i] : NULL, &sources);
    }
    describe_given(module, fit);
    if (usable) {
        hr_sources_close(&sources);
    }
}

void hr_naming_add_unmapped(struct hr_naming *naming)
{
    for (uint32_t i = 0; i < naming->layout->places_count; i++) {
        if (naming->layout->places[i].module != HR_NO_MODULE) {
            continue;
        }
        struct hr_location *location = &naming->locations[i];
        const uint64_t address = hr_stacks_location_address(naming->run->stacks, i);
        location->module = HR_MODULE_NONE;
        location->offset = address;
        if (!add_given(naming, i)) {
            add_generated(naming, i);
        }
        if (location->frame_count == 0) {
            g_autofree char *text = hr_given_is_no_address(address)
                                        ? g_strdup(NO_ADDRESS_NAME)
                                        : g_strdup_printf("0x%" PRIx64, address);
            const char *name = hr_strings_intern(naming->run->strings, text);
            add_frame(naming, location, &(struct hr_frame){.function = name, .key_name = name});
        }
    }
}
