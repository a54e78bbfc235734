// SPDX-License-Identifier: MIT
// One small file of each input format, beside what it is read as. HR_UPDATE_GOLDEN=1 writes the
// latter anew.
#include "fixture.h"

#include <inttypes.h>
#include <math.h>

static void print_rows(GString *out, const struct hr_run *run, const struct hr_dump *dump)
{
    for (uint32_t i = 0; i < dump->rows_count; i++) {
        const struct hr_row *row = &dump->rows[i];
        const struct hr_stack stack = hr_stacks_get(run->stacks, row->stack);
        g_string_append_printf(out, "  %" PRIu64 ": %" PRIu64 " [%" PRIu64 ": %" PRIu64 "] @",
                               row->objects, row->bytes, row->accum_objects, row->accum_bytes);
        for (uint32_t d = 0; d < stack.depth; d++) {
            g_string_append_printf(out, " 0x%" PRIx64,
                                   hr_stacks_location_address(run->stacks, stack.locations[d]));
        }
        g_string_append_c(out, '\n');
    }
}

static void print_dumps(GString *out, const struct hr_run *run)
{
    for (size_t i = 0; i < run->dumps_count; i++) {
        const struct hr_dump *dump = &run->dumps[i];
        g_string_append_printf(out, "%s: R %" PRIu64 "%s, live %.0f", dump->file,
                               dump->sample_interval_bytes, dump->prescaled ? " prescaled" : "",
                               dump->live_bytes);
        if (run->time_axis == HR_TIME_INSIDE) {
            g_string_append_printf(out, ", at %.0f", dump->taken_at_s);
        }
        g_string_append_printf(out, "%s%s%s\n", dump->used ? "" : ", unused",
                               dump->note_detail ? ": " : "",
                               dump->note_detail ? dump->note_detail : "");
        if (dump->rows) {
            print_rows(out, run, dump);
        }
    }
}

static void print_names(GString *out, const struct hr_run *run)
{
    for (uint32_t i = 0; i < run->given.names_count; i++) {
        const struct hr_given_name *name = &run->given.names[i];
        g_string_append_printf(out, "0x%" PRIx64, name->address);
        for (uint32_t f = 0; f < name->frames_count; f++) {
            const struct hr_given_frame *frame = &run->given.frames[name->first_frame + f];
            g_string_append_printf(out, " | %s", frame->symbol);
            if (frame->file) {
                g_string_append_printf(out, " %s:%u", frame->file, frame->line);
            }
        }
        g_string_append_c(out, '\n');
    }
    for (size_t i = 0; i < run->mappings_count; i++) {
        const struct hr_mapping *mapping = &run->mappings[i];
        g_string_append_printf(out, "%" PRIx64 "-%" PRIx64 " %" PRIx64 " %s%s%s\n", mapping->start,
                               mapping->end, mapping->offset, mapping->path,
                               mapping->build_id ? " build-id " : "",
                               mapping->build_id ? mapping->build_id : "");
    }
    for (size_t i = 0; i < run->foreign_count; i++) {
        g_string_append_printf(out, "%s: %s\n", run->foreign[i].file, run->foreign[i].note_detail);
    }
}

static void test_file(const void *user)
{
    const char *name = user;
    struct hr_fixture fixture;
    g_autofree char *path = g_build_filename(HR_TESTDATA, "formats", name, NULL);
    g_autofree char *golden_path = g_strconcat(path, ".txt", NULL);
    g_autofree char *bytes = NULL;
    g_autofree char *golden = NULL;
    gsize size;
    g_assert_true(g_file_get_contents(path, &bytes, &size, NULL));
    hr_fixture_init(&fixture);
    hr_fixture_add_bytes(&fixture, name, bytes, size, 0);
    hr_fixture_read(&fixture, true);
    g_autoptr(GString) out = g_string_new(NULL);
    print_dumps(out, fixture.run);
    print_names(out, fixture.run);
    if (g_getenv("HR_UPDATE_GOLDEN")) {
        g_assert_true(g_file_set_contents(golden_path, out->str, -1, NULL));
    }
    g_assert_true(g_file_get_contents(golden_path, &golden, NULL, NULL));
    g_assert_cmpstr(out->str, ==, golden);
    hr_fixture_clear(&fixture);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_autofree char *directory = g_build_filename(HR_TESTDATA, "formats", NULL);
    GDir *listing = g_dir_open(directory, 0, NULL);
    g_assert_nonnull(listing);
    g_autoptr(GPtrArray) names = g_ptr_array_new_with_free_func(g_free);
    const char *name;
    while ((name = g_dir_read_name(listing))) {
        if (!g_str_has_suffix(name, ".txt") && !g_str_has_suffix(name, ".md")) {
            g_ptr_array_add(names, g_strdup(name));
        }
    }
    g_dir_close(listing);
    g_assert_cmpuint(names->len, >, 0);
    for (guint i = 0; i < names->len; i++) {
        g_autofree char *test = g_strconcat("/ingest/formats/", names->pdata[i], NULL);
        g_test_add_data_func(test, names->pdata[i], test_file);
    }
    return g_test_run();
}
