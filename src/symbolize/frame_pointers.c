// SPDX-License-Identifier: MIT
#include "symbolize/frame_pointers.h"

#include "symbolize/match.h"

#include <dwarf.h>
#include <elfutils/libdw.h>
#include <gelf.h>
#include <math.h>
#include <string.h>

// The prologue may have other instructions between; a shorter function calls nothing.
#define PROLOGUE_BYTES 32

#define FUNCTIONS_MAX 200000

struct range {
    uint64_t start;
    uint64_t end;
};

// What the units cover, by their own DIEs (.debug_aranges is broken in real programs).
static GArray *covered_ranges(const struct hr_object *object)
{
    GArray *ranges = g_array_new(FALSE, FALSE, sizeof(struct range));
    Dwarf *dwarf = object ? dwarf_begin_elf(object->elf, DWARF_C_READ, NULL) : NULL;
    Dwarf_CU *unit = NULL;
    Dwarf_Die die;
    while (dwarf && dwarf_get_units(dwarf, unit, &unit, NULL, NULL, &die, NULL) == 0) {
        Dwarf_Addr base;
        struct range range;
        ptrdiff_t at = 0;
        while ((at = dwarf_ranges(&die, at, &base, &range.start, &range.end)) > 0) {
            g_array_append_val(ranges, range);
        }
    }
    if (dwarf) {
        dwarf_end(dwarf);
    }
    return ranges;
}

static int compare_ranges(const void *left, const void *right)
{
    const struct range *a = left;
    const struct range *b = right;
    return a->start < b->start ? -1 : a->start > b->start;
}

// Ranges are sorted and, being code, do not overlap.
static bool is_covered(const GArray *ranges, uint64_t vaddr)
{
    guint low = 0;
    guint high = ranges->len;
    while (low < high) {
        const guint middle = (low + high) / 2;
        if (g_array_index(ranges, struct range, middle).end <= vaddr) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < ranges->len && g_array_index(ranges, struct range, low).start <= vaddr;
}

static const unsigned char *code_at(const struct hr_object *object, uint64_t vaddr, size_t size)
{
    for (size_t i = 0; i < object->segments_count; i++) {
        const struct hr_segment *segment = &object->segments[i];
        if (segment->executable && vaddr >= segment->vaddr &&
            vaddr - segment->vaddr < segment->file_size &&
            size <= segment->file_size - (vaddr - segment->vaddr) &&
            segment->offset <= object->size &&
            segment->file_size <= object->size - segment->offset) {
            return object->bytes + segment->offset + (vaddr - segment->vaddr);
        }
    }
    return NULL;
}

// push %rbp first (behind endbr64), and mov %rsp,%rbp soon after.
static bool begins_with_frame_x86_64(const unsigned char *code, size_t size)
{
    static const unsigned char endbr64[] = {0xf3, 0x0f, 0x1e, 0xfa};
    static const unsigned char move[] = {0x48, 0x89, 0xe5};
    static const unsigned char other_move[] = {0x48, 0x8b, 0xec};
    if (memcmp(code, endbr64, sizeof endbr64) == 0) {
        code += sizeof endbr64;
        size -= sizeof endbr64;
    }
    return *code == 0x55 && (memmem(code, size, move, sizeof move) ||
                             memmem(code, size, other_move, sizeof other_move));
}

// stp x29, x30, [sp, ...] among the first instructions.
static bool begins_with_frame_aarch64(const unsigned char *code, size_t size)
{
    for (size_t i = 0; i + 4 <= size; i += 4) {
        const uint32_t word = (uint32_t)code[i] | (uint32_t)code[i + 1] << 8 |
                              (uint32_t)code[i + 2] << 16 | (uint32_t)code[i + 3] << 24;
        if ((word & 0xfe007fffu) == 0xa8007bfdu) {
            return true;
        }
    }
    return false;
}

static bool begins_with_frame(const struct hr_object *object, uint64_t vaddr,
                              uint64_t function_size)
{
    const size_t size = MIN(function_size, PROLOGUE_BYTES);
    const unsigned char *code = code_at(object, vaddr, size);
    return code && (object->machine == EM_X86_64 ? begins_with_frame_x86_64(code, size)
                                                 : begins_with_frame_aarch64(code, size));
}

static Elf_Data *find_symbols(const struct hr_object *object, size_t *count)
{
    Elf_Scn *section = object ? hr_object_find_section(object, ".symtab") : NULL;
    GElf_Shdr header;
    if (!section || !gelf_getshdr(section, &header) || header.sh_entsize == 0) {
        return NULL;
    }
    Elf_Data *entries = elf_getdata(section, NULL);
    *count = entries ? MIN(entries->d_size / header.sh_entsize, FUNCTIONS_MAX) : 0;
    return entries;
}

void hr_frame_pointers_count(const struct hr_object *object, const struct hr_object *separate,
                             double *ratio, size_t *functions_count)
{
    size_t count = 0;
    size_t with_frame = 0;
    *functions_count = 0;
    *ratio = NAN;
    Elf_Data *entries = find_symbols(object, &count);
    entries = entries ? entries : find_symbols(separate, &count);
    if (!entries || !hr_match_knows_machine(object)) {
        return;
    }
    g_autoptr(GArray) ranges = covered_ranges(object);
    if (ranges->len == 0) {
        g_array_unref(g_steal_pointer(&ranges));
        ranges = covered_ranges(separate);
    }
    g_array_sort(ranges, compare_ranges);
    for (size_t i = 0; i < count; i++) {
        GElf_Sym symbol;
        if (gelf_getsym(entries, (int)i, &symbol) && symbol.st_shndx != SHN_UNDEF &&
            GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size >= PROLOGUE_BYTES &&
            is_covered(ranges, symbol.st_value)) {
            ++*functions_count;
            with_frame += begins_with_frame(object, symbol.st_value, symbol.st_size);
        }
    }
    if (*functions_count > 0) {
        *ratio = (double)with_frame / (double)*functions_count;
    }
}
