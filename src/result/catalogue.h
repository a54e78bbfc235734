// SPDX-License-Identifier: MIT
// Reader of one file of sentences (XML). Knows nothing of which ids there are: the caller judges
// each entry.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

struct hr_catalogue_entry {
    const char *id;
    const char *text; // runs of white space folded to one blank
};

// Takes one entry; a failure's message needs no place, the reader adds it.
typedef bool (*hr_catalogue_add)(void *context, const struct hr_catalogue_entry *entry,
                                 GError **error);

// Reads `size` bytes, calls `add` for each text in order and gives the language (NULL when the file
// names none; g_free() it). Fails with name:line (HR_ERROR_TEMPLATE). Reads no other file, whatever
// the bytes ask for.
bool hr_catalogue_read(const char *name, const char *bytes, size_t size, hr_catalogue_add add,
                       void *context, char **language, GError **error);
