// SPDX-License-Identifier: MIT
// A result that is read can be written, and reading that gives the same bytes again.
#include "fuzz.h"

#include "result/result.h"

#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    json_t *result = hr_result_read((const char *)bytes, size, NULL);
    if (!result) {
        return 0;
    }
    g_autoptr(GByteArray) first = g_byte_array_new();
    g_autoptr(GByteArray) second = g_byte_array_new();
    g_autoptr(GError) error = NULL;
    hr_result_write(result, first);
    json_decref(result);
    result = hr_result_read((const char *)first->data, first->len, &error);
    g_assert_no_error(error);
    hr_result_write(result, second);
    json_decref(result);
    g_assert_true(first->len == second->len && memcmp(first->data, second->data, first->len) == 0);
    return 0;
}
