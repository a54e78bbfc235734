// SPDX-License-Identifier: MIT
// .gnu_debuglink:    | file name NUL | 0-3 bytes up to a multiple of 4 | CRC-32, file's byte order
// .gnu_debugaltlink: | file name NUL | build-id |
// .debug_sup:        | version 2 | is_supplementary 1 | file name NUL | length, ULEB | checksum |
#include "symbolize/debug_file.h"

#include <gelf.h>
#include <lzma.h>
#include <string.h>

// Symbols of a whole program, unpacked, are far below this.
#define UNPACKED_MAX_BYTES (256u << 20)
#define UNPACK_MEMORY_MAX_BYTES (256u << 20)

static bool has_bytes(const struct hr_object *object, const char *section)
{
    size_t size;
    return hr_object_find_bytes(object, section, &size) != NULL;
}

bool hr_debug_file_is_present(const struct hr_object *object)
{
    return has_bytes(object, ".debug_info") || has_bytes(object, ".zdebug_info");
}

// What --root does not stand before.
static struct hr_tree host_of(const struct hr_debug_search *search)
{
    return (struct hr_tree){.opener = search->tree.opener};
}

// What a file says of the one that dwz moved debug data to.
struct common_link {
    const char *name;
    char *id; // hex, g_free(); NULL when it names none
};

static struct common_link read_link_of_dwz(const struct hr_object *object)
{
    size_t size = 0;
    const unsigned char *bytes = hr_object_find_bytes(object, ".gnu_debugaltlink", &size);
    const unsigned char *end = bytes ? memchr(bytes, '\0', size) : NULL;
    const size_t rest = end ? (size_t)(bytes + size - (end + 1)) : 0;
    return (struct common_link){
        .name = end ? (const char *)bytes : NULL,
        .id = rest > 0 ? hr_object_format_hex(end + 1, rest) : NULL,
    };
}

// DWARF 5's own way to say it; with `supplementary`, which one the object itself is.
static struct common_link read_link_of_dwarf(const struct hr_object *object, bool supplementary)
{
    size_t size = 0;
    const unsigned char *bytes = hr_object_find_bytes(object, ".debug_sup", &size);
    const unsigned char *end = bytes && size > 3 ? memchr(bytes + 3, '\0', size - 3) : NULL;
    if (!end || bytes[2] != supplementary) {
        return (struct common_link){0};
    }
    const size_t rest = (size_t)(bytes + size - (end + 1));
    const bool whole = rest > 1 && end[1] < 0x80 && end[1] > 0 && end[1] < rest;
    return (struct common_link){
        .name = (const char *)bytes + 3,
        .id = whole ? hr_object_format_hex(end + 2, end[1]) : NULL,
    };
}

static bool has_id(const struct hr_object *object, const char *id)
{
    const struct common_link own = read_link_of_dwarf(object, true);
    const bool same = g_strcmp0(object->build_id, id) == 0 || g_strcmp0(own.id, id) == 0;
    g_free(own.id);
    return same;
}

// Opens a candidate that has the wanted build-id, or checksum in its .debug_sup (NULL: any).
static struct hr_object *open_checked(const struct hr_tree *tree, const char *path,
                                      const char *build_id)
{
    HR_AUTO(hr_object) found = hr_object_new_package(tree, path, NULL);
    return found && (!build_id || has_id(found, build_id)) ? HR_STEAL(found) : NULL;
}

static struct hr_object *find_in_directory(const struct hr_tree *tree, const char *directory,
                                           const char *build_id, const char *suffix)
{
    g_autofree char *in_tree =
        g_strdup_printf("%s/.build-id/%.2s/%s%s", directory, build_id, build_id + 2, suffix);
    struct hr_object *found = open_checked(tree, in_tree, build_id);
    if (!found) {
        g_autofree char *direct =
            g_strdup_printf("%s/%.2s/%s%s", directory, build_id, build_id + 2, suffix);
        found = open_checked(tree, direct, build_id);
    }
    return found;
}

static struct hr_object *find_by_build_id(const char *build_id,
                                          const struct hr_debug_search *search)
{
    if (!build_id || strlen(build_id) < 4) {
        return NULL;
    }
    const struct hr_tree host = host_of(search);
    struct hr_object *found = NULL;
    for (size_t i = 0; search->dirs && search->dirs[i] && !found; i++) {
        found = find_in_directory(&host, search->dirs[i], build_id, ".debug");
    }
    return found ? found
                 : find_in_directory(&search->tree, HR_SYSTEM_DEBUG_DIR, build_id, ".debug");
}

// CRC-32 as in .gnu_debuglink (the one of zlib and Ethernet).
static uint32_t compute_crc(const unsigned char *bytes, size_t size)
{
    uint32_t table[256];
    for (uint32_t i = 0; i < G_N_ELEMENTS(table); i++) {
        uint32_t value = i;
        for (int bit = 0; bit < 8; bit++) {
            value = (value >> 1) ^ (value & 1 ? 0xedb88320u : 0);
        }
        table[i] = value;
    }
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < size; i++) {
        crc = table[(crc ^ bytes[i]) & 0xff] ^ (crc >> 8);
    }
    return ~crc;
}

struct link {
    const char *name;
    uint32_t crc;
};

