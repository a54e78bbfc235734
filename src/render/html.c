// SPDX-License-Identifier: MIT
// One HTML file that asks nobody for anything: style, script, fonts and charts are inside, and a
// content security policy says so. Complete without script; templates/report.css and report.js
// are its look and its manners.
#include "render/html.h"

#include "base/files.h"
#include "render/backend.h"
#include "render/flow.h"
#include "render/renderer.h"
#include "render/theme.h"

#include <string.h>

#define PART_SIZE_MAX_BYTES ((size_t)256 * 1024)

// What a block's tags are: the kinds that are one element around their children.
static const char *tag_of(const struct hr_node *node)
{
    switch (node->kind) {
    case HR_NODE_SECTION:
        return "section";
    case HR_NODE_PARAGRAPH:
        return "p";
    case HR_NODE_LIST:
        return g_strcmp0(node->role, "steps") == 0 ? "ol" : "ul";
    case HR_NODE_ITEM:
        return "li";
    case HR_NODE_CALLOUT:
        return "div";
    case HR_NODE_FACTS:
        return "dl";
    case HR_NODE_STRONG:
        return "strong";
    case HR_NODE_HEADING: {
        static const char *const tags[] = {"h1", "h2", "h3", "h4"};
        return tags[CLAMP(node->level, 1, 4) - 1];
    }
    case HR_NODE_DOCUMENT:
    case HR_NODE_TABLE:
    case HR_NODE_CHART:
    case HR_NODE_CODE:
    case HR_NODE_STACK:
    case HR_NODE_FACT:
    case HR_NODE_TEXT:
    case HR_NODE_SYMBOL:
    case HR_NODE_LINK:
    case HR_NODE_VALUE:
        return NULL;
    }
    g_assert_not_reached();
}

static void begin_block(struct hr_html *html, const struct hr_node *node, const char *tag)
{
    g_string_append_printf(html->out, "<%s", tag);
    hr_html_append_attribute(html->out, "id", node->id);
    if (node->kind == HR_NODE_CALLOUT) {
        g_string_append(html->out, " class=\"callout ");
        hr_html_append_text(html->out, node->role);
        g_string_append_c(html->out, '"');
        hr_html_append_attribute(html->out, "data-about", node->text);
    } else {
        hr_html_append_attribute(html->out, "class", node->role);
    }
    g_string_append_c(html->out, '>');
}

static const char *direction_of(const struct hr_value *change)
{
    if (!change->significant || change->number.value == 0) {
        return "same";
    }
    return change->number.value > 0 ? "up" : "down";
}

static void write_fact(struct hr_html *html, const struct hr_node *node)
{
    g_string_append(html->out, "<div><dt>");
    hr_html_append_text(html->out, node->text);
    g_string_append(html->out, "</dt><dd>");
    hr_html_append_value(html->out, &node->value);
    g_string_append(html->out, "</dd>");
    if (node->change.kind == HR_VALUE_NUMBER) {
        g_string_append_printf(html->out, "<dd class=\"change %s\">", direction_of(&node->change));
        hr_html_append_value(html->out, &node->change);
        g_string_append(html->out, "</dd>");
    }
    g_string_append(html->out, "</div>\n");
}

static bool enter(struct hr_html *html, const struct hr_node *node, GError **error)
{
    const char *tag = tag_of(node);
    if (tag) {
        begin_block(html, node, tag);
        return true;
    }
    if (node->kind == HR_NODE_CHART) {
        return hr_html_write_chart(html, node, error);
    }
    if (node->kind == HR_NODE_TABLE) {
        hr_html_write_table(html, node);
    } else if (node->kind == HR_NODE_STACK) {
        hr_html_write_stack(html, node->stack);
    } else if (node->kind == HR_NODE_FACT) {
        write_fact(html, node);
    } else if (node->kind == HR_NODE_CODE) {
        g_string_append(html->out, "<pre tabindex=\"0\"><code>");
        hr_html_append_text(html->out, node->text);
        g_string_append(html->out, "</code></pre>\n");
    } else if (node->kind == HR_NODE_TEXT) {
        hr_html_append_prose(html->out, node->text);
    } else if (node->kind == HR_NODE_SYMBOL) {
        hr_html_append_symbol(html->out, node->text);
    } else if (node->kind == HR_NODE_VALUE) {
        hr_html_append_value(html->out, &node->value);
    } else if (node->kind == HR_NODE_LINK && node->target) {
        hr_html_begin_link(html, node->target);
    }
    return true;
}

