// SPDX-License-Identifier: MIT
// What has come of it: messages in the log, dumps, their stacks, their program.
#include "doctor/check.h"

#include "base/files.h"

#include <math.h>
#include <string.h>

#define LOG_BYTES_MAX ((size_t)1024 * 1024 * 1024)
#define MESSAGE_BYTES_MAX 200
#define MARK "<jemalloc>: "

// A wrong unwinder cuts every stack; a program has some that are truly short.
#define SHORT_MOST_RATIO 0.5

static struct hr_phrase with_text(struct hr_phrase phrase, const char *slot, const char *text)
{
    hr_phrase_add_text(&phrase, slot, text);
    return phrase;
}

// What mends it, by how jemalloc's message begins (src/jemalloc.c, src/prof_sys.c).
static struct hr_phrase log_mend(const char *message)
{
    const struct {
        const char *begins;
        struct hr_phrase mend;
    } known[] = {
        {"Malformed conf string", hr_phrase_new("doctor-blanks-mend")},
        {"Invalid conf pair", hr_phrase_new("doctor-log-pair-mend")},
        {"Invalid conf value", hr_phrase_new("doctor-log-value-mend")},
        {"Out-of-range conf value", hr_phrase_new("doctor-log-value-mend")},
        {"Conf string ends with comma", hr_phrase_new("doctor-form-comma-mend")},
        {"Conf string ends with key", hr_phrase_new("doctor-form-mend")},
        {"failed to open", hr_phrase_new("doctor-log-open-mend")},
        {"creat(", hr_phrase_new("doctor-log-open-mend")},
        {"write() failed", hr_phrase_new("doctor-log-write-mend")},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
        if (g_str_has_prefix(message, known[i].begins)) {
            return known[i].mend;
        }
    }
    return hr_phrase_new("doctor-log-mend");
}

bool hr_check_log(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->options->log) {
        return false;
    }
    g_autofree char *text = NULL;
    size_t size;
    if (!hr_file_read(subject->options->log, LOG_BYTES_MAX, &text, &size, NULL)) {
        return hr_check_unknown(check, hr_phrase_new("doctor-log-unreadable"));
    }
    const char *found = memmem(text, size, MARK, strlen(MARK));
    if (!found) {
        return hr_check_fine(check, hr_phrase_new("doctor-log-fine"));
    }
    unsigned count = 0;
    const char *last = found;
    for (const char *at = found; at;
         at = memmem(at + 1, (size_t)(text + size - at - 1), MARK, strlen(MARK))) {
        last = at;
        count++;
    }
    last += strlen(MARK);
    const size_t length = MIN(strcspn(last, "\r\n"), MESSAGE_BYTES_MAX);
    const char *message = hr_arena_strndup(subject->arena, last, length);
    struct hr_phrase reason = with_text(hr_phrase_new("doctor-log-messages"), "message", message);
    hr_phrase_add_number(&reason, "messages_count", count);
    return hr_check_mend(check, reason, log_mend(message));
}

bool hr_check_dumps(const struct hr_subject *subject, struct hr_check *check)
{
    const struct hr_doctor_dumps *dumps = &subject->dumps;
    const char *given = subject->options->directory;
    if (!dumps->looked && given && g_file_test(given, G_FILE_TEST_IS_DIR)) {
        return hr_check_unknown(check, with_text(hr_phrase_new("doctor-dumps-unreadable"), "given",
                                                 hr_subject_quote(subject, given)));
    }
    // A directory that is missing has been told where it is the one that dumps go to.
    if (!dumps->looked && given && g_strcmp0(given, subject->place_here) != 0) {
        return hr_check_mend(check,
                             with_text(hr_phrase_new("doctor-dumps-missing"), "given",
                                       hr_subject_quote(subject, given)),
                             hr_phrase_new("doctor-dumps-missing-mend"));
    }
    // Where dumps are to go is no reason to miss them before the service has run.
    if (!dumps->looked || (dumps->count == 0 && !subject->options->directory)) {
        return false;
    }
    struct hr_phrase reason =
        dumps->count > 0 ? hr_phrase_new("doctor-dumps-fine") : hr_phrase_new("doctor-dumps-none");
    hr_phrase_add_number(&reason, "dumps_count", (double)dumps->count);
    if (dumps->count > 0) {
        return hr_check_fine(check, reason);
    }
    if (dumps->other_kind) {
        reason.id = "doctor-dumps-other-kind";
        return hr_check_mend(check, reason, hr_phrase_new("doctor-dumps-other-kind-mend"));
    }
    return hr_check_mend(check, reason, hr_phrase_new("doctor-dumps-mend"));
}

bool hr_check_sampled(const struct hr_subject *subject, struct hr_check *check)
{
    const struct hr_doctor_dumps *dumps = &subject->dumps;
    if (dumps->looked_into == 0) {
        return false;
    }
    if (dumps->stacks_count > 0) {
        struct hr_phrase fine = hr_phrase_new("doctor-sampled-fine");
        hr_phrase_add_number(&fine, "stacks_count", (double)dumps->stacks_count);
        return hr_check_fine(check, fine);
    }
    return hr_check_mend(check,
                         with_text(hr_phrase_new("doctor-sampled-none"), "file", dumps->last_file),
                         hr_phrase_new("doctor-sampled-mend"));
}

bool hr_check_match(const struct hr_subject *subject, struct hr_check *check)
{
    const struct hr_doctor_dumps *dumps = &subject->dumps;
    if (!subject->program || dumps->stacks_count == 0) {
        return false;
    }
    struct hr_phrase phrase = hr_phrase_new("doctor-match-fine");
    hr_phrase_add_text(&phrase, "program", hr_subject_quote(subject, subject->program->path));
    hr_phrase_add_number(&phrase, "match_ratio", dumps->match_ratio);
    switch (dumps->match) {
    case HR_BINARY_CONFIRMED:
        return hr_check_fine(check, phrase);
    case HR_BINARY_MISMATCH:
        phrase.id = "doctor-match-wrong";
        return hr_check_mend(check, phrase, hr_phrase_new("doctor-match-mend"));
    case HR_BINARY_UNKNOWN:
        phrase.id = "doctor-match-unknown";
        return hr_check_unknown(check, phrase);
    }
    g_assert_not_reached();
}

bool hr_check_whole_stacks(const struct hr_subject *subject, struct hr_check *check)
{
    const struct hr_doctor_dumps *dumps = &subject->dumps;
    if (dumps->stacks_count == 0) {
        return false;
    }
    const double ratio = (double)dumps->short_count / (double)dumps->stacks_count;
    struct hr_phrase phrase = ratio > SHORT_MOST_RATIO ? hr_phrase_new("doctor-stacks-short")
                                                       : hr_phrase_new("doctor-stacks-fine");
    hr_phrase_add_number(&phrase, "short_ratio", ratio);
    return ratio > SHORT_MOST_RATIO
               ? hr_check_mend(check, phrase, hr_phrase_new("doctor-frames-mend"))
               : hr_check_fine(check, phrase);
}
