// SPDX-License-Identifier: MIT
#include "symbolize/library.h"

#include "symbolize/root.h"

#include <elf.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <unistd.h>

// e_ident and e_type: the same place in both classes.
#define HEAD_BYTES (EI_NIDENT + 2)

// perf-N.map
static bool is_perf_map(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    if (!g_str_has_prefix(name, "perf-")) {
        return false;
    }
    const char *number = name + strlen("perf-");
    const size_t digits = strspn(number, "0123456789");
    return digits > 0 && strcmp(number + digits, ".map") == 0;
}

static bool read_head(int fd, unsigned char head[HEAD_BYTES])
{
    ssize_t got;
    do {
        got = pread(fd, head, HEAD_BYTES, 0);
    } while (got < 0 && errno == EINTR);
    return got == HEAD_BYTES;
}

static bool check_head(int fd, GError **error)
{
    unsigned char head[HEAD_BYTES];
    if (!read_head(fd, head) || memcmp(head, ELFMAG, SELFMAG) != 0) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_BINARY, "not an ELF file");
        return false;
    }
    const bool big = head[EI_DATA] == ELFDATA2MSB;
    const unsigned type = head[EI_NIDENT + big] | (unsigned)head[EI_NIDENT + !big] << 8;
    if (type != ET_EXEC && type != ET_DYN && type != ET_REL) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_BINARY,
                            "neither an executable nor a shared object");
        return false;
    }
    return true;
}

int hr_library_open(const char *root, const char *path, GError **error)
{
    const int fd = hr_root_open(root, path, error);
    if (fd >= 0 && !is_perf_map(path) && !check_head(fd, error)) {
        close(fd);
        return -1;
    }
    return fd;
}