static void leave(struct hr_html *html, const struct hr_node *node)
{
    const char *tag = tag_of(node);
    if (tag) {
        g_string_append_printf(html->out, node->kind == HR_NODE_STRONG ? "</%s>" : "</%s>\n", tag);
    } else if (node->kind == HR_NODE_LINK && node->target) {
        g_string_append(html->out, "</a>");
    }
}

static const struct hr_node *heading_of(const struct hr_node *section)
{
    const struct hr_node *first = section->first_child;
    return first && first->kind == HR_NODE_HEADING ? first : NULL;
}

static void append_plain(GString *out, const char *text)
{
    hr_html_append_text(out, text);
}

// The sections of the first level, by their headings.
static void write_contents(struct hr_html *html)
{
    static const struct hr_flow_style style = {.text = append_plain};
    const char *title = hr_document_word(html->document, "contents");
    g_string_append(html->out, "<nav");
    hr_html_append_attribute(html->out, "aria-label", title);
    g_string_append(html->out, "><ol>\n");
    for (const struct hr_node *section = html->document->root->first_child; section;
         section = section->next) {
        const struct hr_node *heading = heading_of(section);
        if (section->id && heading) {
            g_string_append(html->out, "<li><a href=\"#");
            hr_html_append_text(html->out, section->id);
            g_string_append(html->out, "\">");
            hr_flow_append_inline(html->out, heading, &style);
            g_string_append(html->out, "</a></li>\n");
        }
    }
    g_string_append(html->out, "</ol></nav>\n");
}

static bool write_body(struct hr_html *html, GError **error)
{
    const char *skip = hr_document_word(html->document, "skip");
    g_string_append(html->out, "<a class=\"skip\" href=\"#report\">");
    hr_html_append_text(html->out, skip);
    g_string_append(html->out, "</a>\n");
    write_contents(html);
    g_string_append(html->out, "<main id=\"report\">\n");
    struct hr_node_iterator iterator = {.root = html->document->root};
    while (hr_flow_next_long(&iterator)) {
        if (!iterator.entering) {
            leave(html, iterator.node);
        } else if (!enter(html, iterator.node, error)) {
            return false;
        }
    }
    g_string_append(html->out, "</main>\n<footer>");
    hr_html_append_text(html->out, html->document->producer);
    g_string_append(html->out, "</footer>\n");
    return true;
}

static void collect_roles(struct hr_html *html)
{
    struct hr_node_iterator iterator = {.root = html->document->root};
    while (hr_node_iterator_next(&iterator)) {
        const struct hr_node *node = iterator.node;
        if (iterator.entering && node->id && node->role) {
            g_hash_table_insert(html->roles, (void *)(uintptr_t)node->id,
                                (void *)(uintptr_t)node->role);
        }
    }
}

static bool read_part(struct hr_html *html, const char *name, GString *text, GError **error)
{
    g_autofree char *path = g_build_filename(html->renderer->data_dir, "templates", name, NULL);
    g_autofree char *bytes = NULL;
    size_t size = 0;
    g_autoptr(GError) problem = NULL;
    if (!hr_file_read(path, PART_SIZE_MAX_BYTES, &bytes, &size, &problem)) {
        g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE, "%s: %s", path, problem->message);
        return false;
    }
    g_string_append_len(text, bytes, (gssize)size);
    return true;
}

