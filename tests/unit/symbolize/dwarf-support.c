// SPDX-License-Identifier: MIT
#include "dwarf-support.h"

#include <dwarf.h>
#include <elf.h>
#include <string.h>

#define SECTIONS_MAX 16

void hr_test_put(GByteArray *out, uint64_t value, unsigned size)
{
    for (unsigned i = 0; i < size; i++) {
        const guint8 byte = i < 8 ? (guint8)(value >> (8 * i)) : 0;
        g_byte_array_append(out, &byte, 1);
    }
}

void hr_test_put_uleb(GByteArray *out, uint64_t value)
{
    for (; value >= 0x80; value >>= 7) {
        hr_test_put(out, (value & 0x7f) | 0x80, 1);
    }
    hr_test_put(out, value, 1);
}

void hr_test_put_text(GByteArray *out, const char *text)
{
    g_byte_array_append(out, (const guint8 *)text, (guint)strlen(text) + 1);
}

struct hr_test_dwarf *hr_test_dwarf_new(void)
{
    struct hr_test_dwarf *dwarf = g_new0(struct hr_test_dwarf, 1);
    GByteArray **const sections[] = {
        &dwarf->info, &dwarf->types,  &dwarf->abbrev,   &dwarf->str,  &dwarf->line_str,
        &dwarf->line, &dwarf->ranges, &dwarf->rnglists, &dwarf->addr, &dwarf->str_offsets};
    for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
        *sections[i] = g_byte_array_new();
    }
    return dwarf;
}

void hr_test_dwarf_free(struct hr_test_dwarf *dwarf)
{
    GByteArray *const sections[] = {
        dwarf->info, dwarf->types,  dwarf->abbrev,   dwarf->str,  dwarf->line_str,
        dwarf->line, dwarf->ranges, dwarf->rnglists, dwarf->addr, dwarf->str_offsets};
    for (size_t i = 0; i < G_N_ELEMENTS(sections); i++) {
        g_byte_array_unref(sections[i]);
    }
    g_free(dwarf);
}

static void put_length(GByteArray *out, bool wide)
{
    hr_test_put(out, wide ? 0xffffffff : 0, 4);
    hr_test_put(out, 0, wide ? 8 : 0);
}

static void patch_length(GByteArray *out, guint start, bool wide)
{
    const uint64_t length = out->len - start - (wide ? 12 : 4);
    memcpy(out->data + start + (wide ? 4 : 0), &length, wide ? 8 : 4);
}

void hr_test_dwarf_begin_unit(struct hr_test_dwarf *dwarf, const struct hr_test_unit *unit)
{
    const unsigned type = unit->type ? unit->type : DW_UT_compile;
    GByteArray *out = unit->in_types ? dwarf->types : dwarf->info;
    dwarf->out = out;
    dwarf->unit_at = out->len;
    dwarf->offset_size = unit->wide ? 8 : 4;
    dwarf->version = unit->version;
    put_length(out, unit->wide);
    hr_test_put(out, unit->version, 2);
    if (unit->version >= 5) {
        hr_test_put(out, type, 1);
        hr_test_put(out, 8, 1);
        hr_test_put(out, unit->abbrev_offset, dwarf->offset_size);
    } else {
        hr_test_put(out, unit->abbrev_offset, dwarf->offset_size);
        hr_test_put(out, 8, 1);
    }
    const bool is_type = unit->in_types || type == DW_UT_type || type == DW_UT_split_type;
    if (is_type || type == DW_UT_skeleton || type == DW_UT_split_compile) {
        hr_test_put(out, unit->id, 8);
    }
    hr_test_put(out, unit->type_offset, is_type ? dwarf->offset_size : 0);
}

void hr_test_dwarf_end_unit(struct hr_test_dwarf *dwarf)
{
    patch_length(dwarf->out, dwarf->unit_at, dwarf->offset_size == 8);
}

static void put_string(struct hr_test_dwarf *dwarf, GByteArray *section, const char *text)
{
    hr_test_put(dwarf->out, section->len, dwarf->offset_size);
    hr_test_put_text(section, text);
}

