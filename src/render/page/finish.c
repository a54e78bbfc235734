// SPDX-License-Identifier: MIT
#include "render/page/finish.h"

#include "base/error.h"
#include "render/printable.h"

#include <qpdf/qpdf-c.h>
#include <string.h>
struct finisher {
    qpdf_data qpdf;
    const struct hr_document *document;
    struct hr_packing *packing;
};

static qpdf_oh new_text(struct finisher *finisher, const char *text)
{
    g_autofree char *printable = hr_printable(text);
    return qpdf_oh_new_unicode_string(finisher->qpdf, printable);
}

static qpdf_oh parse(struct finisher *finisher, const char *source)
{
    return qpdf_oh_parse(finisher->qpdf, source);
}

static void set_key(struct finisher *finisher, qpdf_oh dictionary, const char *key, qpdf_oh value)
{
    qpdf_oh_replace_key(finisher->qpdf, dictionary, key, value);
}

static qpdf_oh new_stream(struct finisher *finisher, const char *type, const char *subtype,
                          const void *bytes, size_t size)
{
    qpdf_data qpdf = finisher->qpdf;
    qpdf_oh stream = qpdf_oh_new_stream(qpdf);
    qpdf_oh_replace_stream_data(qpdf, stream, bytes, size, qpdf_oh_new_null(qpdf),
                                qpdf_oh_new_null(qpdf));
    qpdf_oh dictionary = qpdf_oh_get_dict(qpdf, stream);
    set_key(finisher, dictionary, "/Type", qpdf_oh_new_name(qpdf, type));
    set_key(finisher, dictionary, "/Subtype", qpdf_oh_new_name(qpdf, subtype));
    return stream;
}

// "2026-12-01T21:06:05Z" -> "D:20261201210605Z"; what looks otherwise gives NULL.
static char *pdf_date(const char *time)
{
    if (!time || strlen(time) != 20 || time[19] != 'Z') {
        return NULL;
    }
    return g_strdup_printf("D:%.4s%.2s%.2s%.2s%.2s%.2sZ", time, time + 5, time + 8, time + 11,
                           time + 14, time + 17);
}

// libqpdf leaves alone what is packed already.
static qpdf_oh new_packed_stream(struct finisher *finisher, const char *type, const char *subtype,
                                 const struct hr_attachment *attachment)
{
    g_autoptr(GBytes) packed = hr_packing_get(finisher->packing, attachment);
    if (!packed) {
        return new_stream(finisher, type, subtype, attachment->bytes, attachment->size);
    }
    gsize size;
    const void *bytes = g_bytes_get_data(packed, &size);
    qpdf_oh stream = new_stream(finisher, type, subtype, bytes, size);
    set_key(finisher, qpdf_oh_get_dict(finisher->qpdf, stream), "/Filter",
            qpdf_oh_new_name(finisher->qpdf, "/FlateDecode"));
    return stream;
}

static qpdf_oh new_file(struct finisher *finisher, const struct hr_attachment *attachment)
{
    qpdf_data qpdf = finisher->qpdf;
    g_autofree char *subtype = g_strconcat("/", attachment->mime_type, NULL);
    qpdf_oh stream = new_packed_stream(finisher, "/EmbeddedFile", subtype, attachment);
    qpdf_oh parameters = qpdf_oh_new_dictionary(qpdf);
    set_key(finisher, parameters, "/Size", qpdf_oh_new_integer(qpdf, (long long)attachment->size));
    g_autofree char *date = pdf_date(finisher->document->generated_time);
    if (date) {
        set_key(finisher, parameters, "/ModDate", qpdf_oh_new_string(qpdf, date));
    }
    set_key(finisher, qpdf_oh_get_dict(qpdf, stream), "/Params", parameters);
    qpdf_oh file = parse(finisher, "<< /Type /Filespec /AFRelationship /Data >>");
    set_key(finisher, file, "/F", new_text(finisher, attachment->name));
    set_key(finisher, file, "/UF", new_text(finisher, attachment->name));
    if (attachment->description) {
        set_key(finisher, file, "/Desc", new_text(finisher, attachment->description));
    }
    qpdf_oh embedded = qpdf_oh_new_dictionary(qpdf);
    set_key(finisher, embedded, "/F", stream);
    set_key(finisher, embedded, "/UF", stream);
    set_key(finisher, file, "/EF", embedded);
    return qpdf_make_indirect_object(qpdf, file);
}

static gint compare_names(gconstpointer a, gconstpointer b)
{
    const struct hr_attachment *const *first = a;
    const struct hr_attachment *const *second = b;
    return strcmp((*first)->name, (*second)->name);
}

