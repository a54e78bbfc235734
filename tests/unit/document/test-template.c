// SPDX-License-Identifier: MIT
// A template that is wrong is refused with the line where it is wrong.
#include "document/check.h"

#include <glib/gstdio.h>
#include <string.h>

struct wrong {
    const char *name;
    const char *text;    // of main.xml; part.xml is beside it
    const char *message; // starts so, behind the folder
};

#define REPORT(inside) "<report rest=''>\n" inside "\n</report>"

static const struct wrong cases[] = {
    {"no-xml", "<report", "main.xml:1: "},
    {"no-report", "<section/>", "main.xml:1: a template's root is <report>"},
    {"element", REPORT("<section><blink/></section>"), "main.xml:2: unknown element <blink>"},
    {"element-in-rest", REPORT("<section>\n<p>\n<heading/></p></section>"),
     "main.xml:4: <heading> may not stand in <p>"},
    {"attribute", REPORT("<section colour='red'/>"),
     "main.xml:2: <section> takes no attribute colour"},
    {"missing-attribute", REPORT("<section><p><value/></p></section>"),
     "main.xml:2: <value> needs of=\"...\""},
    {"path", REPORT("<section>\n<p><value of='totals.groth_bytes'/></p></section>"),
     "main.xml:3: the result has no \"totals.groth_bytes\""},
    {"path-of-object", REPORT("<section><p><value of='totals'/></p></section>"),
     "main.xml:2: \"totals\" is no text and no number"},
    {"path-in-column",
     REPORT("<section><table in='suspects' as='s'>\n<column title='' of='s.functoin'/>"
            "</table></section>"),
     "main.xml:3: the result has no \"s.functoin\""},
    {"row-outside-table",
     REPORT("<section><table in='suspects' as='s'><caption><value of='s.id'/></caption>"
            "</table></section>"),
     "main.xml:2: the result has no \"s.id\""},
    {"loop-variable-behind-loop",
     REPORT("<section><for-each in='suspects' as='s'/><p>\n<value of='s.id'/></p></section>"),
     "main.xml:3: the result has no \"s.id\""},
    {"loop-variable-in-rest",
     REPORT("<section><for-each in='suspects' as='s' limit='2'><rest><p>\n<value of='s.id'/>"
            "</p></rest></for-each></section>"),
     "main.xml:3: the result has no \"s.id\""},
    {"variable-hides-key", REPORT("<section><for-each in='suspects' as='totals'/></section>"),
     "main.xml:2: as=\"totals\": the name is taken already"},
    {"no-list", REPORT("<section><for-each in='totals' as='t'/></section>"),
     "main.xml:2: \"totals\" is no list"},
    {"word-never-there",
     REPORT("<section><if equals='verdict.class' to='heap_grows'><p>x</p></if></section>"),
     "main.xml:2: \"verdict.class\" is never \"heap_grows\""},
    {"if-without-condition", REPORT("<section><if><p>x</p></if></section>"),
     "main.xml:2: <if> needs one of present, empty, or equals with to"},
    {"where-no-truth-value",
     REPORT("<section><for-each in='suspects' as='s' where='function'/></section>"),
     "main.xml:2: \"suspects\" has no truth value \"function\""},
    {"where-of-no-list", REPORT("<section><if present='totals' where='significant'/></section>"),
     "main.xml:2: \"totals\" is no list"},
    {"limit-without-rest", REPORT("<section><for-each in='suspects' as='s' limit='3'/></section>"),
     "main.xml:2: a limit needs a <rest> that says what was left out"},
    {"names-incomplete",
     REPORT("<names key='class'><name of='no_growth'>No growth</name></names>"
            "<section><p>\n<value of='verdict.class'/></p></section>"),
     "main.xml:3: <names key=\"class\"> has no name for \"heap_growth\""},
    {"boolean-without-names", REPORT("<section><p><value of='totals.significant'/></p></section>"),
     "main.xml:2: \"totals.significant\" needs <names> for true and false"},
    {"link", REPORT("<section><p><link to='nowhere'>x</link></p></section>"),
     "main.xml:2: no section has id=\"nowhere\""},
    {"id-twice", REPORT("<section id='a'/>\n<section id='a'/>"),
     "main.xml:3: id=\"a\" is given twice"},
    {"chart-kind", REPORT("<section><chart kind='pie' title=''><caption/><alt/></chart></section>"),
     "main.xml:2: no chart is of kind \"pie\""},
    {"chart-without-words", REPORT("<section><chart kind='area' title=''/></section>"),
     "main.xml:2: <chart> needs a <caption> and an <alt>"},
    {"text-between-blocks", REPORT("<section>\nhello</section>"),
     "main.xml:2: text may not stand in <section>"},
    {"entity", "<!DOCTYPE report [<!ENTITY a 'b'>]>\n<report rest=''><section/></report>",
     "main.xml:1: a template has no document type and no entities"},
    {"include-missing", REPORT("<include file='absent.xml'/>"), "absent.xml: "},
    {"include-itself", REPORT("<include file='./main.xml'/>"),
     "main.xml:2: ./main.xml includes itself"},
    {"include-cycle", REPORT("<include file='cycle.xml'/>"),
     "cycle.xml:2: cycle.xml includes itself"},
    {"wrong-in-include", REPORT("<include file='part.xml'/>"),
     "part.xml:3: the result has no \"totals.growth\""},
};

