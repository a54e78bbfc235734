// SPDX-License-Identifier: MIT
#include "command/no_dumps.h"

#include "doctor/doctor.h"

#include <string.h>
#include <unistd.h>

#define FINDINGS_MAX 4 // more would bury the sentence; doctor has them all

static void append_finding(const struct hr_text *text, GString *sentence, size_t number,
                           const struct hr_check *check)
{
    g_string_append_printf(sentence, " [%zu] ", number);
    hr_text_append(text, sentence, &check->reason);
    if (check->mend.id) {
        g_string_append_c(sentence, ' ');
        hr_text_append(text, sentence, &check->mend);
    }
}

// A process that is gone can be asked nothing; the other things still can.
static int64_t running_pid(int64_t pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%" G_GINT64_FORMAT, pid);
    return pid > 0 && access(path, F_OK) == 0 ? pid : -1;
}

void hr_no_dumps_append_causes(const struct hr_options *options, const struct hr_rules *rules,
                               const struct hr_text *text, GString *sentence)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    const struct hr_doctor_options asked = {
        .binary = options->binary,
        .pid = running_pid(options->pid),
        // No program writes its dumps into an archive.
        .directory = g_file_test(options->directory, G_FILE_TEST_IS_DIR) ? options->directory : NULL,
    };
    // What doctor cannot read was told by the run, or is told by doctor itself.
    const struct hr_doctor_report *report = hr_doctor_examine(arena, &asked, rules, NULL);
    size_t found = 0;
    for (size_t i = 0; report && i < report->checks_count && found < FINDINGS_MAX; i++) {
        const struct hr_check *check = &report->checks[i];
        // That there are no dumps is what was asked, and no answer.
        if (check->outcome == HR_CHECK_MEND && strcmp(check->id, "dumps") != 0) {
            append_finding(text, sentence, ++found, check);
        }
    }
    if (found == 0) {
        g_string_append_c(sentence, ' ');
        g_string_append(sentence, hr_text_get(text, "no-dumps-causes"));
    }
}
