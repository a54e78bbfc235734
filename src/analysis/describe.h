// SPDX-License-Identifier: MIT
// Who a suspect is in words: place, keywords, category, fingerprint. Method 7.
#pragma once

#include "analysis/findings.h"
#include "analysis/groups.h"

struct hr_place {
    const char *function;
    const char *file; // NULL when unknown
    unsigned line;
    const char *module; // NULL outside every mapping
};

// The place of the group's answering frame.
struct hr_place hr_describe_place(const struct hr_symbols *symbols, const struct hr_group *group);

// Sets function, file, line, module, fingerprint, keywords and category of a suspect whose stacks
// are set.
void hr_describe_suspect(struct hr_arena *arena, const struct hr_run *run,
                         const struct hr_symbols *symbols, const struct hr_rules *rules,
                         const uint32_t *responsible_frames, const struct hr_group *group,
                         struct hr_suspect *suspect);
