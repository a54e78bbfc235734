// SPDX-License-Identifier: MIT
#include "command/unusable.h"

#include "command/no_dumps.h"

#include <inttypes.h>
#include <math.h>

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

// Dumps of an earlier process never stand for those of the newest one in silence; who wants them
// has to say so. --pid tells no two processes of one pid apart.
static void append_others(const struct hr_run *run, const struct hr_text *text, GString *sentence)
{
    const struct hr_other_run *newest = NULL;
    size_t same_pid = 0;
    for (size_t i = 0; i < run->other_runs_count; i++) {
        const struct hr_other_run *other = &run->other_runs[i];
        if (other->key.pid == run->key.pid) {
            same_pid++;
        } else if (other->key.pid >= 0 && (!newest || other->last_time_s > newest->last_time_s)) {
            newest = other;
        }
    }
    if (!newest && same_pid == 0) {
        return;
    }
    struct hr_phrase others = hr_phrase_new(newest ? "no-usable-others" : "no-usable-same-pid");
    g_autofree char *pid = g_strdup_printf("%" PRId64, newest ? newest->key.pid : run->key.pid);
    hr_phrase_add_text(&others, "pid", pid);
    hr_phrase_add_number(&others, "dumps_count", newest ? (double)newest->dumps_found : NAN);
    g_string_append_c(sentence, ' ');
    hr_text_append(text, sentence, &others);
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
    if (run->dumps_count > 0 && !all_left_out(run) && options->pid < 0) {
        append_others(run, text, sentence);
    }
    append_told(diagnostics, text, sentence);
    if (run->dumps_count == 0 && !unknown_pid &&
        !hr_confinement_append_causes(confinement, sentence)) {
        hr_no_dumps_append_causes(options, rules, text, sentence);
    }
    g_set_error_literal(error, HR_ERROR, HR_ERROR_INPUT, sentence->str);
    return false;
}
