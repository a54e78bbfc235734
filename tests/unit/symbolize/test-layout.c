// SPDX-License-Identifier: MIT
#include "run-support.h"
#include "symbolize/layout.h"
#include "symbolize/symbolize.h"

// One stack of the addresses given.
static void add_stack(struct hr_run *run, const uint64_t *addresses, uint32_t count)
{
    hr_stacks_intern(run->stacks, addresses, count);
}

static const char *get_path(const struct hr_layout *layout, uint32_t location)
{
    const struct hr_layout_place *place = &layout->places[location];
    return place->module == HR_NO_MODULE ? NULL : hr_layout_get(layout, place->module)->path;
}

static void test_by_line(void)
{
    HR_AUTO(hr_run) run = hr_run_new();
    hr_test_add_mapping(run, 0x1000, 0x2000, 0, "/bin/a", true);
    hr_test_add_mapping(run, 0x2000, 0x3000, 0x1000, "/bin/a", false);
    hr_test_add_mapping(run, 0x5000, 0x6000, 0, "/lib/b (deleted)", true);
    hr_test_add_mapping(run, 0x7000, 0x8000, 0, "[vdso]", true);
    hr_test_add_mapping(run, 0x9000, 0xa000, 0, "/dev/zero (deleted)", true);
    const uint64_t addresses[] = {0x1800, 0x5004, 0x7100, 0x9100, 0x4000, 0x6000};
    add_stack(run, addresses, G_N_ELEMENTS(addresses));
    HR_AUTO(hr_layout) layout = hr_layout_new(run);
    g_assert_cmpstr(get_path(layout, 0), ==, "/bin/a");
    g_assert_cmpstr(get_path(layout, 1), ==, "/lib/b (deleted)");
    g_assert_cmpstr(hr_layout_get(layout, layout->places[1].module)->file_path, ==, "/lib/b");
    g_assert_cmpstr(get_path(layout, 2), ==, "[vdso]");
    g_assert_null(hr_layout_get(layout, layout->places[2].module)->file_path);
    g_assert_null(hr_layout_get(layout, layout->places[3].module)->file_path);
    g_assert_null(get_path(layout, 4));
    g_assert_null(get_path(layout, 5)); // the end of a line is not in it
    g_assert_false(layout->places[0].inferred);
}

// Text that was moved to anonymous huge pages lies between two lines of its file.
static void test_remapped(void)
{
    HR_AUTO(hr_run) run = hr_run_new();
    hr_test_add_mapping(run, 0x1000, 0x2000, 0, "/bin/a", false);
    hr_test_add_mapping(run, 0x2000, 0x6000, 0, "", true);
    hr_test_add_mapping(run, 0x6000, 0x7000, 0x5000, "/bin/a", true);
    hr_test_add_mapping(run, 0x9000, 0xa000, 0, "", true); // generated code
    hr_test_add_mapping(run, 0xb000, 0xc000, 0, "/bin/a", false);
    hr_test_add_mapping(run, 0xc000, 0xd000, 0, "", true);
    hr_test_add_mapping(run, 0xd000, 0xe000, 0, "/lib/b", false);
    const uint64_t addresses[] = {0x3000, 0x6800, 0x9800, 0xc800};
    add_stack(run, addresses, G_N_ELEMENTS(addresses));
    HR_AUTO(hr_layout) layout = hr_layout_new(run);
    g_assert_cmpstr(get_path(layout, 0), ==, "/bin/a");
    g_assert_true(layout->places[0].inferred);
    g_assert_false(layout->places[1].inferred);
    g_assert_true(hr_layout_get(layout, layout->places[0].module)->remapped);
    g_assert_null(get_path(layout, 2));
    g_assert_null(get_path(layout, 3)); // between two files: nobody's
}

// Nothing of these is opened, each address has an answer.
static void test_names_of_no_files(void)
{
    static const char *const paths[] = {
        "[vdso]",          "//anon",         "/memfd:jit (deleted)",    "/dev/zero",
        "/nowhere/lib.so", "/proc/self/exe", "/SYSV00000000 (deleted)", "/tmp"};
    HR_AUTO(hr_run) run = hr_run_new();
    uint64_t addresses[G_N_ELEMENTS(paths)];
    for (uint64_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        hr_test_add_mapping(run, (i + 1) << 16, ((i + 1) << 16) + 0x1000, 0, paths[i], true);
        addresses[i] = ((i + 1) << 16) + 0x123;
    }
    add_stack(run, addresses, G_N_ELEMENTS(paths));
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    const struct hr_symbolize_options options = {0};
    const struct hr_symbols *symbols = hr_symbolize(run, &options, diagnostics, NULL);
    g_assert_cmpuint(symbols->modules_count, ==, G_N_ELEMENTS(paths));
    for (uint32_t i = 0; i < symbols->locations_count; i++) {
        const struct hr_frame *frame = &symbols->frames[symbols->locations[i].first_frame];
        g_assert_true(g_str_has_suffix(frame->function, "+0x123"));
        g_assert_cmpint(frame->trust, ==, HR_TRUST_NONE);
        g_assert_nonnull(symbols->modules[symbols->locations[i].module].problem.id);
    }
    g_assert_cmpstr(symbols->frames[symbols->locations[0].first_frame].function, ==,
                    "[vdso]+0x123");
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/layout/by-line", test_by_line);
    g_test_add_func("/layout/remapped", test_remapped);
    g_test_add_func("/layout/names-of-no-files", test_names_of_no_files);
    return g_test_run();
}
