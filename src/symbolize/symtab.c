// SPDX-License-Identifier: MIT
#include "symbolize/symtab.h"

#include <gelf.h>

#define NO_SYMBOL UINT32_MAX

struct hr_symtab {
    GArray *symbols; // of struct hr_symbol, by start
};

static Elf_Scn *find_table(const struct hr_object *object, GElf_Word type, GElf_Shdr *header)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(object->elf, section))) {
        if (gelf_getshdr(section, header) && header->sh_type == type) {
            return section;
        }
    }
    return NULL;
}

static void add_symbol(struct hr_symtab *symtab, const struct hr_object *object, size_t strings,
                       const GElf_Sym *symbol)
{
    const int type = GELF_ST_TYPE(symbol->st_info);
    if ((type != STT_FUNC && type != STT_GNU_IFUNC) || symbol->st_shndx == SHN_UNDEF ||
        symbol->st_size == 0 || symbol->st_size > UINT64_MAX - symbol->st_value) {
        return;
    }
    const char *name = elf_strptr(object->elf, strings, symbol->st_name);
    if (!name || !*name) {
        return;
    }
    const struct hr_symbol added = {
        .start = symbol->st_value,
        .end = symbol->st_value + symbol->st_size,
        .name = name,
        .enclosing = NO_SYMBOL,
    };
    g_array_append_val(symtab->symbols, added);
}

static void read_table(struct hr_symtab *symtab, const struct hr_object *object, GElf_Word type)
{
    GElf_Shdr header;
    Elf_Scn *section = find_table(object, type, &header);
    Elf_Data *data = section ? elf_getdata(section, NULL) : NULL;
    if (!data || header.sh_entsize == 0) {
        return;
    }
    const size_t count = MIN(data->d_size / header.sh_entsize, (size_t)G_MAXINT);
    for (size_t i = 1; i < count; i++) {
        GElf_Sym symbol;
        if (gelf_getsym(data, (int)i, &symbol)) {
            add_symbol(symtab, object, header.sh_link, &symbol);
        }
    }
}

// By start, wider ones first so that what they enclose follows them.
static gint compare_symbols(gconstpointer a, gconstpointer b)
{
    const struct hr_symbol *x = a;
    const struct hr_symbol *y = b;
    if (x->start != y->start) {
        return x->start < y->start ? -1 : 1;
    }
    return x->end == y->end ? 0 : x->end > y->end ? -1 : 1;
}

// Folds equal ranges to their last name and links each symbol to the one around it.
static void link_symbols(GArray *symbols)
{
    guint kept = 0;
    struct hr_symbol *all = (struct hr_symbol *)(void *)symbols->data;
    for (guint i = 0; i < symbols->len; i++) {
        const bool same =
            kept > 0 && all[kept - 1].start == all[i].start && all[kept - 1].end == all[i].end;
        kept -= same;
        all[kept++] = all[i];
    }
    g_array_set_size(symbols, kept);
    for (guint i = 1; i < kept; i++) {
        uint32_t around = i - 1;
        while (around != NO_SYMBOL && all[around].end <= all[i].start) {
            around = all[around].enclosing;
        }
        all[i].enclosing = around;
    }
}

struct hr_symtab *hr_symtab_new(const struct hr_object *object, const struct hr_object *unpacked)
{
    struct hr_symtab *symtab = g_new0(struct hr_symtab, 1);
    symtab->symbols = g_array_new(FALSE, FALSE, sizeof(struct hr_symbol));
    read_table(symtab, object, SHT_SYMTAB);
    if (symtab->symbols->len == 0) {
        read_table(symtab, object, SHT_DYNSYM);
        if (unpacked) {
            read_table(symtab, unpacked, SHT_SYMTAB);
        }
    }
    g_array_sort(symtab->symbols, compare_symbols); // a merge sort: equal ones keep their order
    link_symbols(symtab->symbols);
    return symtab;
}

void hr_symtab_free(struct hr_symtab *symtab)
{
    if (symtab) {
        g_array_free(symtab->symbols, TRUE);
        g_free(symtab);
    }
}

size_t hr_symtab_count(const struct hr_symtab *symtab)
{
    return symtab->symbols->len;
}

const struct hr_symbol *hr_symtab_find(const struct hr_symtab *symtab, uint64_t vaddr)
{
    const struct hr_symbol *all = (const struct hr_symbol *)(void *)symtab->symbols->data;
    guint low = 0;
    guint high = symtab->symbols->len;
    while (low < high) {
        const guint middle = low + (high - low) / 2;
        if (all[middle].start <= vaddr) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    uint32_t at = low == 0 ? NO_SYMBOL : low - 1;
    while (at != NO_SYMBOL && all[at].end <= vaddr) {
        at = all[at].enclosing;
    }
    return at == NO_SYMBOL ? NULL : &all[at];
}
