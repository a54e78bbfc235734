// SPDX-License-Identifier: MIT
// Debug data made by hand, for the forms that no compiler at hand emits, and the own reader held
// against libdw on this very program.
#include "elf-support.h"
#include "symbolize/debug.h"
#include "symbolize/match.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

static void put(GByteArray *out, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        const guint8 byte = i < 8 ? (guint8)(value >> (8 * i)) : 0;
        g_byte_array_append(out, &byte, 1);
    }
}

static void put_text(GByteArray *out, const char *text)
{
    g_byte_array_append(out, (const guint8 *)text, (guint)strlen(text) + 1);
}

static void patch_u32(GByteArray *out, guint at, uint32_t value)
{
    memcpy(out->data + at, &value, sizeof value);
}

// Abbreviations of all units made here.
enum {
    UNIT = 1,
    FUNCTION,
    CLASS,
    INLINED,
    ABSTRACT,
    UNIT_BY_LIST,
    UNIT_BARE,
    FUNCTION_BY_LIST,
    COPY,
    UNIT_BY_INDEX,
    FUNCTION_BY_INDEX,
    UNIT_OLD,
    FUNCTION_OLD
};

static void put_abbrev(GByteArray *out, unsigned code, unsigned tag, const unsigned *pairs)
{
    put(out, code, 1);
    put(out, tag, 1);
    put(out, DW_CHILDREN_yes, 1);
    for (; pairs[0]; pairs += 2) {
        put(out, pairs[0], 1);
        put(out, pairs[1], 1);
    }
    put(out, 0, 2);
}

static GByteArray *make_abbrevs(void)
{
    GByteArray *out = g_byte_array_new();
    put_abbrev(out, UNIT, DW_TAG_compile_unit,
               (unsigned[]){DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_data8,
                            DW_AT_stmt_list, DW_FORM_sec_offset, DW_AT_comp_dir, DW_FORM_string,
                            0});
    put_abbrev(out, FUNCTION, DW_TAG_subprogram,
               (unsigned[]){DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
                            DW_FORM_data8, 0});
    put_abbrev(out, CLASS, DW_TAG_structure_type, (unsigned[]){DW_AT_name, DW_FORM_string, 0});
    put_abbrev(out, INLINED, DW_TAG_inlined_subroutine,
               (unsigned[]){DW_AT_abstract_origin, DW_FORM_ref4, DW_AT_low_pc, DW_FORM_addr,
                            DW_AT_high_pc, DW_FORM_data8, DW_AT_call_file, DW_FORM_data1,
                            DW_AT_call_line, DW_FORM_data2, 0});
    put_abbrev(out, ABSTRACT, DW_TAG_subprogram, (unsigned[]){DW_AT_name, DW_FORM_string, 0});
    put_abbrev(out, UNIT_BY_LIST, DW_TAG_compile_unit,
               (unsigned[]){DW_AT_low_pc, DW_FORM_addr, DW_AT_ranges, DW_FORM_sec_offset, 0});
    put_abbrev(out, UNIT_BARE, DW_TAG_compile_unit, (unsigned[]){DW_AT_name, DW_FORM_string, 0});
    put_abbrev(out, FUNCTION_BY_LIST, DW_TAG_subprogram,
               (unsigned[]){DW_AT_name, DW_FORM_string, DW_AT_ranges, DW_FORM_sec_offset, 0});
    put_abbrev(out, COPY, DW_TAG_subprogram,
               (unsigned[]){DW_AT_abstract_origin, DW_FORM_ref4, DW_AT_low_pc, DW_FORM_addr,
                            DW_AT_high_pc, DW_FORM_data8, 0});
    put_abbrev(out, UNIT_BY_INDEX, DW_TAG_compile_unit,
               (unsigned[]){DW_AT_low_pc, DW_FORM_addr, DW_AT_rnglists_base, DW_FORM_sec_offset,
                            DW_AT_addr_base, DW_FORM_sec_offset, DW_AT_ranges, DW_FORM_sec_offset,
                            0});
    put_abbrev(out, FUNCTION_BY_INDEX, DW_TAG_subprogram,
               (unsigned[]){DW_AT_name, DW_FORM_string, DW_AT_ranges, DW_FORM_rnglistx, 0});
    put_abbrev(out, UNIT_OLD, DW_TAG_compile_unit,
               (unsigned[]){DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc, DW_FORM_addr, 0});
    put_abbrev(out, FUNCTION_OLD, DW_TAG_subprogram,
               (unsigned[]){DW_AT_name, DW_FORM_string, DW_AT_low_pc, DW_FORM_addr, DW_AT_high_pc,
                            DW_FORM_addr, 0});
    put(out, 0, 1);
    return out;
}

