// SPDX-License-Identifier: MIT
// Bursts: much is allocated and soon freed again. With decay switched off (dirty_decay_ms:-1) the
// allocator keeps it all. Each burst is larger than the one before and interval dumps crowd into
// them; a third of the time at the end is quiet.
#include "soak.h"

#define OBJECT_BYTES 4000
#define OBJECTS_MAX 12000
#define BURSTS 5

SOAK_NOINLINE static void burst(void **objects, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        objects[i] = soak_touch(malloc(OBJECT_BYTES), OBJECT_BYTES);
    }
    for (size_t i = 0; i < count; i++) {
        free(objects[i]);
    }
}

int main(int argc, char **argv)
{
    static void *objects[OBJECTS_MAX];
    struct soak *soak = soak_begin(argc, argv);
    int bursts = 0;
    double quiet_since_s = 0;
    do {
        const double due_s = (bursts + 1) * soak->seconds * 2 / 3 / (BURSTS + 1);
        if (bursts < BURSTS && soak_elapsed_s(soak) >= due_s) {
            bursts++;
            burst(objects, (size_t)OBJECTS_MAX * (size_t)bursts / BURSTS);
            quiet_since_s = soak_elapsed_s(soak);
        }
        // On a busy machine bursts take long; the quiet time comes all the same.
    } while (soak_step(soak) || bursts < BURSTS ||
             soak_elapsed_s(soak) < quiet_since_s + soak->seconds / 3);
    return 0;
}
