// SPDX-License-Identifier: MIT
#include "doctor/subject.h"

#include "base/files.h"

#include <glib.h>
#include <string.h>
#include <unistd.h>

#define SUFFIX "MALLOC_CONF"
// Of the first bytes of a program: words of 32 or 64 bits, and which processor.
#define CLASS_AT 4
#define MACHINE_AT 18
#define MACHINE_END 20

const char *hr_subject_find_variable(const char *const *environment, const char *name)
{
    const size_t length = strlen(name);
    const char *found = NULL;
    for (; environment && *environment; environment++) {
        if (strncmp(*environment, name, length) == 0 && (*environment)[length] == '=') {
            found = *environment + length + 1;
        }
    }
    return found;
}

const char *hr_subject_quote(const struct hr_subject *subject, const char *text)
{
    if (*text && !text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                    "0123456789_-./:=@,+%")]) {
        return text;
    }
    g_autofree char *quoted = g_shell_quote(text);
    return hr_arena_strdup(subject->arena, quoted);
}

static bool read_service(struct hr_subject *subject, GError **error)
{
    const struct hr_doctor_options *options = subject->options;
    if (options->units && options->units[0] &&
        !(subject->unit = hr_unit_read(subject->arena, options->units, error))) {
        return false;
    }
    if (options->pid >= 0 &&
        !(subject->process = hr_doctor_process_read(subject->arena, options->pid, error))) {
        return false;
    }
    if (subject->process && subject->process->environment) {
        subject->environment = subject->process->environment;
    } else if (subject->unit) {
        subject->environment = subject->unit->environment;
    }
    return true;
}

// The program that was named must be readable; one that only unit or process name need not.
static bool read_program(struct hr_subject *subject, GError **error)
{
    const char *path = subject->options->binary ? subject->options->binary
                       : subject->process       ? subject->process->program_here
                       : subject->unit          ? subject->unit->program
                                                : NULL;
    if (!path) {
        return true;
    }
    g_autoptr(GError) failed = NULL;
    subject->program = hr_program_read(subject->arena, path, subject->options->debug_dirs, &failed);
    if (!subject->program && subject->options->binary) {
        g_propagate_error(error, g_steal_pointer(&failed));
        return false;
    }
    return true;
}

// The piece of LD_PRELOAD that is a jemalloc. Without an interpreter none is loaded; of a process
// it shows whether it was.
static const char *find_preload(struct hr_subject *subject)
{
    const char *list = hr_subject_find_variable(subject->environment, "LD_PRELOAD");
    g_auto(GStrv) paths = g_strsplit_set(list ? list : "", ": ", -1);
    if (subject->program && !subject->program->is_dynamic) {
        return NULL;
    }
    for (char **path = paths; *path; path++) {
        g_autofree char *name = g_path_get_basename(*path);
        if (strstr(*path, "jemalloc") &&
            (!subject->process || hr_doctor_process_may_map(subject->process, name))) {
            return hr_arena_strdup(subject->arena, *path);
        }
    }
    return NULL;
}

// The loader passes over a library for another kind of processor, and says so only in the log.
static bool is_other_machine(const struct hr_program *program, const char *library)
{
    const char *const paths[] = {program ? program->path : library, library};
    unsigned char heads[G_N_ELEMENTS(paths)][MACHINE_END] = {{0}};
    for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
        int fd;
        struct stat status;
        if (!hr_file_open(paths[i], &fd, &status, NULL)) {
            return false;
        }
        const ssize_t got = read(fd, heads[i], MACHINE_END);
        close(fd);
        if (got != MACHINE_END) {
            return false;
        }
    }
    return heads[0][CLASS_AT] != heads[1][CLASS_AT] ||
           memcmp(heads[0] + MACHINE_AT, heads[1] + MACHINE_AT, MACHINE_END - MACHINE_AT) != 0;
}

static void find_allocator(struct hr_subject *subject)
{
    const struct hr_program *program = subject->program;
    subject->preload = find_preload(subject);
    if (program && program->has_jemalloc) {
        subject->allocator = program;
        return;
    }
    const char *mapped = subject->process ? subject->process->jemalloc_library : NULL;
    g_autofree char *needed =
        program && program->needs ? hr_program_find_library(program->needs) : NULL;
    const char *library = mapped ? mapped : needed ? needed : subject->preload;
    if (library && !is_other_machine(program, library)) {
        subject->allocator = hr_program_read(subject->arena, library, NULL, NULL);
    }
}

