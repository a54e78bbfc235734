// SPDX-License-Identifier: MIT
// write-document NAME FORMAT FILE: a sample in a format, for the tests that need a file.
#include "sample.h"

int main(int argc, char **argv)
{
    if (argc != 4) {
        return 2;
    }
    json_t *result = sample_result_read(argv[1]);
    HR_AUTO(hr_document) document = sample_document_new(result);
    gsize size = 0;
    g_autofree char *bytes = sample_write(document, argv[2], &size);
    json_decref(result);
    return g_file_set_contents(argv[3], bytes, (gssize)size, NULL) ? 0 : 1;
}
