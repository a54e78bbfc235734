// SPDX-License-Identifier: MIT
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

bool hr_file_open(const char *path, int *fd, struct stat *status, GError **error)
{
    // O_NONBLOCK: opening a FIFO must not wait for a writer.
    const int opened = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (opened < 0) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_INPUT, g_strerror(errno));
        return false;
    }
    struct stat found;
    if (fstat(opened, &found) != 0 || !S_ISREG(found.st_mode)) {
        close(opened);
        g_set_error_literal(error, HR_ERROR, HR_ERROR_INPUT, "not a regular file");
        return false;
    }
    *fd = opened;
    *status = found;
    return true;
}

static bool read_fully(int fd, GByteArray *bytes, size_t limit_bytes, GError **error)
{
    guint8 chunk[64 * 1024];
    for (;;) {
        const ssize_t got = read(fd, chunk, sizeof chunk);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got < 0) {
            g_set_error_literal(error, HR_ERROR, HR_ERROR_INPUT, g_strerror(errno));
            return false;
        }
        if (got == 0) {
            return true;
        }
        if (bytes->len + (size_t)got > limit_bytes) {
            g_set_error(error, HR_ERROR, HR_ERROR_LIMIT, "larger than %zu bytes", limit_bytes);
            return false;
        }
        g_byte_array_append(bytes, chunk, (guint)got);
    }
}

bool hr_file_read(const char *path, size_t limit_bytes, char **bytes, size_t *size, GError **error)
{
    int fd;
    struct stat status;
    if (!hr_file_open(path, &fd, &status, error)) {
        return false;
    }
    GByteArray *content = g_byte_array_new();
    const bool complete = read_fully(fd, content, limit_bytes, error);
    close(fd);
    if (!complete) {
        g_byte_array_unref(content);
        return false;
    }
    *size = content->len;
    g_byte_array_append(content, (const guint8 *)"", 1);
    *bytes = (char *)g_byte_array_free(content, FALSE);
    return true;
}

bool hr_file_write_all(int fd, const void *bytes, size_t size)
{
    const char *at = bytes;
    while (size > 0) {
        const ssize_t written = write(fd, at, size);
        if (written < 0 && errno == EINTR) {
            continue;
        }
        if (written <= 0) {
            return false;
        }
        at += written;
        size -= (size_t)written;
    }
    return true;
}

bool hr_file_wait(int fd, int64_t end_us)
{
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    for (;;) {
        const int64_t left_us = end_us - g_get_monotonic_time();
        if (left_us <= 0) {
            return false;
        }
        const int count = poll(&ready, 1, (int)(left_us / 1000 + 1));
        if (count > 0 || (count < 0 && errno != EINTR)) {
            return count > 0;
        }
    }
}
