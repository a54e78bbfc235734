// SPDX-License-Identifier: MIT
#include "command/unusable.h"

#include "command/no_dumps.h"

#include <inttypes.h>

// What was said of the files while they were read is why none of them can be used.
static void append_told(const struct hr_diagnostics *diagnostics, const struct hr_text *text,
                        GString *sentence)
{
    for (guint i = 0; i < hr_diagnostics_count(diagnostics); i++) {
        const struct hr_diagnostic *cause = hr_diagnostics_get(diagnostics, i);
        g_string_append_c(sentence, ' ');
        hr_text_append_diagnostic(text, sentence, cause);
        g_string_append_c(sentence, ' ');
        hr_text_append_remedy(text, sentence, cause);
    }
}

static bool all_left_out(const struct hr_run *run)
{
    size_t count = 0;
    for (size_t i = 0; i < run->dumps_count; i++) {
        count += run->dumps[i].note == HR_DUMP_NOTE_EXCLUDED;
    }
    return count > 0 && count == run->dumps_count;
}

static const char *sentence_id(const struct hr_run *run, bool unknown_pid)
{
    if (run->dumps_count > 0) {
        return all_left_out(run) ? "all-left-out" : "no-usable-dumps";
    }
    return unknown_pid ? "no-process" : "no-dumps";
}

bool hr_unusable_check(const struct hr_run *run, const struct hr_options *options,
                       const struct hr_rules *rules, const struct hr_diagnostics *diagnostics,
                       const struct hr_confinement *confinement, const struct hr_text *text,
                       GError **error)
{
    // A --pid that neither a dump nor a measurement names was mistyped, whatever else lies there.
    const bool unknown_pid =
        options->pid >= 0 && run->dumps_count == 0 && !run->evidence.names_process;
    if (hr_run_used_count(run) > 0 || (run->evidence.files_count > 0 && !unknown_pid)) {
        return true;
    }
    struct hr_phrase nothing = hr_phrase_new(sentence_id(run, unknown_pid));
    g_autofree char *pid = g_strdup_printf("%" PRId64, options->pid);
    hr_phrase_add_text(&nothing, "pid", pid);
    hr_phrase_add_text(&nothing, "directory", run->directory);
    hr_phrase_add_number(&nothing, "dumps_count", (double)run->dumps_count);
    g_autoptr(GString) sentence = g_string_new(NULL);
    hr_text_append(text, sentence, &nothing);
    append_told(diagnostics, text, sentence);
    if (run->dumps_count == 0 && !unknown_pid &&
        !hr_confinement_append_causes(confinement, sentence)) {
        hr_no_dumps_append_causes(options, rules, text, sentence);
    }
    g_set_error_literal(error, HR_ERROR, HR_ERROR_INPUT, sentence->str);
    return false;
}
