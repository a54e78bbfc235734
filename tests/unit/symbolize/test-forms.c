// SPDX-License-Identifier: MIT
// Forms and faults of debug data that no compiler at hand emits, by the own reader and by libdw.
#include "dwarf-support.h"

#include <dwarf.h>
#include <string.h>

static void put_root(struct hr_test_dwarf *dwarf, unsigned version, uint64_t low)
{
    hr_test_dwarf_begin_unit(dwarf, &(struct hr_test_unit){.version = version});
    HR_TEST_OPEN(dwarf, DW_TAG_compile_unit, HR_TEST_CODE(low, 0x100));
}

static void put_end(struct hr_test_dwarf *dwarf)
{
    hr_test_dwarf_end_children(dwarf);
    hr_test_dwarf_end_unit(dwarf);
}

static struct hr_test_broken check(struct hr_test_dwarf *dwarf, enum hr_test_reader reader,
                                   const struct hr_test_expectation *expected, uint32_t count)
{
    char *path = hr_test_dwarf_write(dwarf, NULL, NULL, 0);
    const struct hr_test_broken broken = hr_test_dwarf_check(path, reader, expected, count);
    hr_test_remove(path);
    return broken;
}

// Every form that a name and an address can have by their number in a table.
static void test_indexed(void)
{
    static const unsigned names[] = {DW_FORM_strx, DW_FORM_strx1, DW_FORM_strx2, DW_FORM_strx3,
                                     DW_FORM_strx4};
    static const unsigned lows[] = {DW_FORM_addrx, DW_FORM_addrx1, DW_FORM_addrx2, DW_FORM_addrx3,
                                    DW_FORM_addrx4};
    static const struct hr_test_expectation expected[] = {
        {0x1008, "f0"}, {0x1018, "f1"}, {0x1028, "f2"}, {0x1038, "f3"}, {0x1048, "f4"}};
    HR_AUTO(hr_test_dwarf) dwarf = hr_test_dwarf_new();
    const guint strings = hr_test_begin_table(dwarf->str_offsets, false);
    const guint addresses = hr_test_begin_table(dwarf->addr, true);
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *name = g_strdup_printf("f%u", i);
        hr_test_put(dwarf->str_offsets, dwarf->str->len, 4);
        hr_test_put_text(dwarf->str, name);
        hr_test_put(dwarf->addr, 0x1000 + 0x10 * i, 8);
    }
    hr_test_end_table(dwarf->str_offsets, strings);
    hr_test_end_table(dwarf->addr, addresses);
    hr_test_dwarf_begin_unit(dwarf, &(struct hr_test_unit){.version = 5});
    HR_TEST_OPEN(dwarf, DW_TAG_compile_unit, HR_TEST_CODE(0x1000, 0x100),
                 {DW_AT_str_offsets_base, DW_FORM_sec_offset, 8, NULL},
                 {DW_AT_addr_base, DW_FORM_sec_offset, 8, NULL});
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        HR_TEST_LEAF(dwarf, DW_TAG_subprogram, {DW_AT_name, names[i], i, NULL},
                     {DW_AT_low_pc, lows[i], i, NULL}, {DW_AT_high_pc, DW_FORM_udata, 0x10, NULL});
    }
    put_end(dwarf);
    check(dwarf, HR_TEST_OWN, expected, G_N_ELEMENTS(expected));
}

