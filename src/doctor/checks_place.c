// SPDX-License-Identifier: MIT
// Where the dumps go, whether the service may write there, and how it is run.
#include "doctor/check.h"

#include <string.h>
#include <sys/stat.h>

#define FREE_LEAST_BYTES (64.0 * 1024 * 1024)

static const char *user_name(const struct hr_subject *subject)
{
    return subject->has_user ? hr_subject_quote(subject, subject->user.name) : "$(id -un)";
}

// Every phrase about the place may name it and the user.
static struct hr_phrase place_phrase(const struct hr_subject *subject, struct hr_phrase phrase)
{
    hr_phrase_add_text(&phrase, "directory", hr_subject_quote(subject, subject->place));
    hr_phrase_add_text(&phrase, "user", user_name(subject));
    return phrase;
}

static enum hr_access look(const struct hr_subject *subject)
{
    const enum hr_access as_ourselves =
        subject->unknown_user ? hr_access_look(subject->place_here, NULL) : HR_ACCESS_UNKNOWN;
    if (subject->unknown_user) {
        return as_ourselves == HR_ACCESS_MISSING || as_ourselves == HR_ACCESS_NO_DIRECTORY
                   ? as_ourselves
                   : HR_ACCESS_UNKNOWN;
    }
    return hr_access_look(subject->place_here, subject->has_user ? &subject->user : NULL);
}

bool hr_check_directory(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->place) {
        return false;
    }
    switch (look(subject)) {
    case HR_ACCESS_MISSING:
        return hr_check_mend(check,
                             place_phrase(subject, hr_phrase_new("doctor-directory-missing")),
                             place_phrase(subject, hr_phrase_new("doctor-directory-make")));
    case HR_ACCESS_NO_DIRECTORY:
        return hr_check_mend(check, place_phrase(subject, hr_phrase_new("doctor-directory-file")),
                             place_phrase(subject, hr_phrase_new("doctor-directory-other")));
    default:
        return g_file_test(subject->place_here, G_FILE_TEST_IS_DIR)
                   ? hr_check_fine(check,
                                   place_phrase(subject, hr_phrase_new("doctor-directory-fine")))
                   : hr_check_unknown(
                         check, place_phrase(subject, hr_phrase_new("doctor-directory-unknown")));
    }
}

static bool check_unknown_writable(const struct hr_subject *subject, struct hr_check *check)
{
    struct hr_phrase phrase = subject->unknown_user ? hr_phrase_new("doctor-writable-unknown-user")
                                                    : hr_phrase_new("doctor-writable-unknown");
    hr_phrase_add_text(&phrase, "name", subject->unknown_user ? subject->unknown_user : "");
    return hr_check_unknown(check, place_phrase(subject, phrase));
}

bool hr_check_writable(const struct hr_subject *subject, struct hr_check *check)
{
    const enum hr_access access = subject->place ? look(subject) : HR_ACCESS_MISSING;
    switch (access) {
    case HR_ACCESS_MAY_WRITE:
    case HR_ACCESS_OTHER_USER:
    case HR_ACCESS_NO_WAY:
        return hr_check_fine(check, place_phrase(subject, hr_phrase_new("doctor-writable-fine")));
    case HR_ACCESS_READ_ONLY:
        return hr_check_mend(check, place_phrase(subject, hr_phrase_new("doctor-writable-not")),
                             place_phrase(subject, hr_phrase_new("doctor-writable-mend")));
    case HR_ACCESS_UNKNOWN:
        return check_unknown_writable(subject, check);
    case HR_ACCESS_MISSING:
    case HR_ACCESS_NO_DIRECTORY:
        return false;
    }
    g_assert_not_reached();
}

bool hr_check_user(const struct hr_subject *subject, struct hr_check *check)
{
    switch (subject->place ? look(subject) : HR_ACCESS_MISSING) {
    case HR_ACCESS_MAY_WRITE:
        return subject->has_user &&
               hr_check_fine(check, place_phrase(subject, hr_phrase_new("doctor-user-fine")));
    case HR_ACCESS_OTHER_USER:
        return hr_check_mend(check, place_phrase(subject, hr_phrase_new("doctor-user-other")),
                             place_phrase(subject, hr_phrase_new("doctor-directory-make")));
    case HR_ACCESS_NO_WAY:
        return hr_check_mend(check, place_phrase(subject, hr_phrase_new("doctor-user-no-way")),
                             place_phrase(subject, hr_phrase_new("doctor-user-way-mend")));
    default:
        return false;
    }
}

bool hr_check_space(const struct hr_subject *subject, struct hr_check *check)
{
    const double free_bytes =
        subject->place
            ? hr_access_free_bytes(subject->place_here, subject->has_user ? &subject->user : NULL)
            : -1;
    if (free_bytes < 0) {
        return false;
    }
    if (!hr_access_may_add_file(subject->place_here)) {
        return hr_check_mend(check, place_phrase(subject, hr_phrase_new("doctor-space-files")),
                             place_phrase(subject, hr_phrase_new("doctor-space-files-mend")));
    }
    struct hr_phrase phrase = free_bytes < FREE_LEAST_BYTES ? hr_phrase_new("doctor-space-little")
                                                            : hr_phrase_new("doctor-space-fine");
    hr_phrase_add_number(&phrase, "free_bytes", free_bytes);
    return free_bytes < FREE_LEAST_BYTES
               ? hr_check_mend(check, phrase,
                               place_phrase(subject, hr_phrase_new("doctor-space-mend")))
               : hr_check_fine(check, phrase);
}

