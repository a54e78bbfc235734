// SPDX-License-Identifier: MIT
// Debug files from a debuginfod server, by the client program of elfutils: --debuginfod only, for
// build-ids leave the machine. The client's own environment (DEBUGINFOD_URLS,
// DEBUGINFOD_CACHE_PATH, DEBUGINFOD_TIMEOUT) says where from.
#pragma once

#include <stdbool.h>

// True when there is a client and it was told a server.
bool hr_debuginfod_is_usable(void);

// Fetches the debug file of a build-id (lower-case hex) into the client's cache; returns its path
// there, to be g_free()d, or NULL. May wait for the network.
char *hr_debuginfod_fetch(const char *build_id);