// Every form of a reference to another DIE; what is skipped on the way has odd forms too.
static void test_references(void)
{
    static const struct {
        unsigned form;
        enum hr_test_reader reader;
    } cases[] = {{DW_FORM_ref1, HR_TEST_OWN},      {DW_FORM_ref2, HR_TEST_OWN},
                 {DW_FORM_ref4, HR_TEST_OWN},      {DW_FORM_ref8, HR_TEST_OWN},
                 {DW_FORM_ref_udata, HR_TEST_OWN}, {DW_FORM_ref_addr, HR_TEST_OWN},
                 {DW_FORM_indirect, HR_TEST_BOTH}};
    static const struct hr_test_expectation expected[] = {{0x1008, "inner < outer"},
                                                          {0x1028, "outer"}};
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        HR_AUTO(hr_test_dwarf) dwarf = hr_test_dwarf_new();
        put_root(dwarf, 5, 0x1000);
        const uint32_t inner =
            HR_TEST_LEAF(dwarf, DW_TAG_subprogram, {DW_AT_name, DW_FORM_line_strp, 0, "inner"});
        HR_TEST_OPEN(dwarf, DW_TAG_subprogram, {DW_AT_name, DW_FORM_strp, 0, "outer"},
                     {DW_AT_const_value, DW_FORM_data16, 0, NULL},
                     {DW_AT_decl_line, DW_FORM_implicit_const, 7, NULL},
                     HR_TEST_CODE(0x1000, 0x40));
        HR_TEST_LEAF(dwarf, DW_TAG_inlined_subroutine,
                     {DW_AT_abstract_origin, cases[i].form, inner, NULL},
                     HR_TEST_CODE(0x1000, 0x10));
        hr_test_dwarf_end_children(dwarf);
        put_end(dwarf);
        check(dwarf, cases[i].reader, expected, G_N_ELEMENTS(expected));
    }
}

// 64-bit DWARF is libdw's, with its neighbours in 32-bit DWARF the own reader's.
static void test_wide(void)
{
    static const struct hr_test_sequence sequences[] = {{0x1000, 0x20, 12, 0}, {0}};
    static const struct hr_test_expectation expected[] = {{0x1008, "wide /src/file.c:12"},
                                                          {0x1108, "narrow"}};
    for (unsigned version = 4; version <= 5; version++) {
        HR_AUTO(hr_test_dwarf) dwarf = hr_test_dwarf_new();
        const uint32_t lines = hr_test_dwarf_add_lines(dwarf, version, true, sequences);
        hr_test_dwarf_begin_unit(dwarf, &(struct hr_test_unit){.version = version, .wide = true});
        HR_TEST_OPEN(dwarf, DW_TAG_compile_unit, HR_TEST_CODE(0x1000, 0x100),
                     {DW_AT_comp_dir, DW_FORM_string, 0, "/src"},
                     {DW_AT_stmt_list, DW_FORM_sec_offset, lines, NULL});
        HR_TEST_LEAF(dwarf, DW_TAG_subprogram, {DW_AT_name, DW_FORM_strp, 0, "wide"},
                     HR_TEST_CODE(0x1000, 0x20));
        put_end(dwarf);
        put_root(dwarf, version, 0x1100);
        HR_TEST_LEAF(dwarf, DW_TAG_subprogram, HR_TEST_NAME("narrow"), HR_TEST_CODE(0x1100, 0x20));
        put_end(dwarf);
        check(dwarf, HR_TEST_BOTH, expected, G_N_ELEMENTS(expected));
    }
}

// A method without a linkage name, of a class that is described in a type unit.
static void test_class_in_type_unit(void)
{
    static const struct hr_test_expectation expected[] = {{0x1008, "shop::Basket::add"}};
    for (unsigned version = 4; version <= 5; version++) {
        HR_AUTO(hr_test_dwarf) dwarf = hr_test_dwarf_new();
        struct hr_test_unit types = {.version = version, .type = DW_UT_type, .id = 0x1234567890};
        types.in_types = version == 4;
        types.type_offset = version == 4 ? 23 + 2 : 24 + 2; // behind the header and the root
        hr_test_dwarf_begin_unit(dwarf, &types);
        HR_TEST_OPEN(dwarf, DW_TAG_type_unit,
                     {DW_AT_language, DW_FORM_data1, DW_LANG_C_plus_plus, NULL});
        g_assert_cmpuint(dwarf->out->len, ==, types.type_offset);
        HR_TEST_LEAF(dwarf, DW_TAG_class_type, HR_TEST_NAME("Basket"));
        put_end(dwarf);
        hr_test_dwarf_begin_unit(dwarf, &(struct hr_test_unit){.version = version});
        HR_TEST_OPEN(dwarf, DW_TAG_compile_unit, HR_TEST_CODE(0x1000, 0x100),
                     {DW_AT_language, DW_FORM_data1, DW_LANG_C_plus_plus, NULL});
        HR_TEST_OPEN(dwarf, DW_TAG_namespace, HR_TEST_NAME("shop"));
        HR_TEST_OPEN(dwarf, DW_TAG_class_type, {DW_AT_declaration, DW_FORM_flag_present, 0, NULL},
                     {DW_AT_signature, DW_FORM_ref_sig8, types.id, NULL});
        const uint32_t method = HR_TEST_LEAF(dwarf, DW_TAG_subprogram, HR_TEST_NAME("add"));
        hr_test_dwarf_end_children(dwarf);
        hr_test_dwarf_end_children(dwarf);
        HR_TEST_LEAF(dwarf, DW_TAG_subprogram, {DW_AT_specification, DW_FORM_ref4, method, NULL},
                     HR_TEST_CODE(0x1000, 0x20));
        put_end(dwarf);
        check(dwarf, HR_TEST_BOTH, expected, G_N_ELEMENTS(expected));
    }
}