static void attach_files(struct finisher *finisher, qpdf_oh root)
{
    const struct hr_document *document = finisher->document;
    if (document->attachments_count == 0) {
        return;
    }
    qpdf_data qpdf = finisher->qpdf;
    // a name tree is sorted
    g_autoptr(GPtrArray) sorted = g_ptr_array_new();
    for (unsigned i = 0; i < document->attachments_count; i++) {
        g_ptr_array_add(sorted, (gpointer)(guintptr)&document->attachments[i]);
    }
    g_ptr_array_sort(sorted, compare_names);
    qpdf_oh names = qpdf_oh_new_array(qpdf);
    qpdf_oh files = qpdf_oh_new_array(qpdf);
    for (guint i = 0; i < sorted->len; i++) {
        const struct hr_attachment *attachment = sorted->pdata[i];
        qpdf_oh file = new_file(finisher, attachment);
        qpdf_oh_append_item(qpdf, names, new_text(finisher, attachment->name));
        qpdf_oh_append_item(qpdf, names, file);
        qpdf_oh_append_item(qpdf, files, file);
    }
    qpdf_oh tree = qpdf_oh_new_dictionary(qpdf);
    set_key(finisher, tree, "/Names", names);
    if (!qpdf_oh_has_key(qpdf, root, "/Names")) {
        set_key(finisher, root, "/Names", qpdf_oh_new_dictionary(qpdf));
    }
    set_key(finisher, qpdf_oh_get_key(qpdf, root, "/Names"), "/EmbeddedFiles", tree);
    set_key(finisher, root, "/AF", files);
}

static void append_property(GString *xmp, const char *name, const char *open, const char *value,
                            const char *close)
{
    if (!value) {
        return;
    }
    g_autofree char *printable = hr_printable(value);
    g_autofree char *escaped = g_markup_escape_text(printable, -1);
    g_string_append_printf(xmp, "<%s>%s%s%s</%s>\n", name, open, escaped, close, name);
}

static void set_metadata(struct finisher *finisher, qpdf_oh root)
{
    const struct hr_document *document = finisher->document;
    g_autoptr(GString) xmp = g_string_new(
        "<?xpacket begin=\"\xef\xbb\xbf\" id=\"W5M0MpCehiHzreSzNTczkc9d\"?>\n"
        "<x:xmpmeta xmlns:x=\"adobe:ns:meta/\">"
        "<rdf:RDF xmlns:rdf=\"http://www.w3.org/1999/02/22-rdf-syntax-ns#\">\n"
        "<rdf:Description rdf:about=\"\" xmlns:dc=\"http://purl.org/dc/elements/1.1/\" "
        "xmlns:xmp=\"http://ns.adobe.com/xap/1.0/\">\n");
    append_property(xmp, "dc:title", "<rdf:Alt><rdf:li xml:lang=\"x-default\">", document->title,
                    "</rdf:li></rdf:Alt>");
    append_property(xmp, "dc:language", "<rdf:Bag><rdf:li>", document->language,
                    "</rdf:li></rdf:Bag>");
    append_property(xmp, "xmp:CreateDate", "", document->generated_time, "");
    append_property(xmp, "xmp:ModifyDate", "", document->generated_time, "");
    append_property(xmp, "xmp:CreatorTool", "", document->producer, "");
    g_string_append(xmp, "</rdf:Description></rdf:RDF></x:xmpmeta>\n<?xpacket end=\"r\"?>\n");
    set_key(finisher, root, "/Metadata",
            new_stream(finisher, "/Metadata", "/XML", xmp->str, xmp->len));
    if (document->language) {
        set_key(finisher, root, "/Lang", new_text(finisher, document->language));
    }
    set_key(finisher, root, "/ViewerPreferences", parse(finisher, "<< /DisplayDocTitle true >>"));
    set_key(finisher, root, "/PageMode", parse(finisher, "/UseOutlines"));
    const int pages = qpdf_get_num_pages(finisher->qpdf);
    for (int i = 0; i < pages; i++) {
        set_key(finisher, qpdf_get_page_n(finisher->qpdf, (size_t)i), "/Tabs",
                parse(finisher, "/S"));
    }
}

static bool is_described(const char *name)
{
    return strcmp(name, "Figure") == 0 || strcmp(name, "TH") == 0;
}

// The next tag of the document's that cairo could not describe.
static const struct hr_tag *next_described(const struct hr_strips *strips, const GArray *tag_order,
                                           guint *at)
{
    while (*at < tag_order->len) {
        const struct hr_tag *tag = hr_strips_get_tag(strips, g_array_index(tag_order, int, *at));
        (*at)++;
        if (is_described(tag->name)) {
            return tag;
        }
    }
    return NULL;
}