static void write_file(const char *folder, const char *name, const char *text)
{
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
}

static void remove_folder(const char *folder)
{
    static const char *const names[] = {"main.xml", "part.xml", "cycle.xml"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        g_autofree char *path = g_build_filename(folder, names[i], NULL);
        g_remove(path);
    }
    g_rmdir(folder);
}

static char *folder_new(const char *main_text)
{
    char *folder = g_dir_make_tmp("template-XXXXXX", NULL);
    g_assert_nonnull(folder);
    write_file(folder, "main.xml", main_text);
    write_file(folder, "part.xml",
               "<template>\n<section>\n<p><value of='totals.growth'/></p></section></template>");
    write_file(folder, "cycle.xml", "<template>\n<include file='cycle.xml'/></template>");
    return folder;
}

static void test_wrong(const void *pointer)
{
    const struct wrong *wrong = pointer;
    g_autofree char *folder = folder_new(wrong->text);
    g_autofree char *path = g_build_filename(folder, "main.xml", NULL);
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_template) template = hr_check_read_template(path, &error);
    g_assert_null(template);
    g_assert_error(error, HR_ERROR, HR_ERROR_TEMPLATE);
    g_assert_true(g_str_has_prefix(error->message, folder));
    const char *message = error->message + strlen(folder) + 1;
    if (!g_str_has_prefix(message, wrong->message)) {
        g_assert_cmpstr(message, ==, wrong->message);
    }
    remove_folder(folder);
}

static void test_too_deep(void)
{
    g_autoptr(GString) text = g_string_new("<report rest=''>");
    for (int i = 0; i < 200; i++) {
        g_string_append(text, "<section>");
    }
    for (int i = 0; i < 200; i++) {
        g_string_append(text, "</section>");
    }
    g_string_append(text, "</report>");
    g_autofree char *folder = folder_new(text->str);
    g_autofree char *path = g_build_filename(folder, "main.xml", NULL);
    g_autoptr(GError) error = NULL;
    g_assert_null(hr_check_read_template(path, &error));
    g_assert_nonnull(strstr(error->message, "main.xml:1: nested deeper than 24"));
    remove_folder(folder);
}

// The shipped template names nothing that the schema does not have.
static void test_shipped(void)
{
    g_autofree char *path =
        g_build_filename(g_getenv("HR_DATA_DIR"), "templates", "report.xml", NULL);
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_template) template = hr_check_read_template(path, &error);
    g_assert_no_error(error);
    g_assert_nonnull(template);
}

// The manual's first example is a whole template and must stay a right one.
static void test_manual(void)
{
    g_autofree char *manual =
        g_build_filename(g_getenv("HR_DATA_DIR"), "docs", "template.md", NULL);
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(manual, &text, NULL, NULL));
    const char *begin = strstr(text, "<report");
    const char *end = begin ? strstr(begin, "```") : NULL;
    g_assert_nonnull(end);
    g_autofree char *example = g_strndup(begin, (gsize)(end - begin));
    g_autofree char *folder = folder_new(example);
    g_autofree char *path = g_build_filename(folder, "main.xml", NULL);
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_template) template = hr_check_read_template(path, &error);
    g_assert_no_error(error);
    remove_folder(folder);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = g_strconcat("/template/wrong/", cases[i].name, NULL);
        g_test_add_data_func(name, &cases[i], test_wrong);
    }
    g_test_add_func("/template/too-deep", test_too_deep);
    g_test_add_func("/template/shipped", test_shipped);
    g_test_add_func("/template/manual", test_manual);
    return g_test_run();
}
