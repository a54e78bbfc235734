// SPDX-License-Identifier: MIT
#include "command/data_dir.h"

#include <stdbool.h>

static bool holds_templates(const char *directory)
{
    g_autofree char *report = g_build_filename(directory, "templates", "report.xml", NULL);
    return g_file_test(report, G_FILE_TEST_IS_REGULAR);
}

// The places around the program come before HR_DATA_DIR, so that one that was built or moved does
// not take the templates of another version that is installed.
static GPtrArray *list_candidates(void)
{
    GPtrArray *candidates = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *program = g_file_read_link("/proc/self/exe", NULL);
    if (program) {
        g_autofree char *bin = g_path_get_dirname(program);
        g_autofree char *above = g_path_get_dirname(bin);
        g_ptr_array_add(candidates, g_build_filename(above, "share", "heapreport", NULL));
        g_ptr_array_add(candidates, g_path_get_dirname(above)); // tree/build/src/heapreport
    }
    g_ptr_array_add(candidates, g_strdup(HR_DATA_DIR));
    return candidates;
}

char *hr_data_dir_find(GError **error)
{
    const char *chosen = g_getenv("HEAPREPORT_DATA_DIR");
    if (chosen && *chosen) {
        if (holds_templates(chosen)) {
            return g_strdup(chosen);
        }
        g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE,
                    "HEAPREPORT_DATA_DIR: no templates/report.xml in %s", chosen);
        return NULL;
    }
    g_autoptr(GPtrArray) candidates = list_candidates();
    for (guint i = 0; i < candidates->len; i++) {
        if (holds_templates(candidates->pdata[i])) {
            return g_strdup(candidates->pdata[i]);
        }
    }
    g_ptr_array_add(candidates, NULL);
    g_autofree char *tried = g_strjoinv(", ", (char **)candidates->pdata);
    g_set_error(error, HR_ERROR, HR_ERROR_TEMPLATE,
                "no templates/report.xml in any of %s; HEAPREPORT_DATA_DIR can name its directory",
                tried);
    return NULL;
}
