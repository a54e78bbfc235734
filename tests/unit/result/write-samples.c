// SPDX-License-Identifier: MIT
// Writes the samples into a directory: write-samples testdata/result
#include "sample.h"

#include <stdio.h>

static bool write_sample(const char *directory, const struct hr_named_sample *named)
{
    HR_AUTO(hr_sample) sample = hr_sample_new(&named->options);
    json_t *result = hr_sample_compose(sample);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    hr_result_write(result, bytes);
    json_decref(result);
    g_autofree char *path = g_build_filename(directory, named->file, NULL);
    g_autoptr(GError) error = NULL;
    if (!g_file_set_contents(path, (const char *)bytes->data, bytes->len, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return false;
    }
    return true;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: write-samples DIRECTORY\n");
        return 2;
    }
    for (size_t i = 0; i < HR_NAMED_SAMPLES_COUNT; i++) {
        if (!write_sample(argv[1], &HR_NAMED_SAMPLES[i])) {
            return 1;
        }
    }
    return 0;
}
