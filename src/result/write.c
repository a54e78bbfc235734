// SPDX-License-Identifier: MIT
#include "result/result.h"

// One blank an indent: lists of numbers are most of the lines. 15 digits are what a decimal keeps
// through a double (result/json.c rounds to less), so that writing what was read gives the same
// bytes.
#define FLAGS (JSON_INDENT(1) | JSON_REAL_PRECISION(15))

static int append_bytes(const char *bytes, size_t size, void *out)
{
    g_byte_array_append(out, (const guint8 *)bytes, (guint)size);
    return 0;
}

void hr_result_write(const json_t *result, GByteArray *out)
{
    const int failed = json_dump_callback(result, append_bytes, out, FLAGS);
    g_assert(!failed);
    g_byte_array_append(out, (const guint8 *)"\n", 1);
}

size_t hr_result_size(const json_t *result)
{
    return json_dumpb(result, NULL, 0, FLAGS) + 1;
}
