// SPDX-License-Identifier: MIT
// The document as a whole: what stands around its tree, and its links once the tree is known.
#include "document/document.h"

#include "document/attachments.h"
#include "document/check.h"
#include "document/composer.h"

#include <string.h>

// Two suspects or rules of one name are one anchor: the first keeps it, so that ids stay unique.
static const char *keep_first(GHashTable *anchors, const char *id)
{
    return id && g_hash_table_add(anchors, (void *)(uintptr_t)id) ? id : NULL;
}

static GHashTable *settle_anchors(const struct hr_document *document)
{
    GHashTable *anchors = g_hash_table_new(g_str_hash, g_str_equal);
    struct hr_node_iterator iterator = {.root = document->root};
    while (hr_node_iterator_next(&iterator)) {
        struct hr_node *node = (struct hr_node *)(uintptr_t)iterator.node;
        if (!iterator.entering) {
            continue;
        }
        node->id = keep_first(anchors, node->id);
        if (node->table) {
            struct hr_table *table = (struct hr_table *)(uintptr_t)node->table;
            table->id = keep_first(anchors, table->id);
        }
    }
    return anchors;
}

static void drop_dead_frames(struct hr_arena *arena, struct hr_chart *chart, GHashTable *anchors)
{
    bool *unlinked = HR_ARENA_ARRAY(arena, bool, chart->frames_count);
    for (unsigned i = 0; i < chart->frames_count; i++) {
        g_autofree char *anchor = g_strconcat("suspect-", chart->frames[i].suspect, NULL);
        unlinked[i] = !g_hash_table_contains(anchors, anchor);
    }
    chart->unlinked_frames = unlinked;
}

// What a limit left out is no target any more.
static void drop_dead_links(const struct hr_document *document)
{
    g_autoptr(GHashTable) anchors = settle_anchors(document);
    struct hr_node_iterator iterator = {.root = document->root};
    while (hr_node_iterator_next(&iterator)) {
        struct hr_node *node = (struct hr_node *)(uintptr_t)iterator.node;
        if (node->target && !g_hash_table_contains(anchors, node->target)) {
            node->target = NULL;
        }
        if (iterator.entering && node->chart) {
            drop_dead_frames(document->arena, (struct hr_chart *)(uintptr_t)node->chart, anchors);
        }
        const struct hr_table *table = iterator.entering ? node->table : NULL;
        for (size_t i = 0; table && i < (size_t)table->rows_count * table->columns_count; i++) {
            struct hr_value *cell = (struct hr_value *)(uintptr_t)&table->cells[i];
            if (cell->link && !g_hash_table_contains(anchors, cell->link)) {
                cell->link = NULL;
            }
        }
    }
}

static const char *text_at(struct hr_arena *arena, const json_t *object, const char *key,
                           const char *otherwise)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? hr_arena_strdup(arena, text) : otherwise;
}

// The words of <names key="page"> go with the document: backends have none of their own.
static void take_words(struct hr_document *document, const struct hr_template *template)
{
    static const char *const ids[] = {"skip",     "contents", "filter",  "search",
                                      "zoom-out", "nothing",  "elapsed", "numbers",
                                      "frame",    "final",    "growth",  "more-rows"};
    struct hr_word *words = HR_ARENA_ARRAY(document->arena, struct hr_word, G_N_ELEMENTS(ids));
    for (size_t i = 0; i < G_N_ELEMENTS(ids); i++) {
        const char *text = hr_template_find_name(template, "page", ids[i]);
        words[i].id = ids[i];
        words[i].text = hr_arena_strdup(document->arena, text ? text : "");
    }
    document->words = words;
    document->words_count = G_N_ELEMENTS(ids);
}

// A report of nights cannot be made of one night's result, nor the other way round.
static bool check_subject(const json_t *result, const struct hr_template *template, GError **error)
{
    const char *schema = json_string_value(json_object_get(result, "schema"));
    g_autofree char *wanted = g_strconcat("heapreport-", hr_template_subject(template), NULL);
    return !schema || strcmp(schema, wanted) == 0 ||
           hr_template_fail(error, xmlDocGetRootElement(template->tree),
                            "a template for %s, and this is a %s", wanted, schema);
}

static struct hr_document *document_new(const json_t *result, const xmlNode *report,
                                        const void *result_bytes, size_t result_size)
{
    struct hr_arena *arena = hr_arena_new();
    struct hr_document *document = HR_ARENA_NEW(arena, struct hr_document);
    document->arena = arena;
    const json_t *tool = json_object_get(result, "tool");
    document->producer = hr_arena_printf(arena, "%s %s", text_at(arena, tool, "name", ""),
                                         text_at(arena, tool, "version", ""));
    document->title = text_at(arena, result, "title", text_at(arena, tool, "name", ""));
    document->language = text_at(arena, result, "text_language", "en");
    document->generated_time = text_at(arena, result, "generated_time", NULL);
    document->paper = text_at(arena, json_object_get(result, "presentation"), "paper", "a4");
    document->rest_note = hr_arena_strdup(arena, hr_template_attribute(report, "rest"));
    if (result_bytes) {
        hr_attachments_compose(document, result, result_bytes, result_size);
    }
    return document;
}

void hr_document_free(struct hr_document *document)
{
    if (document) {
        hr_arena_free(document->arena);
    }
}

struct hr_document *hr_document_compose(const json_t *result, const char *template_file,
                                        const void *result_bytes, size_t result_size,
                                        GError **error)
{
    HR_AUTO(hr_template) template = hr_check_read_template(template_file, error);
    if (!template || !check_subject(result, template, error)) {
        return NULL;
    }
    const xmlNode *report = xmlDocGetRootElement(template->tree);
    struct hr_document *document = document_new(result, report, result_bytes, result_size);
    take_words(document, template);
    struct hr_node *root = hr_node_new(document->arena, HR_NODE_DOCUMENT);
    struct hr_composer composer = {
        .scope = {document->arena, template, result, json_object()},
        .document = document,
        .root = root,
        .into = root,
    };
    hr_composer_walk(&composer, report);
    g_assert(composer.open_count == 0);
    json_decref(composer.scope.variables);
    document->root = root;
    drop_dead_links(document);
    return document;
}
