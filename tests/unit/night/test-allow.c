// SPDX-License-Identifier: MIT
#include "night/allow.h"

#include "result/tree.h"
#include "sample.h"

#include <glib/gstdio.h>
#include <string.h>
#include <unistd.h>

// Writes the list to a file and reads it; the file is gone afterwards.
static struct hr_allow *read_list(const char *list, GError **error)
{
    g_autofree char *path = NULL;
    const int fd = g_file_open_tmp("hr-allow-XXXXXX", &path, NULL);
    g_assert_cmpint(fd, >=, 0);
    close(fd);
    g_assert_true(g_file_set_contents(path, list, -1, NULL));
    struct hr_allow *allow = hr_allow_read(path, error);
    g_unlink(path);
    return allow;
}

#define WHO "reason = bounded\nowner = storage\n"

static const struct {
    const char *list;
    const char *message; // NULL: it is fine
} LISTS[] = {
    {"", NULL},
    {"# nothing\n", NULL},
    {"[a]\npattern = *\n" WHO, NULL},
    {"[a]\npattern = *\n" WHO "expires = 2026-12-31\n", NULL},
    {"[a]\npattern = *\n" WHO "expires = 2026-12-31T12:00:00Z\n", NULL},
    {"[a]\npattern = *\n" WHO "expires = soon\n", "[a]: expires is no date"},
    {"[a]\npattern = *\n" WHO "expires = 2026-13-31\n", "[a]: expires is no date"},
    {"[a]\npattern =\n" WHO, "[a]: pattern is missing"},
    {"[a]\npattern = *\nowner = me\n", "[a]: reason is missing"},
    {"[a]\npattern = *\nreason = r\n", "[a]: owner is missing"},
    {"[a]\npattern = *\n" WHO "until = 2026\n", "[a]: there is no key until"},
    {"[a]\npattern = *\n" WHO "expires = 2026-02-30\n", "[a]: expires is no date"},
    {"[a]\npattern = *\n" WHO "expires =\n", "[a]: expires is no date"},
    {"[a]\npattern = *\n" WHO "expires = 2020-01-01\\q\n", "[a]: expires: "}, // not: for ever
    {"[a]\npattern = *\n" WHO "expires = 2020-01-01\\;\n", "[a]: expires: "},
    {"[a]\npattern = f\n" WHO "[b]\npattern = g\n" WHO "[a]\npattern = h\n",
     ":9: a stands here twice"},
    {"[a]\npattern = f\npattern = *\n" WHO, ":3: pattern stands here twice"},
    {"pattern = *\n", ""},
    {"[a\n", ""},
};

static void test_lists(void)
{
    for (size_t i = 0; i < G_N_ELEMENTS(LISTS); i++) {
        g_autoptr(GError) error = NULL;
        HR_AUTO(hr_allow) allow = read_list(LISTS[i].list, &error);
        if (!LISTS[i].message) {
            g_assert_no_error(error);
            continue;
        }
        g_assert_null(allow);
        g_assert_error(error, HR_ERROR, HR_ERROR_USAGE);
        g_assert_nonnull(strstr(error->message, LISTS[i].message));
        g_assert_nonnull(strstr(error->message, "hr-allow-"));
    }
    g_autoptr(GError) error = NULL;
    g_assert_null(hr_allow_read("/nonexistent/allow", &error));
    g_assert_nonnull(error);
}

static json_t *applied(const char *list, struct hr_diagnostics *diagnostics)
{
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_sample) sample = hr_sample_new(&HR_NAMED_SAMPLES[0].options);
    HR_AUTO(hr_allow) allow = read_list(list, &error);
    g_assert_no_error(error);
    json_t *result = hr_sample_compose(sample);
    hr_allow_apply(allow, result, diagnostics);
    return result;
}

static const json_t *allowed(const json_t *result, size_t index)
{
    return json_object_get(json_array_get(json_object_get(result, "suspects"), index), "allowed");
}

// The sample's night ends on 2025-12-01.
static void test_matches(void)
{
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    json_t *result =
        applied("[by pattern]\npattern = *::MetadataCache::insert\n" WHO
                "[by fingerprint]\npattern = 1a2c3c6ef372\n" WHO "expires = 2025-12-01\n"
                "[unused]\npattern = nobody::*\n" WHO "[gone]\npattern = *upload*\n" WHO
                "expires = 2025-11-30\n",
                diagnostics);
    const json_t *list = json_object_get(result, "allow");
    g_assert_cmpuint(json_array_size(list), ==, 4);
    g_assert_cmpstr(hr_tree_text(allowed(result, 0), "owner"), ==, "storage");
    g_assert_false(hr_tree_is(allowed(result, 0), "expired"));
    g_assert_cmpstr(hr_tree_text(allowed(result, 1), "expires_time"), ==, "2025-12-01T23:59:59Z");
    g_assert_false(hr_tree_is(allowed(result, 1), "expired"));
    g_assert_true(hr_tree_is(allowed(result, 2), "expired"));
    g_assert_cmpfloat(hr_tree_number(json_array_get(list, 2), "matched_count"), ==, 0);
    g_assert_cmpfloat(hr_tree_number(json_array_get(list, 3), "matched_count"), ==, 1);
    g_assert_nonnull(hr_diagnostics_find(diagnostics, HR_DIAG_ALLOW_UNUSED));
    g_assert_nonnull(hr_diagnostics_find(diagnostics, HR_DIAG_ALLOW_EXPIRED));
    json_decref(result);
}

static void test_entry_in_force_wins(void)
{
    static const char OLD[] = "[old]\npattern = *insert\n" WHO "expires = 2020-01-01\n";
    static const char NEW[] = "[new]\npattern = *insert\nreason = r\nowner = newer\n";
    for (int order = 0; order < 2; order++) {
        HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
        g_autofree char *list = g_strconcat(order ? OLD : NEW, order ? NEW : OLD, NULL);
        json_t *result = applied(list, diagnostics);
        g_assert_cmpstr(hr_tree_text(allowed(result, 0), "owner"), ==, "newer");
        json_decref(result);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/allow/lists", test_lists);
    g_test_add_func("/allow/matches", test_matches);
    g_test_add_func("/allow/entry-in-force-wins", test_entry_in_force_wins);
    return g_test_run();
}
