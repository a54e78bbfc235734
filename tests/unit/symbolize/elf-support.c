// SPDX-License-Identifier: MIT
#include "elf-support.h"

#include <elf.h>
#include <ftw.h>
#include <stdio.h>
#include <string.h>

static void put_at(GByteArray *file, uint64_t offset, const void *bytes, size_t size)
{
    if (file->len < offset + size) {
        const guint before = file->len;
        g_byte_array_set_size(file, (guint)(offset + size));
        memset(file->data + before, 0, file->len - before);
    }
    if (size > 0) {
        memcpy(file->data + offset, bytes, size);
    }
}

static void put_segments(GByteArray *file, const struct hr_test_elf *elf)
{
    for (size_t i = 0; i < elf->segments_count; i++) {
        const struct hr_test_segment *segment = &elf->segments[i];
        const Elf64_Phdr header = {
            .p_type = PT_LOAD,
            .p_flags = segment->flags,
            .p_offset = segment->offset,
            .p_vaddr = segment->vaddr,
            .p_filesz = segment->file_size,
            .p_memsz = segment->memory_size ? segment->memory_size : segment->file_size,
            .p_align = segment->align,
        };
        put_at(file, sizeof(Elf64_Ehdr) + i * sizeof header, &header, sizeof header);
        put_at(file, segment->offset + segment->file_size, "", 0);
    }
}

// Sections follow all that is there; the last one holds their names.
static void put_sections(GByteArray *file, const struct hr_test_elf *elf, Elf64_Ehdr *header)
{
    g_autoptr(GArray) headers = g_array_new(FALSE, TRUE, sizeof(Elf64_Shdr));
    g_autoptr(GString) names = g_string_new_len("", 1);
    g_array_set_size(headers, 1);
    for (size_t i = 0; i < elf->sections_count; i++) {
        const struct hr_test_section *section = &elf->sections[i];
        const Elf64_Shdr added = {
            .sh_name = (uint32_t)names->len,
            .sh_type = section->type ? section->type : SHT_PROGBITS,
            .sh_offset = file->len,
            .sh_size = section->size,
            .sh_entsize = section->entry_size,
            .sh_link = section->link,
            .sh_addralign = 1,
        };
        g_array_append_val(headers, added);
        g_string_append_len(names, section->name, (gssize)strlen(section->name) + 1);
        put_at(file, file->len, section->bytes, section->size);
    }
    const Elf64_Shdr last = {
        .sh_name = (uint32_t)names->len,
        .sh_type = SHT_STRTAB,
        .sh_offset = file->len,
        .sh_size = names->len + sizeof ".shstrtab",
        .sh_addralign = 1,
    };
    g_array_append_val(headers, last);
    g_string_append_len(names, ".shstrtab", sizeof ".shstrtab");
    put_at(file, file->len, names->str, names->len);
    header->e_shoff = (file->len + 7u) & ~7u;
    header->e_shnum = (uint16_t)headers->len;
    header->e_shstrndx = (uint16_t)(headers->len - 1);
    put_at(file, header->e_shoff, headers->data, headers->len * sizeof(Elf64_Shdr));
}

char *hr_test_elf_write(const struct hr_test_elf *elf)
{
    g_autoptr(GByteArray) file = g_byte_array_new();
    Elf64_Ehdr header = {
        .e_ident = {ELFMAG0, ELFMAG1, ELFMAG2, ELFMAG3, ELFCLASS64, ELFDATA2LSB, EV_CURRENT},
        .e_type = elf->type ? elf->type : ET_DYN,
        .e_machine = elf->machine ? elf->machine : EM_X86_64,
        .e_version = EV_CURRENT,
        .e_ehsize = sizeof(Elf64_Ehdr),
        .e_phentsize = sizeof(Elf64_Phdr),
        .e_shentsize = sizeof(Elf64_Shdr),
        .e_phoff = sizeof(Elf64_Ehdr),
        .e_phnum = (uint16_t)elf->segments_count,
    };
    put_at(file, 0, &header, sizeof header);
    put_segments(file, elf);
    put_at(file, elf->code_offset, elf->code, elf->code_size);
    put_sections(file, elf, &header);
    put_at(file, 0, &header, sizeof header);
    g_autofree char *directory = hr_test_make_directory();
    char *path = g_build_filename(directory, "object", NULL);
    g_assert_true(g_file_set_contents(path, (const char *)file->data, file->len, NULL));
    return path;
}

char *hr_test_make_directory(void)
{
    GError *error = NULL;
    char *directory = g_dir_make_tmp("heapreport-test-XXXXXX", &error);
    g_assert_no_error(error);
    return directory;
}

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *place)
{
    (void)status;
    (void)kind;
    (void)place;
    return remove(path);
}

void hr_test_remove(char *path)
{
    if (g_str_has_suffix(path, "/object")) {
        *strrchr(path, '/') = '\0';
    }
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    g_free(path);
}