static void begin_unit_of(GByteArray *info, guint *start, unsigned version)
{
    *start = info->len;
    put(info, 0, 4); // length, patched
    put(info, version, 2);
    if (version >= 5) {
        put(info, DW_UT_compile, 1);
        put(info, 8, 1);
        put(info, 0, 4);
    } else {
        put(info, 0, 4);
        put(info, 8, 1);
    }
}

static void begin_unit(GByteArray *info, guint *start)
{
    begin_unit_of(info, start, 4);
}

static void end_unit(GByteArray *info, guint start)
{
    patch_u32(info, start, info->len - start - 4);
}

static void put_unit(GByteArray *info, uint64_t low, uint64_t size)
{
    put(info, UNIT, 1);
    put(info, low, 8);
    put(info, size, 8);
    put(info, 0, 4);
    put_text(info, "/src");
}

static void put_function(GByteArray *info, const char *name, uint64_t low, uint64_t size)
{
    put(info, FUNCTION, 1);
    put_text(info, name);
    put(info, low, 8);
    put(info, size, 8);
}

static void put_inlined(GByteArray *info, uint32_t origin, uint64_t low, uint64_t size,
                        unsigned line)
{
    put(info, INLINED, 1);
    put(info, origin, 4);
    put(info, low, 8);
    put(info, size, 8);
    put(info, 1, 1);
    put(info, line, 2);
}

