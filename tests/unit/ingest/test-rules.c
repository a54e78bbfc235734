// SPDX-License-Identifier: MIT
#include "ingest/ingest.h"

#include <glib/gstdio.h>
#include <string.h>

#define FRAMES                                                                                     \
    "# kinds\n[allocator]\nfunction=malloc;je_*; operator "                                        \
    "new*\nmodule=*/libjemalloc.so*\n[app]\nfile=src/*\n"
#define CATEGORIES "[cache]\nfunction=*Cache*;*lru*\n[queue]\nfunction=*queue*\n"
#define COLUMNS                                                                                    \
    "[monitor]\ntime=timestamp\nneeds=rss_mb;heap_mb\nrss_mb=rss MiB\nthreads=threads count\n"

#define SETTINGS "[switch]\nprof=\n[number]\nlg_prof_interval=-1 63\n[word]\ndss=disabled primary\n"

static const char *const NAMES[] = {"frames.conf", "categories.conf", "evidence-columns.conf",
                                    "jemalloc-options.conf"};

static char *write_rules(const char *const contents[4])
{
    char *directory = g_dir_make_tmp("hr-XXXXXX", NULL);
    g_autofree char *folder = g_build_filename(directory, "templates", "rules", NULL);
    g_assert_cmpint(g_mkdir_with_parents(folder, 0755), ==, 0);
    for (int i = 0; i < 4; i++) {
        g_autofree char *path = g_build_filename(folder, NAMES[i], NULL);
        const char *text = i == 3 && !contents[i] ? SETTINGS : contents[i];
        g_assert_true(!text || g_file_set_contents(path, text, -1, NULL));
    }
    return directory;
}

static void remove_rules(char *directory)
{
    g_autofree char *templates = g_build_filename(directory, "templates", NULL);
    g_autofree char *folder = g_build_filename(templates, "rules", NULL);
    for (int i = 0; i < 4; i++) {
        g_autofree char *path = g_build_filename(folder, NAMES[i], NULL);
        g_remove(path);
    }
    g_rmdir(folder);
    g_rmdir(templates);
    g_assert_cmpint(g_rmdir(directory), ==, 0);
    g_free(directory);
}

static void test_order(void)
{
    char *directory = write_rules((const char *const[4]){FRAMES, CATEGORIES, COLUMNS});
    HR_AUTO(hr_arena) arena = hr_arena_new();
    struct hr_rules rules;
    GError *error = NULL;
    g_autofree char *own = g_build_filename(directory, "own.conf", NULL);
    g_assert_true(g_file_set_contents(own, "[library]\nfunction=first\n", -1, NULL));
    g_assert_true(hr_ingest_read_rules(arena, &rules, directory, own, &error));
    g_assert_no_error(error);
    g_assert_cmpuint(rules.frame_rules_count, ==, 6);
    g_assert_cmpstr(rules.frame_rules[0].glob, ==, "first");
    g_assert_cmpint(rules.frame_rules[0].kind, ==, HR_FRAME_LIBRARY);
    g_assert_cmpstr(rules.frame_rules[3].glob, ==, "operator new*");
    g_assert_cmpint(rules.frame_rules[4].field, ==, HR_FIELD_MODULE);
    g_assert_cmpint(rules.frame_rules[5].kind, ==, HR_FRAME_APP);
    g_assert_cmpuint(rules.setting_rules_count, ==, 3);
    g_assert_cmpint(rules.setting_rules[1].kind, ==, HR_SETTING_NUMBER);
    g_assert_cmpint(rules.setting_rules[1].least, ==, -1);
    g_assert_cmpint(rules.setting_rules[1].most, ==, 63);
    g_assert_cmpstr(rules.setting_rules[2].words[1], ==, "primary");
    g_assert_cmpuint(rules.category_rules_count, ==, 3);
    g_assert_cmpstr(rules.category_rules[0].glob, ==, "*cache*");
    g_assert_cmpstr(rules.category_rules[2].category, ==, "queue");
    g_assert_cmpuint(rules.table_rules_count, ==, 1);
    g_assert_cmpstr(rules.table_rules[0].needs[1], ==, "heap_mb");
    g_assert_cmpuint(rules.table_rules[0].columns_count, ==, 2);
    g_assert_cmpfloat(rules.table_rules[0].columns[0].scale, ==, 1048576);
    g_assert_cmpfloat(rules.thresholds[HR_THRESHOLD_floor_bytes], ==, 1048576);
    g_remove(own);
    remove_rules(directory);
}

static void test_errors(void)
{
    static const struct {
        const char *contents[4]; // the last NULL: rules that are right
        const char *message;     // its end
    } cases[] = {
        {{NULL, CATEGORIES, COLUMNS}, "frames.conf: No such file or directory"},
        {{"[apps]\nfunction=x\n", CATEGORIES, COLUMNS},
         "frames.conf:1: the group must be allocator, runtime, library or app"},
        {{"[app]\n\nfunktion=x\n", CATEGORIES, COLUMNS},
         "frames.conf:3: the key must be function, file or module"},
        {{"[app]\nfile=x\nfile = y\n", CATEGORIES, COLUMNS},
         "frames.conf:3: file stands here twice"},
        {{"[app]\nfile=x\n[app]\n", CATEGORIES, COLUMNS}, "frames.conf:3: app stands here twice"},
        {{FRAMES, "[cache]\nfile=x\n", COLUMNS}, "categories.conf:2: the key must be function"},
        {{FRAMES, CATEGORIES, "[m]\nrss_mb=rss MiB\n"},
         "evidence-columns.conf:1: the group must say which column is the time"},
        {{FRAMES, CATEGORIES, "[m]\ntime=t\nrss_mb=rss MB\n"},
         "evidence-columns.conf:3: expected a quantity and its unit: rss MiB"},
        {{FRAMES, CATEGORIES, "[m]\ntime=t\nx=threads MiB\n"},
         "evidence-columns.conf:3: expected a quantity and its unit: rss MiB"},
        {{FRAMES, CATEGORIES, COLUMNS, "[maybe]\nprof=\n"},
         "jemalloc-options.conf:1: the group must be switch, number, word or text"},
        {{FRAMES, CATEGORIES, COLUMNS, "[number]\nlg_prof_interval=63 -1\n"},
         "jemalloc-options.conf:2: expected the lowest and the highest value"},
        {{FRAMES, CATEGORIES, COLUMNS, "[word]\ndss=\n"},
         "jemalloc-options.conf:2: expected the words that may stand there"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
        char *directory = write_rules(cases[i].contents);
        HR_AUTO(hr_arena) arena = hr_arena_new();
        struct hr_rules rules;
        g_autoptr(GError) error = NULL;
        g_assert_false(hr_ingest_read_rules(arena, &rules, directory, NULL, &error));
        g_assert_error(error, HR_ERROR, HR_ERROR_TEMPLATE);
        g_test_message("%s", error->message);
        g_assert_true(g_str_has_suffix(error->message, cases[i].message));
        remove_rules(directory);
    }
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/rules/order", test_order);
    g_test_add_func("/rules/errors", test_errors);
    return g_test_run();
}
