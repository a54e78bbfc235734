// SPDX-License-Identifier: MIT
// The file:
//
//   <texts language="en">
//     <text id="verdict-flat">Words with {slots}.</text>
//     ...
//   </texts>
//
// No document type, no entities of its own, nothing inside a text but text and comments.
#include "result/catalogue.h"

#include <libxml/parser.h>
#include <string.h>

static void doc_cleanup(xmlDoc **doc)
{
    xmlFreeDoc(*doc);
}

static void context_cleanup(xmlParserCtxt **context)
{
    xmlFreeParserCtxt(*context);
}

struct reader {
    const char *name;
    hr_catalogue_add add;
    void *add_context;
};

static bool fail_at(const struct reader *reader, const xmlNode *node, GError **error,
                    const char *what)
{
    g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "%s:%ld: %s", reader->name, xmlGetLineNo(node),
                what);
    return false;
}

// Folds runs of white space to one blank. At the ends a run with a line break is layout and goes; a
// blank there is part of the text (a clause that is put behind another).
static void fold(const char *text, GString *out)
{
    const char *end = text + strlen(text);
    for (const char *at = text; at < end;) {
        const size_t blanks = strspn(at, " \t\r\n");
        if (blanks == 0) {
            g_string_append_c(out, *at++);
            continue;
        }
        const bool at_edge = at == text || at + blanks == end;
        if (!at_edge || !memchr(at, '\n', blanks)) {
            g_string_append_c(out, ' ');
        }
        at += blanks;
    }
}

static bool read_words(const struct reader *reader, const xmlNode *element, GString *out,
                       GError **error)
{
    for (const xmlNode *child = element->children; child; child = child->next) {
        switch (child->type) {
        case XML_TEXT_NODE:
        case XML_CDATA_SECTION_NODE:
            g_string_append(out, (const char *)child->content);
            break;
        case XML_COMMENT_NODE:
            break;
        default:
            return fail_at(reader, child, error, "a text holds nothing but text");
        }
    }
    return true;
}

static bool read_text(const struct reader *reader, const xmlNode *element, GError **error)
{
    xmlChar *id = xmlGetNoNsProp(element, (const xmlChar *)"id");
    if (!id || *id == '\0') {
        xmlFree(id);
        return fail_at(reader, element, error, "a text needs an id");
    }
    g_autoptr(GString) raw = g_string_new(NULL);
    g_autoptr(GString) words = g_string_new(NULL);
    bool done = read_words(reader, element, raw, error);
    if (done) {
        fold(raw->str, words);
        const struct hr_catalogue_entry entry = {(const char *)id, words->str};
        done = reader->add(reader->add_context, &entry, error);
        if (!done) {
            g_prefix_error(error, "%s:%ld: ", reader->name, xmlGetLineNo(element));
        }
    }
    xmlFree(id);
    return done;
}

static bool read_texts(const struct reader *reader, const xmlNode *root, GError **error)
{
    for (const xmlNode *child = root->children; child; child = child->next) {
        if (child->type == XML_COMMENT_NODE || xmlIsBlankNode(child)) {
            continue;
        }
        if (child->type != XML_ELEMENT_NODE || strcmp((const char *)child->name, "text") != 0) {
            return fail_at(reader, child, error, "only text elements stand in texts");
        }
        if (!read_text(reader, child, error)) {
            return false;
        }
    }
    return true;
}

static xmlDoc *parse(const char *name, const char *bytes, size_t size, GError **error)
{
    __attribute__((cleanup(context_cleanup))) xmlParserCtxt *context = xmlNewParserCtxt();
    xmlDoc *doc = xmlCtxtReadMemory(context, bytes, (int)size, NULL, NULL,
                                    XML_PARSE_NONET | XML_PARSE_NOERROR | XML_PARSE_NOWARNING);
    if (doc) {
        return doc;
    }
    const xmlError *cause = xmlCtxtGetLastError(context);
    const char *message = cause && cause->message ? cause->message : "not XML";
    g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "%s:%d: %.*s", name, cause ? cause->line : 1,
                (int)strcspn(message, "\n"), message);
    return NULL;
}

bool hr_catalogue_read(const char *name, const char *bytes, size_t size, hr_catalogue_add add,
                       void *context, char **language, GError **error)
{
    const struct reader reader = {name, add, context};
    g_return_val_if_fail(size <= G_MAXINT, false);
    __attribute__((cleanup(doc_cleanup))) xmlDoc *doc = parse(name, bytes, size, error);
    if (!doc) {
        return false;
    }
    const xmlNode *root = xmlDocGetRootElement(doc);
    if (doc->intSubset) {
        return fail_at(&reader, root, error, "a document type is not allowed");
    }
    if (strcmp((const char *)root->name, "texts") != 0) {
        return fail_at(&reader, root, error, "the root element is not texts");
    }
    if (!read_texts(&reader, root, error)) {
        return false;
    }
    xmlChar *named = xmlGetNoNsProp(root, (const xmlChar *)"language");
    *language = g_strdup((const char *)named);
    xmlFree(named);
    return true;
}
