// SPDX-License-Identifier: MIT
#include "symbolize/object.h"

#include <gelf.h>
#include <string.h>
#include <unistd.h>

// More program headers than any linker makes; a hostile file may claim 2^32.
#define SEGMENTS_MAX 4096

#define BUILD_ID_MAX_BYTES 64

static void set_elf_error(GError **error, const char *what)
{
    const char *reason = elf_errmsg(-1);
    g_set_error(error, HR_ERROR, HR_ERROR_BINARY, "%s: %s", what, reason ? reason : "unknown");
}

static bool read_segments(struct hr_object *object, GError **error)
{
    size_t headers_count = 0;
    if (elf_getphdrnum(object->elf, &headers_count) != 0) {
        set_elf_error(error, "program headers");
        return false;
    }
    if (headers_count > SEGMENTS_MAX) {
        g_set_error(error, HR_ERROR, HR_ERROR_BINARY, "more than %d program headers", SEGMENTS_MAX);
        return false;
    }
    object->segments = g_new0(struct hr_segment, headers_count + 1);
    for (size_t i = 0; i < headers_count; i++) {
        GElf_Phdr header;
        if (!gelf_getphdr(object->elf, (int)i, &header)) {
            set_elf_error(error, "program header");
            return false;
        }
        if (header.p_type != PT_LOAD || header.p_filesz == 0) {
            continue;
        }
        const bool sane = header.p_align != 0 && (header.p_align & (header.p_align - 1)) == 0;
        object->segments[object->segments_count++] = (struct hr_segment){
            .offset = header.p_offset,
            .file_size = header.p_filesz,
            .vaddr = header.p_vaddr,
            .memory_size = header.p_memsz,
            .align = sane ? header.p_align : 1,
            .executable = (header.p_flags & PF_X) != 0,
        };
    }
    return true;
}

char *hr_object_format_hex(const unsigned char *bytes, size_t count)
{
    GString *hex = g_string_sized_new(2 * count + 1);
    for (size_t i = 0; i < count; i++) {
        g_string_append_printf(hex, "%02x", bytes[i]);
    }
    return g_string_free(hex, FALSE);
}

// Returns the build-id of one note block, or NULL.
static char *find_build_id_note(Elf_Data *data)
{
    if (!data || !data->d_buf) {
        return NULL;
    }
    GElf_Nhdr note;
    size_t name_at;
    size_t desc_at;
    size_t at = 0;
    while ((at = gelf_getnote(data, at, &note, &name_at, &desc_at)) > 0) {
        const unsigned char *bytes = data->d_buf;
        if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == sizeof "GNU" &&
            memcmp(bytes + name_at, "GNU", sizeof "GNU") == 0 && note.n_descsz > 0 &&
            note.n_descsz <= BUILD_ID_MAX_BYTES) {
            return hr_object_format_hex(bytes + desc_at, note.n_descsz);
        }
    }
    return NULL;
}

// From PT_NOTE, and from SHT_NOTE sections for debug files whose segments have no bytes.
static char *read_build_id(Elf *elf)
{
    size_t headers_count = 0;
    char *found = NULL;
    if (elf_getphdrnum(elf, &headers_count) != 0) {
        headers_count = 0;
    }
    for (size_t i = 0; i < MIN(headers_count, SEGMENTS_MAX) && !found; i++) {
        GElf_Phdr header;
        if (gelf_getphdr(elf, (int)i, &header) && header.p_type == PT_NOTE) {
            found = find_build_id_note(
                elf_getdata_rawchunk(elf, (int64_t)header.p_offset, header.p_filesz,
                                     header.p_align == 8 ? ELF_T_NHDR8 : ELF_T_NHDR));
        }
    }
    Elf_Scn *section = NULL;
    while (!found && (section = elf_nextscn(elf, section))) {
        GElf_Shdr header;
        if (gelf_getshdr(section, &header) && header.sh_type == SHT_NOTE) {
            found = find_build_id_note(elf_getdata(section, NULL));
        }
    }
    return found;
}

static bool read_headers(struct hr_object *object, bool mapped, GError **error)
{
    if (!object->elf) {
        set_elf_error(error, "libelf");
        return false;
    }
    GElf_Ehdr header;
    if (elf_kind(object->elf) != ELF_K_ELF || !gelf_getehdr(object->elf, &header)) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_BINARY, "not an ELF file");
        return false;
    }
    if (mapped && header.e_type != ET_EXEC && header.e_type != ET_DYN) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_BINARY,
                            "neither an executable nor a shared object");
        return false;
    }
    object->machine = header.e_machine;
    object->fixed_address = header.e_type == ET_EXEC;
    object->bytes = (const unsigned char *)elf_rawfile(object->elf, &object->size);
    if (!object->bytes) {
        set_elf_error(error, "reading");
        return false;
    }
    if (!read_segments(object, error)) {
        return false;
    }
    object->build_id = read_build_id(object->elf);
    return true;
}

