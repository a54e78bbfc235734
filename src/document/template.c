// SPDX-License-Identifier: MIT
#include "document/template.h"

#include "base/files.h"

#include <libxml/parser.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// BAD_CAST would cast const away.
#define XML(text) ((const xmlChar *)(text))

static void free_tree(xmlDoc **tree)
{
    if (*tree) {
        xmlFreeDoc(*tree);
    }
}

static void free_parser(xmlParserCtxt **parser)
{
    if (*parser) {
        xmlFreeParserCtxt(*parser);
    }
}

void hr_template_free(struct hr_template *template)
{
    if (template) {
        free_tree(&template->tree);
        g_ptr_array_free(template->files, TRUE);
        g_hash_table_unref(template->names);
        g_free(template);
    }
}

// libxml2 keeps a parsed attribute's value as one text node, since entities are refused.
const char *hr_template_attribute(const xmlNode *element, const char *name)
{
    const xmlAttr *attribute = xmlHasProp(element, XML(name));
    if (!attribute) {
        return NULL;
    }
    return attribute->children ? (const char *)attribute->children->content : "";
}

xmlNode *hr_template_next(const xmlNode *root, xmlNode *node, int *depth)
{
    if (node->type == XML_ELEMENT_NODE && node->children) {
        ++*depth;
        return node->children;
    }
    while (node != root && !node->next) {
        --*depth;
        node = node->parent;
    }
    return node == root ? NULL : node->next;
}

bool hr_template_fail(GError **error, const xmlNode *element, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    g_autofree char *text = g_strdup_vprintf(format, arguments);
    va_end(arguments);
    g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "%s:%ld: %s",
                element->_private ? (const char *)element->_private : "template",
                xmlGetLineNo(element), text);
    return false;
}

static bool fail_parse(GError **error, const char *path, xmlParserCtxt *parser)
{
    const xmlError *problem = xmlCtxtGetLastError(parser);
    g_autofree char *text = g_strdup(problem && problem->message ? problem->message : "no XML");
    g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "%s:%d: %s", path, problem ? problem->line : 1,
                g_strchomp(text));
    return false;
}

// What the parser would print goes to the error instead.
static void stay_silent(void *context, const xmlError *problem)
{
    (void)context;
    (void)problem;
}

static xmlDoc *parse(const char *path, GError **error)
{
    g_autofree char *bytes = NULL;
    size_t size = 0;
    g_autoptr(GError) problem = NULL;
    if (!hr_file_read(path, HR_TEMPLATE_SIZE_MAX_BYTES, &bytes, &size, &problem)) {
        g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "%s: %s", path, problem->message);
        return NULL;
    }
    __attribute__((cleanup(free_parser))) xmlParserCtxt *parser = xmlNewParserCtxt();
    g_assert(parser);
    parser->sax->serror = (xmlStructuredErrorFunc)(void (*)(void))stay_silent;
    __attribute__((cleanup(free_tree))) xmlDoc *tree =
        xmlCtxtReadMemory(parser, bytes, (int)size, path, NULL,
                          XML_PARSE_NONET | XML_PARSE_NODICT | XML_PARSE_NOCDATA);
    if (!tree || !xmlDocGetRootElement(tree)) {
        fail_parse(error, path, parser);
        return NULL;
    }
    if (tree->intSubset || tree->extSubset) {
        g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE,
                    "%s:1: a template has no document type and no entities", path);
        return NULL;
    }
    return HR_STEAL(tree);
}

// Comments and processing instructions go; every element learns its file.
static void settle_nodes(xmlNode *root, char *file)
{
    int depth = 0;
    for (xmlNode *node = root, *next; node; node = next) {
        next = hr_template_next(root, node, &depth);
        if (node->type == XML_ELEMENT_NODE) {
            node->_private = file;
        } else if (node->type != XML_TEXT_NODE) {
            xmlUnlinkNode(node);
            xmlFreeNode(node);
        }
    }
}

// Without "." and "..", so that one file has one name; relative stays relative.
static char *tidy_path(const char *path)
{
    g_autofree char *full = g_canonicalize_filename(path, NULL);
    g_autofree char *here = g_get_current_dir();
    g_autofree char *prefix = g_strconcat(here, "/", NULL);
    bool shorten = !g_path_is_absolute(path) && g_str_has_prefix(full, prefix);
    return g_strdup(shorten ? full + strlen(prefix) : full);
}