static unsigned measure_form(const struct hr_test_dwarf *dwarf, unsigned form)
{
    static const struct {
        unsigned form, size;
    } sizes[] = {
        {DW_FORM_flag_present, 0}, {DW_FORM_implicit_const, 0}, {DW_FORM_data1, 1},
        {DW_FORM_ref1, 1},         {DW_FORM_flag, 1},           {DW_FORM_strx1, 1},
        {DW_FORM_addrx1, 1},       {DW_FORM_data2, 2},          {DW_FORM_ref2, 2},
        {DW_FORM_strx2, 2},        {DW_FORM_addrx2, 2},         {DW_FORM_strx3, 3},
        {DW_FORM_addrx3, 3},       {DW_FORM_data4, 4},          {DW_FORM_ref4, 4},
        {DW_FORM_strx4, 4},        {DW_FORM_addrx4, 4},         {DW_FORM_ref_sup4, 4},
        {DW_FORM_addr, 8},         {DW_FORM_data8, 8},          {DW_FORM_ref8, 8},
        {DW_FORM_ref_sig8, 8},     {DW_FORM_ref_sup8, 8},       {DW_FORM_data16, 16},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(sizes); i++) {
        if (sizes[i].form == form) {
            return sizes[i].size;
        }
    }
    return form == DW_FORM_ref_addr && dwarf->version < 3 ? 8 : dwarf->offset_size;
}

static void put_value(struct hr_test_dwarf *dwarf, const struct hr_test_value *value)
{
    const uint64_t number = value->number;
    switch (value->form) {
    case DW_FORM_string:
        hr_test_put_text(dwarf->out, value->text);
        break;
    case DW_FORM_strp:
        put_string(dwarf, dwarf->str, value->text);
        break;
    case DW_FORM_line_strp:
        put_string(dwarf, dwarf->line_str, value->text);
        break;
    case DW_FORM_ref_udata:
        hr_test_put_uleb(dwarf->out, number - dwarf->unit_at);
        break;
    case DW_FORM_udata:
    case DW_FORM_strx:
    case DW_FORM_addrx:
    case DW_FORM_rnglistx:
    case DW_FORM_GNU_str_index:
    case DW_FORM_GNU_addr_index:
        hr_test_put_uleb(dwarf->out, number);
        break;
    case DW_FORM_indirect: // of 4 bytes within the unit, or 4 of data
        hr_test_put_uleb(dwarf->out, number >= dwarf->unit_at ? DW_FORM_ref4 : DW_FORM_data4);
        hr_test_put(dwarf->out, number >= dwarf->unit_at ? number - dwarf->unit_at : number, 4);
        break;
    case DW_FORM_ref1:
    case DW_FORM_ref2:
    case DW_FORM_ref4:
    case DW_FORM_ref8:
        hr_test_put(dwarf->out, number - dwarf->unit_at, measure_form(dwarf, value->form));
        break;
    default:
        hr_test_put(dwarf->out, number, measure_form(dwarf, value->form));
    }
}

uint32_t hr_test_dwarf_add(struct hr_test_dwarf *dwarf, unsigned tag, bool has_children,
                           const struct hr_test_value *values)
{
    const uint32_t offset = dwarf->out->len;
    hr_test_put_uleb(dwarf->abbrev, ++dwarf->last_code);
    hr_test_put_uleb(dwarf->abbrev, tag);
    hr_test_put(dwarf->abbrev, has_children, 1);
    hr_test_put_uleb(dwarf->out, dwarf->last_code);
    for (; values->name; values++) {
        hr_test_put_uleb(dwarf->abbrev, values->name);
        hr_test_put_uleb(dwarf->abbrev, values->form);
        if (values->form == DW_FORM_implicit_const) {
            g_assert_cmpuint(values->number, <, 64); // also as a signed number
            hr_test_put_uleb(dwarf->abbrev, values->number);
        }
        put_value(dwarf, values);
    }
    hr_test_put(dwarf->abbrev, 0, 2);
    return offset;
}

