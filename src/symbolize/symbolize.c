// SPDX-License-Identifier: MIT
#include "symbolize/symbolize.h"

#include "symbolize/debuginfod.h"
#include "symbolize/naming.h"

#include <math.h>
#include <string.h>

struct work {
    struct hr_run *run;
    const struct hr_symbolize_options *options;
    struct hr_diagnostics *diagnostics;
    struct hr_layout *layout;
    struct hr_object *binary;
    struct hr_fit *binary_fit;
    uint32_t binary_module; // index in layout, HR_NO_MODULE when it is mapped nowhere
    struct hr_symbols *symbols;
    struct hr_module *modules; // as in layout
};

static struct hr_tree tree_of(const struct hr_symbolize_options *options)
{
    return (struct hr_tree){options->root, options->opener};
}

static const char *get_base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

// Which of two fits of --binary is the better one: lines that fit, then more addresses behind a
// call.
static bool is_better(const struct hr_fit *fit, const struct hr_fit *than)
{
    const bool good = fit->match != HR_BINARY_MISMATCH;
    const bool than_good = than->match != HR_BINARY_MISMATCH;
    if (good != than_good) {
        return good;
    }
    return fit->behind_count > than->behind_count;
}

// Of the modules that do not fit: the one with the binary's name, else the first mapped file.
static uint32_t guess_module(const struct work *work)
{
    uint32_t first = HR_NO_MODULE;
    for (uint32_t i = 0; i < work->layout->modules->len; i++) {
        const struct hr_layout_module *module = hr_layout_get(work->layout, i);
        if (!module->file_path) {
            continue;
        }
        if (strcmp(get_base_name(module->file_path), get_base_name(work->options->binary)) == 0) {
            return i;
        }
        first = first == HR_NO_MODULE ? i : first;
    }
    return first;
}

// The binary may lie elsewhere than in the map (a copy, a container) and need not be mapped first
// (started through ld.so): every mapped file is tried.
static void match_binary(struct work *work)
{
    work->binary_module = HR_NO_MODULE;
    for (uint32_t i = 0; i < work->layout->modules->len; i++) {
        const struct hr_layout_module *module = hr_layout_get(work->layout, i);
        if (!module->file_path) {
            continue;
        }
        HR_AUTO(hr_fit) fit = hr_fit_new(work->binary, module, work->layout, work->run);
        if (!work->binary_fit || is_better(fit, work->binary_fit)) {
            hr_fit_free(work->binary_fit);
            work->binary_fit = HR_STEAL(fit);
            work->binary_module = i;
        }
    }
    if (work->binary_fit && work->binary_fit->match == HR_BINARY_MISMATCH) {
        work->binary_module = guess_module(work);
        hr_fit_free(work->binary_fit);
        work->binary_fit =
            hr_fit_new(work->binary, hr_layout_get(work->layout, work->binary_module), work->layout,
                       work->run);
    }
}

static void report_binary(struct work *work)
{
    struct hr_symbols *symbols = work->symbols;
    symbols->binary_path = hr_arena_strdup(work->run->arena, work->options->binary);
    symbols->binary_build_id = work->binary->build_id
                                   ? hr_strings_intern(work->run->strings, work->binary->build_id)
                                   : NULL;
    if (!work->binary_fit) {
        symbols->binary_match_reason = hr_phrase_new("match-no-maps");
        return;
    }
    symbols->binary_match = work->binary_fit->match;
    symbols->binary_match_ratio = work->binary_fit->ratio;
    symbols->binary_match_reason = work->binary_fit->reason;
    if (symbols->binary_match == HR_BINARY_MISMATCH) {
        hr_diagnostics_add(work->diagnostics, HR_DIAG_BINARY_MISMATCH, work->options->binary,
                           "module", hr_layout_get(work->layout, work->binary_module)->path, NULL);
    }
}

static struct hr_phrase describe_problem(const char *id, const char *reason,
                                         struct hr_strings *strings)
{
    struct hr_phrase problem = hr_phrase_new(id);
    if (reason) {
        hr_phrase_add_text(&problem, "reason", hr_strings_intern(strings, reason));
    }
    return problem;
}

// A file at a module's mapped path may be another build than the one that ran: it is used only when
// it fits.
static void name_library(struct work *work, struct hr_naming *naming, uint32_t index)
{
    const struct hr_layout_module *laid = hr_layout_get(work->layout, index);
    struct hr_module *module = &work->modules[index];
    if (!laid->file_path) {
        module->problem = hr_phrase_new("module-no-file");
        hr_naming_add_module(naming, index, module, NULL, NULL);
        return;
    }
    const struct hr_tree tree = tree_of(work->options);
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_object) object = hr_object_new(&tree, laid->file_path, &error);
    if (!object) {
        module->problem = describe_problem("module-unreadable", error->message, work->run->strings);
        hr_naming_add_module(naming, index, module, NULL, NULL);
        return;
    }
    HR_AUTO(hr_fit) fit = hr_fit_new(object, laid, work->layout, work->run);
    if (fit->match == HR_BINARY_MISMATCH) {
        module->problem = hr_phrase_new("module-mismatch");
    } else if (object->build_id) {
        module->build_id = hr_strings_intern(work->run->strings, object->build_id);
    }
    hr_naming_add_module(naming, index, module, object, fit);
}

