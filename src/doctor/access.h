// SPDX-License-Identifier: MIT
// May a user make files in a directory? Asked for a user that we need not be, so answered from
// owner, group and mode, along the whole path.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

struct hr_doctor_user {
    const char *name; // or the number as text
    uid_t uid;
    gid_t gid;
    const gid_t *groups;
    size_t groups_count;
};

enum hr_access {
    HR_ACCESS_MAY_WRITE,
    HR_ACCESS_MISSING,      // there is no such directory
    HR_ACCESS_NO_DIRECTORY, // it is something else
    HR_ACCESS_READ_ONLY,    // its owner cannot write there either, or the file system is read-only
    HR_ACCESS_OTHER_USER,   // others may, this user may not
    HR_ACCESS_NO_WAY,       // a directory above lets this user not through
    HR_ACCESS_UNKNOWN,      // it has an access control list, or may not be looked at
};

// `user` NULL: we ourselves.
enum hr_access hr_access_look(const char *directory, const struct hr_doctor_user *user);

// Free bytes for that user there; -1: unknown.
double hr_access_free_bytes(const char *directory, const struct hr_doctor_user *user);

// False when the file system is known to take no more files, however small.
bool hr_access_may_add_file(const char *directory);

// True when a program file gives rights that this user lacks (set-user-id, set-group-id,
// capabilities): the C library then keeps variables from jemalloc.
bool hr_access_gives_rights(const char *program, const struct hr_doctor_user *user);

// Finds a group by name or number. False when there is none.
bool hr_access_find_group(const char *name, gid_t *group);

// Finds a user by name or number, with its groups (g_free() them). False when there is none.
bool hr_access_find_user(const char *name, struct hr_doctor_user *user, gid_t **groups);