static bool is_same_file(const char *path, const char *other)
{
    struct stat a;
    struct stat b;
    return stat(path, &a) == 0 && stat(other, &b) == 0 && a.st_dev == b.st_dev &&
           a.st_ino == b.st_ino;
}

bool hr_check_same_directory(const struct hr_subject *subject, struct hr_check *check)
{
    const char *directory = subject->options->directory;
    // A directory that is missing has been told.
    if (!directory || !subject->prefix || !subject->place ||
        !g_file_test(subject->place_here, G_FILE_TEST_IS_DIR) ||
        !g_file_test(directory, G_FILE_TEST_IS_DIR)) {
        return false;
    }
    if (is_same_file(directory, subject->place_here)) {
        return hr_check_fine(check, hr_phrase_new("doctor-same-directory-fine"));
    }
    struct hr_phrase reason = place_phrase(subject, hr_phrase_new("doctor-same-directory-not"));
    hr_phrase_add_text(&reason, "given", hr_subject_quote(subject, directory));
    return hr_check_mend(check, reason,
                         place_phrase(subject, hr_phrase_new("doctor-same-directory-mend")));
}

bool hr_check_unit_program(const struct hr_subject *subject, struct hr_check *check)
{
    const char *binary = subject->options->binary;
    const char *started = subject->unit ? subject->unit->program : NULL;
    if (!binary || !started) {
        return false;
    }
    struct hr_phrase phrase = hr_phrase_new("doctor-unit-program-fine");
    hr_phrase_add_text(&phrase, "program", hr_subject_quote(subject, started));
    hr_phrase_add_text(&phrase, "binary", hr_subject_quote(subject, binary));
    if (is_same_file(binary, started)) {
        return hr_check_fine(check, phrase);
    }
    struct hr_phrase mend = phrase;
    phrase.id = "doctor-unit-program-other";
    mend.id = "doctor-unit-program-mend";
    return hr_check_mend(check, phrase, mend);
}

static bool is_below(const char *path, const char *directory)
{
    const size_t length = strlen(directory);
    return strncmp(path, directory, length) == 0 && (path[length] == '/' || path[length] == '\0' ||
                                                     (length > 0 && directory[length - 1] == '/'));
}

// The length of the longest of the directories that the path is below, 0: of none. "-" and "+"
// before a path mean that it may be missing, or lies below the root directory.
static size_t deepest_above(const char *path, const char *const *directories)
{
    size_t deepest = 0;
    for (; *directories; directories++) {
        const char *directory = *directories + strspn(*directories, "-+");
        if (is_below(path, directory)) {
            deepest = MAX(deepest, strlen(directory));
        }
    }
    return deepest;
}

static bool is_off(const char *value)
{
    static const char *const words[] = {"0", "no", "n", "false", "f", "off", NULL};
    g_autofree char *word = g_ascii_strdown(value ? value : "no", -1);
    return g_strv_contains(words, word);
}

// A dynamic user's unit is held as if it said so.
static const char *protection(const char *value, const struct hr_unit *unit, const char *dynamic)
{
    return unit->dynamic_user && is_off(value) ? dynamic : is_off(value) ? NULL : value;
}

static bool is_in_homes(const char *place)
{
    return is_below(place, "/home") || is_below(place, "/root") || is_below(place, "/run/user");
}

// What cannot be given back by ReadWritePaths.
static const char *find_cover(const struct hr_unit *unit, const char *place)
{
    if ((unit->private_tmp || unit->dynamic_user) &&
        (is_below(place, "/tmp") || is_below(place, "/var/tmp"))) {
        return "PrivateTmp";
    }
    if (deepest_above(place, unit->inaccessible) > 0) {
        return "InaccessiblePaths";
    }
    const char *home = protection(unit->protect_home, unit, "read-only");
    return home && strcmp(home, "read-only") != 0 && is_in_homes(place) ? "ProtectHome" : NULL;
}

static bool is_protected(const char *protect, const char *place)
{
    return protect && (is_below(place, "/usr") || is_below(place, "/boot") ||
                       (strcmp(protect, "full") == 0 && is_below(place, "/etc")));
}

// What the unit's sandbox takes away, NULL: nothing. Of what covers one another the deepest counts.
static const char *find_barrier(const struct hr_unit *unit, const char *place)
{
    const char *cover = find_cover(unit, place);
    const size_t read_only = deepest_above(place, unit->read_only);
    const size_t writable = deepest_above(place, unit->writable);
    const char *protect = protection(unit->protect_system, unit, "strict");
    if (cover) {
        return cover;
    }
    if (read_only > 0 && read_only >= writable) {
        return "ReadOnlyPaths";
    }
    if (writable > 0) {
        return NULL;
    }
    if (protection(unit->protect_home, unit, "read-only") && is_in_homes(place)) {
        return "ProtectHome";
    }
    if (protect && strcmp(protect, "strict") == 0) {
        return unit->protect_system ? "ProtectSystem=strict" : "DynamicUser";
    }
    return is_protected(protect, place) ? "ProtectSystem" : NULL;
}