// Rows for [0x1000, 0x1010) and, behind a gap, [0x1020, 0x1030). The first sequence ends with a row
// of no length, as GCC 12 writes them.
static GByteArray *make_lines(void)
{
    static const uint8_t header[] = {1, 1, 1, 0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    GByteArray *out = g_byte_array_new();
    put(out, 0, 4);
    put(out, 4, 2);
    put(out, 0, 4); // header length, patched
    g_byte_array_append(out, header, sizeof header);
    put(out, 0, 1); // no directories
    put_text(out, "file.c");
    put(out, 0, 3);
    put(out, 0, 1);
    patch_u32(out, 6, out->len - 10);
    for (uint64_t start = 0x1000; start <= 0x1020; start += 0x20) {
        put(out, 0x0900, 2); // extended, 9 bytes
        put(out, DW_LNE_set_address, 1);
        put(out, start, 8);
        put(out, DW_LNS_advance_line | (9 << 8), 2); // line 10
        put(out, DW_LNS_copy, 1);
        put(out, DW_LNS_advance_pc | (0x10 << 8), 2);
        put(out, DW_LNS_advance_line | (5 << 8), 2); // line 15, of no length
        put(out, DW_LNS_copy, 1);
        put(out, 0x010100, 3); // end of sequence
    }
    patch_u32(out, 0, out->len - 4);
    return out;
}

// What is asked of made-up debug data.
struct made {
    struct hr_object *object;
    struct hr_debug *debug;
    struct hr_lookup *lookup;
};

static struct made ask_with(GByteArray *info, const struct hr_test_section *more, size_t more_count,
                            const uint64_t *vaddrs, uint32_t count)
{
    g_autoptr(GByteArray) abbrevs = make_abbrevs();
    g_autoptr(GByteArray) lines = make_lines();
    struct hr_test_section sections[6] = {
        {.name = ".debug_info", .bytes = info->data, .size = info->len},
        {.name = ".debug_abbrev", .bytes = abbrevs->data, .size = abbrevs->len},
        {.name = ".debug_line", .bytes = lines->data, .size = lines->len},
    };
    for (size_t i = 0; i < more_count; i++) {
        sections[3 + i] = more[i];
    }
    static const struct hr_test_segment text[] = {{0x1000, 0x1000, 0x4000, 0, 0x1000, PF_R | PF_X}};
    char *path = hr_test_elf_write(&(struct hr_test_elf){.segments = text,
                                                         .segments_count = 1,
                                                         .sections = sections,
                                                         .sections_count = 3 + more_count});
    struct made made = {0};
    const struct hr_debug_search search = {0};
    GError *error = NULL;
    made.object = hr_object_new(NULL, path, &error);
    g_assert_no_error(error);
    hr_test_remove(path);
    made.debug = hr_debug_new(made.object, &search);
    made.lookup = hr_lookup_new(vaddrs, count);
    hr_debug_read(made.debug, made.lookup);
    return made;
}

static struct made ask(GByteArray *info, GByteArray *ranges, const uint64_t *vaddrs, uint32_t count)
{
    const struct hr_test_section section = {.name = ".debug_ranges",
                                            .bytes = ranges ? ranges->data : (const guint8 *)"",
                                            .size = ranges ? ranges->len : 1};
    return ask_with(info, &section, 1, vaddrs, count);
}

static void free_made(struct made *made)
{
    hr_lookup_free(made->lookup);
    hr_debug_free(made->debug);
    hr_object_free(made->object);
}

static const struct hr_lookup_frame *get_frame(const struct made *made, uint32_t query, uint32_t at)
{
    g_assert_cmpuint(at, <, made->lookup->answers[query].frame_count);
    return &g_array_index(made->lookup->frames, struct hr_lookup_frame,
                          made->lookup->answers[query].first_frame + at);
}

// A method of a local class stands in a function and lies outside its range.
static void test_local_class(void)
{
    g_autoptr(GByteArray) info = g_byte_array_new();
    guint start;
    begin_unit(info, &start);
    put_unit(info, 0x1000, 0x2000);
    put_function(info, "around", 0x1000, 0x100);
    put(info, CLASS, 1);
    put_text(info, "Local");
    put_function(info, "method", 0x2000, 0x100);
    put(info, 0, 4);
    end_unit(info, start);
    static const uint64_t vaddrs[] = {0x1050, 0x1180, 0x2050};
    struct made made = ask(info, NULL, vaddrs, 3);
    g_assert_cmpstr(get_frame(&made, 0, 0)->name, ==, "around");
    g_assert_cmpuint(made.lookup->answers[1].frame_count, ==, 0);
    g_assert_cmpstr(get_frame(&made, 2, 0)->name, ==, "method");
    g_assert_cmpuint(made.lookup->answers[2].frame_count, ==, 1);
    free_made(&made);
}

static void test_inlined_and_lines(void)
{
    g_autoptr(GByteArray) info = g_byte_array_new();
    guint start;
    begin_unit(info, &start);
    put_unit(info, 0x1000, 0x100);
    const guint abstract = info->len - start;
    put(info, ABSTRACT, 1);
    put_text(info, "inner");
    put(info, 0, 1);
    put_function(info, "outer", 0x1000, 0x100);
    put_inlined(info, abstract, 0x1004, 4, 77);
    put(info, 0, 3);
    end_unit(info, start);
    static const uint64_t vaddrs[] = {0x1002, 0x1005, 0x1008, 0x1010, 0x1018, 0x1025};
    struct made made = ask(info, NULL, vaddrs, 6);
    g_assert_cmpuint(made.lookup->answers[0].frame_count, ==, 1);
    g_assert_cmpuint(get_frame(&made, 0, 0)->line, ==, 10);
    g_assert_cmpstr(get_frame(&made, 0, 0)->file, ==, "/src/file.c");
    g_assert_cmpstr(get_frame(&made, 1, 0)->name, ==, "inner");
    g_assert_true(get_frame(&made, 1, 0)->inlined);
    g_assert_cmpuint(get_frame(&made, 1, 0)->line, ==, 10);
    g_assert_cmpstr(get_frame(&made, 1, 1)->name, ==, "outer");
    g_assert_cmpuint(get_frame(&made, 1, 1)->line, ==, 77);
    g_assert_cmpstr(get_frame(&made, 1, 1)->file, ==, "/src/file.c");
    g_assert_cmpuint(made.lookup->answers[2].frame_count, ==, 1);
    // Behind the first sequence: the row of no length must not speak for the gap.
    g_assert_cmpuint(get_frame(&made, 3, 0)->line, ==, 0);
    g_assert_cmpuint(get_frame(&made, 4, 0)->line, ==, 0);
    g_assert_null(get_frame(&made, 4, 0)->file);
    g_assert_cmpuint(get_frame(&made, 5, 0)->line, ==, 10);
    free_made(&made);
}

static void test_ranges_with_bases(void)
{
    g_autoptr(GByteArray) info = g_byte_array_new();
    g_autoptr(GByteArray) ranges = g_byte_array_new();
    put(ranges, 0x10, 8); // relative to the unit's low_pc, 0x1000
    put(ranges, 0x20, 8);
    put(ranges, UINT64_MAX, 8); // a new base
    put(ranges, 0x2000, 8);
    put(ranges, 0, 8);
    put(ranges, 0x10, 8);
    put(ranges, 0, 16);
    guint start;
    begin_unit(info, &start);
    put(info, UNIT_BY_LIST, 1);
    put(info, 0x1000, 8);
    put(info, 0, 4);
    put(info, FUNCTION_BY_LIST, 1);
    put_text(info, "split");
    put(info, 0, 4);
    put(info, 0, 2);
    end_unit(info, start);
    static const uint64_t vaddrs[] = {0x1008, 0x1018, 0x1020, 0x2000, 0x200f, 0x2010};
    struct made made = ask(info, ranges, vaddrs, 6);
    static const bool inside[] = {false, true, false, true, true, false};
    for (uint32_t i = 0; i < 6; i++) {
        g_assert_cmpuint(made.lookup->answers[i].frame_count, ==, inside[i]);
    }
    free_made(&made);
}

// An entry of a range list with what follows its kind, in little-endian bytes.
static void put_entry(GByteArray *out, uint8_t kind, unsigned bytes, uint64_t operands)
{
    put(out, kind, 1);
    put(out, operands, bytes);
}

// Every kind of entry of DWARF 5's lists.
static GByteArray *make_range_lists(void)
{
    GByteArray *out = g_byte_array_new();
    put(out, 0, 4); // length, patched
    put(out, 5, 2);
    put(out, 8, 2); // address size 8, no segments
    put(out, 1, 4); // one offset
    put(out, 4, 4); // from behind the header
    put_entry(out, DW_RLE_base_addressx, 1, 0);
    put_entry(out, DW_RLE_offset_pair, 2, 0x2010);   // [0x1010, 0x1020)
    put_entry(out, DW_RLE_startx_endx, 2, 0x0201);   // [0x1100, 0x1110)
    put_entry(out, DW_RLE_startx_length, 2, 0x1003); // [0x1200, 0x1210)
    put_entry(out, DW_RLE_base_address, 8, 0x2000);
    put_entry(out, DW_RLE_offset_pair, 2, 0x0800); // [0x2000, 0x2008)
    put_entry(out, DW_RLE_start_end, 8, 0x2100);
    put(out, 0x2110, 8);
    put_entry(out, DW_RLE_start_length, 8, 0x2200);
    put(out, 0x10, 1);
    put(out, DW_RLE_end_of_list, 1);
    patch_u32(out, 0, out->len - 4);
    return out;
}

static GByteArray *make_addresses(void)
{
    GByteArray *out = g_byte_array_new();
    put(out, 4 + 4 * 8, 4);
    put(out, 5, 2);
    put(out, 8, 2);
    put(out, 0x1000, 8);
    put(out, 0x1100, 8);
    put(out, 0x1110, 8);
    put(out, 0x1200, 8);
    return out;
}

// By the own reader and by libdw.
static void test_range_lists(void)
{
    g_autoptr(GByteArray) info = g_byte_array_new();
    g_autoptr(GByteArray) lists = make_range_lists();
    g_autoptr(GByteArray) addresses = make_addresses();
    guint start;
    begin_unit_of(info, &start, 5);
    put(info, UNIT_BY_INDEX, 1);
    put(info, 0, 8);
    put(info, 12, 4); // base of the lists, behind their header
    put(info, 8, 4);  // base of the addresses
    put(info, 16, 4);
    put(info, FUNCTION_BY_INDEX, 1);
    put_text(info, "everywhere");
    put(info, 0, 1);
    put(info, 0, 2);
    end_unit(info, start);
    const struct hr_test_section more[] = {
        {.name = ".debug_rnglists", .bytes = lists->data, .size = lists->len},
        {.name = ".debug_addr", .bytes = addresses->data, .size = addresses->len}};
    static const uint64_t vaddrs[] = {0x1000, 0x1010, 0x101f, 0x1020, 0x1100, 0x110f, 0x1110,
                                      0x1200, 0x120f, 0x1210, 0x2000, 0x2007, 0x2008, 0x2100,
                                      0x210f, 0x2110, 0x2200, 0x220f, 0x2210};
    static const bool inside[] = {false, true, true,  false, true, true,  false, true, true, false,
                                  true,  true, false, true,  true, false, true,  true, false};
    G_STATIC_ASSERT(G_N_ELEMENTS(vaddrs) == G_N_ELEMENTS(inside));
    struct made made = ask_with(info, more, 2, vaddrs, G_N_ELEMENTS(vaddrs));
    HR_AUTO(hr_lookup) oracle = hr_lookup_new(vaddrs, G_N_ELEMENTS(vaddrs));
    g_assert_null(made.debug->dwarf); // the own reader left nothing to libdw
    hr_debug_read_libdw(made.debug, oracle);
    for (uint32_t i = 0; i < G_N_ELEMENTS(vaddrs); i++) {
        g_assert_cmpuint(made.lookup->answers[i].frame_count, ==, inside[i]);
        g_assert_cmpuint(oracle->answers[i].frame_count, ==, inside[i]);
    }
    free_made(&made);
}

static void put_old_unit(GByteArray *info, unsigned version, const char *name, uint64_t low)
{
    guint start;
    begin_unit_of(info, &start, version);
    put(info, UNIT_OLD, 1);
    put(info, low, 8);
    put(info, low + 0x100, 8);
    put(info, FUNCTION_OLD, 1);
    put_text(info, name);
    put(info, low, 8);
    put(info, low + 0x10, 8);
    put(info, 0, 2);
    end_unit(info, start);
}

// Versions 2 to 5 in one file, and among them a unit that cannot be read: it costs its own names
// only.
static void test_versions_side_by_side(void)
{
    g_autoptr(GByteArray) info = g_byte_array_new();
    guint start;
    put_old_unit(info, 2, "two", 0x1000);
    put_old_unit(info, 3, "three", 0x1100);
    begin_unit(info, &start);
    put_unit(info, 0x1200, 0x100);
    put(info, 99, 1); // no such abbreviation
    end_unit(info, start);
    put_old_unit(info, 4, "four", 0x1300);
    put_old_unit(info, 5, "five", 0x1400);
    static const uint64_t vaddrs[] = {0x1008, 0x1018, 0x1108, 0x1208, 0x1308, 0x1408, 0x1418};
    static const char *const names[] = {"two", NULL, "three", NULL, "four", "five", NULL};
    struct made made = ask(info, NULL, vaddrs, G_N_ELEMENTS(vaddrs));
    for (uint32_t i = 0; i < G_N_ELEMENTS(vaddrs); i++) {
        const bool answered = made.lookup->answers[i].frame_count > 0;
        g_assert_cmpstr(answered ? get_frame(&made, i, 0)->name : NULL, ==, names[i]);
    }
    g_assert_cmpuint(made.lookup->broken_units, ==, 1);
    free_made(&made);
}

static void test_unit_without_ranges(void)
{
    g_autoptr(GByteArray) info = g_byte_array_new();
    guint start;
    begin_unit(info, &start);
    put(info, UNIT_BARE, 1);
    put_text(info, "old.c");
    put_function(info, "old", 0x1000, 0x10);
    put(info, 0, 2);
    end_unit(info, start);
    static const uint64_t vaddrs[] = {0x1008, 0x1018};
    struct made made = ask(info, NULL, vaddrs, 2);
    g_assert_cmpstr(get_frame(&made, 0, 0)->name, ==, "old");
    g_assert_cmpuint(made.lookup->answers[1].frame_count, ==, 0);
    free_made(&made);
}

// A function whose origin is itself, and one deeper than any compiler nests.
static void test_made_up(void)
{
    g_autoptr(GByteArray) info = g_byte_array_new();
    guint start;
    begin_unit(info, &start);
    put_unit(info, 0x1000, 0x100);
    const guint self = info->len - start;
    put(info, COPY, 1);
    put(info, self, 4);
    put(info, 0x1000, 8);
    put(info, 0x10, 8);
    for (unsigned i = 0; i < 5000; i++) {
        put_function(info, "deep", 0x1020, 0x10);
    }
    end_unit(info, start);
    begin_unit(info, &start);
    put_unit(info, 0x2000, 0x100);
    put_function(info, "good", 0x2000, 0x10);
    put(info, 0, 2);
    end_unit(info, start);
    begin_unit(info, &start);
    put_unit(info, 0x3000, 0x100);
    put(info, 99, 1); // no such abbreviation
    end_unit(info, start);
    static const uint64_t vaddrs[] = {0x1008, 0x1028, 0x2008, 0x3008};
    struct made made = ask(info, NULL, vaddrs, 4);
    g_assert_cmpstr(get_frame(&made, 2, 0)->name, ==, "good");
    for (uint32_t i = 0; i < made.lookup->answers[3].frame_count; i++) {
        g_assert_null(get_frame(&made, 3, i)->name); // lines at most
    }
    free_made(&made);
}

// Cut anywhere, it must neither crash nor give a name that is not there.
static void test_cut_anywhere(void)
{
    g_autoptr(GByteArray) info = g_byte_array_new();
    guint start;
    begin_unit(info, &start);
    put_unit(info, 0x1000, 0x100);
    put_function(info, "only", 0x1000, 0x10);
    put(info, 0, 2);
    end_unit(info, start);
    static const uint64_t vaddrs[] = {0x1008, 0x1018};
    const guint whole = info->len;
    for (guint size = 1; size < whole; size++) {
        g_byte_array_set_size(info, size);
        struct made made = ask(info, NULL, vaddrs, 2);
        g_assert_cmpuint(made.lookup->answers[1].frame_count, ==, 0);
        free_made(&made);
    }
}

static bool same_text(const char *a, const char *b)
{
    return g_strcmp0(a, b) == 0;
}

static void compare_chains(const struct hr_lookup *own, const struct hr_lookup *oracle, uint32_t at)
{
    const struct hr_lookup_answer *a = &own->answers[at];
    const struct hr_lookup_answer *b = &oracle->answers[at];
    g_assert_cmpuint(a->frame_count, ==, b->frame_count);
    for (uint32_t i = 0; i < a->frame_count; i++) {
        const struct hr_lookup_frame *x =
            &g_array_index(own->frames, struct hr_lookup_frame, a->first_frame + i);
        const struct hr_lookup_frame *y =
            &g_array_index(oracle->frames, struct hr_lookup_frame, b->first_frame + i);
        g_assert_true(same_text(x->linkage_name, y->linkage_name));
        g_assert_true(same_text(x->name, y->name));
        g_assert_cmpint(x->inlined, ==, y->inlined);
        if (y->line != 0) { // libdw gives no line behind a row of no length
            g_assert_cmpuint(x->line, ==, y->line);
            g_assert_cmpstr(x->file, ==, y->file);
        }
    }
}

// Every place behind a call in this program, by both readers.
static void test_like_libdw(void)
{
    GError *error = NULL;
    HR_AUTO(hr_object) object = hr_object_new(NULL, "/proc/self/exe", &error);
    g_assert_no_error(error);
    g_autoptr(GArray) vaddrs = g_array_new(FALSE, FALSE, sizeof(uint64_t));
    for (size_t i = 0; i < object->segments_count; i++) {
        const struct hr_segment *segment = &object->segments[i];
        for (uint64_t at = 1; segment->executable && at < segment->file_size; at++) {
            if (hr_match_is_behind_call(object, segment->vaddr + at)) {
                const uint64_t inside = segment->vaddr + at - 1;
                g_array_append_val(vaddrs, inside);
            }
        }
    }
    g_assert_cmpuint(vaddrs->len, >, 100);
    const struct hr_debug_search search = {0};
    HR_AUTO(hr_debug) debug = hr_debug_new(object, &search);
    const uint64_t *all = (const uint64_t *)(void *)vaddrs->data;
    HR_AUTO(hr_lookup) own = hr_lookup_new(all, vaddrs->len);
    HR_AUTO(hr_lookup) oracle = hr_lookup_new(all, vaddrs->len);
    own->jobs = 4;
    hr_debug_read(debug, own);
    g_assert_null(debug->dwarf); // nothing was left to libdw
    hr_debug_read_libdw(debug, oracle);
    for (uint32_t i = 0; i < own->count; i++) {
        compare_chains(own, oracle, i);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/dwarf/local-class", test_local_class);
    g_test_add_func("/dwarf/inlined-and-lines", test_inlined_and_lines);
    g_test_add_func("/dwarf/ranges-with-bases", test_ranges_with_bases);
    g_test_add_func("/dwarf/range-lists", test_range_lists);
    g_test_add_func("/dwarf/versions-side-by-side", test_versions_side_by_side);
    g_test_add_func("/dwarf/unit-without-ranges", test_unit_without_ranges);
    g_test_add_func("/dwarf/made-up", test_made_up);
    g_test_add_func("/dwarf/cut-anywhere", test_cut_anywhere);
    g_test_add_func("/dwarf/like-libdw", test_like_libdw);
    return g_test_run();
}
