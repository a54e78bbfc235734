// SPDX-License-Identifier: MIT
// What nights leave behind, told apart by the first bytes: an allow-list ('[' or '#'), a history
// (lines of JSON), a result. A result that is read can be written, and reading that gives the same
// bytes again.
#include "fuzz.h"

#include "night/allow.h"
#include "night/history.h"
#include "night/trend.h"
#include "result/result.h"

#include <string.h>

static void try_result(const uint8_t *bytes, size_t size)
{
    json_t *result = hr_result_read((const char *)bytes, size, NULL);
    if (!result) {
        return;
    }
    g_autoptr(GByteArray) first = g_byte_array_new();
    g_autoptr(GByteArray) second = g_byte_array_new();
    g_autoptr(GError) error = NULL;
    hr_result_write(result, first);
    json_t *record = hr_history_compose_record(result);
    g_assert_true(json_is_object(record));
    json_decref(record);
    json_decref(result);
    result = hr_result_read((const char *)first->data, first->len, &error);
    g_assert_no_error(error);
    hr_result_write(result, second);
    json_decref(result);
    g_assert_true(first->len == second->len && memcmp(first->data, second->data, first->len) == 0);
}

static void try_history(const char *path)
{
    HR_AUTO(hr_history) history = hr_history_read(path, NULL);
    if (!history) {
        return;
    }
    g_autoptr(GPtrArray) nights = hr_history_nights(history, NULL);
    for (guint i = 0; i < nights->len; i++) {
        g_assert_true(hr_history_is_same_run(nights->pdata[i], nights->pdata[i]));
    }
}

static void try_allow(const char *path)
{
    g_autoptr(GError) error = NULL;
    HR_AUTO(hr_allow) allow = hr_allow_read(path, &error);
    g_assert_true(!allow == (error != NULL));
    if (!allow) {
        return;
    }
    g_autofree char *sample =
        g_build_filename(g_getenv("HR_DATA_DIR"), "testdata", "result", "heap-growth.json", NULL);
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    json_t *result = json_load_file(sample, 0, NULL);
    hr_allow_apply(allow, result, diagnostics);
    json_decref(result);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct fuzz_file file;
    fuzz_file_init(&file, bytes, size);
    if (size > 0 && (bytes[0] == '[' || bytes[0] == '#')) {
        try_allow(file.path);
    } else {
        try_history(file.path);
        try_result(bytes, size);
    }
    fuzz_file_clear(&file);
    return 0;
}
