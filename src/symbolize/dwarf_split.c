// SPDX-License-Identifier: MIT
#include "symbolize/dwarf_split.h"

#include <dwarf.h>
#include <unistd.h>

struct split_file {
    struct hr_object *object; // NULL: not there, or not to be read
    struct hr_dwarf_sections sections;
};

struct hr_dwarf_split_files {
    GHashTable *by_path; // of struct split_file
};

static void file_free(void *pointer)
{
    struct split_file *file = pointer;
    hr_object_free(file->object);
    g_free(file);
}

struct hr_dwarf_split_files *hr_dwarf_split_files_new(void)
{
    struct hr_dwarf_split_files *files = g_new(struct hr_dwarf_split_files, 1);
    files->by_path = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, file_free);
    return files;
}

void hr_dwarf_split_files_free(struct hr_dwarf_split_files *files)
{
    if (files) {
        g_hash_table_unref(files->by_path);
        g_free(files);
    }
}

// There may be as many files as units: none keeps its descriptor.
static void close_descriptor(struct hr_object *object)
{
    if (elf_cntl(object->elf, ELF_C_FDREAD) == 0) {
        close(g_steal_fd(&object->fd));
    }
}

static struct split_file *open_file(const struct hr_object *holder, const char *path,
                                    const struct hr_dwarf_unit *skeleton)
{
    struct split_file *file = g_new0(struct split_file, 1);
    struct hr_section index;
    file->object = hr_object_new_package(&holder->tree, path, NULL);
    if (!file->object) {
        return file;
    }
    if (!hr_dwarf_load_split(file->object, &file->sections, &index)) {
        g_clear_pointer(&file->object, hr_object_free);
        return file;
    }
    close_descriptor(file->object);
    // These stay in the program.
    file->sections.addr = skeleton->sections->addr;
    file->sections.ranges = skeleton->sections->ranges;
    return file;
}

// The split unit in a file of a few: type units stand before or behind it. The id of version 4 is
// among the attributes.
static bool find_unit(const struct split_file *file, const struct hr_dwarf_unit *skeleton,
                      struct hr_dwarf_unit *unit)
{
    uint64_t offset = 0;
    while (file->object && offset < file->sections.info.size) {
        offset = hr_dwarf_unit_init(unit, &file->sections, offset);
        if (offset == HR_NO_OFFSET) {
            return false;
        }
        const bool whole = unit->version < 5 ? unit->type == DW_UT_compile
                                             : unit->type == DW_UT_split_compile &&
                                                   unit->dwo_id == skeleton->dwo_id;
        if (whole) {
            return true;
        }
    }
    return false;
}

// Takes the path.
static bool try_path(struct hr_dwarf_split_files *files, const struct hr_object *holder, char *path,
                     const struct hr_dwarf_unit *skeleton, struct hr_dwarf_unit *unit)
{
    struct split_file *file = g_hash_table_lookup(files->by_path, path);
    if (file) {
        g_free(path);
    } else {
        file = open_file(holder, path, skeleton);
        g_hash_table_insert(files->by_path, path, file);
    }
    return find_unit(file, skeleton, unit);
}

bool hr_dwarf_split_files_find(struct hr_dwarf_split_files *files, const struct hr_object *holder,
                               const struct hr_dwarf_unit *skeleton, struct hr_dwarf_unit *unit)
{
    const char *name = skeleton->dwo_name;
    if (name[0] == '/') {
        return try_path(files, holder, g_strdup(name), skeleton, unit);
    }
    g_autofree char *beside = g_path_get_dirname(holder->path);
    return try_path(files, holder, g_build_filename(beside, name, NULL), skeleton, unit) ||
           (skeleton->directory &&
            try_path(files, holder, g_build_filename(skeleton->directory, name, NULL), skeleton,
                     unit));
}
