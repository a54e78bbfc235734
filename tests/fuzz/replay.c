// SPDX-License-Identifier: MIT
// Stands in for libFuzzer: gives each file of the directories and files named to the target, then
// each with bytes changed here and there, always the same ones.
#include "fuzz.h"

#include <glib.h>
#include <stdbool.h>
#include <stdio.h>

#define MUTATIONS 60

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

// Runs the target on an exact-sized copy, so that a sanitizer sees a read behind the end.
static void run(const char *bytes, size_t size)
{
    // A fuzzer hands out a pointer for no bytes too.
    uint8_t *copy = size > 0 ? g_memdup2(bytes, size) : g_malloc(1);
    LLVMFuzzerTestOneInput(copy, size);
    g_free(copy);
}

static void run_mutated(const char *bytes, size_t size)
{
    uint64_t state = 0x9e3779b97f4a7c15 ^ size;
    for (int i = 0; i < MUTATIONS && size > 0; i++) {
        char *changed = g_memdup2(bytes, size);
        for (int change = 0; change < 1 + i % 4; change++) {
            changed[next_random(&state) % size] = (char)next_random(&state);
        }
        run(changed, i % 3 == 0 ? next_random(&state) % size : size);
        g_free(changed);
    }
}

static bool replay_file(const char *path)
{
    g_autofree char *bytes = NULL;
    gsize size;
    g_autoptr(GError) error = NULL;
    if (!g_file_get_contents(path, &bytes, &size, &error)) {
        fprintf(stderr, "%s\n", error->message);
        return false;
    }
    run(bytes, size);
    run_mutated(bytes, size);
    return true;
}

static bool replay_directory(const char *path)
{
    g_autoptr(GDir) directory = g_dir_open(path, 0, NULL);
    if (!directory) {
        return replay_file(path);
    }
    unsigned replayed = 0;
    for (const char *name; (name = g_dir_read_name(directory));) {
        g_autofree char *file = g_build_filename(path, name, NULL);
        if (!replay_file(file)) {
            return false;
        }
        replayed++;
    }
    printf("%s: %u files\n", path, replayed);
    return replayed > 0;
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++) {
        if (!replay_directory(argv[i])) {
            return 1;
        }
    }
    return argc > 1 ? 0 : 2;
}
