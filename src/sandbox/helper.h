// SPDX-License-Identifier: MIT
// A second process, started before this one gives its rights away, that is asked for what this one
// may no longer do: a question is a kind and a text, an answer a text and perhaps a descriptor.
// What may be asked is decided by who answers; here is only the way.
#pragma once

#include "base/cleanup.h"

#include <stdbool.h>

struct hr_helper;

struct hr_helper_answer {
    bool good;
    char *text; // g_free()d by who asked; NULL: none
    int fd;     // the asker's; -1: none
};

// Answers one question, in the helper. A descriptor in the answer is closed once it is handed over.
typedef void hr_helper_answer_function(unsigned kind, const char *text, void *context,
                                       struct hr_helper_answer *answer);

// Starts the helper; `context` is what it is now. With `restricted` it may make no more system
// calls than hr_calls_restrict() leaves. NULL when there can be no other process. To be called
// while there are no other threads.
struct hr_helper *hr_helper_new(hr_helper_answer_function *answer, void *context, bool restricted);

// Ends the helper.
void hr_helper_free(struct hr_helper *helper);
HR_DEFINE_AUTO(hr_helper, hr_helper_free)

// Asks, and waits for the answer, by one thread at a time. False when the helper is gone or the
// question is too long.
bool hr_helper_ask(struct hr_helper *helper, unsigned kind, const char *text,
                   struct hr_helper_answer *answer);
