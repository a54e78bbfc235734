// SPDX-License-Identifier: MIT
#include "command/result_file.h"

#include "base/files.h"
#include "result/result.h"

#define RESULT_BYTES_MAX (64u << 20)

json_t *hr_result_file_read(const char *path, GError **error)
{
    g_autofree char *bytes = NULL;
    size_t size;
    json_t *result = NULL;
    if (hr_file_read(path, RESULT_BYTES_MAX, &bytes, &size, error)) {
        result = hr_result_read(bytes, size, error);
    }
    if (!result) {
        g_prefix_error(error, "%s: ", path);
    }
    return result;
}