// No source of anything but what is inside; the one script is known by its hash, so that no other
// can run.
static void write_policy(GString *head, const GString *script)
{
    guint8 digest[32];
    gsize length = sizeof digest;
    g_autoptr(GChecksum) checksum = g_checksum_new(G_CHECKSUM_SHA256);
    g_checksum_update(checksum, (const guchar *)script->str, (gssize)script->len);
    g_checksum_get_digest(checksum, digest, &length);
    g_autofree char *hash = g_base64_encode(digest, length);
    g_string_append_printf(head,
                           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src "
                           "'none'; style-src 'unsafe-inline'; font-src data:; script-src "
                           "'sha256-%s'; base-uri 'none'; form-action 'none'\">\n",
                           hash);
}

static bool write_head(struct hr_html *html, GString *head, const GString *script, GError **error)
{
    const struct hr_document *document = html->document;
    g_string_append(head, "<!DOCTYPE html>\n<html");
    hr_html_append_attribute(head, "lang", document->language);
    g_string_append(head, ">\n<head>\n<meta charset=\"utf-8\">\n");
    write_policy(head, script);
    g_string_append(head, "<meta name=\"viewport\" content=\"width=device-width, "
                          "initial-scale=1\">\n<meta name=\"generator\"");
    hr_html_append_attribute(head, "content", document->producer);
    g_string_append(head, ">\n<meta name=\"color-scheme\" content=\"light dark\">\n<title>");
    hr_html_append_text(head, document->title);
    g_string_append(head, "</title>\n<style>\n");
    hr_fonts_append_subset_css(html->renderer, html->out->str, html->out->str, head);
    hr_theme_append_css(head);
    if (!read_part(html, "report.css", head, error)) {
        return false;
    }
    g_string_append(head, "</style>\n</head>\n<body>\n");
    return true;
}

// The words that the script writes, and the charts' numbers.
static void write_script(struct hr_html *html, const GString *script)
{
    static const char *const words[] = {"filter", "search", "zoom-out", "nothing", "elapsed"};
    g_string_append(html->out, "<div id=\"words\" hidden");
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++) {
        g_autofree char *name = g_strconcat("data-", words[i], NULL);
        hr_html_append_attribute(html->out, name, hr_document_word(html->document, words[i]));
    }
    g_string_append(html->out, "></div>\n<script type=\"application/json\" id=\"charts\">");
    g_string_append_len(html->out, html->charts->str, (gssize)html->charts->len);
    g_string_append(html->out, "}</script>\n<script>");
    g_string_append_len(html->out, script->str, (gssize)script->len);
    g_string_append(html->out, "</script>\n</body>\n</html>\n");
}

static bool write_page(struct hr_html *html, GByteArray *out, GError **error)
{
    g_autoptr(GString) script = g_string_new("\n");
    g_autoptr(GString) head = g_string_new(NULL);
    collect_roles(html);
    if (!read_part(html, "report.js", script, error) || !write_body(html, error) ||
        !write_head(html, head, script, error)) {
        return false;
    }
    write_script(html, script);
    g_byte_array_append(out, (const guint8 *)head->str, (guint)head->len);
    g_byte_array_append(out, (const guint8 *)html->out->str, (guint)html->out->len);
    return true;
}

bool hr_html_write(struct hr_renderer *renderer, const struct hr_document *document,
                   const char *chart, GByteArray *out, GError **error)
{
    (void)chart;
    struct hr_html html = {
        .out = g_string_new(NULL),
        .renderer = renderer,
        .document = document,
        .roles = g_hash_table_new(g_str_hash, g_str_equal),
        .charts = g_string_new("{"),
    };
    bool written = write_page(&html, out, error);
    g_string_free(html.out, TRUE);
    g_string_free(html.charts, TRUE);
    g_hash_table_unref(html.roles);
    return written;
}
