// SPDX-License-Identifier: MIT
// Is jemalloc in the program, can it profile, is it asked by the right variable, and will addresses
// get names?
#include "doctor/check.h"

#include <math.h>
#include <string.h>

// Programs built without frame pointers have under one function in a hundred that keeps one; built
// with them over half (measured on C and Rust programs; small leaf functions keep none).
#define FRAME_POINTERS_LEAST_RATIO 0.25

// Fewer functions prove nothing.
#define FUNCTIONS_LEAST 5

static struct hr_phrase phrase_with(const char *id, const char *slot, const char *text)
{
    struct hr_phrase phrase = {.id = id};
    hr_phrase_add_text(&phrase, slot, text);
    return phrase;
}

static const char *program_name(const struct hr_subject *subject)
{
    return hr_subject_quote(subject, subject->process && !subject->options->binary
                                         ? subject->process->program
                                         : subject->program->path);
}

bool hr_check_allocator(const struct hr_subject *subject, struct hr_check *check)
{
    const struct hr_program *program = subject->program;
    if (!program) {
        return false;
    }
    if (program->has_jemalloc) {
        struct hr_phrase phrase = hr_phrase_new(
            program->function_prefix && *program->function_prefix ? "doctor-allocator-prefixed"
                                                                  : "doctor-allocator-static");
        hr_phrase_add_text(&phrase, "prefix",
                           program->function_prefix ? program->function_prefix : "");
        return hr_check_fine(check, phrase);
    }
    if (subject->allocator) {
        struct hr_phrase phrase = hr_phrase_new("doctor-allocator-shared");
        hr_phrase_add_text(&phrase, "library", subject->allocator->path);
        return hr_check_fine(check, phrase);
    }
    if (program->needs || subject->preload) {
        struct hr_phrase phrase = hr_phrase_new("doctor-allocator-not-found");
        hr_phrase_add_text(&phrase, "library", program->needs ? program->needs : subject->preload);
        return hr_check_unknown(check, phrase);
    }
    return hr_check_mend(check, hr_phrase_new("doctor-allocator-none"),
                         program->is_dynamic ? hr_phrase_new("doctor-allocator-preload")
                                             : hr_phrase_new("doctor-allocator-link"));
}

bool hr_check_profiling(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->allocator) {
        return false;
    }
    switch (subject->allocator->profiling) {
    case HR_ANSWER_YES:
        return hr_check_fine(check, hr_phrase_new("doctor-profiling-fine"));
    case HR_ANSWER_NO:
        return hr_check_mend(check, hr_phrase_new("doctor-profiling-none"),
                             hr_phrase_new("doctor-profiling-mend"));
    case HR_ANSWER_UNKNOWN:
        return hr_check_unknown(check, hr_phrase_new("doctor-profiling-unknown"));
    }
    g_assert_not_reached();
}

bool hr_check_variable(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->allocator) {
        return false;
    }
    if (subject->variable) {
        return hr_check_fine(check,
                             phrase_with("doctor-variable-fine", "variable", subject->variable));
    }
    return hr_check_mend(check, hr_phrase_new("doctor-variable-unknown"),
                         hr_phrase_new("doctor-variable-both"));
}

static bool loses_variables(const struct hr_subject *subject)
{
    const bool held = subject->unit && subject->unit->no_new_privileges;
    return subject->program && subject->has_user && !held &&
           hr_access_gives_rights(subject->program->path, &subject->user);
}

// Both usual ones, where it is not known which is read, are as good as the one.
bool hr_check_environment(const struct hr_subject *subject, struct hr_check *check)
{
    if (subject->process && !subject->process->environment) {
        return hr_check_unknown(check, hr_phrase_new("doctor-environment-unreadable"));
    }
    if (!subject->environment) {
        return false;
    }
    const char *wanted = subject->variable ? subject->variable : "MALLOC_CONF";
    const bool is_process = subject->process != NULL;
    struct hr_phrase mend =
        hr_phrase_new(is_process ? "doctor-environment-restart" : "doctor-environment-mend");
    hr_phrase_add_text(&mend, "variable", wanted);
    hr_phrase_add_text(&mend, "unit",
                       subject->unit ? hr_subject_quote(subject, subject->unit->name) : "SERVICE");
    const char *unread = subject->unit ? subject->unit->unread_file : NULL;
    if (!is_process && unread) {
        return hr_check_unknown(check, phrase_with("doctor-environment-file", "file",
                                                   hr_subject_quote(subject, unread)));
    }
    const char *set = subject->set_in;
    if (subject->options->settings) {
        set = hr_subject_find_variable(subject->environment, wanted) ? wanted : NULL;
    }
    if (!set) {
        return hr_check_mend(check, phrase_with("doctor-environment-none", "variable", wanted),
                             mend);
    }
    if (subject->variable && strcmp(set, subject->variable) != 0) {
        struct hr_phrase wrong = phrase_with("doctor-environment-wrong", "variable", wanted);
        hr_phrase_add_text(&wrong, "other", set);
        return hr_check_mend(check, wrong, mend);
    }
    if (loses_variables(subject)) {
        const char *program = program_name(subject);
        return hr_check_mend(check, phrase_with("doctor-environment-rights", "program", program),
                             phrase_with("doctor-environment-rights-mend", "program", program));
    }
    return hr_check_fine(check, phrase_with("doctor-environment-fine", "variable", set));
}

bool hr_check_symbols(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->program) {
        return false;
    }
    if (subject->program->has_symbols) {
        return hr_check_fine(check, hr_phrase_new("doctor-symbols-fine"));
    }
    return hr_check_mend(check, hr_phrase_new("doctor-symbols-none"),
                         phrase_with("doctor-symbols-mend", "program", program_name(subject)));
}

// Of a stripped program the check of its symbols has said all.
bool hr_check_debug_data(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->program || !subject->program->has_symbols) {
        return false;
    }
    if (subject->program->has_debug) {
        return hr_check_fine(check, hr_phrase_new("doctor-debug-fine"));
    }
    return hr_check_mend(check, hr_phrase_new("doctor-debug-none"),
                         hr_phrase_new("doctor-debug-mend"));
}

bool hr_check_frame_pointers(const struct hr_subject *subject, struct hr_check *check)
{
    const struct hr_program *program = subject->program;
    if (!program || isnan(program->frame_pointers_ratio) ||
        program->frame_pointers_of_count < FUNCTIONS_LEAST) {
        return false;
    }
    const bool kept = program->frame_pointers_ratio >= FRAME_POINTERS_LEAST_RATIO;
    struct hr_phrase phrase =
        kept ? hr_phrase_new("doctor-frames-fine") : hr_phrase_new("doctor-frames-none");
    hr_phrase_add_number(&phrase, "kept_ratio", program->frame_pointers_ratio);
    hr_phrase_add_number(&phrase, "functions_count", (double)program->frame_pointers_of_count);
    return kept ? hr_check_fine(check, phrase)
                : hr_check_mend(check, phrase, hr_phrase_new("doctor-frames-mend"));
}

bool hr_check_build_id(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->program) {
        return false;
    }
    if (subject->program->build_id) {
        return hr_check_fine(
            check, phrase_with("doctor-build-id-fine", "build_id", subject->program->build_id));
    }
    return hr_check_mend(check, hr_phrase_new("doctor-build-id-none"),
                         hr_phrase_new("doctor-build-id-mend"));
}
