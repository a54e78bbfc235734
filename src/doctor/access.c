// SPDX-License-Identifier: MIT
#include "doctor/access.h"

#include <errno.h>
#include <glib.h>
#include <grp.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/xattr.h>
#include <unistd.h>

#define GROUPS_MAX 1024

static bool is_in_group(const struct hr_doctor_user *user, gid_t group)
{
    bool found = user->gid == group;
    for (size_t i = 0; i < user->groups_count; i++) {
        found |= user->groups[i] == group;
    }
    return found;
}

// `wanted`: 1 to pass through, 3 to make files.
static bool may(const struct stat *status, const struct hr_doctor_user *user, unsigned wanted)
{
    if (user->uid == 0) {
        return true;
    }
    const unsigned shift = user->uid == status->st_uid         ? 6
                           : is_in_group(user, status->st_gid) ? 3
                                                               : 0;
    return ((status->st_mode >> shift) & wanted) == wanted;
}

static bool has_list(const char *path)
{
    return getxattr(path, "system.posix_acl_access", NULL, 0) > 0;
}

// Every directory above must let the user through.
static bool may_reach(const char *directory, const struct hr_doctor_user *user)
{
    g_autofree char *path = g_strdup(directory);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        struct stat status;
        *slash = '\0';
        // /proc/PID/root belongs to whoever looks; what is below it is what counts.
        const bool passed = g_str_has_prefix(path, "/proc/") || stat(path, &status) != 0 ||
                            may(&status, user, 1) || has_list(path);
        *slash = '/';
        if (!passed) {
            return false;
        }
    }
    return true;
}

// The same along the way that links on it lead.
static bool may_follow(const char *directory, const struct hr_doctor_user *user)
{
    char *target = realpath(directory, NULL);
    const bool passed = !target || may_reach(target, user);
    free(target);
    return passed && may_reach(directory, user);
}

static bool is_read_only(const char *directory)
{
    struct statvfs status;
    return statvfs(directory, &status) == 0 && (status.f_flag & ST_RDONLY) != 0;
}

static enum hr_access look_as_ourselves(const char *directory, const struct stat *status)
{
    if (access(directory, W_OK | X_OK) == 0) {
        return HR_ACCESS_MAY_WRITE;
    }
    return status->st_uid == geteuid() ? HR_ACCESS_READ_ONLY : HR_ACCESS_OTHER_USER;
}

enum hr_access hr_access_look(const char *directory, const struct hr_doctor_user *user)
{
    struct stat status;
    if (stat(directory, &status) != 0) {
        return errno == ENOENT || errno == ENOTDIR ? HR_ACCESS_MISSING : HR_ACCESS_UNKNOWN;
    }
    if (!S_ISDIR(status.st_mode)) {
        return HR_ACCESS_NO_DIRECTORY;
    }
    if (is_read_only(directory)) {
        return HR_ACCESS_READ_ONLY;
    }
    if (!user) {
        return look_as_ourselves(directory, &status);
    }
    if (!may_follow(directory, user)) {
        return HR_ACCESS_NO_WAY;
    }
    // With a list the group's bits are the most that anybody in the list may, not what he may.
    if (user->uid != 0 && user->uid != status.st_uid && has_list(directory)) {
        return HR_ACCESS_UNKNOWN;
    }
    if (may(&status, user, 3)) {
        return HR_ACCESS_MAY_WRITE;
    }
    return user->uid == status.st_uid ? HR_ACCESS_READ_ONLY : HR_ACCESS_OTHER_USER;
}

double hr_access_free_bytes(const char *directory, const struct hr_doctor_user *user)
{
    struct statvfs status;
    if (statvfs(directory, &status) != 0) {
        return -1;
    }
    const bool is_root = user ? user->uid == 0 : geteuid() == 0;
    return (double)(is_root ? status.f_bfree : status.f_bavail) * (double)status.f_frsize;
}

bool hr_access_may_add_file(const char *directory)
{
    struct statvfs status;
    // Some file systems do not count them.
    return statvfs(directory, &status) != 0 || status.f_files == 0 || status.f_ffree > 0;
}

bool hr_access_gives_rights(const char *program, const struct hr_doctor_user *user)
{
    struct stat status;
    if (user->uid == 0 || stat(program, &status) != 0) {
        return false;
    }
    return ((status.st_mode & S_ISUID) && status.st_uid != user->uid) ||
           ((status.st_mode & S_ISGID) && status.st_gid != user->gid) ||
           getxattr(program, "security.capability", NULL, 0) > 0;
}

// The number that a text is; false when it is none, or none that a user can have.
static bool read_id(const char *text, uid_t *id)
{
    guint64 number;
    if (!g_ascii_string_to_unsigned(text, 10, 0, G_MAXUINT32 - 1, &number, NULL)) {
        return false;
    }
    *id = (uid_t)number;
    return true;
}

bool hr_access_find_group(const char *name, gid_t *group)
{
    const struct group *entry = getgrnam(name);
    *group = entry ? entry->gr_gid : 0;
    return entry || read_id(name, group);
}

bool hr_access_find_user(const char *name, struct hr_doctor_user *user, gid_t **groups)
{
    uid_t number = 0;
    const bool is_number = read_id(name, &number);
    const struct passwd *entry = is_number ? getpwuid(number) : getpwnam(name);
    *groups = NULL;
    if (!entry && !is_number) {
        return false;
    }
    *user = (struct hr_doctor_user){
        .name = name, .uid = entry ? entry->pw_uid : number, .gid = entry ? entry->pw_gid : number};
    if (entry) {
        int count = GROUPS_MAX;
        *groups = g_new(gid_t, GROUPS_MAX);
        user->groups_count =
            getgrouplist(entry->pw_name, entry->pw_gid, *groups, &count) >= 0 ? (size_t)count : 0;
        user->groups = *groups;
    }
    return true;
}
