// SPDX-License-Identifier: MIT
// Debug data made by tests, DIE by DIE and in any form, and what both readers say of them.
#pragma once

#include "elf-support.h"
#include "symbolize/debug.h"

// Sections; each DIE has an abbreviation of its own.
struct hr_test_dwarf {
    GByteArray *info, *types, *abbrev, *str, *line_str, *line, *ranges, *rnglists, *addr,
        *str_offsets;
    GByteArray *out;      // info or types: where the unit being written goes
    guint unit_at;        // its start
    unsigned offset_size; // its 4 or 8
    unsigned version;
    unsigned last_code;
};

struct hr_test_unit {
    unsigned version;
    unsigned type;          // DW_UT_...; 0: DW_UT_compile, below version 5 without effect
    bool wide;              // 64-bit DWARF
    bool in_types;          // of .debug_types
    uint64_t id;            // dwo_id or signature, where the type has one
    uint32_t type_offset;   // of a type unit
    uint32_t abbrev_offset; // where the codes start that its DIEs are given
};

// An attribute: `number` as the form stores it, but for references within a unit, which are given
// as offsets in the section; `text` for DW_FORM_string, strp and line_strp.
struct hr_test_value {
    unsigned name;
    unsigned form;
    uint64_t number;
    const char *text;
};

void hr_test_put(GByteArray *out, uint64_t value, unsigned size);
void hr_test_put_uleb(GByteArray *out, uint64_t value);
void hr_test_put_text(GByteArray *out, const char *text);

struct hr_test_dwarf *hr_test_dwarf_new(void);
void hr_test_dwarf_free(struct hr_test_dwarf *dwarf);
HR_DEFINE_AUTO(hr_test_dwarf, hr_test_dwarf_free)

// Begins a unit; DIEs follow, then hr_test_dwarf_end_unit(), which sets its length.
void hr_test_dwarf_begin_unit(struct hr_test_dwarf *dwarf, const struct hr_test_unit *unit);
void hr_test_dwarf_end_unit(struct hr_test_dwarf *dwarf);

// Adds a DIE with `values` up to one of name 0; returns its offset in the section. One with
// children is followed by them and hr_test_dwarf_end_children().
uint32_t hr_test_dwarf_add(struct hr_test_dwarf *dwarf, unsigned tag, bool has_children,
                           const struct hr_test_value *values);
void hr_test_dwarf_end_children(struct hr_test_dwarf *dwarf);

#define HR_TEST_OPEN(dwarf, tag, ...)                                                              \
    hr_test_dwarf_add(dwarf, tag, true, (const struct hr_test_value[]){__VA_ARGS__, {0}})
#define HR_TEST_LEAF(dwarf, tag, ...)                                                              \
    hr_test_dwarf_add(dwarf, tag, false, (const struct hr_test_value[]){__VA_ARGS__, {0}})

// The attributes of code in [low, low + size).
#define HR_TEST_CODE(low, size)                                                                    \
    {DW_AT_low_pc, DW_FORM_addr, low, NULL},                                                       \
    {                                                                                              \
        DW_AT_high_pc, DW_FORM_data8, size, NULL                                                   \
    }
#define HR_TEST_NAME(text)                                                                         \
    {                                                                                              \
        DW_AT_name, DW_FORM_string, 0, text                                                        \
    }

struct hr_test_sequence {
    uint64_t start, size;
    unsigned line;
    uint64_t step; // from row to row, 0: there is but one
};

// Adds a line program of "file.c" in directory 0, with `sequences` up to one of size 0; returns its
// offset. Version 2 to 5.
uint32_t hr_test_dwarf_add_lines(struct hr_test_dwarf *dwarf, unsigned version, bool wide,
                                 const struct hr_test_sequence *sequences);

// Adds the head of a table of .debug_rnglists, .debug_addr or .debug_str_offsets of DWARF 5, whose
// length is set by hr_test_end_table(); returns where it starts.
guint hr_test_begin_table(GByteArray *out, bool is_addresses);
void hr_test_end_table(GByteArray *out, guint start);

// The sections that are not empty, and `more`, in an ELF file of its own whose code lies at
// [0x1000, 0x5000). `suffix` ends all names but those of `more`.
char *hr_test_dwarf_write(struct hr_test_dwarf *dwarf, const char *suffix,
                          const struct hr_test_section *more, size_t more_count);

// What an address should be said to be: its chain, innermost first, as
// "inner /src/file.c:10 < outer"; "": nothing.
struct hr_test_expectation {
    uint64_t vaddr; // rising
    const char *chain;
};

enum hr_test_reader {
    HR_TEST_NOT_LIBDW, // the own reader, where libdw answers otherwise
    HR_TEST_OWN,       // leaves nothing to libdw
    HR_TEST_BOTH,      // has to ask it
};

// What was told to be broken, by the own reader with libdw's help.
struct hr_test_broken {
    unsigned units;
    unsigned lines;
    uint64_t unreached_bytes;
};

// Asks both readers about the file at `path` and fails where the chains are others than expected.
struct hr_test_broken hr_test_dwarf_check(const char *path, enum hr_test_reader reader,
                                          const struct hr_test_expectation *expected,
                                          uint32_t count);
