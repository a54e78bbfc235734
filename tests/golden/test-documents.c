// SPDX-License-Identifier: MIT
// What people read: the short formats as a whole against testdata/document, and for all formats
// that verdict, suspects, their order and their numbers are those of the result.
#include "sample.h"

#include "base/format.h"
#include "render/printable.h"

#include <libxml/HTMLparser.h>
#include <libxml/xmlerror.h>
#include <string.h>

#define HTML_SIZE_MAX_BYTES (2 * 1024 * 1024)

static const char *const samples[] = {"heap-growth", "hostile-names", "no-dumps", "no-growth"};
static const char *const short_formats[] = {"text", "markdown"};
static const unsigned short_lines_max[] = {100, 60};

static char *golden_path(const char *sample, const char *format)
{
    g_autofree char *file = g_strconcat(sample, hr_backend_find_name(format)->suffix, NULL);
    return g_build_filename(g_getenv("HR_DATA_DIR"), "testdata", "document", file, NULL);
}

static void compare_golden(const char *sample, const char *format, const char *text)
{
    g_autofree char *path = golden_path(sample, format);
    if (g_getenv("HR_UPDATE_GOLDEN")) {
        g_assert_true(g_file_set_contents(path, text, -1, NULL));
        return;
    }
    g_autofree char *wanted = NULL;
    g_assert_true(g_file_get_contents(path, &wanted, NULL, NULL));
    if (strcmp(text, wanted) != 0) {
        g_test_message("%s differs; HR_UPDATE_GOLDEN=1 rewrites it. Now:\n%s", path, text);
        g_test_fail();
    }
}

static unsigned count_lines(const char *text, bool bounded)
{
    unsigned count = 0;
    g_auto(GStrv) lines = g_strsplit(text, "\n", 0);
    for (char **line = lines; *line; line++) {
        // commands and paths that cannot be broken stay whole
        g_assert_true(!bounded || g_utf8_strlen(*line, -1) <= 80 ||
                      g_str_has_prefix(*line, "    "));
        count++;
    }
    return count - 1;
}

static void assert_printable(const char *text)
{
    g_assert_true(g_utf8_validate(text, -1, NULL));
    for (const char *p = text; *p; p += g_utf8_skip[(guchar)*p]) {
        gunichar character = g_utf8_get_char(p);
        GUnicodeType type = g_unichar_type(character);
        g_assert_true(character == '\n' || (type != G_UNICODE_CONTROL && type != G_UNICODE_FORMAT));
    }
}

static void test_short(const void *pointer)
{
    const char *sample = pointer;
    json_t *result = sample_result_read(sample);
    HR_AUTO(hr_document) document = sample_document_new(result);
    for (size_t i = 0; i < G_N_ELEMENTS(short_formats); i++) {
        gsize size = 0;
        g_autofree char *text = sample_write(document, short_formats[i], &size);
        assert_printable(text);
        g_assert_cmpuint(count_lines(text, i == 0), <=, short_lines_max[i]);
        compare_golden(sample, short_formats[i], text);
    }
    json_decref(result);
}

// Without marks, escapes, places to break and line ends, the formats hold the same letters.
static char *letters_of(const char *text)
{
    g_autofree char *printable = hr_printable(text);
    GString *letters = g_string_new(NULL);
    for (const char *p = printable; *p; p += g_utf8_skip[(guchar)*p]) {
        gunichar character = g_utf8_get_char(p);
        if (g_unichar_isalnum(character) || g_utf8_strchr("+.%≈", -1, character)) {
            g_string_append_unichar(letters, character);
        }
    }
    return g_string_free(letters, FALSE);
}

static void remove_all(GString *text, const char *word)
{
    g_string_replace(text, word, "", 0);
}

