// SPDX-License-Identifier: MIT
// The door of the command line: argv in, exit status out (docs/result.md has the table). Only here
// is anything printed.
#pragma once

// Runs one verb. Never calls exit().
int hr_command_run(int argc, char **argv);