void hr_test_dwarf_end_children(struct hr_test_dwarf *dwarf)
{
    hr_test_put(dwarf->out, 0, 1);
}

static void put_file_tables(struct hr_test_dwarf *dwarf, unsigned version)
{
    GByteArray *out = dwarf->line;
    if (version < 5) {
        hr_test_put(out, 0, 1); // no directories but the unit's own
        hr_test_put_text(out, "file.c");
        hr_test_put(out, 0, 3);
        hr_test_put(out, 0, 1);
        return;
    }
    hr_test_put(out, 1, 1);
    hr_test_put(out, DW_LNCT_path, 1);
    hr_test_put(out, DW_FORM_string, 1);
    hr_test_put(out, 1, 1);
    hr_test_put_text(out, "/src");
    hr_test_put(out, 2, 1);
    hr_test_put(out, DW_LNCT_path, 1);
    hr_test_put(out, DW_FORM_string, 1);
    hr_test_put(out, DW_LNCT_directory_index, 1);
    hr_test_put(out, DW_FORM_udata, 1);
    hr_test_put(out, 2, 1);
    for (unsigned i = 0; i < 2; i++) {
        hr_test_put_text(out, "file.c");
        hr_test_put(out, 0, 1);
    }
}

static void put_sequence(GByteArray *out, const struct hr_test_sequence *sequence)
{
    hr_test_put(out, 0x0900, 2); // extended, 9 bytes
    hr_test_put(out, DW_LNE_set_address, 1);
    hr_test_put(out, sequence->start, 8);
    g_assert_cmpuint(sequence->line, <=, 64); // from line 1 on, one signed byte
    hr_test_put(out, DW_LNS_advance_line | ((sequence->line - 1) << 8), 2);
    const uint64_t step = sequence->step ? sequence->step : sequence->size;
    for (uint64_t at = 0; at < sequence->size; at += step) {
        hr_test_put(out, DW_LNS_copy, 1);
        hr_test_put(out, DW_LNS_advance_pc, 1);
        hr_test_put_uleb(out, MIN(step, sequence->size - at));
    }
    hr_test_put(out, 0x010100, 3); // end of sequence
}

uint32_t hr_test_dwarf_add_lines(struct hr_test_dwarf *dwarf, unsigned version, bool wide,
                                 const struct hr_test_sequence *sequences)
{
    static const uint8_t opcodes[] = {0xfb, 14, 13, 0, 1, 1, 1, 1, 0, 0, 0, 1, 0, 0, 1};
    GByteArray *out = dwarf->line;
    const guint start = out->len;
    put_length(out, wide);
    hr_test_put(out, version, 2);
    hr_test_put(out, 8, version >= 5 ? 2 : 0); // address and selector size
    const guint length_at = out->len;
    hr_test_put(out, 0, wide ? 8 : 4);
    hr_test_put(out, 0x0101, version >= 4 ? 2 : 1);
    hr_test_put(out, 1, 1);
    g_byte_array_append(out, opcodes, sizeof opcodes);
    put_file_tables(dwarf, version);
    const uint64_t length = out->len - length_at - (wide ? 8 : 4);
    memcpy(out->data + length_at, &length, wide ? 8 : 4);
    for (; sequences->size; sequences++) {
        put_sequence(out, sequences);
    }
    patch_length(out, start, wide);
    return start;
}

guint hr_test_begin_table(GByteArray *out, bool is_addresses)
{
    const guint start = out->len;
    put_length(out, false);
    hr_test_put(out, 5, 2);
    hr_test_put(out, is_addresses ? 8 : 0, 2); // size of addresses and selectors, or padding
    return start;
}

void hr_test_end_table(GByteArray *out, guint start)
{
    patch_length(out, start, false);
}

