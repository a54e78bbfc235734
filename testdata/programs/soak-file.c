// SPDX-License-Identifier: MIT
// A mapped file is read through: resident memory rises by its size, and none of it is the
// program's own. The file lies beside the counters, or in the working directory.
#include "soak.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#define FILE_BYTES (48u << 20)
#define PAGE_BYTES 4096

static int file_make(const char *counters_file)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.mapped", counters_file ? counters_file : "soak-file");
    const int file = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (file < 0) {
        abort();
    }
    unlink(path);
    static char block[1 << 20];
    memset(block, 0x5a, sizeof block);
    for (size_t done = 0; done < FILE_BYTES; done += sizeof block) {
        if (write(file, block, sizeof block) != (ssize_t)sizeof block) {
            abort();
        }
    }
    return file;
}

int main(int argc, char **argv)
{
    struct soak *soak = soak_begin(argc, argv);
    const int file = file_make(soak->counters_file);
    const volatile unsigned char *mapped = mmap(NULL, FILE_BYTES, PROT_READ, MAP_SHARED, file, 0);
    if (mapped == MAP_FAILED) {
        abort();
    }
    // Without this the kernel maps many pages around each one that is read.
    madvise((void *)(uintptr_t)mapped, FILE_BYTES, MADV_RANDOM);
    size_t read_bytes = 0;
    unsigned sum = 0;
    do {
        const size_t due = (size_t)(soak_elapsed_s(soak) / soak->seconds * FILE_BYTES);
        for (; read_bytes < due && read_bytes < FILE_BYTES; read_bytes += PAGE_BYTES) {
            sum += mapped[read_bytes];
        }
    } while (soak_step(soak));
    return sum == 1;
}
