// SPDX-License-Identifier: MIT
#include "symbolize/debuginfod.h"

#include <glib.h>
#include <stdint.h>

#define CLIENT "debuginfod-find"

bool hr_debuginfod_is_usable(void)
{
    const char *servers = g_getenv("DEBUGINFOD_URLS");
    g_autofree char *client = g_find_program_in_path(CLIENT);
    return client && servers && *servers;
}

char *hr_debuginfod_fetch(const char *build_id)
{
    const char *const command[] = {CLIENT, "debuginfo", build_id, NULL};
    g_autofree char *output = NULL;
    int status;
    const bool ran = g_spawn_sync(NULL, (char **)(uintptr_t)command, NULL,
                                  G_SPAWN_SEARCH_PATH | G_SPAWN_STDERR_TO_DEV_NULL, NULL, NULL,
                                  &output, NULL, &status, NULL);
    if (!ran || !g_spawn_check_wait_status(status, NULL)) {
        return NULL;
    }
    return g_path_is_absolute(g_strchomp(output)) ? g_steal_pointer(&output) : NULL;
}
