// SPDX-License-Identifier: MIT
// Prints the stacks of one dump with their names: symbolize/ alone, for looking at and for timing.
// usage: symbolize-dump DUMP [BINARY]
#include "../unit/symbolize/run-support.h"
#include "symbolize/symbolize.h"

#include <inttypes.h>
#include <stdio.h>

static const char *const trusts[] = {"none", "guessed", "symbol", "exact"};

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

int main(int argc, char **argv)
{
    HR_AUTO(hr_run) run = hr_run_new();
    if (argc < 2 || !hr_test_read_dump(run, argv[1])) {
        fprintf(stderr, "usage: symbolize-dump DUMP [BINARY]\n");
        return 2;
    }
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    g_autoptr(GError) error = NULL;
    const struct hr_symbolize_options options = {.binary = argc > 2 ? argv[2] : NULL};
    const struct hr_symbols *symbols = hr_symbolize(run, &options, diagnostics, &error);
    if (!symbols) {
        fprintf(stderr, "symbolize-dump: %s\n", error->message);
        return 3;
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
