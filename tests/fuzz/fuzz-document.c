// SPDX-License-Identifier: MIT
// A result, however wrong, through the template and every format.
#include "fuzz.h"

#include "document/document.h"
#include "render/render.h"

#define SIZE_MAX_BYTES ((size_t)1024 * 1024)

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
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *data_dir = g_getenv("HR_DATA_DIR");
    json_t *result = size <= SIZE_MAX_BYTES ? json_loadb((const char *)bytes, size, 0, NULL) : NULL;
    if (!result || !data_dir) {
        return 0;
    }
    g_autofree char *template = g_build_filename(data_dir, "templates", "report.xml", NULL);
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_document) document = hr_document_compose(result, template, bytes, size, &error);
    g_assert_no_error(error);
    write_all(document, data_dir);
    json_decref(result);
    return 0;
}