static GByteArray *make_sup(const char *name)
{
    GByteArray *out = g_byte_array_new();
    hr_test_put(out, 5, 2);
    hr_test_put(out, !name, 1);
    hr_test_put_text(out, name ? name : "");
    hr_test_put(out, 4, 1);
    hr_test_put(out, 0xfeedbeef, 4);
    return out;
}

// Names in a supplementary file, found by its checksum. Where the reference leads in the file
// itself stands another function.
static void test_supplementary(void)
{
    static const struct hr_test_expectation expected[] = {{0x1008, "common"}, {0x1028, "moved"}};
    HR_AUTO(hr_test_dwarf) common = hr_test_dwarf_new();
    HR_AUTO(hr_test_dwarf) dwarf = hr_test_dwarf_new();
    g_autoptr(GByteArray) own_sup = make_sup(NULL);
    const struct hr_test_section own = {
        .name = ".debug_sup", .bytes = own_sup->data, .size = own_sup->len};
    hr_test_dwarf_begin_unit(common, &(struct hr_test_unit){.version = 5, .type = DW_UT_partial});
    HR_TEST_OPEN(common, DW_TAG_partial_unit, HR_TEST_NAME("a longer name than the others"));
    const uint32_t origin = HR_TEST_LEAF(common, DW_TAG_subprogram, HR_TEST_NAME("common"));
    put_end(common);
    const uint32_t moved = common->str->len;
    hr_test_put_text(common->str, "moved");
    char *common_path = hr_test_dwarf_write(common, NULL, &own, 1);

    put_root(dwarf, 5, 0x1000);
    while (dwarf->out->len < origin) {
        HR_TEST_LEAF(dwarf, DW_TAG_subprogram, {DW_AT_external, DW_FORM_flag, 1, NULL});
    }
    g_assert_cmpuint(dwarf->out->len, ==, origin);
    HR_TEST_LEAF(dwarf, DW_TAG_subprogram, HR_TEST_NAME("wrong"));
    HR_TEST_LEAF(dwarf, DW_TAG_subprogram, {DW_AT_abstract_origin, DW_FORM_ref_sup4, origin, NULL},
                 HR_TEST_CODE(0x1000, 0x20));
    HR_TEST_LEAF(dwarf, DW_TAG_subprogram, {DW_AT_name, DW_FORM_strp_sup, moved, NULL},
                 HR_TEST_CODE(0x1020, 0x20));
    put_end(dwarf);
    g_autoptr(GByteArray) sup = make_sup(common_path);
    const struct hr_test_section named = {
        .name = ".debug_sup", .bytes = sup->data, .size = sup->len};
    char *path = hr_test_dwarf_write(dwarf, NULL, &named, 1);
    hr_test_dwarf_check(path, HR_TEST_BOTH, expected, G_N_ELEMENTS(expected));
    hr_test_remove(path);
    hr_test_remove(common_path);
}

