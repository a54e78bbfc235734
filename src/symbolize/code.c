// SPDX-License-Identifier: MIT
#include "symbolize/code.h"

#include <gelf.h>

struct hr_code {
    GArray *ranges; // of struct hr_range, by start
};

static gint compare_ranges(gconstpointer a, gconstpointer b)
{
    const struct hr_range *x = a;
    const struct hr_range *y = b;
    return x->start < y->start ? -1 : x->start > y->start;
}

static bool lies_in(const struct hr_segment *segment, uint64_t start, uint64_t size)
{
    return segment->executable && start >= segment->vaddr &&
           start - segment->vaddr <= segment->memory_size &&
           size <= segment->memory_size - (start - segment->vaddr);
}

// The segment that a section of code lies in; NULL when it is none, or not where it can run.
static const struct hr_segment *find_segment(const struct hr_object *object,
                                             const GElf_Shdr *section)
{
    const GElf_Xword wanted = SHF_ALLOC | SHF_EXECINSTR;
    for (size_t i = 0; (section->sh_flags & wanted) == wanted && i < object->segments_count; i++) {
        if (lies_in(&object->segments[i], section->sh_addr, section->sh_size)) {
            return &object->segments[i];
        }
    }
    return NULL;
}

static void add_sections(struct hr_code *code, const struct hr_object *object, bool *told)
{
    Elf_Scn *section = NULL;
    GElf_Shdr header;
    while ((section = elf_nextscn(object->elf, section))) {
        const struct hr_segment *segment =
            gelf_getshdr(section, &header) ? find_segment(object, &header) : NULL;
        if (segment && header.sh_size > 0) {
            const struct hr_range range = {header.sh_addr, header.sh_addr + header.sh_size};
            g_array_append_val(code->ranges, range);
            told[segment - object->segments] = true;
        }
    }
}

// A segment without sections (no table, or an emptied one), but for the file's headers in it.
static void add_segment(struct hr_code *code, const struct hr_object *object,
                        const struct hr_segment *segment)
{
    GElf_Ehdr header;
    uint64_t headers_size = 0;
    if (segment->offset == 0 && gelf_getehdr(object->elf, &header)) {
        headers_size = header.e_phoff + (uint64_t)header.e_phnum * header.e_phentsize;
    }
    const uint64_t end = segment->vaddr + segment->memory_size;
    if (segment->memory_size > headers_size && end > segment->vaddr) {
        const struct hr_range range = {segment->vaddr + headers_size, end};
        g_array_append_val(code->ranges, range);
    }
}

struct hr_code *hr_code_new(const struct hr_object *object)
{
    struct hr_code *code = g_new0(struct hr_code, 1);
    g_autofree bool *told = g_new0(bool, object->segments_count + 1);
    code->ranges = g_array_new(FALSE, FALSE, sizeof(struct hr_range));
    add_sections(code, object, told);
    for (size_t i = 0; i < object->segments_count; i++) {
        if (object->segments[i].executable && !told[i]) {
            add_segment(code, object, &object->segments[i]);
        }
    }
    g_array_sort(code->ranges, compare_ranges);
    return code;
}

void hr_code_free(struct hr_code *code)
{
    if (code) {
        g_array_unref(code->ranges);
        g_free(code);
    }
}

struct hr_range hr_code_find(const struct hr_code *code, uint64_t vaddr)
{
    guint low = 0;
    guint high = code->ranges->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (g_array_index(code->ranges, struct hr_range, middle).start <= vaddr) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (low > 0 && vaddr > 0) { // nothing tells a function at 0 from one that was dropped
        const struct hr_range *range = &g_array_index(code->ranges, struct hr_range, low - 1);
        return vaddr < range->end ? *range : (struct hr_range){0};
    }
    return (struct hr_range){0};
}
