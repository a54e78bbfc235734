// SPDX-License-Identifier: MIT
#include "result/show.h"

#include "base/format.h"
#include "result/tree.h"

#include <string.h>

#define FINGERPRINT_DIGITS_MIN 4

static void add_number(struct hr_phrase *phrase, const json_t *object, const char *key)
{
    hr_phrase_add_number(phrase, key, hr_tree_number(object, key));
}

static void append_line(const struct hr_text *text, GString *out, const struct hr_phrase *phrase)
{
    hr_text_append(text, out, phrase);
    g_string_append_c(out, '\n');
}

// A sentence of the result, when there is one.
static void append_sentence(GString *out, const json_t *object, const char *key)
{
    if (hr_tree_text(object, key)) {
        g_string_append_printf(out, "%s\n", hr_tree_text(object, key));
    }
}

static void append_growth(GString *out, const json_t *suspect)
{
    const struct hr_estimate growth = {hr_tree_number(suspect, "growth_bytes"),
                                       hr_tree_number(suspect, "growth_bytes_low"),
                                       hr_tree_number(suspect, "growth_bytes_high")};
    hr_format_append_estimate(out, "growth_bytes", growth, hr_tree_is(suspect, "significant"));
}

void hr_show_overview(const json_t *result, const struct hr_text *text, GString *out)
{
    append_sentence(out, json_object_get(result, "verdict"), "sentence");
    const json_t *suspects = json_object_get(result, "suspects");
    size_t i;
    json_t *suspect;
    json_array_foreach(suspects, i, suspect)
    {
        g_string_append_printf(out, "%-4s", hr_tree_text(suspect, "id"));
        append_growth(out, suspect);
        g_string_append_printf(out, "  %s\n", hr_tree_text(suspect, "function"));
    }
    if (json_array_size(suspects) == 0) {
        const struct hr_phrase none = hr_phrase_new("show-no-suspects");
        append_line(text, out, &none);
    }
}

static bool matches(const json_t *suspect, const char *name)
{
    const bool by_id = g_ascii_strcasecmp(hr_tree_text(suspect, "id"), name) == 0;
    return by_id || (strlen(name) >= FINGERPRINT_DIGITS_MIN &&
                     g_str_has_prefix(hr_tree_text(suspect, "fingerprint"), name));
}

static const json_t *find_suspect(const json_t *result, const char *name, GError **error)
{
    const json_t *found = NULL;
    size_t i;
    json_t *suspect;
    json_array_foreach(json_object_get(result, "suspects"), i, suspect)
    {
        if (!matches(suspect, name)) {
            continue;
        }
        if (found) {
            g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "\"%s\" names several suspects", name);
            return NULL;
        }
        found = suspect;
    }
    if (!found) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "the result has no suspect \"%s\"", name);
    }
    return found;
}

static void append_place(GString *out, const json_t *object)
{
    const char *file = hr_tree_text(object, "file");
    const json_t *line = json_object_get(object, "line");
    if (file && json_is_integer(line)) {
        g_string_append_printf(out, "%s:%" JSON_INTEGER_FORMAT, file, json_integer_value(line));
    } else if (file) {
        g_string_append(out, file);
    } else if (hr_tree_text(object, "module")) {
        g_string_append(out, hr_tree_text(object, "module"));
    }
}

static void append_amounts(const struct hr_text *text, GString *out, const json_t *suspect)
{
    struct hr_phrase amounts = hr_phrase_new("show-amounts");
    g_autoptr(GString) growth = g_string_new(NULL);
    append_growth(growth, suspect);
    hr_phrase_add_text(&amounts, "growth", growth->str);
    add_number(&amounts, suspect, "share_ratio");
    add_number(&amounts, suspect, "base_bytes");
    add_number(&amounts, suspect, "final_bytes");
    append_line(text, out, &amounts);

    struct hr_phrase course = hr_phrase_new("show-course");
    hr_phrase_add_text(&course, "shape", hr_tree_text(suspect, "shape"));
    add_number(&course, suspect, "rate_bytes_per_hour");
    add_number(&course, suspect, "rate_bytes_per_hour_low");
    add_number(&course, suspect, "rate_bytes_per_hour_high");
    add_number(&course, suspect, "growth_objects");
    add_number(&course, suspect, "mean_object_bytes");
    append_line(text, out, &course);
}

static void append_frame(GString *out, const json_t *frame)
{
    const bool responsible = hr_tree_is(frame, "responsible");
    const bool inlined = hr_tree_is(frame, "inlined");
    g_string_append_printf(out, "  %s %s%s  ", responsible ? ">" : " ",
                           hr_tree_text(frame, "function"), inlined ? " [inlined]" : "");
    append_place(out, frame);
    g_string_append_c(out, '\n');
}

static void append_stack(const struct hr_text *text, GString *out, const json_t *stack,
                         size_t number)
{
    struct hr_phrase head = hr_phrase_new("show-stack");
    hr_phrase_add_number(&head, "number_count", (double)number);
    add_number(&head, stack, "growth_bytes");
    add_number(&head, stack, "final_bytes");
    g_string_append_c(out, '\n');
    append_line(text, out, &head);
    size_t i;
    json_t *frame;
    json_array_foreach(json_object_get(stack, "frames"), i, frame)
    {
        append_frame(out, frame);
    }
    if (hr_tree_number(stack, "frames_rest_count") > 0) {
        struct hr_phrase rest = hr_phrase_new("show-frames-rest");
        add_number(&rest, stack, "frames_rest_count");
        append_line(text, out, &rest);
    }
}

static void append_stacks(const struct hr_text *text, GString *out, const json_t *suspect)
{
    size_t i;
    json_t *stack;
    json_array_foreach(json_object_get(suspect, "stacks"), i, stack)
    {
        append_stack(text, out, stack, i + 1);
    }
    const json_t *rest = json_object_get(suspect, "stacks_rest");
    if (hr_tree_number(rest, "stacks_count") > 0) {
        struct hr_phrase sentence = hr_phrase_new("show-stacks-rest");
        add_number(&sentence, rest, "stacks_count");
        add_number(&sentence, rest, "growth_bytes");
        g_string_append_c(out, '\n');
        append_line(text, out, &sentence);
    }
}

bool hr_show_suspect(const json_t *result, const struct hr_text *text, const char *name,
                     GString *out, GError **error)
{
    const json_t *suspect = find_suspect(result, name, error);
    if (!suspect) {
        return false;
    }
    g_string_append_printf(out, "%s %s\n", hr_tree_text(suspect, "id"),
                           hr_tree_text(suspect, "function"));
    append_place(out, suspect);
    g_string_append_printf(out, "  [%s]\n", hr_tree_text(suspect, "fingerprint"));
    append_amounts(text, out, suspect);
    append_sentence(out, suspect, "advice");
    struct hr_phrase harmless = hr_phrase_new("show-harmless");
    if (hr_tree_text(suspect, "harmless_if")) {
        hr_phrase_add_text(&harmless, "harmless_if", hr_tree_text(suspect, "harmless_if"));
        append_line(text, out, &harmless);
    }
    append_stacks(text, out, suspect);
    return true;
}
