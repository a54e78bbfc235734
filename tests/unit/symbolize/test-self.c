// SPDX-License-Identifier: MIT
// This very program names its own return addresses: its map, its text and its debug data are real.
#include "elf-support.h"
#include "run-support.h"
#include "symbolize/symbolize.h"

#include <string.h>

#define SITES_MAX 16

static uint64_t sites[SITES_MAX];
static uint32_t sites_count;
static unsigned first_line, inner_line, outer_line; // of the calls

G_NO_INLINE static void keep_return_address(void)
{
    sites[sites_count++ % SITES_MAX] = (uint64_t)(uintptr_t)__builtin_return_address(0);
    __asm__ volatile("" ::: "memory");
}

G_NO_INLINE static void plant_first(void)
{
    first_line = __LINE__ + 1;
    keep_return_address();
    __asm__ volatile("");
}

static inline __attribute__((always_inline)) void plant_inlined(void)
{
    inner_line = __LINE__ + 1;
    keep_return_address();
    __asm__ volatile("");
}

G_NO_INLINE static void plant_second(void)
{
    outer_line = __LINE__ + 1;
    plant_inlined();
    __asm__ volatile("");
}

static struct hr_run *make_run(void)
{
    struct hr_run *run = hr_run_new();
    g_assert_true(hr_test_read_own_map(run));
    sites_count = 0;
    plant_first();
    plant_second();
    while (sites_count < SITES_MAX) {
        keep_return_address();
    }
    hr_stacks_intern(run->stacks, sites, sites_count);
    return run;
}

static const struct hr_frame *get_frame(const struct hr_symbols *symbols, uint32_t location,
                                        uint32_t index)
{
    g_assert_cmpuint(index, <, symbols->locations[location].frame_count);
    return &symbols->frames[symbols->locations[location].first_frame + index];
}

static const struct hr_symbols *symbolize(struct hr_run *run, const char *binary)
{
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    const struct hr_symbolize_options options = {.binary = binary};
    GError *error = NULL;
    const struct hr_symbols *symbols = hr_symbolize(run, &options, diagnostics, &error);
    g_assert_no_error(error);
    return symbols;
}

static void test_names_and_inlines(void)
{
    HR_AUTO(hr_run) run = make_run();
    const struct hr_symbols *symbols = symbolize(run, "/proc/self/exe");
    g_assert_cmpint(symbols->binary_match, !=, HR_BINARY_MISMATCH);
    g_assert_cmpfloat(symbols->binary_match_ratio, ==, 1.0);

    const struct hr_frame *first = get_frame(symbols, 0, 0);
    g_assert_cmpstr(first->function, ==, "plant_first");
    g_assert_cmpint(first->trust, ==, HR_TRUST_EXACT);
    g_assert_true(g_str_has_suffix(first->file, "test-self.c"));
    g_assert_cmpuint(first->line, ==, first_line);
    g_assert_false(first->inlined);

    const struct hr_frame *inner = get_frame(symbols, 1, 0);
    const struct hr_frame *outer = get_frame(symbols, 1, 1);
    g_assert_cmpstr(inner->function, ==, "plant_inlined");
    g_assert_true(inner->inlined);
    g_assert_cmpuint(inner->line, ==, inner_line);
    g_assert_cmpstr(outer->function, ==, "plant_second");
    g_assert_cmpuint(outer->line, ==, outer_line);
    g_assert_false(outer->inlined);
}

// The library's or program's own path is enough.
static void test_without_binary(void)
{
    HR_AUTO(hr_run) run = make_run();
    const struct hr_symbols *symbols = symbolize(run, NULL);
    g_assert_null(symbols->binary_path);
    g_assert_cmpstr(get_frame(symbols, 0, 0)->function, ==, "plant_first");
}

static void test_no_maps(void)
{
    HR_AUTO(hr_run) run = make_run();
    run->mappings_count = 0;
    const struct hr_symbols *symbols = symbolize(run, "/proc/self/exe");
    g_assert_cmpint(symbols->binary_match, ==, HR_BINARY_UNKNOWN);
    g_assert_true(g_str_has_prefix(get_frame(symbols, 0, 0)->function, "0x"));
    g_assert_cmpint(get_frame(symbols, 0, 0)->trust, ==, HR_TRUST_NONE);
    g_assert_cmpuint(symbols->locations[0].module, ==, HR_MODULE_NONE);
}

static void test_not_elf(void)
{
    HR_AUTO(hr_run) run = make_run();
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    const struct hr_symbolize_options options = {.binary = "/proc/self/maps"};
    g_autoptr(GError) error = NULL;
    g_assert_null(hr_symbolize(run, &options, diagnostics, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_BINARY);
}

// A copy that lost its end: what is missing is told, not taken for a program without symbols.
static void test_cut_binary(void)
{
    HR_AUTO(hr_run) run = make_run();
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    char *directory = hr_test_make_directory();
    g_autofree char *path = g_build_filename(directory, "cut", NULL);
    g_autofree char *bytes = NULL;
    gsize size;
    g_assert_true(g_file_get_contents("/proc/self/exe", &bytes, &size, NULL));
    g_assert_true(g_file_set_contents(path, bytes, (gssize)size - 1, NULL));
    const struct hr_symbolize_options options = {.binary = path};
    const struct hr_symbols *symbols = hr_symbolize(run, &options, diagnostics, NULL);
    g_assert_nonnull(symbols);
    const struct hr_module *module = &symbols->modules[symbols->locations[0].module];
    g_assert_cmpstr(module->problem.id, ==, "module-cut");
    const struct hr_diagnostic *told = hr_diagnostics_find(diagnostics, HR_DIAG_OBJECT_CUT);
    g_assert_nonnull(told);
    g_assert_cmpstr(told->files[0], ==, path);
    hr_test_remove(directory);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/self/names-and-inlines", test_names_and_inlines);
    g_test_add_func("/self/without-binary", test_without_binary);
    g_test_add_func("/self/no-maps", test_no_maps);
    g_test_add_func("/self/not-elf", test_not_elf);
    g_test_add_func("/self/cut-binary", test_cut_binary);
    return g_test_run();
}
