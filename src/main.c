// SPDX-License-Identifier: MIT
#include "command/command.h"

int main(int argc, char **argv)
{
    return hr_command_run(argc, argv);
}
