// SPDX-License-Identifier: MIT
#include "result/text.h"

#include <string.h>

static void test_built_in_loads(void)
{
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_text) text = hr_text_load(NULL, &error);
    g_assert_no_error(error);
    g_assert_true(hr_text_has(text, "HR-001"));
    g_assert_cmpstr(hr_text_language(text), ==, "en");
    g_assert_cmpstr(hr_text_get(text, "no-such-text"), ==, "no-such-text");
}

static void test_diagnostic(void)
{
    g_autoptr(GError) error = NULL;
    static const char OWN[] = "<texts language=\"de\"><text id=\"HR-001\">{count}\n   Dateien,"
                              "<!-- why --> zuerst <![CDATA[{file}]]>\n</text></texts>";
    HR_AUTO(hr_text) text = hr_text_load_bytes("own.xml", OWN, strlen(OWN), &error);
    g_assert_no_error(error);
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    hr_diagnostics_add(diagnostics, HR_DIAG_DUMP_CUT, "a.1.heap", "kept_ratio", "0.81", NULL);
    hr_diagnostics_add(diagnostics, HR_DIAG_DUMP_CUT, "a.2.heap", NULL);
    g_autoptr(GString) out = g_string_new(NULL);
    hr_text_append_diagnostic(text, out, hr_diagnostics_get(diagnostics, 0));
    g_assert_cmpstr(out->str, ==, "2 Dateien, zuerst a.1.heap");
    g_string_truncate(out, 0);
    hr_text_append_remedy(text, out, hr_diagnostics_get(diagnostics, 0));
    g_assert_cmpuint(out->len, >, 0);
    g_assert_cmpstr(hr_text_language(text), ==, "de");
}

static const struct {
    const char *inner;
    const char *text;
} FOLDED[] = {
    {"a  b\n  c", "a b c"},
    {"\n  a b\n", "a b"},
    {" and more", " and more"},
    {"a <!-- b -->c ", "a c "},
    {"", ""},
    {"\n", ""},
};

static void test_white_space(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(FOLDED); i++) {
        g_autoptr(GError) error = NULL;
        g_autofree char *bytes =
            g_strdup_printf("<texts><text id=\"HR-001\">%s</text></texts>", FOLDED[i].inner);
        HR_AUTO(hr_text) text = hr_text_load_bytes("own.xml", bytes, strlen(bytes), &error);
        g_assert_no_error(error);
        g_assert_cmpstr(hr_text_get(text, "HR-001"), ==, FOLDED[i].text);
    }
}

static const struct {
    const char *bytes;
    const char *message;
} FAULTS[] = {
    {"", "own.xml:1: "},
    {"<texts>\n<text id=\"HR-001\">a", "own.xml:2: "},
    {"<texts>\n\n<text id=\"HR-1\">a</text></texts>", "own.xml:3: there is no text \"HR-1\""},
    {"<texts>\n<text>a</text></texts>", "own.xml:2: a text needs an id"},
    {"<texts>\n<text id=\"HR-001\">{nobody}</text></texts>",
     "own.xml:2: text \"HR-001\" has no slot {nobody}"},
    {"<texts><text id=\"HR-001\">a</text>\n<text id=\"HR-001\">b</text></texts>",
     "own.xml:2: text \"HR-001\" stands there twice"},
    {"<texts>\n<text id=\"HR-001\">a <b>c</b></text></texts>",
     "own.xml:2: a text holds nothing but text"},
    {"<texts>\nloose</texts>", "own.xml:2: only text elements stand in texts"},
    {"<words/>", "own.xml:1: the root element is not texts"},
    {"<!DOCTYPE texts [<!ENTITY e SYSTEM \"file:///etc/passwd\">]>\n<texts><text id=\"HR-001\">&e;"
     "</text></texts>",
     "own.xml:2: a document type is not allowed"},
    {"<texts><text id=\"HR-001\">&undefined;</text></texts>", "own.xml:1: "},
};

static void test_faults_name_file_and_line(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(FAULTS); i++) {
        g_autoptr(GError) error = NULL;
        HR_AUTO(hr_text)
        text = hr_text_load_bytes("own.xml", FAULTS[i].bytes, strlen(FAULTS[i].bytes), &error);
        g_assert_null(text);
        g_assert_error(error, HR_ERROR, HR_ERROR_TEMPLATE);
        g_test_message("%s", error->message);
        g_assert_true(g_str_has_prefix(error->message, FAULTS[i].message));
    }
}

static void test_missing_file(void)
{
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_text) text = hr_text_load("/nonexistent/own.xml", &error);
    g_assert_null(text);
    g_assert_true(g_str_has_prefix(error->message, "/nonexistent/own.xml: "));
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/text/built-in-loads", test_built_in_loads);
    g_test_add_func("/text/diagnostic", test_diagnostic);
    g_test_add_func("/text/white-space", test_white_space);
    g_test_add_func("/text/faults-name-file-and-line", test_faults_name_file_and_line);
    g_test_add_func("/text/missing-file", test_missing_file);
    return g_test_run();
}
