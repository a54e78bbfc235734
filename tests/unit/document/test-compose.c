// SPDX-License-Identifier: MIT
// A small template and a small result become the nodes that were meant; the tree is compared as an
// outline, one node a line.
#include "document/document.h"
#include "document/value.h"

#include <glib/gstdio.h>
#include <string.h>

static const char result_text[] =
    "{\"tool\": {\"name\": \"heapreport\", \"version\": \"1\"}, \"title\": \"T\","
    "\"labels\": {\"host\": \"h1\", \"service\": \"s\"},"
    "\"verdict\": {\"class\": \"heap_growth\", \"confidence_reasons\": [\"few\", \"short\"],"
    "  \"rules\": [{\"numbers\": [{\"key\": \"d_bytes\", \"label\": \"d\", \"value\": 2048}]}]},"
    "\"totals\": {\"growth_bytes\": 10485760, \"growth_bytes_low\": null, \"shape\": null},"
    "\"suspects\": ["
    " {\"id\": \"S1\", \"function\": \"one\", \"growth_bytes\": 6291456, \"growth_bytes_low\":"
    "  5242880, \"growth_bytes_high\": 7340032, \"significant\": true},"
    " {\"id\": \"S2\", \"function\": \"two\", \"growth_bytes\": 2097152, \"growth_bytes_low\":"
    "  1048576, \"growth_bytes_high\": 3145728, \"significant\": true},"
    " {\"id\": \"S3\", \"function\": \"three\", \"growth_bytes\": 1048576, \"growth_bytes_low\":"
    "  -2097152, \"growth_bytes_high\": 4194304, \"significant\": false}],"
    "\"suspects_rest\": {\"suspects_count\": 4, \"growth_bytes\": 1048576, \"growth_bytes_low\":"
    "  -3145728, \"growth_bytes_high\": 5242880},"
    "\"presentation\": {\"paper\": \"letter\", \"full\": false, \"top\": null}}";

static void append_cells(GString *out, const struct hr_table *table)
{
    for (unsigned row = 0; row < table->rows_count; row++) {
        for (unsigned column = 0; column < table->columns_count; column++) {
            const struct hr_value *cell = &table->cells[row * table->columns_count + column];
            g_string_append(out, column ? " | " : "  [");
            hr_value_append(out, cell);
            if (cell->link) {
                g_string_append_printf(out, " ->%s", cell->link);
            }
        }
        g_string_append(out, "]\n");
    }
}

static const char *const kind_names[] = {
    "document", "section", "heading", "paragraph", "list", "item",   "table",  "chart", "callout",
    "code",     "stack",   "facts",   "fact",      "text", "strong", "symbol", "link",  "value",
};

static void append_node(GString *out, const struct hr_node *node)
{
    g_string_append(out, kind_names[node->kind]);
    if (node->kind == HR_NODE_HEADING) {
        g_string_append_printf(out, " %d", node->level);
    }
    const char *const words[] = {node->id, node->role, node->text, node->target};
    static const char *const marks[] = {" #", " .", " ", " ->"};
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        if (words[i]) {
            g_string_append_printf(out, "%s%s", marks[i], words[i]);
        }
    }
    if (node->kind == HR_NODE_VALUE || node->kind == HR_NODE_FACT) {
        g_string_append(out, " = ");
        hr_value_append(out, &node->value);
    }
    g_string_append_c(out, '\n');
    if (node->table) {
        append_cells(out, node->table);
    }
}

// With `presentation` in place of the sample's own (NULL: that).
static json_t *result_new(const char *presentation)
{
    json_t *result = json_loads(result_text, 0, NULL);
    g_assert_nonnull(result);
    if (presentation) {
        json_object_set_new(result, "presentation", json_loads(presentation, 0, NULL));
    }
    return result;
}