char *hr_test_dwarf_write(struct hr_test_dwarf *dwarf, const char *suffix,
                          const struct hr_test_section *more, size_t more_count)
{
    const struct {
        const char *name;
        const GByteArray *bytes;
    } all[] = {{".debug_info", dwarf->info},         {".debug_types", dwarf->types},
               {".debug_abbrev", dwarf->abbrev},     {".debug_str", dwarf->str},
               {".debug_line_str", dwarf->line_str}, {".debug_line", dwarf->line},
               {".debug_ranges", dwarf->ranges},     {".debug_rnglists", dwarf->rnglists},
               {".debug_addr", dwarf->addr},         {".debug_str_offsets", dwarf->str_offsets}};
    struct hr_test_section sections[SECTIONS_MAX];
    char *names[SECTIONS_MAX] = {NULL};
    size_t count = 0;
    hr_test_put(dwarf->abbrev, 0, 1);
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++) {
        if (all[i].bytes->len > 0) {
            names[count] = g_strconcat(all[i].name, suffix, NULL);
            sections[count] = (struct hr_test_section){
                .name = names[count], .bytes = all[i].bytes->data, .size = all[i].bytes->len};
            count++;
        }
    }
    g_assert_cmpuint(count + more_count, <=, SECTIONS_MAX);
    for (size_t i = 0; i < more_count; i++) {
        sections[count + i] = more[i];
    }
    static const struct hr_test_segment text[] = {{0x1000, 0x1000, 0x4000, 0, 0x1000, PF_R | PF_X}};
    char *path = hr_test_elf_write(&(struct hr_test_elf){.segments = text,
                                                         .segments_count = 1,
                                                         .sections = sections,
                                                         .sections_count = count + more_count});
    for (size_t i = 0; i < count; i++) {
        g_free(names[i]);
    }
    return path;
}

static char *format_chain(const struct hr_lookup *lookup, uint32_t query)
{
    const struct hr_lookup_answer *answer = &lookup->answers[query];
    GString *text = g_string_new(NULL);
    for (uint32_t i = 0; i < answer->frame_count; i++) {
        const struct hr_lookup_frame *frame =
            &g_array_index(lookup->frames, struct hr_lookup_frame, answer->first_frame + i);
        const char *name = frame->qualified_name ? frame->qualified_name : frame->name;
        name = frame->linkage_name ? frame->linkage_name : name;
        g_string_append_printf(text, "%s%s", i > 0 ? " < " : "", name ? name : "?");
        if (frame->file) {
            g_string_append_printf(text, " %s:%u", frame->file, frame->line);
        }
        g_assert_cmpint(frame->inlined, ==, i + 1 < answer->frame_count);
    }
    return g_string_free(text, FALSE);
}

static void check_chains(const struct hr_lookup *lookup, const struct hr_test_expectation *expected)
{
    for (uint32_t i = 0; i < lookup->count; i++) {
        g_autofree char *chain = format_chain(lookup, i);
        g_assert_cmpstr(chain, ==, expected[i].chain);
    }
}

struct hr_test_broken hr_test_dwarf_check(const char *path, enum hr_test_reader reader,
                                          const struct hr_test_expectation *expected,
                                          uint32_t count)
{
    GError *error = NULL;
    HR_AUTO(hr_object) object = hr_object_new(NULL, path, &error);
    g_assert_no_error(error);
    const struct hr_debug_search search = {0};
    HR_AUTO(hr_debug) debug = hr_debug_new(object, &search);
    g_autofree uint64_t *vaddrs = g_new(uint64_t, count);
    for (uint32_t i = 0; i < count; i++) {
        vaddrs[i] = expected[i].vaddr;
    }
    HR_AUTO(hr_lookup) own = hr_lookup_new(vaddrs, count);
    HR_AUTO(hr_lookup) oracle = hr_lookup_new(vaddrs, count);
    hr_debug_read(debug, own);
    g_assert_cmpint(debug->dwarf != NULL, ==, reader == HR_TEST_BOTH);
    check_chains(own, expected);
    if (reader != HR_TEST_NOT_LIBDW) {
        hr_debug_read_libdw(debug, oracle);
        check_chains(oracle, expected);
    }
    return (struct hr_test_broken){own->broken_units, own->broken_lines, own->unreached_bytes};
}