static bool describe(struct finisher *finisher, qpdf_oh element, const struct hr_tag *tag)
{
    qpdf_data qpdf = finisher->qpdf;
    g_autofree char *name = g_strconcat("/", tag->name, NULL);
    if (!qpdf_oh_is_name_and_equals(qpdf, qpdf_oh_get_key(qpdf, element, "/S"), name)) {
        return false;
    }
    if (tag->alt) {
        set_key(finisher, element, "/Alt", new_text(finisher, tag->alt));
    }
    if (tag->scope) {
        g_autofree char *source = g_strdup_printf("<< /O /Table /Scope /%s >>", tag->scope);
        set_key(finisher, element, "/A", parse(finisher, source));
    }
    return true;
}

// Pushes the children of an element so that the first is taken first.
static void push_children(struct finisher *finisher, qpdf_oh element, GArray *stack)
{
    qpdf_data qpdf = finisher->qpdf;
    qpdf_oh children = qpdf_oh_get_key(qpdf, element, "/K");
    if (qpdf_oh_is_array(qpdf, children)) {
        for (int i = qpdf_oh_get_array_n_items(qpdf, children); i > 0; i--) {
            qpdf_oh child = qpdf_oh_get_array_item(qpdf, children, i - 1);
            g_array_append_val(stack, child);
        }
    } else if (qpdf_oh_is_dictionary(qpdf, children)) {
        g_array_append_val(stack, children);
    }
}

// Walks the structure tree in reading order, without recursion, beside the tags as they were begun.
static bool describe_structure(struct finisher *finisher, const struct hr_strips *strips,
                               const GArray *tag_order, qpdf_oh root)
{
    qpdf_data qpdf = finisher->qpdf;
    g_autoptr(GArray) stack = g_array_new(FALSE, FALSE, sizeof(qpdf_oh));
    guint at = 0;
    bool matches = true;
    push_children(finisher, qpdf_oh_get_key(qpdf, root, "/StructTreeRoot"), stack);
    while (stack->len > 0 && matches) {
        qpdf_oh element = g_array_index(stack, qpdf_oh, stack->len - 1);
        g_array_set_size(stack, stack->len - 1);
        if (!qpdf_oh_is_dictionary(qpdf, element) || !qpdf_oh_has_key(qpdf, element, "/S")) {
            continue;
        }
        const char *name = qpdf_oh_get_name(qpdf, qpdf_oh_get_key(qpdf, element, "/S"));
        if (is_described(name + 1)) {
            const struct hr_tag *tag = next_described(strips, tag_order, &at);
            matches = tag && describe(finisher, element, tag);
        }
        push_children(finisher, element, stack);
    }
    return matches && !next_described(strips, tag_order, &at);
}

static bool write_pdf(struct finisher *finisher, GByteArray *pdf)
{
    qpdf_data qpdf = finisher->qpdf;
    qpdf_init_write_memory(qpdf);
    qpdf_set_deterministic_ID(qpdf, QPDF_TRUE);
    qpdf_set_object_stream_mode(qpdf, qpdf_o_generate);
    qpdf_set_minimum_pdf_version(qpdf, "1.7");
    if (qpdf_write(qpdf) & QPDF_ERRORS) {
        return false;
    }
    g_byte_array_set_size(pdf, 0);
    g_byte_array_append(pdf, qpdf_get_buffer(qpdf), (guint)qpdf_get_buffer_length(qpdf));
    return true;
}

static bool fail(struct finisher *finisher, const char *fallback, GError **error)
{
    qpdf_data qpdf = finisher->qpdf;
    const char *text =
        qpdf_has_error(qpdf) ? qpdf_get_error_full_text(qpdf, qpdf_get_error(qpdf)) : fallback;
    g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "PDF: %s", text);
    return false;
}

static bool finish(struct finisher *finisher, const struct hr_strips *strips,
                   const GArray *tag_order, GByteArray *pdf, GError **error)
{
    qpdf_data qpdf = finisher->qpdf;
    qpdf_silence_errors(qpdf);
    qpdf_set_suppress_warnings(qpdf, QPDF_TRUE);
    if (qpdf_read_memory(qpdf, "report.pdf", (const char *)pdf->data, pdf->len, NULL) &
        QPDF_ERRORS) {
        return fail(finisher, "unreadable", error);
    }
    qpdf_oh root = qpdf_get_root(qpdf);
    attach_files(finisher, root);
    set_metadata(finisher, root);
    if (!describe_structure(finisher, strips, tag_order, root)) {
        return fail(finisher, "the structure tree is not the document's", error);
    }
    if (qpdf_has_error(qpdf) || !write_pdf(finisher, pdf)) {
        return fail(finisher, "cannot be written", error);
    }
    return true;
}

bool hr_pdf_finish(const struct hr_document *document, const struct hr_strips *strips,
                   const GArray *tag_order, struct hr_packing *packing, GByteArray *pdf,
                   GError **error)
{
    struct finisher finisher = {qpdf_init(), document, packing};
    const bool done = finish(&finisher, strips, tag_order, pdf, error);
    qpdf_cleanup(&finisher.qpdf);
    return done;
}
