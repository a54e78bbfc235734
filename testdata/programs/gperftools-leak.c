// SPDX-License-Identifier: MIT
// Two dumps of gperftools' heap profiler with 1000 objects of 2048 bytes more in the second:
// testdata/cases/make-gperftools.sh builds it against Debian's libgoogle-perftools-dev.
//
//   gperftools-leak PREFIX
#include <gperftools/heap-profiler.h>
#include <stdlib.h>

__attribute__((noinline)) static void *xmalloc(size_t bytes)
{
    void *kept = malloc(bytes);
    if (!kept) {
        abort();
    }
    return kept;
}

__attribute__((noinline)) static int session_open(int count)
{
    int opened = 0;
    for (int i = 0; i < count; i++) {
        opened += xmalloc(2048) != NULL;
    }
    return opened;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        return 1;
    }
    HeapProfilerStart(argv[1]);
    int opened = session_open(100);
    HeapProfilerDump("base");
    opened += session_open(1000);
    HeapProfilerDump("final");
    HeapProfilerStop();
    return opened != 1100;
}