static char *outline_of(const char *inside, const char *presentation)
{
    g_autofree char *folder = g_dir_make_tmp("compose-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(folder, "t.xml", NULL);
    g_autofree char *text = g_strconcat("<report rest='more'>", inside, "</report>", NULL);
    g_assert_true(g_file_set_contents(path, text, -1, NULL));
    json_t *result = result_new(presentation);
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_document) document = hr_document_compose(result, path, "{}", 2, &error);
    json_decref(result);
    g_assert_no_error(error);
    g_assert_cmpstr(document->paper, ==, presentation ? "a4" : "letter");
    GString *outline = g_string_new(NULL);
    struct hr_node_iterator iterator = {.root = document->root};
    while (hr_node_iterator_next(&iterator)) {
        if (iterator.entering && iterator.node->kind != HR_NODE_DOCUMENT) {
            append_node(outline, iterator.node);
        }
    }
    g_remove(path);
    g_rmdir(folder);
    return g_string_free(outline, FALSE);
}

struct composed {
    const char *name;
    const char *template;
    const char *outline;
};

static const struct composed cases[] = {
    {"blanks", "<section id='a'><p>  one\n two <strong> three</strong>.  </p><p> </p></section>",
     "section #a .a\nparagraph\ntext one two \nstrong\ntext three\ntext .\n"},
    {"value", "<section><p>by <value of='totals.growth_bytes'/> in</p></section>",
     "section\nparagraph\ntext by \nvalue = +10 MiB\ntext  in\n"},
    {"unknown", "<section><p><value of='totals.base_bytes'/></p></section>",
     "section\nparagraph\nvalue = \xe2\x80\x94\n"},
    {"if",
     "<section><if present='suspects'><p>yes</p></if><if empty='suspects'><p>no</p></if>"
     "<if equals='verdict.class' to='no_growth heap_growth'><p>class</p></if>"
     "<if present='totals.shape'><p>shape</p></if></section>",
     "section\nparagraph\ntext yes\nparagraph\ntext class\n"},
    {"for-each-text",
     "<section><for-each in='verdict.confidence_reasons' as='why'><p><value of='why'/></p>"
     "</for-each></section>",
     "section\nparagraph\ntext few\nparagraph\ntext short\n"},
    {"for-each-pairs",
     "<section><p><for-each in='labels' as='l'><value of='l.key'/>=<value of='l.value'/>; "
     "</for-each></p></section>",
     "section\nparagraph\ntext host\ntext =\ntext h1\ntext ; \ntext service\ntext =\ntext s\n"
     "text ;\n"},
    {"limit",
     "<section><list><for-each in='suspects' as='s' limit='2'><item><p><value of='s.function'/>"
     "</p></item><rest><item><p><value of='rest.count'/> more</p></item></rest></for-each></list>"
     "</section>",
     "section\nlist\nitem\nparagraph\nsymbol one\nitem\nparagraph\nsymbol two\nitem\nparagraph\n"
     "value = 1\ntext  more\n"},
    {"plural",
     "<section><for-each in='suspects' as='s' limit='2'><p/><rest><p><plural of='rest.count' "
     "one='row' many='rows'/></p></rest></for-each><p><plural of='totals.growth_bytes' one='row' "
     "many='rows'/></p></section>",
     "section\nparagraph\ntext row\nparagraph\ntext rows\n"},
    {"where",
     "<section><list><for-each in='suspects' as='s' where='significant' limit='1'><item><p>"
     "<value of='s.function'/></p></item><rest><item><p><value of='rest.count'/> more</p></item>"
     "</rest></for-each></list></section>",
     "section\nlist\nitem\nparagraph\nsymbol one\nitem\nparagraph\nvalue = 1\ntext  more\n"},
    {"if-where",
     "<section><if present='suspects' where='significant'><p>some</p></if>"
     "<if empty='suspects' where='significant'><p>none</p></if></section>",
     "section\nparagraph\ntext some\n"},
    {"nested",
     "<section><for-each in='verdict.rules' as='r'><facts><for-each in='r.numbers' as='n'>"
     "<fact of='n.value' unit='n.key'><value of='n.label'/></fact></for-each></facts></for-each>"
     "</section>",
     "section\nfacts\nfact d = 2 KiB\n"},
    {"levels",
     "<section><heading>A</heading><section><heading>B</heading><p>x</p></section></section>"
     "<section><heading>C</heading><p>y</p></section><section><heading>empty</heading></section>",
     "section\nheading 1\ntext A\nsection\nheading 2\ntext B\nparagraph\ntext x\n"
     "section\nheading 2\ntext C\nparagraph\ntext y\n"},
    {"links",
     "<section id='top'><p><link to='card' key='verdict.class'>dead</link> <link to='top'>up"
     "</link></p></section><section id='card' key='title'><p>.</p></section>",
     "section #top .top\nparagraph\nlink\ntext dead\ntext  \nlink ->top\ntext up\n"
     "section #card-T .card-T\nparagraph\ntext .\n"},
};