// The string that the allocator reads; where its variable is not set, or not known, any that is
// meant for a jemalloc: what it says can be judged all the same.
static void find_settings(struct hr_subject *subject)
{
    subject->variable = subject->allocator ? subject->allocator->variable : NULL;
    const char *const usual[] = {subject->variable, "_RJEM_" SUFFIX, SUFFIX};
    for (size_t i = 0; i < G_N_ELEMENTS(usual) && !subject->text; i++) {
        subject->text = usual[i] ? hr_subject_find_variable(subject->environment, usual[i]) : NULL;
        subject->set_in = subject->text ? usual[i] : NULL;
    }
    if (subject->options->settings) {
        subject->text = subject->options->settings;
        subject->set_in = NULL;
    }
    if (subject->text) {
        subject->settings = hr_settings_read(subject->arena, subject->text);
        const char *prefix = hr_settings_find(&subject->settings, "prof_prefix");
        subject->prefix = prefix && *prefix ? prefix : NULL;
    }
}

static void find_place(struct hr_subject *subject)
{
    const char *from = subject->process && subject->process->working_directory
                           ? subject->process->working_directory
                       : subject->unit && subject->unit->working_directory
                           ? subject->unit->working_directory
                       : subject->unit ? "/"
                                       : NULL;
    // The home of a user need not be the same here.
    from = from && strcmp(from, "~") == 0 ? NULL : from;
    if (subject->prefix && (from || g_path_is_absolute(subject->prefix))) {
        g_autofree char *whole = g_canonicalize_filename(subject->prefix, from);
        g_autofree char *directory = g_path_get_dirname(whole);
        const char *root = subject->process ? subject->process->root
                           : subject->unit && subject->unit->root_directory
                               ? subject->unit->root_directory
                               : "";
        subject->place = hr_arena_strdup(subject->arena, directory);
        subject->place_here = hr_arena_printf(subject->arena, "%s%s", root, directory);
    } else if (subject->options->directory) {
        subject->place = subject->place_here = subject->options->directory;
    }
}

static bool find_user(struct hr_subject *subject, GError **error)
{
    const char *name = subject->options->user ? subject->options->user
                       : !subject->process && subject->unit && !subject->unit->dynamic_user
                           ? subject->unit->user ? subject->unit->user : "root"
                           : NULL;
    if (name) {
        gid_t *groups;
        subject->has_user = hr_access_find_user(name, &subject->user, &groups);
        subject->unknown_user = subject->has_user ? NULL : name;
        if (!subject->options->user && subject->unit && subject->unit->group &&
            !hr_access_find_group(subject->unit->group, &subject->user.gid)) {
            subject->unknown_user = subject->unit->group;
        }
        subject->user.groups =
            hr_arena_copy(subject->arena, groups, subject->user.groups_count, sizeof(gid_t));
        g_free(groups);
        if (!subject->has_user && subject->options->user) {
            g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "--user %s: there is no such user", name);
            return false;
        }
    } else if (!subject->process && subject->unit) {
        subject->unknown_user = "DynamicUser";
    } else if (subject->process) {
        const struct hr_doctor_process *process = subject->process;
        subject->has_user = true;
        subject->user = (struct hr_doctor_user){
            .name = hr_arena_printf(subject->arena, "%u", (unsigned)process->uid),
            .uid = process->uid,
            .gid = process->gid,
            .groups = process->groups,
            .groups_count = process->groups_count};
    }
    return true;
}

bool hr_subject_read(struct hr_subject *subject, struct hr_arena *arena,
                     const struct hr_doctor_options *options, const struct hr_rules *rules,
                     GError **error)
{
    *subject = (struct hr_subject){.arena = arena, .rules = rules, .options = options};
    if (!read_service(subject, error) || !read_program(subject, error)) {
        return false;
    }
    find_allocator(subject);
    find_settings(subject);
    find_place(subject);
    const char *directory = options->directory ? options->directory : subject->place_here;
    return find_user(subject, error) &&
           (!directory || hr_doctor_dumps_read(arena, directory, options->pid,
                                               subject->program ? subject->program->path : NULL,
                                               options->debug_dirs, &subject->dumps, error));
}