// What markdown writes as entities again as characters.
static char *letters_of_markdown(const char *text)
{
    g_autoptr(GString) plain = g_string_new(text);
    static const char *const entities[] = {"&lt;", "&amp;", "&#64;", "&#35;"};
    for (size_t i = 0; i < G_N_ELEMENTS(entities); i++) {
        remove_all(plain, entities[i]);
    }
    return letters_of(plain->str);
}

static bool is_named(const xmlNode *node, const char *name)
{
    return node->type == XML_ELEMENT_NODE && strcmp((const char *)node->name, name) == 0;
}

static xmlNode *next_node(xmlNode *node, bool inside)
{
    if (inside && node->children) {
        return node->children;
    }
    while (node && !node->next) {
        node = node->parent;
    }
    return node ? node->next : NULL;
}

// libxml2 knows HTML 4: a tag that it has not heard of is no mistake of ours.
static void note_problem(void *context, const xmlError *problem)
{
    if (problem->code != XML_HTML_UNKNOWN_TAG) {
        g_string_append_printf(context, "%d: %s", problem->line, problem->message);
    }
}

static xmlDoc *parse_html(const char *html, gsize size)
{
    g_autoptr(GString) problems = g_string_new(NULL);
    xmlSetStructuredErrorFunc(problems, (xmlStructuredErrorFunc)(void (*)(void))note_problem);
    xmlDoc *tree = htmlReadMemory(html, (int)size, NULL, "UTF-8", HTML_PARSE_NONET);
    xmlSetStructuredErrorFunc(NULL, NULL);
    g_assert_nonnull(tree);
    g_assert_cmpstr(problems->str, ==, "");
    return tree;
}

struct html_facts {
    GString *text; // of the page, without style, script and drawings
    unsigned scripts_count;
    unsigned requests_count; // attributes that could make one
};

static void note_attributes(const xmlNode *node, struct html_facts *facts)
{
    static const char *const names[] = {"src", "srcset", "action", "poster", "data", "href"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        xmlChar *value = xmlGetProp(node, (const xmlChar *)names[i]);
        facts->requests_count += value && *value != '#';
        xmlFree(value);
    }
}

static void read_facts(xmlDoc *tree, struct html_facts *facts)
{
    xmlNode *node = xmlDocGetRootElement(tree);
    bool inside = true;
    for (; node; node = next_node(node, inside)) {
        inside = !is_named(node, "style") && !is_named(node, "script") && !is_named(node, "svg");
        facts->scripts_count += is_named(node, "script");
        // names of samples look like these
        g_assert_false(is_named(node, "b") || is_named(node, "img") || is_named(node, "iframe"));
        if (node->type == XML_ELEMENT_NODE) {
            note_attributes(node, facts);
        } else if (node->content) {
            g_string_append(facts->text, (const char *)node->content);
        }
    }
}

// Finds `wanted` behind *place and moves there; both without marks.
static void assert_follows(const char *sample, const char *format, const char **place,
                           const char *wanted)
{
    g_autofree char *letters = letters_of(wanted);
    const char *found = strstr(*place, letters);
    if (!found) {
        g_test_message("%s as %s lacks, or has too early: %s", sample, format, wanted);
    }
    g_assert_nonnull(found);
    *place = found;
}

static char *growth_of(const json_t *suspect)
{
    g_autoptr(GString) text = g_string_new(NULL);
    const char *const keys[] = {"growth_bytes", "growth_bytes_low", "growth_bytes_high"};
    double numbers[3];
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        const json_t *number = json_object_get(suspect, keys[i]);
        numbers[i] = json_is_number(number) ? json_number_value(number) : NAN;
    }
    hr_format_append_estimate(text, "growth_bytes",
                              (struct hr_estimate){numbers[0], numbers[1], numbers[2]},
                              !json_is_false(json_object_get(suspect, "significant")));
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static bool is_significant(const json_t *suspect)
{
    return json_is_true(json_object_get(suspect, "significant"));
}

