// SPDX-License-Identifier: MIT
// Opening inputs, writing to what is open, and waiting for it. Only regular files are opened to be
// read: a FIFO, device or socket that lies in a directory, or that a memory map names, is refused
// before a byte is touched and without waiting.
#pragma once

#include "base/error.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>

// Opens a regular file for reading. On success the caller owns *fd; *status is its fstat(). Fails
// (HR_ERROR_INPUT, the message without the path) when it cannot be opened or is no regular file.
bool hr_file_open(const char *path, int *fd, struct stat *status, GError **error);

// Reads a whole regular file of at most `limit_bytes` bytes; *bytes is NUL-terminated behind *size
// and g_free()d by the caller. Fails as hr_file_open() does, on a larger file (HR_ERROR_LIMIT), and
// on a read error.
bool hr_file_read(const char *path, size_t limit_bytes, char **bytes, size_t *size, GError **error);

// Writes all bytes, however many calls that takes; false (errno says why) when it cannot.
bool hr_file_write_all(int fd, const void *bytes, size_t size);

// Waits until `fd` has something to read, or, of a process, that ends. False when nothing came
// before `end_us` of the monotonic clock (g_get_monotonic_time()).
bool hr_file_wait(int fd, int64_t end_us);
