// SPDX-License-Identifier: MIT
// The finished PDF: the same bytes twice, and what qpdf and poppler, where they are installed, read
// in it. With HR_KEEP=DIR the files stay there to be looked at.
#include "render/page/page.h"
#include "sample_document.h"

#include <glib/gstdio.h>
#include <string.h>

struct fixture {
    char *dir;
    struct hr_renderer *renderer;
    struct hr_arena *arena;
};

static void set_up(struct fixture *fixture)
{
    g_autoptr(GError) error = NULL;
    fixture->renderer = hr_renderer_new(g_getenv("HR_DATA_DIR"), &error);
    g_assert_no_error(error);
    fixture->arena = hr_arena_new();
    fixture->dir = g_getenv("HR_KEEP") ? g_strdup(g_getenv("HR_KEEP"))
                                       : g_dir_make_tmp("hr-pdf-XXXXXX", &error);
    g_assert_no_error(error);
}

static void tear_down(struct fixture *fixture)
{
    if (!g_getenv("HR_KEEP")) {
        g_autoptr(GDir) dir = g_dir_open(fixture->dir, 0, NULL);
        for (const char *name; (name = g_dir_read_name(dir));) {
            g_autofree char *path = g_build_filename(fixture->dir, name, NULL);
            g_remove(path);
        }
        g_rmdir(fixture->dir);
    }
    hr_arena_free(fixture->arena);
    hr_renderer_free(fixture->renderer);
    g_free(fixture->dir);
}

// Writes the sample, checks that a second time gives the same bytes, and returns the file's path.
static char *write_sample(struct fixture *fixture, unsigned suspects_count, const char *paper)
{
    struct hr_document *document = hr_sample_document(fixture->arena, suspects_count);
    document->paper = paper;
    g_autoptr(GByteArray) pdf = g_byte_array_new();
    g_autoptr(GByteArray) again = g_byte_array_new();
    g_autoptr(GError) error = NULL;
    g_assert_true(hr_pdf_write(fixture->renderer, document, NULL, pdf, &error));
    g_assert_no_error(error);
    g_assert_true(hr_pdf_write(fixture->renderer, document, NULL, again, &error));
    g_assert_cmpmem(pdf->data, pdf->len, again->data, again->len);
    g_assert_cmpuint(pdf->len, <, 1024 * 1024);
    char *path = g_strdup_printf("%s/%s-%u.pdf", fixture->dir, paper, suspects_count);
    g_assert_true(g_file_set_contents(path, (const char *)pdf->data, pdf->len, &error));
    return path;
}

// The standard output of a tool that must succeed; NULL, and said, where it is not installed.
static char *run(const char *tool, const char *argument, const char *path, const char *last)
{
    g_autofree char *found = g_find_program_in_path(tool);
    if (!found) {
        g_autofree char *reason = g_strdup_printf("%s is not installed", tool);
        g_test_skip(reason);
        return NULL;
    }
    const char *const list[] = {found, argument, path, last, NULL};
    char *output = NULL;
    int status = 0;
    g_autoptr(GError) error = NULL;
    g_auto(GStrv) arguments = g_strdupv((char **)(guintptr)list);
    g_spawn_sync(NULL, arguments, NULL, G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL, &output, NULL,
                 &status, &error);
    g_assert_no_error(error);
    g_assert_cmpint(status, ==, 0);
    return output;
}

static void test_same_bytes(void)
{
    struct fixture fixture;
    set_up(&fixture);
    g_free(write_sample(&fixture, 0, "a4"));
    g_free(write_sample(&fixture, 3, "letter"));
    g_free(write_sample(&fixture, 30, "a4"));
    tear_down(&fixture);
}

static void test_qpdf(void)
{
    struct fixture fixture;
    set_up(&fixture);
    g_autofree char *path = write_sample(&fixture, 1, "a4");
    g_autofree char *check = run("qpdf", "--check", path, NULL);
    g_autofree char *json = check ? run("qpdf", "--json", path, NULL) : NULL;
    if (json) {
        g_assert_null(strstr(check, "WARNING"));
        guint alternatives = 0;
        for (const char *p = json; (p = strstr(p, "\"/Alt\"")); p++) {
            alternatives++;
        }
        g_assert_cmpuint(alternatives, ==, 7); // one a chart
        g_assert_nonnull(strstr(json, "\"/Scope\": \"/Column\""));
        g_assert_nonnull(strstr(json, "\"/Scope\": \"/Row\""));
        g_assert_nonnull(strstr(json, "\"/DisplayDocTitle\": true"));
        g_assert_nonnull(strstr(json, "\"/Lang\": \"u:en\""));
    }
    tear_down(&fixture);
}