static void name_modules(struct work *work, struct hr_naming *naming)
{
    for (uint32_t i = 0; i < work->layout->modules->len; i++) {
        struct hr_module *module = &work->modules[i];
        module->path = hr_layout_get(work->layout, i)->path;
        module->build_id = hr_layout_get(work->layout, i)->build_id;
        if (i == work->binary_module) {
            module->is_binary = true;
            if (work->binary_fit->match == HR_BINARY_MISMATCH) {
                module->problem = hr_phrase_new("module-binary-mismatch");
            } else if (work->symbols->binary_build_id) {
                module->build_id = work->symbols->binary_build_id;
            }
            hr_naming_add_module(naming, i, module, work->binary, work->binary_fit);
            work->symbols->binary_debug_file = module->debug_file;
        } else if (hr_layout_get(work->layout, i)->locations->len > 0) {
            name_library(work, naming, i);
        }
    }
    hr_naming_add_unmapped(naming);
}

// Whether servers can be asked, as was wished.
static bool may_fetch(const struct work *work)
{
    if (!work->options->debuginfod) {
        return false;
    }
    if (!hr_debuginfod_is_usable()) {
        hr_diagnostics_add(work->diagnostics, HR_DIAG_DEBUGINFOD_UNUSABLE, NULL, NULL);
        return false;
    }
    return true;
}

static void fill_symbols(struct work *work)
{
    struct hr_run *run = work->run;
    const struct hr_tree tree = tree_of(work->options);
    HR_AUTO(hr_names) names = hr_names_new(run->strings);
    HR_AUTO(hr_generated)
    generated = hr_generated_new(run, work->layout, &tree, work->diagnostics);
    struct hr_naming naming = {
        .run = run,
        .layout = work->layout,
        .generated = generated,
        .names = names,
        .search = {.dirs = work->options->debug_dirs, .tree = tree, .debuginfod = may_fetch(work)},
        .jobs = work->options->jobs,
        .frames = g_array_new(FALSE, FALSE, sizeof(struct hr_frame)),
        .locations = HR_ARENA_ARRAY(run->arena, struct hr_location, work->layout->places_count + 1),
        .diagnostics = work->diagnostics,
    };
    work->modules = HR_ARENA_ARRAY(run->arena, struct hr_module, work->layout->modules->len + 1);
    name_modules(work, &naming);
    work->symbols->frames =
        hr_arena_copy(run->arena, naming.frames->data, naming.frames->len, sizeof(struct hr_frame));
    work->symbols->frames_count = naming.frames->len;
    work->symbols->locations = naming.locations;
    work->symbols->locations_count = work->layout->places_count;
    work->symbols->modules = work->modules;
    work->symbols->modules_count = work->layout->modules->len;
    g_array_free(naming.frames, TRUE);
}

// Modules that hold no address are of no interest: close the gaps they leave.
static void drop_empty_modules(struct work *work)
{
    const uint32_t count = work->symbols->modules_count;
    g_autofree uint32_t *moved_to = g_new(uint32_t, count + 1);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < count; i++) {
        moved_to[i] = kept;
        if (work->modules[i].addresses_count > 0 || work->modules[i].is_binary) {
            work->modules[kept++] = work->modules[i];
        }
    }
    struct hr_location *locations = (struct hr_location *)(uintptr_t)work->symbols->locations;
    for (uint32_t i = 0; i < work->symbols->locations_count; i++) {
        if (locations[i].module != HR_MODULE_NONE) {
            locations[i].module = moved_to[locations[i].module];
        }
    }
    work->symbols->modules_count = kept;
}

// Dumps without a map can still be compared with a program that runs at fixed addresses only: its
// segments are the map.
static bool assume_mappings(struct hr_run *run, const struct hr_object *binary)
{
    if (run->mappings_count > 0 || !binary || !binary->fixed_address) {
        return false;
    }
    g_autofree char *path = g_canonicalize_filename(binary->path, NULL);
    struct hr_mapping *lines =
        HR_ARENA_ARRAY(run->arena, struct hr_mapping, binary->segments_count + 1);
    for (size_t i = 0; i < binary->segments_count; i++) {
        const struct hr_segment *segment = &binary->segments[i];
        lines[i] = (struct hr_mapping){
            .start = segment->vaddr,
            .end = segment->vaddr + segment->file_size,
            .offset = segment->offset,
            .path = hr_strings_intern(run->strings, path),
            .executable = segment->executable,
        };
    }
    run->mappings = lines;
    run->mappings_count = binary->segments_count;
    return true;
}

const struct hr_symbols *hr_symbolize(struct hr_run *run,
                                      const struct hr_symbolize_options *options,
                                      struct hr_diagnostics *diagnostics, GError **error)
{
    const struct hr_tree host = {.opener = options->opener};
    HR_AUTO(hr_object) binary = NULL;
    if (options->binary && !(binary = hr_object_new(&host, options->binary, error))) {
        g_prefix_error(error, "%s: ", options->binary);
        return NULL;
    }
    struct hr_run seen = *run; // the run itself stays without a map
    const bool assumed = assume_mappings(&seen, binary);
    HR_AUTO(hr_layout) layout = hr_layout_new(&seen);
    layout->assumed = assumed;
    struct work work = {
        .run = &seen,
        .options = options,
        .diagnostics = diagnostics,
        .layout = layout,
        .binary = binary,
        .binary_module = HR_NO_MODULE,
        .symbols = HR_ARENA_NEW(run->arena, struct hr_symbols),
    };
    work.symbols->binary_match_ratio = NAN;
    if (binary) {
        match_binary(&work);
        report_binary(&work);
    }
    fill_symbols(&work);
    drop_empty_modules(&work);
    hr_fit_free(work.binary_fit);
    return work.symbols;
}