static bool read_link(const struct hr_object *object, struct link *link)
{
    size_t size = 0;
    const unsigned char *bytes = hr_object_find_bytes(object, ".gnu_debuglink", &size);
    const unsigned char *end = bytes ? memchr(bytes, '\0', size) : NULL;
    if (!end || end == bytes) {
        return false;
    }
    const size_t at = ((size_t)(end - bytes) + 4) & ~(size_t)3;
    if (at + 4 > size) {
        return false;
    }
    const bool big = ((const unsigned char *)object->bytes)[EI_DATA] == ELFDATA2MSB;
    link->name = (const char *)bytes;
    link->crc = 0;
    for (size_t i = 0; i < 4; i++) {
        link->crc |= (uint32_t)bytes[at + i] << (8 * (big ? 3 - i : i));
    }
    return true;
}

// Equal build-ids say more than the CRC and cost nothing.
static struct hr_object *open_linked(const struct hr_tree *tree, const char *path,
                                     const struct hr_object *object, const struct link *link)
{
    HR_AUTO(hr_object) found = open_checked(tree, path, NULL);
    if (!found) {
        return NULL;
    }
    const bool same = object->build_id && found->build_id
                          ? strcmp(object->build_id, found->build_id) == 0
                          : compute_crc(found->bytes, found->size) == link->crc;
    return same ? HR_STEAL(found) : NULL;
}

static struct hr_object *find_by_link(const struct hr_object *object,
                                      const struct hr_debug_search *search)
{
    struct link link;
    if (!read_link(object, &link) || strchr(link.name, '/')) {
        return NULL;
    }
    g_autofree char *directory = g_path_get_dirname(object->path);
    g_autoptr(GPtrArray) beside = g_ptr_array_new_with_free_func(g_free);
    g_ptr_array_add(beside, g_build_filename(directory, link.name, NULL));
    g_ptr_array_add(beside, g_build_filename(directory, ".debug", link.name, NULL));
    g_ptr_array_add(beside, g_build_filename(HR_SYSTEM_DEBUG_DIR, directory, link.name, NULL));
    const struct hr_tree host = host_of(search);
    struct hr_object *found = NULL;
    for (size_t i = 0; search->dirs && search->dirs[i] && !found; i++) {
        g_autofree char *flat = g_build_filename(search->dirs[i], link.name, NULL);
        g_autofree char *tree = g_build_filename(search->dirs[i], directory, link.name, NULL);
        found = open_linked(&host, flat, object, &link);
        found = found ? found : open_linked(&host, tree, object, &link);
    }
    for (guint i = 0; i < beside->len && !found; i++) {
        found = open_linked(&object->tree, beside->pdata[i], object, &link);
    }
    return found;
}

static struct hr_object *fetch(const char *build_id, const struct hr_debug_search *search)
{
    g_autofree char *path =
        search->debuginfod && build_id ? hr_tree_fetch(&search->tree, build_id) : NULL;
    const struct hr_tree host = host_of(search);
    return path ? open_checked(&host, path, build_id) : NULL;
}

struct hr_object *hr_debug_file_find(const struct hr_object *object,
                                     const struct hr_debug_search *search)
{
    HR_AUTO(hr_object) found = find_by_build_id(object->build_id, search);
    if (!found || !hr_debug_file_is_present(found)) {
        hr_object_free(found);
        found = find_by_link(object, search);
    }
    if (!found || !hr_debug_file_is_present(found)) {
        hr_object_free(found);
        found = fetch(object->build_id, search);
    }
    return found && hr_debug_file_is_present(found) ? HR_STEAL(found) : NULL;
}

struct hr_object *hr_debug_file_find_common(const struct hr_object *debug,
                                            const struct hr_debug_search *search, bool *named)
{
    struct common_link link = read_link_of_dwz(debug);
    link = link.name ? link : read_link_of_dwarf(debug, false);
    g_autofree char *build_id = link.id;
    const char *name = link.name;
    *named = name != NULL;
    if (!build_id) {
        return NULL;
    }
    g_autofree char *directory = g_path_get_dirname(debug->path);
    g_autofree char *path =
        name[0] == '/' ? g_strdup(name) : g_build_filename(directory, name, NULL);
    struct hr_object *found = open_checked(&debug->tree, path, build_id);
    found = found ? found : find_by_build_id(build_id, search);
    return found ? found : fetch(build_id, search);
}

struct hr_object *hr_debug_file_find_package(const struct hr_object *object)
{
    g_autofree char *path = g_strconcat(object->path, ".dwp", NULL);
    return hr_object_new_package(&object->tree, path, NULL);
}

struct hr_object *hr_debug_file_unpack(const struct hr_object *object)
{
    size_t packed_size = 0;
    const unsigned char *packed = hr_object_find_bytes(object, ".gnu_debugdata", &packed_size);
    if (!packed) {
        return NULL;
    }
    // The size is not told in advance: grow until it fits.
    for (size_t room = MAX(packed_size * 8, 65536u); room <= UNPACKED_MAX_BYTES; room *= 4) {
        g_autofree uint8_t *bytes = g_try_malloc(room);
        if (!bytes) {
            return NULL;
        }
        uint64_t memory = UNPACK_MEMORY_MAX_BYTES;
        size_t from = 0;
        size_t size = 0;
        const lzma_ret status = lzma_stream_buffer_decode(&memory, 0, NULL, packed, &from,
                                                          packed_size, bytes, &size, room);
        if (status == LZMA_OK) {
            return hr_object_new_from_bytes(object->path, g_steal_pointer(&bytes), size, NULL);
        }
        if (status != LZMA_BUF_ERROR) {
            return NULL;
        }
    }
    return NULL;
}
