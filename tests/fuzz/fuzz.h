// SPDX-License-Identifier: MIT
// A fuzz target: takes any bytes, and must neither crash nor hang nor leak.
#pragma once

#include "base/cleanup.h"

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

// The input as a file, for readers that want a path. It has no name that stays behind.
struct fuzz_file {
    int fd;
    char path[32];
};

void fuzz_file_init(struct fuzz_file *file, const void *bytes, size_t size);
void fuzz_file_clear(struct fuzz_file *file);

// Breaks off unless the bytes are well-formed XML, HTML (tags that nest), or a PDF without a fault.
void fuzz_check_xml(const void *bytes, size_t size);
void fuzz_check_html(const void *bytes, size_t size);
void fuzz_check_pdf(const void *bytes, size_t size);
