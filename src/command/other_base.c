// SPDX-License-Identifier: MIT
#include "command/other_base.h"

#include "analysis/comparison.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_same_file(const char *path, const char *directory, const char *name)
{
    struct stat given;
    struct stat below;
    g_autofree char *there = g_build_filename(directory, name, NULL);
    return stat(path, &given) == 0 && stat(there, &below) == 0 && given.st_dev == below.st_dev &&
           given.st_ino == below.st_ino;
}

// A dump of the run may be named as it lies below --dir, or by any path to it.
static bool is_of_run(const struct hr_run *run, const char *base)
{
    const char *slash = strrchr(base, '/');
    const char *name = slash ? slash + 1 : base;
    for (size_t i = 0; i < run->dumps_count; i++) {
        const char *file = run->dumps[i].file;
        if (strcmp(file, base) == 0 ||
            (strcmp(file, name) == 0 && is_same_file(base, run->directory, file))) {
            return true;
        }
    }
    return false;
}

bool hr_other_base_find(struct hr_run *run, const struct hr_options *options, const char **path,
                        GError **error)
{
    *path = NULL;
    if (options->base && !is_of_run(run, options->base)) {
        g_autofree char *below = g_build_filename(options->directory, options->base, NULL);
        if (access(options->base, F_OK) == 0) {
            *path = options->base;
        } else if (access(below, F_OK) == 0) {
            *path = hr_arena_strdup(run->arena, below);
        } else {
            g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                        "--base: %s is no dump of this run, and there is no such file",
                        options->base);
            hr_error_blame(error, "base", NULL);
            return false;
        }
    }
    if (options->base_binary && !*path) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                            "--base-binary needs a --base that is a dump of another run");
        hr_error_blame(error, "base-binary", NULL);
        return false;
    }
    return true;
}

struct hr_run *hr_other_base_read(const char *path, const struct hr_ingest_options *ingest,
                                  struct hr_diagnostics *diagnostics, GError **error)
{
    HR_AUTO(hr_run) run = hr_run_new();
    g_autofree char *directory = g_path_get_dirname(path);
    g_autofree char *file = g_path_get_basename(path);
    HR_AUTO(hr_source)
    source = hr_source_new_limited(directory, -1, ingest->limits, diagnostics, error);
    if (!source || !hr_ingest_find_one(run, source, file, error)) {
        g_prefix_error_literal(error, "--base: ");
        hr_error_blame(error, "base", NULL);
        return NULL;
    }
    struct hr_ingest_options options = *ingest;
    options.source = source;
    const bool wanted = true;
    hr_ingest_read_dumps(run, &options, &wanted, diagnostics);
    hr_ingest_hash_dumps(run, &options, 0, 0);
    if (!run->dumps[0].used) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "--base: %s: nothing in it can be used", path);
        hr_error_blame(error, "base", NULL);
        return NULL;
    }
    run->dumps[0].file = hr_arena_strdup(run->arena, path);
    return HR_STEAL(run);
}

// Base and final, and nothing between them.
static struct hr_choice choose_two(const struct hr_run *run, const struct hr_choice *choice)
{
    size_t *points = HR_ARENA_ARRAY(run->arena, size_t, run->dumps_count);
    bool *wanted = HR_ARENA_ARRAY(run->arena, bool, run->dumps_count);
    for (size_t i = 0; i < run->dumps_count; i++) {
        points[i] = i;
        wanted[i] = true;
    }
    struct hr_choice chosen = hr_choice_nothing();
    chosen.base = 0;
    chosen.final = 1;
    chosen.peak = run->dumps[0].live_bytes > run->dumps[1].live_bytes ? 0 : 1;
    chosen.base_reason = hr_phrase_new("choice-base-other-run");
    chosen.final_reason = choice->final_reason;
    chosen.wanted = wanted;
    chosen.points = points;
    chosen.points_count = run->dumps_count;
    return chosen;
}

struct hr_run *hr_other_base_join(struct hr_run *base, const struct hr_run *run,
                                  const struct hr_symbols **symbols,
                                  const struct hr_symbolize_options *symbolize,
                                  struct hr_choice *choice, struct hr_diagnostics *diagnostics,
                                  GError **error)
{
    const struct hr_symbols *base_symbols = hr_symbolize(base, symbolize, diagnostics, error);
    if (!base_symbols) {
        return NULL;
    }
    const struct hr_comparison_side from = {base, base_symbols, 0};
    const struct hr_comparison_side to = {run, *symbols, choice->final};
    struct hr_run *joined = hr_comparison_new(&from, &to, symbols);
    *choice = choose_two(joined, choice);
    return joined;
}
