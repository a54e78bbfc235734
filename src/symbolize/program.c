// SPDX-License-Identifier: MIT
// jemalloc is known by its functions (<prefix>mallctlnametomib), or in a stripped file by what it
// prints. A build without profiling keeps one byte for prof_prefix and leaves out the summary of
// leaks (jemalloc 4 and 5: src/prof.c, src/prof_data.c); the variable's name is the prefix in
// capitals before MALLOC_CONF (src/jemalloc.c, malloc_conf_init).
#include "symbolize/program.h"

#include "symbolize/debug_file.h"
#include "symbolize/frame_pointers.h"

#include <gelf.h>
#include <math.h>
#include <string.h>

#define FUNCTION_SUFFIX "mallctlnametomib"
#define SETTING_SUFFIX "opt_prof_prefix"
#define VARIABLE_SUFFIX "MALLOC_CONF"

static const char *const library_directories[] = {
    "/usr/local/lib",
    "/lib/x86_64-linux-gnu",
    "/lib/aarch64-linux-gnu",
    "/lib64",
    "/usr/lib64",
    "/lib",
    "/usr/lib",
};

static bool holds_text(const struct hr_object *object, const char *text)
{
    return memmem(object->bytes, object->size, text, strlen(text)) != NULL;
}

static void see_symbol(struct hr_program *program, struct hr_arena *arena, const GElf_Sym *symbol,
                       const char *name, bool is_exported)
{
    const unsigned type = GELF_ST_TYPE(symbol->st_info);
    if (!name || symbol->st_shndx == SHN_UNDEF) {
        return;
    }
    if (type == STT_FUNC && g_str_has_suffix(name, FUNCTION_SUFFIX)) {
        program->has_jemalloc = true;
        program->exports_mallctl |= is_exported;
        program->function_prefix =
            hr_arena_strndup(arena, name, strlen(name) - strlen(FUNCTION_SUFFIX));
    }
    if (type == STT_OBJECT && g_str_has_suffix(name, SETTING_SUFFIX)) {
        program->profiling = symbol->st_size > 1 ? HR_ANSWER_YES : HR_ANSWER_NO;
    }
}

static void see_symbols(struct hr_program *program, struct hr_arena *arena,
                        const struct hr_object *object)
{
    Elf_Scn *section = NULL;
    while ((section = elf_nextscn(object->elf, section))) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_entsize == 0 ||
            (header.sh_type != SHT_SYMTAB && header.sh_type != SHT_DYNSYM)) {
            continue;
        }
        Elf_Data *entries = elf_getdata(section, NULL);
        program->has_symbols |= header.sh_type == SHT_SYMTAB && entries && entries->d_size > 0;
        for (int i = 0; entries && (size_t)i < entries->d_size / header.sh_entsize; i++) {
            GElf_Sym symbol;
            if (gelf_getsym(entries, i, &symbol)) {
                see_symbol(program, arena, &symbol,
                           elf_strptr(object->elf, header.sh_link, symbol.st_name),
                           header.sh_type == SHT_DYNSYM);
            }
        }
    }
}

static void see_needs(struct hr_program *program, struct hr_arena *arena,
                      const struct hr_object *object)
{
    program->is_dynamic = hr_object_find_section(object, ".interp") != NULL;
    Elf_Scn *section = hr_object_find_section(object, ".dynamic");
    GElf_Shdr header;
    Elf_Data *entries = section ? elf_getdata(section, NULL) : NULL;
    if (!entries || !gelf_getshdr(section, &header) || header.sh_entsize == 0) {
        return;
    }
    for (int i = 0; (size_t)i < entries->d_size / header.sh_entsize; i++) {
        GElf_Dyn entry;
        if (!gelf_getdyn(entries, i, &entry) || entry.d_tag != DT_NEEDED) {
            continue;
        }
        const char *name = elf_strptr(object->elf, header.sh_link, entry.d_un.d_val);
        if (name && g_str_has_prefix(name, "libjemalloc")) {
            program->needs = hr_arena_strdup(arena, name);
        }
    }
}

