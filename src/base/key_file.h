// SPDX-License-Identifier: MIT
// Key files: [group], key=value, # comment. GKeyFile reads them, and forgives too much for files
// that decide: what is there twice it merges, the last wins, and a value that it cannot read is as
// if it were absent.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stddef.h>

// Reads the text of `path`, which is for messages alone. Fails with `code`, the message with the
// path, when it is no key file or no UTF-8 text, or says one group or key twice. The caller owns
// the key file (g_key_file_unref()).
GKeyFile *hr_key_file_parse(const char *path, const char *text, size_t size, enum hr_error code,
                            GError **error);

// The value of a key; NULL when there is no such key. Fails with `code` when there is one and it
// cannot be read. The caller owns *value.
bool hr_key_file_get(GKeyFile *file, const char *group, const char *key, char **value,
                     enum hr_error code, GError **error);