static struct hr_object *open_object(const struct hr_tree *tree, const char *path, bool mapped,
                                     GError **error)
{
    elf_version(EV_CURRENT);
    HR_AUTO(hr_object) object = g_new0(struct hr_object, 1);
    object->path = g_strdup(path);
    object->tree = tree ? *tree : (struct hr_tree){0};
    object->fd = hr_tree_open(tree, path, error);
    if (object->fd < 0) {
        return NULL;
    }
    // Mapped, not read: a debug file may be gigabytes of which a few units are wanted.
    object->elf = elf_begin(object->fd, ELF_C_READ_MMAP, NULL);
    if (!read_headers(object, mapped, error)) {
        return NULL;
    }
    return HR_STEAL(object);
}

struct hr_object *hr_object_new(const struct hr_tree *tree, const char *path, GError **error)
{
    return open_object(tree, path, true, error);
}

struct hr_object *hr_object_new_package(const struct hr_tree *tree, const char *path,
                                        GError **error)
{
    return open_object(tree, path, false, error);
}

struct hr_object *hr_object_new_from_bytes(const char *path, void *bytes, size_t size,
                                           GError **error)
{
    elf_version(EV_CURRENT);
    HR_AUTO(hr_object) object = g_new0(struct hr_object, 1);
    object->path = g_strdup(path);
    object->fd = -1;
    object->memory = bytes;
    object->elf = elf_memory(bytes, size);
    if (!read_headers(object, true, error)) {
        return NULL;
    }
    return HR_STEAL(object);
}

void hr_object_free(struct hr_object *object)
{
    if (!object) {
        return;
    }
    elf_end(object->elf);
    if (object->fd >= 0) {
        close(object->fd);
    }
    g_free(object->memory);
    g_free(object->segments);
    g_free(object->build_id);
    g_free(object->path);
    g_free(object);
}

static bool lies_within(uint64_t offset, uint64_t size, uint64_t file_size)
{
    return offset <= file_size && size <= file_size - offset;
}

bool hr_object_is_cut(const struct hr_object *object)
{
    for (size_t i = 0; i < object->segments_count; i++) {
        const struct hr_segment *segment = &object->segments[i];
        if (!lies_within(segment->offset, segment->file_size, object->size)) {
            return true;
        }
    }
    GElf_Ehdr header;
    return gelf_getehdr(object->elf, &header) && header.e_shoff != 0 &&
           !lies_within(header.e_shoff, (uint64_t)header.e_shnum * header.e_shentsize,
                        object->size);
}

Elf_Scn *hr_object_find_section(const struct hr_object *object, const char *name)
{
    size_t names = 0;
    if (elf_getshdrstrndx(object->elf, &names) != 0) {
        return NULL;
    }
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(object->elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header)) {
            continue;
        }
        const char *found = elf_strptr(object->elf, names, header.sh_name);
        if (found && strcmp(found, name) == 0) {
            return section;
        }
    }
    return NULL;
}

const unsigned char *hr_object_find_bytes(const struct hr_object *object, const char *name,
                                          size_t *size)
{
    Elf_Scn *section = hr_object_find_section(object, name);
    GElf_Shdr header;
    if (!section || !gelf_getshdr(section, &header) || header.sh_type == SHT_NOBITS) {
        return NULL;
    }
    const Elf_Data *data = elf_rawdata(section, NULL);
    if (!data || !data->d_buf || data->d_size == 0) {
        return NULL;
    }
    *size = data->d_size;
    return data->d_buf;
}

size_t hr_object_find_code_before(const struct hr_object *object, uint64_t vaddr, size_t wanted,
                                  const unsigned char **bytes)
{
    for (size_t i = 0; i < object->segments_count; i++) {
        const struct hr_segment *segment = &object->segments[i];
        const uint64_t into = vaddr - segment->vaddr;
        if (!segment->executable || into > segment->file_size) {
            continue;
        }
        if (segment->offset > object->size || into > object->size - segment->offset) {
            return 0; // the file was cut
        }
        *bytes = object->bytes + segment->offset + into;
        return MIN(wanted, into);
    }
    return 0;
}