// A line program that breaks off costs the lines of its unit.
static void test_broken_lines(void)
{
    static const struct hr_test_sequence sequences[] = {{0x1000, 0x20, 12, 0}, {0}};
    static const struct hr_test_expectation expected[] = {{0x1008, "without"},
                                                          {0x1108, "with /src/file.c:12"}};
    HR_AUTO(hr_test_dwarf) dwarf = hr_test_dwarf_new();
    for (unsigned i = 0; i < 2; i++) {
        const uint64_t low = 0x1000 + 0x100 * i;
        const struct hr_test_sequence own[] = {{low, sequences[0].size, 12, 0}, {0}};
        const uint32_t lines = hr_test_dwarf_add_lines(dwarf, 4, false, own);
        if (i == 0) {
            dwarf->line->data[lines + 4] = 99; // no such version
        }
        hr_test_dwarf_begin_unit(dwarf, &(struct hr_test_unit){.version = 4});
        HR_TEST_OPEN(dwarf, DW_TAG_compile_unit, HR_TEST_CODE(low, 0x100),
                     {DW_AT_comp_dir, DW_FORM_string, 0, "/src"},
                     {DW_AT_stmt_list, DW_FORM_sec_offset, lines, NULL});
        HR_TEST_LEAF(dwarf, DW_TAG_subprogram, HR_TEST_NAME(i == 0 ? "without" : "with"),
                     HR_TEST_CODE(low, 0x20));
        put_end(dwarf);
    }
    const struct hr_test_broken broken =
        check(dwarf, HR_TEST_BOTH, expected, G_N_ELEMENTS(expected));
    g_assert_cmpuint(broken.lines, ==, 1);
    g_assert_cmpuint(broken.units, ==, 0);
}

// Three units, the second of them with a length that is none. Returns where the third one starts.
static guint put_broken_chain(struct hr_test_dwarf *dwarf)
{
    static const char *const names[] = {"first", "second", "third"};
    guint start = 0;
    for (unsigned i = 0; i < G_N_ELEMENTS(names); i++) {
        const uint64_t low = 0x1000 + 0x100 * i;
        start = dwarf->info->len;
        put_root(dwarf, 4, low);
        HR_TEST_LEAF(dwarf, DW_TAG_subprogram, HR_TEST_NAME(names[i]), HR_TEST_CODE(low, 0x20));
        put_end(dwarf);
        if (i == 1) {
            memset(dwarf->info->data + start, 0x7f, 4);
        }
    }
    return start;
}

// What lies behind a unit of broken length is found where .debug_aranges tells it, and told of
// where it is not.
static void test_broken_length(void)
{
    static const struct hr_test_expectation found[] = {
        {0x1008, "first"}, {0x1108, ""}, {0x1208, "third"}};
    static const struct hr_test_expectation lost[] = {
        {0x1008, "first"}, {0x1108, ""}, {0x1208, ""}};
    HR_AUTO(hr_test_dwarf) dwarf = hr_test_dwarf_new();
    const guint third = put_broken_chain(dwarf);
    g_autoptr(GByteArray) aranges = g_byte_array_new();
    hr_test_put(aranges, 8, 4);
    hr_test_put(aranges, 2, 2);
    hr_test_put(aranges, third, 4);
    hr_test_put(aranges, 8, 2);
    const struct hr_test_section section = {
        .name = ".debug_aranges", .bytes = aranges->data, .size = aranges->len};
    char *path = hr_test_dwarf_write(dwarf, NULL, &section, 1);
    struct hr_test_broken broken =
        hr_test_dwarf_check(path, HR_TEST_NOT_LIBDW, found, G_N_ELEMENTS(found));
    hr_test_remove(path);
    g_assert_cmpuint(broken.units, ==, 1);
    g_assert_cmpuint(broken.unreached_bytes, ==, 0);
    broken = check(dwarf, HR_TEST_NOT_LIBDW, lost, G_N_ELEMENTS(lost));
    g_assert_cmpuint(broken.units, ==, 1);
    g_assert_cmpuint(broken.unreached_bytes, >, dwarf->info->len - third);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/forms/indexed", test_indexed);
    g_test_add_func("/forms/references", test_references);
    g_test_add_func("/forms/wide", test_wide);
    g_test_add_func("/forms/class-in-type-unit", test_class_in_type_unit);
    g_test_add_func("/forms/supplementary", test_supplementary);
    g_test_add_func("/forms/broken-lines", test_broken_lines);
    g_test_add_func("/forms/broken-length", test_broken_length);
    return g_test_run();
}
