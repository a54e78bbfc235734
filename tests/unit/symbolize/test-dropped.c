// SPDX-License-Identifier: MIT
// Debug data of functions that the linker dropped: they stay, at addresses that are none or
// others'.
#include "dwarf-support.h"

#include <dwarf.h>

static uint32_t put_ranges(struct hr_test_dwarf *dwarf, unsigned version, uint64_t dropped)
{
    uint64_t ranges[][2] = {{dropped, dropped + 0x4000}, {0x1100, 0x1200}};
    if (version < 5 && dropped == UINT64_MAX) { // has a meaning of its own there
        ranges[0][0] = ranges[0][1] = 1;
    }
    GByteArray *out = version < 5 ? dwarf->ranges : dwarf->rnglists;
    const guint table = version < 5 ? 0 : hr_test_begin_table(out, true);
    hr_test_put(out, 0, version < 5 ? 0 : 4); // no offsets
    const uint32_t start = out->len;
    for (size_t i = 0; i < G_N_ELEMENTS(ranges); i++) {
        hr_test_put(out, DW_RLE_start_end, version < 5 ? 0 : 1);
        hr_test_put(out, ranges[i][0], 8);
        hr_test_put(out, ranges[i][1], 8);
    }
    hr_test_put(out, 0, version < 5 ? 16 : 1);
    if (version >= 5) {
        hr_test_end_table(out, table);
    }
    return start;
}

#define OFFSET_FORM(version) ((version) < 4 ? DW_FORM_data4 : DW_FORM_sec_offset)

// A unit that was dropped as a whole and stands before the others.
static void put_dropped_unit(struct hr_test_dwarf *dwarf, unsigned version, uint64_t dropped)
{
    const struct hr_test_sequence sequences[] = {{dropped, 0x4000, 40, 0x40}, {0}};
    const uint32_t lines = hr_test_dwarf_add_lines(dwarf, version, false, sequences);
    hr_test_dwarf_begin_unit(dwarf, &(struct hr_test_unit){.version = version});
    HR_TEST_OPEN(dwarf, DW_TAG_compile_unit, {DW_AT_low_pc, DW_FORM_addr, dropped, NULL},
                 {DW_AT_high_pc, DW_FORM_addr, dropped + 0x4000, NULL},
                 {DW_AT_stmt_list, OFFSET_FORM(version), lines, NULL});
    HR_TEST_LEAF(dwarf, DW_TAG_subprogram, HR_TEST_NAME("elsewhere"),
                 {DW_AT_low_pc, DW_FORM_addr, dropped, NULL},
                 {DW_AT_high_pc, DW_FORM_addr, dropped + 0x4000, NULL});
    hr_test_dwarf_end_children(dwarf);
    hr_test_dwarf_end_unit(dwarf);
}

static void put_code(struct hr_test_dwarf *dwarf, unsigned tag, const char *name, uint64_t low,
                     uint64_t high)
{
    HR_TEST_OPEN(dwarf, tag, HR_TEST_NAME(name), {DW_AT_low_pc, DW_FORM_addr, low, NULL},
                 {DW_AT_high_pc, DW_FORM_addr, high, NULL});
}

// A unit of which some functions were dropped: one as a whole, and one that gold left at its place
// in the section.
static void put_mixed_unit(struct hr_test_dwarf *dwarf, unsigned version, uint64_t dropped)
{
    const struct hr_test_sequence sequences[] = {
        {dropped, 0x4000, 20, 0x80}, {0x1100, 0x100, 10, 0}, {dropped, 0x3000, 30, 0x44}, {0}};
    const uint32_t lines = hr_test_dwarf_add_lines(dwarf, version, false, sequences);
    const uint32_t ranges = put_ranges(dwarf, version, dropped);
    hr_test_dwarf_begin_unit(dwarf, &(struct hr_test_unit){.version = version});
    HR_TEST_OPEN(dwarf, DW_TAG_compile_unit, {DW_AT_low_pc, DW_FORM_addr, 0, NULL},
                 {DW_AT_ranges, OFFSET_FORM(version), ranges, NULL},
                 {DW_AT_stmt_list, OFFSET_FORM(version), lines, NULL},
                 {DW_AT_comp_dir, DW_FORM_string, 0, "/src"});
    put_code(dwarf, DW_TAG_subprogram, "kept", 0x1100, 0x1180);
    put_code(dwarf, DW_TAG_inlined_subroutine, "inner", 0x1110, 0x1120);
    hr_test_dwarf_end_children(dwarf);
    hr_test_dwarf_end_children(dwarf);
    put_code(dwarf, DW_TAG_subprogram, "dropped", dropped, dropped + 0x4000);
    put_code(dwarf, DW_TAG_inlined_subroutine, "dropped_inner", 0x1108, 0x1160);
    hr_test_dwarf_end_children(dwarf);
    hr_test_dwarf_end_children(dwarf);
    put_code(dwarf, DW_TAG_subprogram, "late", 0x10f0, 0x1190);
    hr_test_dwarf_end_children(dwarf);
    hr_test_dwarf_end_children(dwarf);
    hr_test_dwarf_end_unit(dwarf);
}

static const uint64_t places[] = {0, 1, UINT64_MAX - 1, UINT64_MAX};

// Neither the chain, nor the line, nor an address that nothing covers is the dropped functions'.
static void test_dropped(gconstpointer argument)
{
    static const struct hr_test_expectation expected[] = {
        {0x1050, ""},
        {0x1108, "kept /src/file.c:10"},
        {0x1118, "inner /src/file.c:10 < kept"},
        {0x117f, "kept /src/file.c:10"},
        {0x1188, "? /src/file.c:10"},
        {0x1208, ""},
    };
    const unsigned version = GPOINTER_TO_UINT(argument);
    for (size_t i = 0; i < G_N_ELEMENTS(places); i++) {
        HR_AUTO(hr_test_dwarf) dwarf = hr_test_dwarf_new();
        put_dropped_unit(dwarf, version, places[i]);
        put_mixed_unit(dwarf, version, places[i]);
        char *path = hr_test_dwarf_write(dwarf, NULL, NULL, 0);
        hr_test_dwarf_check(path, version < 4 ? HR_TEST_BOTH : HR_TEST_OWN, expected,
                            G_N_ELEMENTS(expected));
        hr_test_remove(path);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_data_func("/dropped/version-2", GUINT_TO_POINTER(2), test_dropped);
    g_test_add_data_func("/dropped/version-3", GUINT_TO_POINTER(3), test_dropped);
    g_test_add_data_func("/dropped/version-4", GUINT_TO_POINTER(4), test_dropped);
    g_test_add_data_func("/dropped/version-5", GUINT_TO_POINTER(5), test_dropped);
    return g_test_run();
}
