// SPDX-License-Identifier: MIT
// Which system calls this process may still make (seccomp). A list of what is refused: what the
// libraries below us ask of the kernel differs by their version and the machine, and a call that a
// list of allowed ones misses would be a night without a report. Files are the business of
// file_rules.h; here are the ways around it.
#pragma once

#include <stdbool.h>

// Refuses, in all threads and for good: new sockets and connections, other programs and processes,
// looking into or signalling other processes, changing modes, owners and times of files, mounts,
// namespaces, and the kernel's settings. Refused calls fail with EPERM or ENOSYS. Returns whether
// it is in force.
bool hr_calls_restrict(void);
