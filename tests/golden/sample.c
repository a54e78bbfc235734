// SPDX-License-Identifier: MIT
#include "sample.h"

static char *path_of(const char *folder, const char *name)
{
    return g_build_filename(g_getenv("HR_DATA_DIR"), folder, name, NULL);
}

json_t *sample_result_read(const char *name)
{
    g_autofree char *folder = g_build_filename("testdata", "result", NULL);
    g_autofree char *file = g_strconcat(name, ".json", NULL);
    g_autofree char *path = path_of(folder, file);
    json_t *result = json_load_file(path, 0, NULL);
    g_assert_nonnull(result);
    return result;
}

struct hr_document *sample_document_new(const json_t *result)
{
    g_autofree char *template = path_of("templates", "report.xml");
    g_autoptr(GError) error = NULL;
    struct hr_document *document = hr_document_compose(result, template, "{}", 2, &error);
    g_assert_no_error(error);
    return document;
}

char *sample_write(const struct hr_document *document, const char *format, gsize *size)
{
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_renderer) renderer = hr_renderer_new(g_getenv("HR_DATA_DIR"), &error);
    g_assert_no_error(error);
    const struct hr_backend *backend = hr_backend_find_name(format);
    g_assert_nonnull(backend);
    GByteArray *out = g_byte_array_new();
    g_assert_true(backend->write(renderer, document, NULL, out, &error));
    g_assert_no_error(error);
    *size = out->len;
    g_byte_array_append(out, (const guint8 *)"", 1);
    return (char *)g_byte_array_free(out, FALSE);
}