static bool is_including_itself(const xmlNode *element, const char *file)
{
    for (const xmlNode *node = element; node && node->type == XML_ELEMENT_NODE;
         node = node->parent) {
        if (g_strcmp0(node->_private, file) == 0) {
            return true;
        }
    }
    return false;
}

// Replaces <include file="..."/> by an element <included> that holds the other file's children; it
// stays in the tree so that a cycle shows in the chain of parents.
static bool include(struct hr_template *template, xmlNode *element, GError **error)
{
    const char *name = hr_template_attribute(element, "file");
    if (!name || !*name || element->children) {
        return hr_template_fail(error, element, "<include> needs file=\"...\" and no content");
    }
    if (template->files->len >= HR_TEMPLATE_INCLUDES_MAX) {
        return hr_template_fail(error, element, "more than %d files", HR_TEMPLATE_INCLUDES_MAX);
    }
    g_autofree char *folder = g_path_get_dirname(element->_private);
    g_autofree char *path = g_build_filename(folder, name, NULL);
    char *file = tidy_path(path);
    g_ptr_array_add(template->files, file);
    if (is_including_itself(element, file)) {
        return hr_template_fail(error, element, "%s includes itself", name);
    }
    __attribute__((cleanup(free_tree))) xmlDoc *tree = parse(file, error);
    if (!tree) {
        return false;
    }
    xmlNode *root = xmlDocGetRootElement(tree);
    settle_nodes(root, file);
    if (strcmp((const char *)root->name, "template") != 0) {
        return hr_template_fail(error, root, "an included file's root is <template>");
    }
    xmlNode *children = root->children;
    while (children) {
        xmlNode *next = children->next;
        xmlUnlinkNode(children);
        xmlSetTreeDoc(children, element->doc);
        xmlAddChild(element, children);
        children = next;
    }
    xmlNodeSetName(element, XML("included"));
    xmlUnsetProp(element, XML("file"));
    element->_private = file;
    return true;
}

static bool include_all(struct hr_template *template, GError **error)
{
    xmlNode *root = xmlDocGetRootElement(template->tree);
    int depth = 0;
    for (xmlNode *node = root; node; node = hr_template_next(root, node, &depth)) {
        if (depth > HR_TEMPLATE_DEPTH_MAX) {
            return hr_template_fail(error, node->parent, "nested deeper than %d",
                                    HR_TEMPLATE_DEPTH_MAX);
        }
        if (node->type == XML_ELEMENT_NODE && xmlStrEqual(node->name, XML("include")) &&
            !include(template, node, error)) {
            return false;
        }
    }
    return true;
}

static void collect_names(struct hr_template *template)
{
    xmlNode *root = xmlDocGetRootElement(template->tree);
    int depth = 0;
    for (xmlNode *node = root; node; node = hr_template_next(root, node, &depth)) {
        if (node == root || !xmlStrEqual(node->name, XML("name"))) {
            continue;
        }
        const char *key = hr_template_attribute(node->parent, "key");
        const char *word = hr_template_attribute(node, "of");
        if (!key || !word) {
            continue; // the vocabulary will say so
        }
        char *text = node->children && node->children->content
                         ? g_strdup((const char *)node->children->content)
                         : g_strdup("");
        g_hash_table_insert(template->names, g_strconcat(key, "=", word, NULL), g_strstrip(text));
        g_hash_table_insert(template->names, g_strdup(key), g_strdup(""));
    }
}

const char *hr_template_find_name(const struct hr_template *template, const char *key,
                                  const char *word)
{
    g_autofree char *wanted = g_strconcat(key, "=", word, NULL);
    return g_hash_table_lookup(template->names, wanted);
}

const char *hr_template_subject(const struct hr_template *template)
{
    const char *subject = hr_template_attribute(xmlDocGetRootElement(template->tree), "of");
    return subject ? subject : "result";
}

struct hr_template *hr_template_parse(const char *path, GError **error)
{
    HR_AUTO(hr_template) template = g_new0(struct hr_template, 1);
    template->files = g_ptr_array_new_with_free_func(g_free);
    template->names = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, g_free);
    template->tree = parse(path, error);
    if (!template->tree) {
        return NULL;
    }
    g_ptr_array_add(template->files, tidy_path(path));
    settle_nodes(xmlDocGetRootElement(template->tree), template->files->pdata[0]);
    if (!include_all(template, error)) {
        return NULL;
    }
    collect_names(template);
    return HR_STEAL(template);
}
