// SPDX-License-Identifier: MIT
// heapreport doctor: why does this service write no dumps, or dumps without names?
#include "doctor/doctor.h"

#include "command/data_dir.h"
#include "command/verbs.h"
#include "ingest/ingest.h"

#include <errno.h>
#include <jansson.h>

static const char *const outcomes[] = {
    [HR_CHECK_FINE] = "fine", [HR_CHECK_MEND] = "mend", [HR_CHECK_UNKNOWN] = "unknown"};

static const char *const *terminated(GPtrArray *list)
{
    if (list->len > 0 && list->pdata[list->len - 1]) {
        g_ptr_array_add(list, NULL);
    }
    return list->len > 0 ? (const char *const *)list->pdata : NULL;
}

static bool check_options(const struct hr_options *options, GError **error)
{
    if (options->binary || options->settings || options->units->len > 0 || options->pid >= 0 ||
        options->directory || options->log) {
        return true;
    }
    g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                        "doctor needs something to examine: heapreport doctor --pid N, --binary "
                        "FILE, --unit FILE, --conf STRING, --dir DIR or --log FILE");
    return false;
}

static char *fill(const struct hr_text *text, const struct hr_phrase *phrase)
{
    g_autoptr(GString) out = g_string_new(NULL);
    hr_text_append(text, out, phrase);
    return g_strdup(out->str);
}

// Names of files may hold anything; a line stays one, and steers no terminal.
static bool print_line(const char *head, const char *tail)
{
    g_autofree char *line = g_strconcat(head, tail, NULL);
    return hr_messages_line(line);
}

static bool print_check(const struct hr_text *text, const struct hr_check *check)
{
    g_autofree char *head = g_strdup_printf("%-8s %-16s ", outcomes[check->outcome], check->id);
    g_autofree char *reason = fill(text, &check->reason);
    g_autofree char *mend = fill(text, &check->mend);
    return print_line(head, reason) &&
           (check->outcome != HR_CHECK_MEND || print_line("                          > ", mend));
}

static bool print_advice(const struct hr_text *text, const struct hr_advice *advice)
{
    bool printed =
        print_line("", "") &&
        print_line(hr_text_get(text, advice->variable ? "doctor-advice-one" : "doctor-advice-both"),
                   "") &&
        print_line("  ", advice->settings) && print_line("", "") &&
        print_line(hr_text_get(text, "doctor-advice-override"), "");
    g_auto(GStrv) lines = g_strsplit(advice->override, "\n", -1);
    for (char **line = lines; printed && *line && **line; line++) {
        printed = print_line("  ", *line);
    }
    return printed;
}

// With -q only what is to be mended, and nothing where all is well.
static bool print_text(const struct hr_doctor_report *report, const struct hr_messages *messages)
{
    for (size_t i = 0; i < report->checks_count; i++) {
        const struct hr_check *check = &report->checks[i];
        if ((!messages->quiet || check->outcome == HR_CHECK_MEND) &&
            !print_check(messages->text, check)) {
            return false;
        }
    }
    return messages->quiet || print_advice(messages->text, &report->advice);
}

// Bytes that are no UTF-8 become U+FFFD: JSON has no other way.
static json_t *json_of(const char *text)
{
    g_autofree char *valid = text ? g_utf8_make_valid(text, -1) : NULL;
    return valid ? json_string(valid) : json_null();
}

static json_t *compose_check(const struct hr_text *text, const struct hr_check *check)
{
    g_autofree char *reason = fill(text, &check->reason);
    g_autofree char *mend = fill(text, &check->mend);
    json_t *object = json_object();
    json_object_set_new(object, "id", json_string(check->id));
    json_object_set_new(object, "outcome", json_string(outcomes[check->outcome]));
    json_object_set_new(object, "reason", json_of(reason));
    json_object_set_new(object, "mend", json_of(check->outcome == HR_CHECK_MEND ? mend : NULL));
    return object;
}

static bool print_json(const struct hr_doctor_report *report, const struct hr_text *text)
{
    json_t *root = json_object();
    json_t *checks = json_array();
    json_object_set_new(root, "schema", json_string("heapreport-doctor"));
    json_object_set_new(root, "schema_version", json_string("1.0"));
    for (size_t i = 0; i < report->checks_count; i++) {
        json_array_append_new(checks, compose_check(text, &report->checks[i]));
    }
    json_object_set_new(root, "checks", checks);
    json_object_set_new(root, "mend_count", json_integer((json_int_t)report->mend_count));
    json_t *advice = json_object();
    json_object_set_new(advice, "variable", json_of(report->advice.variable));
    json_object_set_new(advice, "conf", json_of(report->advice.settings));
    json_object_set_new(advice, "override", json_of(report->advice.override));
    json_object_set_new(root, "advice", advice);
    // A terminal may show it: no byte of it steers one, nor turns the way that text runs.
    char *bytes = json_dumps(root, JSON_INDENT(2) | JSON_ENSURE_ASCII);
    json_decref(root);
    const bool printed = hr_messages_path(bytes);
    free(bytes);
    return printed;
}

bool hr_verb_doctor(const struct hr_options *options, struct hr_messages *messages,
                    enum hr_gates_outcome *outcome, GError **error)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    g_autofree char *data_dir = NULL;
    struct hr_rules rules;
    if (!check_options(options, error) || !(data_dir = hr_data_dir_find(error)) ||
        !hr_ingest_read_rules(arena, &rules, data_dir, NULL, error)) {
        return false;
    }
    const struct hr_doctor_options examine = {
        .binary = options->binary,
        .settings = options->settings,
        .units = terminated(options->units),
        .pid = options->pid,
        .directory = options->directory,
        .log = options->log,
        .user = options->user,
        .debug_dirs = terminated(options->debug_dirs),
    };
    const struct hr_doctor_report *report = hr_doctor_examine(arena, &examine, &rules, error);
    if (!report) {
        return false;
    }
    if (!(options->json ? print_json(report, messages->text) : print_text(report, messages))) {
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "standard output: %s", g_strerror(errno));
        return false;
    }
    *outcome = report->mend_count > 0 ? HR_GATES_TRIPPED : HR_GATES_PASSED;
    return true;
}
