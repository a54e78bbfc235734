// SPDX-License-Identifier: MIT
#include "fuzz.h"

#include "base/files.h"

#include <glib.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

void fuzz_file_init(struct fuzz_file *file, const void *bytes, size_t size)
{
    file->fd = memfd_create("fuzz", MFD_CLOEXEC);
    g_assert_true(file->fd >= 0 && hr_file_write_all(file->fd, bytes, size));
    snprintf(file->path, sizeof file->path, "/proc/self/fd/%d", file->fd);
}

void fuzz_file_clear(struct fuzz_file *file)
{
    close(file->fd);
}
