// SPDX-License-Identifier: MIT
#include "sandbox/calls.h"

#ifdef HR_HAS_SECCOMP
#include <errno.h>
#include <glib.h>
#include <sched.h>
#include <seccomp.h>
#include <stdint.h>
#include <sys/ioctl.h>
#include <unistd.h>

// Which argument of clone() its flags are.
#ifdef __s390__
#define CLONE_FLAGS_ARGUMENT 1
#else
#define CLONE_FLAGS_ARGUMENT 0
#endif

// The kernel looks every call up: by a few comparisons, not by one for each call that is refused.
#define BINARY_TREE 2

static const char *const refused[] = {
    // the network; what is open already stays
    "socket", "socketpair", "connect", "bind", "listen", "accept", "accept4",
    // other programs
    "execve", "execveat", "fork", "vfork", "uselib",
#ifndef HR_SANITIZED // LeakSanitizer looks at our threads from a process of its own
    "ptrace", "process_vm_readv",
#endif
    // other processes
    "process_vm_writev", "process_madvise", "process_mrelease", "pidfd_open", "pidfd_getfd",
    "pidfd_send_signal", "kcmp", "kill", "tkill", "rt_sigqueueinfo", "rt_tgsigqueueinfo",
    "migrate_pages", "move_pages", "setpriority", "ioprio_set",
    // files by other ways than opening them for writing
    "chmod", "fchmodat", "fchmodat2", "chown", "lchown", "fchownat", "setxattr", "lsetxattr",
    "setxattrat", "removexattr", "lremovexattr", "removexattrat", "truncate", "utime", "utimes",
    "futimesat", "utimensat", "file_setattr", "name_to_handle_at", "open_by_handle_at",
    "fanotify_init", "quotactl", "quotactl_fd", "swapon", "swapoff",
    // another view of the system
    "mount", "umount", "umount2", "pivot_root", "chroot", "open_tree", "open_tree_attr",
    "move_mount", "fsopen", "fsconfig", "fsmount", "fspick", "mount_setattr", "unshare", "setns",
    // the kernel
    "bpf", "perf_event_open", "userfaultfd", "add_key", "request_key", "keyctl", "init_module",
    "finit_module", "delete_module", "kexec_load", "kexec_file_load", "reboot", "acct", "syslog",
    "lookup_dcookie", "iopl", "ioperm", "modify_ldt", "sethostname", "setdomainname",
    "settimeofday", "stime", "clock_settime", "clock_adjtime", "adjtimex", "nfsservctl",
    "personality", "vhangup"};

// Refused as on a kernel that lacks them, so that callers take the older call, which is looked at:
// filters see no memory, and with it neither the flags of clone3 nor what a ring is told to do.
static const char *const absent[] = {
#ifndef HR_SANITIZED
    "clone3",
#endif
    "io_uring_setup", "io_uring_enter", "io_uring_register"};

static bool refuse(scmp_filter_ctx filter, const char *name, int reason)
{
    const int number = seccomp_syscall_resolve_name(name);
    return number == __NR_SCMP_ERROR || // not known here
           seccomp_rule_add(filter, SCMP_ACT_ERRNO((uint32_t)reason), number, 0) == 0;
}

static bool refuse_where(scmp_filter_ctx filter, int number, struct scmp_arg_cmp condition)
{
    return seccomp_rule_add_array(filter, SCMP_ACT_ERRNO(EPERM), number, 1, &condition) == 0;
}

static bool refuse_all(scmp_filter_ctx filter)
{
    for (size_t i = 0; i < G_N_ELEMENTS(refused); i++) {
        if (!refuse(filter, refused[i], EPERM)) {
            return false;
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(absent); i++) {
        if (!refuse(filter, absent[i], ENOSYS)) {
            return false;
        }
    }
    return true;
}

// Threads, and the signal by which we end ourselves, are ours; a terminal must not be typed into.
static bool refuse_in_part(scmp_filter_ctx filter)
{
#ifndef HR_SANITIZED
    if (!refuse_where(filter, SCMP_SYS(clone),
                      SCMP_CMP(CLONE_FLAGS_ARGUMENT, SCMP_CMP_MASKED_EQ, CLONE_THREAD, 0))) {
        return false;
    }
#endif
    return refuse_where(filter, SCMP_SYS(tgkill),
                        SCMP_CMP(0, SCMP_CMP_NE, (scmp_datum_t)getpid(), 0)) &&
           refuse_where(filter, SCMP_SYS(prlimit64), SCMP_CMP(0, SCMP_CMP_NE, 0, 0)) &&
           refuse_where(filter, SCMP_SYS(ioctl),
                        SCMP_CMP(1, SCMP_CMP_MASKED_EQ, UINT32_MAX, TIOCSTI)) &&
           refuse_where(filter, SCMP_SYS(ioctl),
                        SCMP_CMP(1, SCMP_CMP_MASKED_EQ, UINT32_MAX, TIOCLINUX));
}

bool hr_calls_restrict(void)
{
    scmp_filter_ctx filter = seccomp_init(SCMP_ACT_ALLOW);
    if (!filter) {
        return false;
    }
    const bool in_force = refuse_all(filter) && refuse_in_part(filter) &&
                          seccomp_attr_set(filter, SCMP_FLTATR_CTL_OPTIMIZE, BINARY_TREE) == 0 &&
                          seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1) == 0 &&
                          seccomp_load(filter) == 0;
    seccomp_release(filter);
    return in_force;
}
#else
bool hr_calls_restrict(void)
{
    return false;
}
#endif
