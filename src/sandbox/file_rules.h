// SPDX-License-Identifier: MIT
// Which files this process may still open, held by the kernel (Landlock) from the moment the rules
// are entered. Entering again can only take more away. What is open stays open.
#pragma once

#include "base/cleanup.h"

#include <stdbool.h>

struct hr_file_rules;

// Rules that allow nothing yet; NULL where the kernel has no Landlock or does not let us use it.
struct hr_file_rules *hr_file_rules_new(void);
void hr_file_rules_free(struct hr_file_rules *rules);
HR_DEFINE_AUTO(hr_file_rules, hr_file_rules_free)

// Allows a file to be read, or a directory with all that is below it. NULL and what is not there
// are fine.
void hr_file_rules_allow_reading(struct hr_file_rules *rules, const char *path);

// The same of what symbolic links in a directory lead to, where that is a regular file.
void hr_file_rules_allow_links(struct hr_file_rules *rules, const char *directory);

// Allows files to be made, written, replaced and removed below an open directory: a file that is
// put in place whole cannot be allowed alone.
void hr_file_rules_allow_outputs(struct hr_file_rules *rules, int directory_fd);

// Allows an empty directory to be removed below an open one.
void hr_file_rules_allow_removing(struct hr_file_rules *rules, int directory_fd);

// Allows a file to be read and written in place; where it is not there, to be made in its
// directory. NULL is fine.
void hr_file_rules_allow_keeping(struct hr_file_rules *rules, const char *path);

// Takes away all that is not allowed, from this thread and those that it starts. Returns whether it
// is in force: not when one rule could not be made, since the run would miss a file of its own.
bool hr_file_rules_enter(struct hr_file_rules *rules);
