// SPDX-License-Identifier: MIT
#include "command/messages.h"

#include "base/files.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

// A message that quotes a long value keeps its start, which says what is wrong, and its end, which
// says what to do.
#define MESSAGE_LETTERS_MAX 1600
#define MESSAGE_HEAD_LETTERS 1000
#define MESSAGE_TAIL_LETTERS 500

void hr_messages_init(struct hr_messages *messages)
{
    *messages = (struct hr_messages){.terminal = isatty(STDERR_FILENO)};
}

static int output_errno; // why the last write to standard output failed

bool hr_messages_output(const char *bytes, size_t size)
{
    const bool written = hr_file_write_all(STDOUT_FILENO, bytes, size);
    output_errno = written ? output_errno : errno;
    return written;
}

const char *hr_messages_output_fault(void)
{
    return g_strerror(output_errno);
}

bool hr_messages_path(const char *path)
{
    g_autofree char *line = g_strconcat(path, "\n", NULL);
    return hr_messages_output(line, strlen(line));
}

// A file or function name may hold anything: a terminal must not obey it, and a log line stays one.
static void append_printable(GString *out, const char *text)
{
    while (*text) {
        const gunichar c = g_utf8_get_char_validated(text, -1);
        const bool broken = c == (gunichar)-1 || c == (gunichar)-2;
        const bool hidden =
            !broken && (g_unichar_iscntrl(c) || g_unichar_type(c) == G_UNICODE_FORMAT);
        const char *next = broken ? text + 1 : text + g_utf8_skip[*(const guchar *)text];
        for (; (broken || hidden) && text < next; text++) {
            g_string_append_printf(out, "\\x%02x", (guchar)*text);
        }
        g_string_append_len(out, text, next - text);
        text = next;
    }
}

bool hr_messages_line(const char *text)
{
    g_autoptr(GString) line = g_string_new(NULL);
    append_printable(line, text);
    g_string_append_c(line, '\n');
    return hr_messages_output(line->str, line->len);
}

static void wipe_progress(struct hr_messages *messages)
{
    if (messages->progress_shown) {
        (void)hr_file_write_all(STDERR_FILENO, "\r\033[K", 4);
        messages->progress_shown = false;
    }
}

static void cut_middle(GString *line)
{
    const glong letters = g_utf8_strlen(line->str, -1);
    if (letters <= MESSAGE_LETTERS_MAX) {
        return;
    }
    const char *cut = g_utf8_offset_to_pointer(line->str, MESSAGE_HEAD_LETTERS);
    const char *end = g_utf8_offset_to_pointer(line->str, letters - MESSAGE_TAIL_LETTERS);
    g_autofree char *tail = g_strdup(end);
    g_string_truncate(line, (gsize)(cut - line->str));
    g_string_append_printf(line, " [%ld letters left out] %s",
                           letters - MESSAGE_HEAD_LETTERS - MESSAGE_TAIL_LETTERS, tail);
}

static void print_line(struct hr_messages *messages, const char *text)
{
    wipe_progress(messages);
    g_autoptr(GString) line = g_string_new("heapreport: ");
    append_printable(line, text);
    cut_middle(line);
    g_string_append_c(line, '\n');
    // Where standard error cannot be written there is nobody left to tell.
    (void)hr_file_write_all(STDERR_FILENO, line->str, line->len);
}

void hr_messages_error(struct hr_messages *messages, const GError *error)
{
    print_line(messages, error->message);
}

void hr_messages_phrase(struct hr_messages *messages, const struct hr_phrase *phrase)
{
    g_autoptr(GString) text = g_string_new(NULL);
    hr_text_append(messages->text, text, phrase);
    print_line(messages, text->str);
}

static void print_diagnostic(struct hr_messages *messages, const struct hr_diagnostic *diagnostic)
{
    g_autoptr(GString) line = g_string_new(NULL);
    g_string_append_printf(line, "HR-%03u: ", (unsigned)diagnostic->code);
    hr_text_append_diagnostic(messages->text, line, diagnostic);
    print_line(messages, line->str);
    if (!messages->verbose) {
        return;
    }
    for (unsigned i = 0; i < diagnostic->files_count; i++) {
        g_autofree char *file = g_strconcat("  ", diagnostic->files[i], NULL);
        print_line(messages, file);
    }
    g_string_assign(line, "  ");
    hr_text_append_remedy(messages->text, line, diagnostic);
    if (line->len > 2) {
        print_line(messages, line->str);
    }
}

void hr_messages_diagnostics(struct hr_messages *messages, const struct hr_diagnostics *diagnostics)
{
    for (guint i = 0; i < hr_diagnostics_count(diagnostics); i++) {
        const struct hr_diagnostic *diagnostic = hr_diagnostics_get(diagnostics, i);
        const bool wanted = messages->verbose ||
                            (!messages->quiet && diagnostic->severity != HR_SEVERITY_NOTE) ||
                            diagnostic->severity == HR_SEVERITY_ERROR;
        if (wanted) {
            print_diagnostic(messages, diagnostic);
        }
    }
}

void hr_messages_phase(struct hr_messages *messages, const char *id)
{
    hr_messages_phase_end(messages);
    messages->phase = id;
    messages->phase_began_us = g_get_monotonic_time();
    if (!messages->terminal || messages->quiet || messages->verbose) {
        return;
    }
    g_autofree char *line =
        g_strdup_printf("\r\033[Kheapreport: %s", hr_text_get(messages->text, id));
    messages->progress_shown = hr_file_write_all(STDERR_FILENO, line, strlen(line));
}

void hr_messages_phase_end(struct hr_messages *messages)
{
    const char *phase = messages->phase;
    messages->phase = NULL;
    wipe_progress(messages);
    if (!phase || !messages->verbose) {
        return;
    }
    const gint64 took_us = g_get_monotonic_time() - messages->phase_began_us;
    g_autofree char *milliseconds = g_strdup_printf("%" G_GINT64_FORMAT, (took_us + 500) / 1000);
    struct hr_phrase took = hr_phrase_new("phase-took");
    hr_phrase_add_text(&took, "phase", hr_text_get(messages->text, phase));
    hr_phrase_add_text(&took, "milliseconds", milliseconds);
    hr_messages_phrase(messages, &took);
}
