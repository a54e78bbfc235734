// SPDX-License-Identifier: MIT
#include "symbolize/dwarf_load.h"

#include <gelf.h>
#include <stddef.h>

// zlib gives at most 1,032 bytes for one.
#define EXPANSION_MAX 1100u

static const struct {
    const char *name;
    size_t at; // in struct hr_dwarf_sections
    bool holds_strings;
} wanted[] = {
    {".debug_info", offsetof(struct hr_dwarf_sections, info), false},
    {".debug_abbrev", offsetof(struct hr_dwarf_sections, abbrev), false},
    {".debug_str", offsetof(struct hr_dwarf_sections, str), true},
    {".debug_line", offsetof(struct hr_dwarf_sections, line), false},
    {".debug_line_str", offsetof(struct hr_dwarf_sections, line_str), true},
    {".debug_ranges", offsetof(struct hr_dwarf_sections, ranges), false},
    {".debug_rnglists", offsetof(struct hr_dwarf_sections, rnglists), false},
    {".debug_addr", offsetof(struct hr_dwarf_sections, addr), false},
    {".debug_str_offsets", offsetof(struct hr_dwarf_sections, str_offsets), false},
    {".debug_aranges", offsetof(struct hr_dwarf_sections, aranges), false},
};

bool hr_dwarf_is_unreadable(const struct hr_object *object)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(object->elf, section))) {
        GElf_Shdr header;
        GElf_Chdr compression;
        if (!gelf_getshdr(section, &header) || !(header.sh_flags & SHF_COMPRESSED)) {
            continue;
        }
        if (!gelf_getchdr(section, &compression) || compression.ch_type != ELFCOMPRESS_ZLIB ||
            compression.ch_size / EXPANSION_MAX > header.sh_size) {
            return true;
        }
    }
    return false;
}

static bool load_section(const struct hr_object *object, const char *name,
                         struct hr_section *loaded)
{
    Elf_Scn *section = hr_object_find_section(object, name);
    GElf_Shdr header;
    if (!section || !gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS) {
        return true;
    }
    if ((header.sh_flags & SHF_COMPRESSED) && elf_compress(section, 0, 0) < 0) {
        return false;
    }
    const Elf_Data *content = elf_rawdata(section, NULL);
    if (content && content->d_buf) {
        *loaded = (struct hr_section){content->d_buf, content->d_size};
    }
    return true;
}

static bool is_readable(const struct hr_object *object)
{
    return object->bytes[EI_CLASS] == ELFCLASS64 && object->bytes[EI_DATA] == ELFDATA2LSB;
}

static bool load_all(const struct hr_object *object, struct hr_dwarf_sections *sections,
                     const char *suffix)
{
    *sections = (struct hr_dwarf_sections){0};
    for (size_t i = 0; i < G_N_ELEMENTS(wanted); i++) {
        struct hr_section *section = G_STRUCT_MEMBER_P(sections, wanted[i].at);
        g_autofree char *name = g_strconcat(wanted[i].name, suffix, NULL);
        if (!load_section(object, name, section)) {
            return false;
        }
        while (wanted[i].holds_strings && section->size > 0 &&
               section->bytes[section->size - 1] != '\0') {
            section->size--;
        }
    }
    return sections->info.bytes && sections->abbrev.bytes;
}

bool hr_dwarf_load_lines(const struct hr_object *object, struct hr_dwarf_sections *sections)
{
    return object->bytes[EI_DATA] == ELFDATA2LSB && load_all(object, sections, "") &&
           sections->line.bytes;
}

bool hr_dwarf_load(const struct hr_object *object, struct hr_dwarf_sections *sections)
{
    return is_readable(object) && load_all(object, sections, "");
}

bool hr_dwarf_load_split(const struct hr_object *object, struct hr_dwarf_sections *sections,
                         struct hr_section *index)
{
    *index = (struct hr_section){0};
    return is_readable(object) && !hr_dwarf_is_unreadable(object) &&
           load_all(object, sections, ".dwo") && load_section(object, ".debug_cu_index", index);
}