// Each in `words` stands behind the one before it.
static void check_order(const char *text, const char *const *words)
{
    for (; *words; words++) {
        const char *found = strstr(text, *words);
        if (!found) {
            g_error("\"%s\" is missing or out of order", *words);
        }
        text = found + strlen(*words);
    }
}

static void test_text(void)
{
    struct fixture fixture;
    set_up(&fixture);
    g_autofree char *path = write_sample(&fixture, 1, "a4");
    g_autofree char *text = run("pdftotext", path, "-", NULL);
    if (text) {
        static const char *const words[] = {
            "filedrive: memory over 13 h 40 min",
            "confidence high",
            "filedrive::session::SessionStore<S, H>::open.",
            "heap profile",
            "sampling rate changed",
            "Who grew",
            "What to do next",
            "How good the evidence is",
            "Suspects",
            "src/session/store.rs:88",
            "Fingerprint",
            "Where the heap changed",
            "What grew, what shrank, what is there",
            "Live heap",
            NULL,
        };
        check_order(text, words);
        g_assert_null(strstr(text, "\u200b"));
    }
    g_autofree char *fonts = run("pdffonts", path, NULL, NULL);
    if (fonts) {
        g_auto(GStrv) lines = g_strsplit(fonts, "\n", -1);
        g_assert_cmpuint(g_strv_length(lines), >, 4);
        for (char **line = lines + 2; *line && **line; line++) {
            g_assert_nonnull(strstr(*line, " yes yes yes ")); // embedded, subset, to Unicode
        }
    }
    tear_down(&fixture);
}

static void test_attachment(void)
{
    struct fixture fixture;
    set_up(&fixture);
    g_autofree char *path = write_sample(&fixture, 1, "a4");
    g_autofree char *list = run("pdfdetach", "-list", path, NULL);
    if (list) {
        g_assert_nonnull(strstr(list, "result.json"));
        g_assert_nonnull(strstr(list, "timeline.csv"));
        g_assert_nonnull(strstr(list, "flame.csv"));
        g_autofree char *saved = g_build_filename(fixture.dir, "result.json", NULL);
        g_autofree char *command =
            g_strdup_printf("pdfdetach -savefile result.json -o %s %s", saved, path);
        g_assert_true(g_spawn_command_line_sync(command, NULL, NULL, NULL, NULL));
        g_autofree char *bytes = NULL;
        gsize size = 0;
        g_assert_true(g_file_get_contents(saved, &bytes, &size, NULL));
        const struct hr_document *document = hr_sample_document(fixture.arena, 1);
        g_assert_cmpmem(bytes, size, document->attachments[0].bytes, document->attachments[0].size);
    }
    tear_down(&fixture);
}

static void test_structure(void)
{
    struct fixture fixture;
    set_up(&fixture);
    g_autofree char *path = write_sample(&fixture, 3, "a4");
    g_autofree char *structure = run("pdfinfo", "-struct", path, NULL);
    if (structure) {
        static const char *const elements[] = {"Document", "H1", "Figure", "LI",      "Link",
                                               "H3",       "L ", "Table",  "Caption", "TR",
                                               "TH",       "TD", NULL};
        check_order(structure, elements);
    }
    tear_down(&fixture);
}

// One chart alone: every format takes a name, and says which there are.
static void test_one_chart(void)
{
    struct fixture fixture;
    set_up(&fixture);
    const struct hr_document *document = hr_sample_document(fixture.arena, 1);
    for (const struct hr_backend *backend = hr_backends(); backend->name; backend++) {
        const bool drawn = strstr("pdf png svg", backend->name) != NULL;
        g_autoptr(GByteArray) out = g_byte_array_new();
        g_autoptr(GError) error = NULL;
        if (!drawn) {
            continue;
        }
        g_assert_true(backend->write(fixture.renderer, document, "balance", out, &error));
        g_assert_no_error(error);
        g_assert_cmpuint(out->len, >, 1000);
        if (g_getenv("HR_KEEP")) {
            g_autofree char *path = g_strdup_printf("%s/balance%s", fixture.dir, backend->suffix);
            g_assert_true(
                g_file_set_contents(path, (const char *)out->data, (gssize)out->len, NULL));
        }
        g_assert_false(backend->write(fixture.renderer, document, "nonsense", out, &error));
        g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
        g_assert_nonnull(strstr(error->message, "timeline"));
    }
    tear_down(&fixture);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/pdf/same-bytes", test_same_bytes);
    g_test_add_func("/pdf/qpdf", test_qpdf);
    g_test_add_func("/pdf/text", test_text);
    g_test_add_func("/pdf/attachment", test_attachment);
    g_test_add_func("/pdf/structure", test_structure);
    g_test_add_func("/pdf/one-chart", test_one_chart);
    return g_test_run();
}
