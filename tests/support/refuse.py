#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""refuse.py landlock|seccomp|both|pidfd COMMAND...: runs it where the kernel has none of that, as in many containers: these
calls fail with ENOSYS (landlock, pidfd_open) and EPERM (seccomp). `refuse.py has landlock` and `has seccomp` tell what is there."""
import ctypes
import errno
import os
import struct
import sys

LANDLOCK = (444, 445, 446)
PIDFD_OPEN = 434
PRCTL, SECCOMP = {"x86_64": (157, 317), "aarch64": (167, 277)}.get(os.uname().machine, (None, None))
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, MODE_FILTER = 38, 22, 2
LOAD, EQUALS, RETURN = 0x20, 0x15, 0x06
ALLOW, ERRNO = 0x7FFF0000, 0x00050000
libc = ctypes.CDLL(None, use_errno=True)


def has(what):
    if what == "landlock":
        return libc.syscall(LANDLOCK[0], None, ctypes.c_size_t(0), 1) >= 1
    return "Seccomp_filters" in open("/proc/self/status", encoding="ascii").read()


def program(what):
    """Classic BPF over (nr, arch, instruction pointer, arguments)."""
    code = [(LOAD, 0, 0, 0)]
    refusals = []
    if what in ("landlock", "both"):
        refusals += [(number, errno.ENOSYS) for number in LANDLOCK]
    if what in ("seccomp", "both"):
        refusals.append((SECCOMP, errno.EPERM))
    if what == "pidfd":
        refusals.append((PIDFD_OPEN, errno.ENOSYS))
    for number, reason in refusals:
        code += [(EQUALS, 0, 1, number), (RETURN, 0, 0, ERRNO | reason)]
    if what in ("seccomp", "both"):  # prctl(PR_SET_SECCOMP)
        code += [(EQUALS, 0, 3, PRCTL), (LOAD, 0, 0, 16), (EQUALS, 0, 1, PR_SET_SECCOMP),
                 (RETURN, 0, 0, ERRNO | errno.EPERM)]
    code.append((RETURN, 0, 0, ALLOW))
    return b"".join(struct.pack("HBBI", *instruction) for instruction in code), len(code)


def main():
    if sys.argv[1] == "has":
        return 0 if has(sys.argv[2]) else 1
    if SECCOMP is None:
        return 77
    code, count = program(sys.argv[1])
    text = ctypes.create_string_buffer(code, len(code))
    filter_ = ctypes.create_string_buffer(struct.pack("HxxxxxxP", count, ctypes.addressof(text)))
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 or libc.prctl(PR_SET_SECCOMP, MODE_FILTER, filter_, 0, 0) != 0:
        return 77
    os.execvp(sys.argv[2], sys.argv[2:])


sys.exit(main())
