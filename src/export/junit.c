// SPDX-License-Identifier: MIT
#include "export/formats.h"
#include "result/tree.h"

static void append_attribute(GString *out, const char *name, const char *value)
{
    g_autofree char *escaped = g_markup_escape_text(value ? value : "", -1);
    g_string_append_printf(out, " %s=\"%s\"", name, escaped);
}

static void append_outcome(GString *out, const json_t *gate, const char *element)
{
    g_string_append_printf(out, "    <%s", element);
    append_attribute(out, "message", hr_tree_text(gate, "because"));
    append_attribute(out, "type", hr_tree_text(gate, "outcome"));
    g_string_append(out, "/>\n");
}

static void append_gate(GString *out, const json_t *gate, const char *class_name)
{
    const char *outcome = hr_tree_text(gate, "outcome");
    g_string_append(out, "  <testcase");
    append_attribute(out, "classname", class_name);
    append_attribute(out, "name", hr_tree_text(gate, "rule"));
    append_attribute(out, "time", "0");
    g_string_append(out, ">\n");
    if (g_strcmp0(outcome, "tripped") == 0) {
        append_outcome(out, gate, "failure");
    } else if (g_strcmp0(outcome, "inconclusive") == 0) {
        append_outcome(out, gate, "error");
    } else {
        g_autofree char *because = g_markup_escape_text(hr_tree_text(gate, "because"), -1);
        g_string_append_printf(out, "    <system-out>%s</system-out>\n", because);
    }
    g_string_append(out, "  </testcase>\n");
}

// Without gates the verdict is the one test, which nothing can fail.
static void append_verdict(GString *out, const json_t *result, const char *class_name)
{
    const json_t *verdict = json_object_get(result, "verdict");
    const char *sentence = hr_tree_text(verdict, "sentence");
    g_autofree char *escaped = g_markup_escape_text(sentence ? sentence : "", -1);
    g_string_append(out, "  <testcase");
    append_attribute(out, "classname", class_name);
    append_attribute(out, "name", hr_tree_text(verdict, "class"));
    g_string_append_printf(out, " time=\"0\">\n    <system-out>%s</system-out>\n  </testcase>\n",
                           escaped);
}

static size_t count_outcomes(const json_t *gates, const char *outcome)
{
    size_t count = 0;
    size_t i;
    json_t *gate;
    json_array_foreach(gates, i, gate)
    {
        count += g_strcmp0(hr_tree_text(gate, "outcome"), outcome) == 0;
    }
    return count;
}

static const char *class_name_of(const json_t *result)
{
    const char *label = hr_tree_text(json_object_get(result, "labels"), "service");
    const char *prefix = hr_tree_text(json_object_get(result, "run"), "prefix");
    return label ? label : prefix ? prefix : "heapreport";
}

void hr_junit_export_write(const json_t *result, const struct hr_text *text, GByteArray *out)
{
    (void)text;
    const json_t *gates = json_object_get(result, "gates");
    const size_t count = json_array_size(gates);
    g_autoptr(GString) suite =
        g_string_new("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite");
    append_attribute(suite, "name", hr_tree_text(result, "title"));
    g_string_append_printf(suite, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"0\"",
                           MAX(count, 1), count_outcomes(gates, "tripped"),
                           count_outcomes(gates, "inconclusive"));
    if (hr_tree_text(result, "generated_time")) {
        append_attribute(suite, "timestamp", hr_tree_text(result, "generated_time"));
    }
    g_string_append(suite, " time=\"0\">\n");
    size_t i;
    json_t *gate;
    json_array_foreach(gates, i, gate)
    {
        append_gate(suite, gate, class_name_of(result));
    }
    if (count == 0) {
        append_verdict(suite, result, class_name_of(result));
    }
    g_string_append(suite, "</testsuite>\n");
    g_byte_array_append(out, (const guint8 *)suite->str, (guint)suite->len);
}
