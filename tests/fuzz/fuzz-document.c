// SPDX-License-Identifier: MIT
// A result, however wrong, through the template and every format; what comes out is read again.
#include "fuzz.h"

#include "document/document.h"
#include "export/export.h"
#include "render/render.h"
#include "result/result.h"

#include <string.h>

#define SIZE_MAX_BYTES ((size_t)1024 * 1024)

static void check_output(const char *name, const GByteArray *out)
{
    if (strcmp(name, "html") == 0) {
        fuzz_check_html(out->data, out->len);
    } else if (strcmp(name, "svg") == 0 || strcmp(name, "junit") == 0) {
        fuzz_check_xml(out->data, out->len);
    } else if (strcmp(name, "pdf") == 0) {
        fuzz_check_pdf(out->data, out->len);
    } else if (strcmp(name, "png") != 0) {
        g_assert_true(g_utf8_validate((const char *)out->data, out->len, NULL));
    }
}

static void write_all(const struct hr_document *document, const char *data_dir)
{
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_renderer) renderer = hr_renderer_new(data_dir, &error);
    g_assert_no_error(error);
    for (const struct hr_backend *backend = hr_backends(); backend->name; backend++) {
        g_autoptr(GByteArray) out = g_byte_array_new();
        g_autoptr(GError) refused = NULL;
        bool written = backend->write(renderer, document, NULL, out, &refused);
        g_assert_true(written == !refused);
        if (written) {
            check_output(backend->name, out);
        }
    }
}

// Formats for machines take what hr_result_read() lets through.
static void export_all(const void *bytes, size_t size)
{
    json_t *result = hr_result_read(bytes, size, NULL);
    HR_AUTO(hr_text) text = result ? hr_text_load(NULL, NULL) : NULL;
    for (const struct hr_export *export = hr_exports(); result && export->name; export ++) {
        if (export->write_result) {
            g_autoptr(GByteArray) out = g_byte_array_new();
            export->write_result(result, text, out);
            check_output(export->name, out);
        }
    }
    json_decref(result);
}

// All that a result can be refused for is that it says it is of another kind.
static bool is_of_other_kind(const json_t *result)
{
    const char *schema = json_string_value(json_object_get(result, "schema"));
    return schema && strcmp(schema, "heapreport-result") != 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *data_dir = g_getenv("HR_DATA_DIR");
    json_t *result = size <= SIZE_MAX_BYTES ? json_loadb((const char *)bytes, size, 0, NULL) : NULL;
    g_assert_nonnull(data_dir);
    if (!result) {
        return 0;
    }
    g_autofree char *template = g_build_filename(data_dir, "templates", "report.xml", NULL);
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_document) document = hr_document_compose(result, template, bytes, size, &error);
    g_assert_true(is_of_other_kind(result) ? error && !document : document && !error);
    if (document) {
        write_all(document, data_dir);
    }
    json_decref(result);
    export_all(bytes, size);
    return 0;
}
