// SPDX-License-Identifier: MIT
// The process beside a confined run: opens the libraries that the dumps name, asks debuginfod, and
// says why there may be no dumps. None of it can be done by the run itself, which reads what others
// wrote.
#pragma once

#include "command/options.h"
#include "result/text.h"
#include "symbolize/tree.h"

struct hr_library_helper;

// NULL when there can be no other process. All given must live as long. To be called while there
// are no other threads.
struct hr_library_helper *hr_library_helper_new(const struct hr_options *options,
                                                const char *data_dir, const struct hr_text *text);
void hr_library_helper_free(struct hr_library_helper *helper);
HR_DEFINE_AUTO(hr_library_helper, hr_library_helper_free)

// By which symbolize has its files opened; the helper's.
const struct hr_opener *hr_library_helper_opener(const struct hr_library_helper *helper);

// Appends what hr_no_dumps_append_causes() says.
void hr_library_helper_append_causes(const struct hr_library_helper *helper, GString *sentence);