static void test_composed(const void *pointer)
{
    const struct composed *composed = pointer;
    g_autofree char *outline = outline_of(composed->template, NULL);
    g_assert_cmpstr(outline, ==, composed->outline);
}

// The rows, the remainder (cut here and by the result) and the total add up: 6 + (2 + 1 + 1) = 10.
static void test_table_adds_up(void)
{
    g_autofree char *outline =
        outline_of("<section><for-each in='suspects' as='c'><section id='card' key='c.id'><p>.</p>"
                   "</section></for-each><table in='suspects' as='s' limit='1' "
                   "rest='suspects_rest' total='totals' total-title='all'>"
                   "<column title='Id' of='s.id' to='card' key='s.id'/>"
                   "<column title='Growth' of='s.growth_bytes'/>"
                   "<rest><value of='rest.count'/> smaller</rest></table></section>",
                   NULL);
    g_assert_nonnull(strstr(outline, "table\n"
                                     "  [S1 ->card-S1 | +6.0 MiB (5.0 to 7.0)]\n"
                                     "  [6 smaller | ≈+4.0 MiB (\xe2\x88\x92"
                                     "1.1 to 9.1)]\n"
                                     "  [all | +10 MiB]\n"));
}

static unsigned count_words(const char *text, const char *word)
{
    unsigned count = 0;
    for (const char *p = strstr(text, word); p; p = strstr(p + 1, word)) {
        count++;
    }
    return count;
}

// --full and --top speak of tables, and of loops that say so; a short list stays short.
static void test_limits(void)
{
    static const char template[] =
        "<section><for-each in='suspects' as='s' limit='1'><p>short</p><rest><p>.</p></rest>"
        "</for-each><for-each in='suspects' as='l' limit='1' full='yes'><p>long</p><rest><p>.</p>"
        "</rest></for-each><table in='suspects' as='r' limit='1'><column title='' of='r.function'/>"
        "<rest>.</rest></table></section>";
    static const struct {
        const char *presentation;
        unsigned short_count, long_count, rows_count;
    } limits[] = {
        {"{\"full\": false, \"top\": null}", 1, 1, 1},
        {"{\"full\": false, \"top\": 2}", 1, 2, 2},
        {"{\"full\": true, \"top\": null}", 1, 3, 3},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(limits); i++) {
        g_autofree char *outline = outline_of(template, limits[i].presentation);
        g_assert_cmpuint(count_words(outline, "text short"), ==, limits[i].short_count);
        g_assert_cmpuint(count_words(outline, "text long"), ==, limits[i].long_count);
        g_assert_cmpuint(count_words(outline, "  ["), ==, limits[i].rows_count);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        g_autofree char *name = g_strconcat("/compose/", cases[i].name, NULL);
        g_test_add_data_func(name, &cases[i], test_composed);
    }
    g_test_add_func("/compose/table-adds-up", test_table_adds_up);
    g_test_add_func("/compose/limits", test_limits);
    return g_test_run();
}