// The text in the file that can only be the variable's name: capitals before MALLOC_CONF, alone.
static const char *find_variable(struct hr_arena *arena, const struct hr_object *object)
{
    const unsigned char *at = object->bytes;
    const unsigned char *const end = object->bytes + object->size;
    const char *found = NULL;
    while ((at = memmem(at, (size_t)(end - at), VARIABLE_SUFFIX, sizeof VARIABLE_SUFFIX))) {
        const unsigned char *start = at;
        while (start > object->bytes &&
               (g_ascii_isupper(start[-1]) || g_ascii_isdigit(start[-1]) || start[-1] == '_')) {
            start--;
        }
        const char *name = hr_arena_strdup(arena, (const char *)start);
        at++;
        if (start == object->bytes || start[-1] != '\0') {
            continue;
        }
        if (found && strcmp(found, name) != 0) {
            return NULL; // which of them is the allocator's?
        }
        found = name;
    }
    return found;
}

static void settle_allocator(struct hr_program *program, struct hr_arena *arena,
                             const struct hr_object *object)
{
    program->has_jemalloc |= !program->needs && holds_text(object, "<jemalloc>: ") &&
                             holds_text(object, "Invalid conf pair");
    if (!program->has_jemalloc) {
        program->profiling = HR_ANSWER_UNKNOWN;
        return;
    }
    if (program->function_prefix) {
        g_autofree char *upper = g_ascii_strup(program->function_prefix, -1);
        program->variable = hr_arena_printf(arena, "%s%s", upper, VARIABLE_SUFFIX);
    } else {
        program->variable = find_variable(arena, object);
    }
    if (program->profiling == HR_ANSWER_UNKNOWN) {
        program->profiling =
            holds_text(object, "Leak approximation summary") ? HR_ANSWER_YES : HR_ANSWER_NO;
    }
}

// A debug file has the symbols and data that the program was stripped of.
static void see_debug_file(struct hr_program *program, struct hr_arena *arena,
                           const struct hr_object *object, const char *const *debug_dirs)
{
    const struct hr_debug_search search = {.dirs = debug_dirs};
    HR_AUTO(hr_object) separate = hr_debug_file_find(object, &search);
    if (separate) {
        see_symbols(program, arena, separate);
        program->has_debug |= hr_debug_file_is_present(separate);
    }
    hr_frame_pointers_count(object, separate, &program->frame_pointers_ratio,
                            &program->frame_pointers_of_count);
}

const struct hr_program *hr_program_read(struct hr_arena *arena, const char *path,
                                         const char *const *debug_dirs, GError **error)
{
    HR_AUTO(hr_object) object = hr_object_new(NULL, path, error);
    if (!object) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    // What is missing would be taken for what the program was built without.
    if (hr_object_is_cut(object)) {
        g_set_error(error, HR_ERROR, HR_ERROR_BINARY,
                    "%s: is cut: it ends before its segments or sections do", path);
        return NULL;
    }
    struct hr_program *program = HR_ARENA_NEW(arena, struct hr_program);
    program->path = hr_arena_strdup(arena, path);
    program->build_id = object->build_id ? hr_arena_strdup(arena, object->build_id) : NULL;
    program->has_debug = hr_debug_file_is_present(object);
    see_symbols(program, arena, object);
    see_needs(program, arena, object);
    see_debug_file(program, arena, object, debug_dirs);
    settle_allocator(program, arena, object);
    return program;
}

char *hr_program_find_library(const char *name)
{
    for (size_t i = 0; i < G_N_ELEMENTS(library_directories); i++) {
        g_autofree char *path = g_build_filename(library_directories[i], name, NULL);
        if (g_file_test(path, G_FILE_TEST_IS_REGULAR)) {
            return g_steal_pointer(&path);
        }
    }
    return NULL;
}
