// SPDX-License-Identifier: MIT
#include "command/command.h"

int hr_command_run(int argc, char **argv)
{
    (void)argc;
    (void)argv;
    return 3;
}