static struct hr_phrase barrier_mend(const struct hr_subject *subject, const char *barrier)
{
    if (strcmp(barrier, "PrivateTmp") == 0) {
        return hr_phrase_new("doctor-unit-paths-tmp-mend");
    }
    return find_cover(subject->unit, subject->place)
               ? place_phrase(subject, hr_phrase_new("doctor-unit-paths-other-mend"))
               : place_phrase(subject, hr_phrase_new("doctor-unit-paths-mend"));
}

bool hr_check_unit_paths(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->unit || !subject->prefix || !subject->place) {
        return false;
    }
    const char *barrier = find_barrier(subject->unit, subject->place);
    if (!barrier) {
        return hr_check_fine(check, place_phrase(subject, hr_phrase_new("doctor-unit-paths-fine")));
    }
    struct hr_phrase reason = place_phrase(subject, hr_phrase_new("doctor-unit-paths-barrier"));
    hr_phrase_add_text(&reason, "barrier", barrier);
    return hr_check_mend(check, reason, barrier_mend(subject, barrier));
}

bool hr_check_unit_stop(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->unit) {
        return false;
    }
    const char *signal = subject->unit->kill_signal ? subject->unit->kill_signal : "SIGTERM";
    const bool kills =
        strcmp(signal, "SIGKILL") == 0 || strcmp(signal, "KILL") == 0 || strcmp(signal, "9") == 0;
    struct hr_phrase reason =
        kills ? hr_phrase_new("doctor-unit-stop-kill") : hr_phrase_new("doctor-unit-stop-fine");
    hr_phrase_add_text(&reason, "signal", signal);
    return kills ? hr_check_mend(check, reason, hr_phrase_new("doctor-unit-stop-mend"))
                 : hr_check_fine(check, reason);
}

// A unit that was changed takes effect with the next start.
bool hr_check_unit_applied(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->unit || !subject->process || !subject->process->environment) {
        return false;
    }
    const char *name = subject->variable ? subject->variable : "MALLOC_CONF";
    const char *wanted = hr_subject_find_variable(subject->unit->environment, name);
    const char *has = hr_subject_find_variable(subject->process->environment, name);
    if (!wanted || !has) {
        return false;
    }
    struct hr_phrase phrase = hr_phrase_new("doctor-unit-applied-fine");
    hr_phrase_add_text(&phrase, "variable", name);
    hr_phrase_add_text(&phrase, "unit", hr_subject_quote(subject, subject->unit->name));
    if (strcmp(wanted, has) == 0) {
        return hr_check_fine(check, phrase);
    }
    struct hr_phrase mend = phrase;
    phrase.id = "doctor-unit-applied-not";
    mend.id = "doctor-environment-restart";
    return hr_check_mend(check, phrase, mend);
}

bool hr_check_running_program(const struct hr_subject *subject, struct hr_check *check)
{
    const struct hr_doctor_process *process = subject->process;
    const char *binary = subject->options->binary;
    if (!process || (!binary && !process->program_deleted)) {
        return false;
    }
    struct hr_phrase phrase = hr_phrase_new("doctor-running-fine");
    hr_phrase_add_text(&phrase, "program", hr_subject_quote(subject, process->program));
    hr_phrase_add_text(&phrase, "binary", hr_subject_quote(subject, binary ? binary : ""));
    if (binary && is_same_file(binary, process->program_here)) {
        return hr_check_fine(check, phrase);
    }
    const struct hr_program *running =
        binary ? hr_program_read(subject->arena, process->program_here, NULL, NULL) : NULL;
    // A copy of the same build is as good.
    if (running && running->build_id &&
        g_strcmp0(running->build_id, subject->program->build_id) == 0) {
        return hr_check_fine(check, phrase);
    }
    struct hr_phrase mend = phrase;
    phrase.id = binary ? "doctor-running-other" : "doctor-running-deleted";
    mend.id = "doctor-running-mend";
    hr_phrase_add_text(&mend, "pid",
                       hr_arena_printf(subject->arena, "%" G_GINT64_FORMAT, process->pid));
    return hr_check_mend(check, phrase, mend);
}

bool hr_check_file_limit(const struct hr_subject *subject, struct hr_check *check)
{
    const bool of_process = subject->process != NULL;
    const bool of_unit = subject->unit && subject->unit->file_size_limit &&
                         strcmp(subject->unit->file_size_limit, "infinity") != 0;
    if (!of_process && !subject->unit) {
        return false;
    }
    if (of_process ? subject->process->file_size_limit == UINT64_MAX : !of_unit) {
        return hr_check_fine(check, hr_phrase_new("doctor-file-limit-none"));
    }
    return hr_check_mend(check, hr_phrase_new("doctor-file-limit-some"),
                         hr_phrase_new("doctor-file-limit-mend"));
}
