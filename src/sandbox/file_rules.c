// SPDX-License-Identifier: MIT
#include "sandbox/file_rules.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glib.h>
#include <linux/landlock.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// What came after the first versions of <linux/landlock.h>; numbers of the kernel's interface.
#define ACCESS_TRUNCATE (UINT64_C(1) << 14)     // ABI 3
#define ACCESS_IOCTL_DEVICE (UINT64_C(1) << 15) // ABI 5
#define NET_TCP UINT64_C(3)                     // bind, connect; ABI 4
#define SCOPE_SOCKETS_AND_SIGNALS UINT64_C(3)   // abstract sockets, signals; ABI 6
#define ABI_REFER 2
#define ABI_TRUNCATE 3
#define ABI_NET 4
#define ABI_IOCTL_DEVICE 5
#define ABI_SCOPE 6

// All of ABI 1.
#define ACCESS_FIRST (((uint64_t)LANDLOCK_ACCESS_FS_MAKE_SYM << 1) - 1)

#define READ (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_READ_DIR)
#define KEEP (LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE | ACCESS_TRUNCATE)
#define WRITE                                                                                      \
    (LANDLOCK_ACCESS_FS_READ_DIR | LANDLOCK_ACCESS_FS_WRITE_FILE | LANDLOCK_ACCESS_FS_MAKE_REG |   \
     LANDLOCK_ACCESS_FS_REMOVE_FILE | ACCESS_TRUNCATE)

// Those that a rule for a single file may name.
#define OF_FILES                                                                                   \
    (LANDLOCK_ACCESS_FS_EXECUTE | LANDLOCK_ACCESS_FS_READ_FILE | LANDLOCK_ACCESS_FS_WRITE_FILE |   \
     ACCESS_TRUNCATE | ACCESS_IOCTL_DEVICE)

// struct landlock_ruleset_attr as it has grown; older kernels take the zeros behind what they know.
struct ruleset {
    uint64_t files, net, scoped;
};

struct hr_file_rules {
    int fd;
    uint64_t handled;
    bool broken; // a rule could not be made
};

static struct ruleset ruleset_for(long abi)
{
    return (struct ruleset){
        .files = ACCESS_FIRST | (abi >= ABI_REFER ? (uint64_t)LANDLOCK_ACCESS_FS_REFER : 0) |
                 (abi >= ABI_TRUNCATE ? ACCESS_TRUNCATE : 0) |
                 (abi >= ABI_IOCTL_DEVICE ? ACCESS_IOCTL_DEVICE : 0),
        .net = abi >= ABI_NET ? NET_TCP : 0,
        .scoped = abi >= ABI_SCOPE ? SCOPE_SOCKETS_AND_SIGNALS : 0,
    };
}

struct hr_file_rules *hr_file_rules_new(void)
{
    const long abi = syscall(SYS_landlock_create_ruleset, NULL, 0, LANDLOCK_CREATE_RULESET_VERSION);
    if (abi < 1) {
        return NULL;
    }
    const struct ruleset attributes = ruleset_for(abi);
    const int fd = (int)syscall(SYS_landlock_create_ruleset, &attributes, sizeof attributes, 0);
    if (fd < 0) {
        return NULL;
    }
    struct hr_file_rules *rules = g_new(struct hr_file_rules, 1);
    *rules = (struct hr_file_rules){.fd = fd, .handled = attributes.files};
    return rules;
}

void hr_file_rules_free(struct hr_file_rules *rules)
{
    if (rules) {
        close(rules->fd);
        g_free(rules);
    }
}

static void allow(struct hr_file_rules *rules, int fd, uint64_t access)
{
    struct stat status;
    if (fstat(fd, &status) != 0) {
        rules->broken = true;
        return;
    }
    const uint64_t possible = S_ISDIR(status.st_mode) ? rules->handled : rules->handled & OF_FILES;
    const struct landlock_path_beneath_attr rule = {.allowed_access = access & possible,
                                                    .parent_fd = fd};
    rules->broken |=
        syscall(SYS_landlock_add_rule, rules->fd, LANDLOCK_RULE_PATH_BENEATH, &rule, 0) != 0;
}

// Then it cannot be told what is there, and rules without it would refuse what the run needs.
static bool is_out_of_descriptors(void)
{
    return errno == EMFILE || errno == ENFILE;
}

// False when there is nothing at `path`.
static bool allow_path(struct hr_file_rules *rules, const char *path, uint64_t access)
{
    const int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0) {
        rules->broken |= is_out_of_descriptors();
        return false;
    }
    allow(rules, fd, access);
    close(fd);
    return true;
}

void hr_file_rules_allow_reading(struct hr_file_rules *rules, const char *path)
{
    if (path) {
        (void)allow_path(rules, path, READ);
    }
}

void hr_file_rules_allow_links(struct hr_file_rules *rules, const char *directory)
{
    DIR *stream = opendir(directory);
    rules->broken |= !stream && is_out_of_descriptors();
    for (const struct dirent *there; stream && (there = readdir(stream));) {
        struct stat status;
        const bool may_be = there->d_type == DT_LNK || there->d_type == DT_UNKNOWN;
        if (may_be && fstatat(dirfd(stream), there->d_name, &status, 0) == 0 &&
            S_ISREG(status.st_mode)) {
            const int fd = openat(dirfd(stream), there->d_name, O_PATH | O_CLOEXEC);
            if (fd >= 0) {
                allow(rules, fd, READ);
                close(fd);
            } else {
                rules->broken |= is_out_of_descriptors();
            }
        }
    }
    if (stream) {
        closedir(stream);
    }
}

void hr_file_rules_allow_outputs(struct hr_file_rules *rules, int directory_fd)
{
    allow(rules, directory_fd, WRITE);
}

void hr_file_rules_allow_removing(struct hr_file_rules *rules, int directory_fd)
{
    allow(rules, directory_fd, LANDLOCK_ACCESS_FS_REMOVE_DIR);
}

void hr_file_rules_allow_keeping(struct hr_file_rules *rules, const char *path)
{
    if (path && !allow_path(rules, path, KEEP)) {
        g_autofree char *directory = g_path_get_dirname(path);
        (void)allow_path(rules, directory, KEEP | LANDLOCK_ACCESS_FS_MAKE_REG);
    }
}

bool hr_file_rules_enter(struct hr_file_rules *rules)
{
    return !rules->broken && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_landlock_restrict_self, rules->fd, 0) == 0;
}
