// SPDX-License-Identifier: MIT
// Prints the stacks of one dump with their names: symbolize/ alone, for looking at and for timing.
// usage: symbolize-dump DUMP [BINARY [DEBUG-DIR]]
//        symbolize-dump --table DUMP [BINARY [DEBUG-DIR]]   one line an address, for scripts
#include "../unit/symbolize/run-support.h"
#include "symbolize/symbolize.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *const trusts[] = {"none", "guessed", "symbol", "exact"};
static const char *const matches[] = {"unknown", "confirmed", "mismatch"};

static void print_location(const struct hr_symbols *symbols, uint32_t index)
{
    const struct hr_location *location = &symbols->locations[index];
    for (uint32_t i = 0; i < location->frame_count; i++) {
        const struct hr_frame *frame = &symbols->frames[location->first_frame + i];
        printf("  %s%s %s:%u [%s]\n", frame->inlined ? "(inlined) " : "", frame->function,
               frame->file ? frame->file : "?", frame->line, trusts[frame->trust]);
    }
}

static void print_modules(const struct hr_symbols *symbols)
{
    for (uint32_t i = 0; i < symbols->modules_count; i++) {
        const struct hr_module *module = &symbols->modules[i];
        printf("module %s: %u addresses, %u named, build-id %s, problem %s\n", module->path,
               module->addresses_count, module->named_count,
               module->build_id ? module->build_id : "unknown",
               module->problem.id ? module->problem.id : "none");
    }
    if (symbols->binary_path) {
        printf("binary %s: match %d, ratio %.3f, %s\n", symbols->binary_path, symbols->binary_match,
               symbols->binary_match_ratio, symbols->binary_match_reason.id);
    }
}

static void print_table(const struct hr_run *run, const struct hr_symbols *symbols)
{
    for (uint32_t i = 0; i < symbols->locations_count; i++) {
        const struct hr_location *location = &symbols->locations[i];
        printf("0x%" PRIx64, hr_stacks_location_address(run->stacks, i));
        for (uint32_t j = 0; j < location->frame_count; j++) {
            const struct hr_frame *frame = &symbols->frames[location->first_frame + j];
            printf("\t%s|%s|%s:%u", trusts[frame->trust], frame->key_name,
                   frame->file ? frame->file : "", frame->line);
        }
        putchar('\n');
    }
    printf("match\t%s\t%.4f\t%s\n", matches[symbols->binary_match], symbols->binary_match_ratio,
           symbols->binary_match_reason.id ? symbols->binary_match_reason.id : "");
}

int main(int argc, char **argv)
{
    HR_AUTO(hr_run) run = hr_run_new();
    const bool table = argc > 1 && strcmp(argv[1], "--table") == 0;
    argc -= table;
    argv += table;
    if (argc < 2 || !hr_test_read_dump(run, argv[1])) {
        fprintf(stderr, "usage: symbolize-dump [--table] DUMP [BINARY [DEBUG-DIR]]\n");
        return 2;
    }
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    g_autoptr(GError) error = NULL;
    const char *const debug_dirs[] = {argc > 3 ? argv[3] : NULL, NULL};
    const struct hr_symbolize_options options = {
        .binary = argc > 2 ? argv[2] : NULL,
        .debug_dirs = debug_dirs,
    };
    const struct hr_symbols *symbols = hr_symbolize(run, &options, diagnostics, &error);
    if (!symbols) {
        fprintf(stderr, "symbolize-dump: %s\n", error->message);
        return 3;
    }
    if (table) {
        print_table(run, symbols);
        return 0;
    }
    for (uint32_t i = 0; i < hr_stacks_count(run->stacks); i++) {
        const struct hr_stack stack = hr_stacks_get(run->stacks, i);
        printf("stack %u\n", i);
        for (uint32_t j = 0; j < stack.depth; j++) {
            print_location(symbols, stack.locations[j]);
        }
    }
    print_modules(symbols);
    return 0;
}
