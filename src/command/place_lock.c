// SPDX-License-Identifier: MIT
#include "command/place_lock.h"

#include <errno.h>
#include <glib.h>
#include <sys/file.h>
#include <sys/stat.h>

#define LOCK_TRIES 100
#define LOCK_WAIT_US 50000

struct place {
    dev_t device;
    ino_t inode;
    int fd;
};

struct hr_place_lock {
    GArray *places; // of struct place, each once
};

// Every run takes them in the same order, so that no two wait for each other.
static int compare_places(const void *left, const void *right)
{
    const struct place *a = left;
    const struct place *b = right;
    const int by_device = (a->device > b->device) - (a->device < b->device);
    return by_device != 0 ? by_device : (a->inode > b->inode) - (a->inode < b->inode);
}

static bool lock_place(const struct place *place)
{
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(place->fd, LOCK_EX | LOCK_NB) == 0) {
            return true;
        }
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return true; // no locks here
        }
        g_usleep(LOCK_WAIT_US);
    }
    return false;
}

static void add_place(GArray *places, int fd)
{
    struct stat status;
    if (fstat(fd, &status) == 0 && !(status.st_mode & S_IWOTH)) {
        const struct place place = {status.st_dev, status.st_ino, fd};
        g_array_append_val(places, place);
    }
}

struct hr_place_lock *hr_place_lock_new(struct hr_target *const *targets, size_t count,
                                        GError **error)
{
    HR_AUTO(hr_place_lock) lock = g_new(struct hr_place_lock, 1);
    lock->places = g_array_new(FALSE, FALSE, sizeof(struct place));
    for (size_t i = 0; i < count; i++) {
        add_place(lock->places, hr_target_directory(targets[i]));
    }
    g_array_sort(lock->places, compare_places);
    const struct place *before = NULL;
    for (guint i = 0; i < lock->places->len; i++) {
        const struct place *place = &g_array_index(lock->places, struct place, i);
        if ((!before || compare_places(before, place) != 0) && !lock_place(place)) {
            g_set_error_literal(error, HR_ERROR, HR_ERROR_OUTPUT,
                                "another run keeps the directory of the outputs locked");
            return NULL;
        }
        before = place;
    }
    return HR_STEAL(lock);
}

void hr_place_lock_free(struct hr_place_lock *lock)
{
    for (guint i = 0; lock && i < lock->places->len; i++) {
        (void)flock(g_array_index(lock->places, struct place, i).fd, LOCK_UN);
    }
    if (lock) {
        g_array_unref(lock->places);
        g_free(lock);
    }
}
