// SPDX-License-Identifier: MIT
// Objects of one size of which one in eight survives, spread over the slabs: most of the memory
// set aside for that size is unused. Writes a dump before and one after (prof.dump, by the
// configured prefix), and the allocator's statistics to the file.
//
//   fragments STATISTICS_FILE
#include <jemalloc/jemalloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NOINLINE __attribute__((noinline))
#define OBJECTS 200000
#define OBJECT_BYTES 200
#define PACKED_OBJECTS 20000
#define PACKED_BYTES 1000

static void *objects[OBJECTS];
static void *packed[PACKED_OBJECTS];

NOINLINE static void keep_one_in_eight(void)
{
    for (int i = 0; i < OBJECTS; i++) {
        objects[i] = memset(malloc(OBJECT_BYTES), 1, OBJECT_BYTES);
    }
    for (int i = 0; i < OBJECTS; i++) {
        if (i % 8 != 0) {
            free(objects[i]);
        }
    }
}

NOINLINE static void keep_all(void)
{
    for (int i = 0; i < PACKED_OBJECTS; i++) {
        packed[i] = memset(malloc(PACKED_BYTES), 1, PACKED_BYTES);
    }
}

static void write_text(void *file, const char *text)
{
    fputs(text, file);
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "w") : NULL;
    if (!file || mallctl("prof.dump", NULL, NULL, NULL, 0) != 0) {
        return 1;
    }
    keep_one_in_eight();
    keep_all();
    if (mallctl("prof.dump", NULL, NULL, NULL, 0) != 0) {
        return 1;
    }
    malloc_stats_print(write_text, file, "Ja");
    return fclose(file) == 0 ? 0 : 1;
}
