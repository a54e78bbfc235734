// SPDX-License-Identifier: MIT
#include "command/dry_run.h"

static bool print_line(const struct hr_text *text, const char *id, const char *file,
                       const struct hr_phrase *reason)
{
    g_autoptr(GString) why = g_string_new(NULL);
    hr_text_append(text, why, reason);
    struct hr_phrase line = hr_phrase_new(file ? id : "choice-none");
    if (file) {
        hr_phrase_add_text(&line, "file", file);
        hr_phrase_add_text(&line, "reason", why->str);
    }
    g_autoptr(GString) out = g_string_new(NULL);
    hr_text_append(text, out, &line);
    return hr_messages_line(out->str);
}

static const char *file_of(const struct hr_run *run, size_t dump)
{
    return dump == HR_CHOICE_NONE ? NULL : run->dumps[dump].file;
}

bool hr_dry_run_print(const struct hr_run *run, const struct hr_choice *choice,
                      const char *base_path, const struct hr_diagnostics *diagnostics,
                      struct hr_messages *messages, GError **error)
{
    const struct hr_phrase other_run = hr_phrase_new("choice-base-other-run");
    const char *base = base_path ? base_path : file_of(run, choice->base);
    const char *final = file_of(run, choice->final);
    hr_messages_phase_end(messages);
    bool printed = print_line(messages->text, "choice-base", base,
                              base_path ? &other_run : &choice->base_reason);
    if (final) {
        printed &= print_line(messages->text, "choice-final", final, &choice->final_reason);
    }
    hr_messages_diagnostics(messages, diagnostics);
    if (!printed) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_OUTPUT, "cannot write to standard output");
    }
    return printed;
}