// The verdict, then up to `limit` suspects in the result's order, each with id, name and growth;
// page 1, which is all that short formats have, names only the significant ones.
static void assert_says_the_same(const char *sample, const char *format, const json_t *result,
                                 const char *letters, size_t limit, bool is_short)
{
    const char *place = letters;
    const json_t *verdict = json_object_get(result, "verdict");
    assert_follows(sample, format, &place, json_string_value(json_object_get(result, "title")));
    assert_follows(sample, format, &place, json_string_value(json_object_get(verdict, "sentence")));
    const json_t *suspects = json_object_get(result, "suspects");
    for (size_t i = 0, said = 0; i < json_array_size(suspects) && said < limit; i++) {
        const json_t *suspect = json_array_get(suspects, i);
        if (is_short && !is_significant(suspect)) {
            continue;
        }
        said++;
        g_autofree char *growth = growth_of(suspect);
        assert_follows(sample, format, &place, json_string_value(json_object_get(suspect, "id")));
        assert_follows(sample, format, &place,
                       json_string_value(json_object_get(suspect, "function")));
        assert_follows(sample, format, &place, growth);
    }
}

static void test_agree(const void *pointer)
{
    const char *sample = pointer;
    json_t *result = sample_result_read(sample);
    HR_AUTO(hr_document) document = sample_document_new(result);
    gsize size = 0;
    g_autofree char *text = sample_write(document, "text", &size);
    g_autofree char *text_letters = letters_of(text);
    assert_says_the_same(sample, "text", result, text_letters, 3, true);
    g_autofree char *markdown = sample_write(document, "markdown", &size);
    g_autofree char *markdown_letters = letters_of_markdown(markdown);
    g_autoptr(GString) marked = g_string_new(markdown_letters);
    assert_says_the_same(sample, "markdown", result, marked->str, 2, true);
    json_decref(result);
}

static void test_html(const void *pointer)
{
    const char *sample = pointer;
    json_t *result = sample_result_read(sample);
    HR_AUTO(hr_document) document = sample_document_new(result);
    gsize size = 0;
    g_autofree char *html = sample_write(document, "html", &size);
    g_assert_cmpuint(size, <, HTML_SIZE_MAX_BYTES);
    g_assert_cmpuint(strlen(html), ==, size);
    g_assert_nonnull(strstr(html, "default-src 'none'"));
    xmlDoc *tree = parse_html(html, size);
    struct html_facts facts = {.text = g_string_new(NULL)};
    read_facts(tree, &facts);
    g_assert_cmpuint(facts.scripts_count, ==, 2);
    g_assert_cmpuint(facts.requests_count, ==, 0);
    g_autofree char *letters = letters_of(facts.text->str);
    // the table of what grew has the most rows
    assert_says_the_same(sample, "html", result, letters, 15, false);
    g_string_free(facts.text, TRUE);
    xmlFreeDoc(tree);
    json_decref(result);
}

static void test_same_bytes(void)
{
    json_t *result = sample_result_read("heap-growth");
    for (const struct hr_backend *backend = hr_backends(); backend->name; backend++) {
        HR_AUTO(hr_document) first = sample_document_new(result);
        HR_AUTO(hr_document) second = sample_document_new(result);
        gsize first_size = 0, second_size = 0;
        g_autofree char *a = sample_write(first, backend->name, &first_size);
        g_autofree char *b = sample_write(second, backend->name, &second_size);
        g_assert_cmpmem(a, first_size, b, second_size);
    }
    json_decref(result);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(samples); i++) {
        g_autofree char *short_name = g_strconcat("/documents/short/", samples[i], NULL);
        g_autofree char *agree_name = g_strconcat("/documents/agree/", samples[i], NULL);
        g_autofree char *html_name = g_strconcat("/documents/html/", samples[i], NULL);
        g_test_add_data_func(short_name, samples[i], test_short);
        g_test_add_data_func(agree_name, samples[i], test_agree);
        g_test_add_data_func(html_name, samples[i], test_html);
    }
    g_test_add_func("/documents/same-bytes", test_same_bytes);
    return g_test_run();
}
