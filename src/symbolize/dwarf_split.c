// SPDX-License-Identifier: MIT
#include "symbolize/dwarf_split.h"

#include <dwarf.h>
#include <unistd.h>

struct split_file {
    struct hr_object *object; // NULL: not there, or not to be read
    struct hr_dwarf_sections sections;
    GHashTable *offsets; // of its split units, by id
};

struct hr_dwarf_split_files {
    GHashTable *by_path; // of struct split_file
};

static void file_free(void *pointer)
{
    struct split_file *file = pointer;
    g_hash_table_unref(file->offsets);
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

// The id of version 4 is among the attributes of the unit's own DIE.
static uint64_t read_old_id(const struct hr_dwarf_unit *unit, uint64_t *scan_budget)
{
    struct hr_dwarf_unit root = *unit;
    struct hr_dwarf_abbrevs *one = hr_dwarf_abbrevs_new(
        &unit->sections->abbrev, unit->abbrev_offset, hr_dwarf_unit_get_root_code(unit));
    root.str_offsets_base = 0;
    hr_dwarf_unit_read_root(&root, one);
    *scan_budget -= MIN(*scan_budget, one->size);
    hr_dwarf_abbrevs_free(one);
    return root.dwo_id;
}

// Type units stand between the split units; what was linked as a whole has all of them in one file.
static void collect_units(struct split_file *file)
{
    // Real tables of abbreviations lie side by side; made-up ones may all reach to the section's
    // end.
    uint64_t scan_budget = 16 * (uint64_t)file->sections.abbrev.size;
    struct hr_dwarf_unit unit;
    uint64_t next;
    for (uint64_t offset = 0; offset < file->sections.info.size && scan_budget > 0; offset = next) {
        next = hr_dwarf_unit_init(&unit, &file->sections, offset);
        if (next == HR_NO_OFFSET) {
            return;
        }
        const bool old = unit.version < 5;
        if (unit.supported && unit.type == (old ? DW_UT_compile : DW_UT_split_compile)) {
            const uint64_t id = old ? read_old_id(&unit, &scan_budget) : unit.dwo_id;
            if (!g_hash_table_contains(file->offsets, &id)) {
                g_hash_table_insert(file->offsets, g_memdup2(&id, sizeof id),
                                    g_memdup2(&offset, sizeof offset));
            }
        }
    }
}

static struct split_file *open_file(const struct hr_object *holder, const char *path,
                                    const struct hr_dwarf_unit *skeleton)
{
    struct split_file *file = g_new0(struct split_file, 1);
    struct hr_section index;
    file->offsets = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
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
    collect_units(file);
    return file;
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
    const uint64_t *offset = g_hash_table_lookup(file->offsets, &skeleton->dwo_id);
    return offset && hr_dwarf_unit_init(unit, &file->sections, *offset) != HR_NO_OFFSET;
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
