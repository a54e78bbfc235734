// SPDX-License-Identifier: MIT
// What a run may still do once it reads what others wrote: which files it may open at which stage
// (docs/robustness.md, Sandbox). Where the kernel does not help, a run goes on without, and says
// so.
#pragma once

#include "command/options.h"
#include "command/outputs.h"
#include "result/text.h"
#include "symbolize/tree.h"

struct hr_confinement;

// Confines this process, before it has other threads, to what all stages of the verb need: to read
// what options and `data_dir` (NULL: none) name, and to write below the directories of targets (of
// struct hr_target *) and of outputs; both may be NULL. With --no-sandbox nothing is confined.
// `text` is what a report's helper speaks by.
struct hr_confinement *hr_confinement_new(const struct hr_options *options, const char *data_dir,
                                          const struct hr_outputs *outputs,
                                          const GPtrArray *targets, const struct hr_text *text);
void hr_confinement_free(struct hr_confinement *confinement);
HR_DEFINE_AUTO(hr_confinement, hr_confinement_free)

// What is in force: "landlock+seccomp", "landlock", "seccomp" or "none".
const char *hr_confinement_name(const struct hr_confinement *confinement);

// By which symbolize has its files opened; NULL: this process may.
const struct hr_opener *hr_confinement_opener(const struct hr_confinement *confinement);

// Appends what hr_no_dumps_append_causes() says, where that must be asked elsewhere; else false.
bool hr_confinement_append_causes(const struct hr_confinement *confinement, GString *sentence);

// Takes away all but what writing documents needs, with the template at `named_template` (NULL:
// none but that of the options): neither dumps nor libraries can be opened any more. To be called
// when no other thread is left.
void hr_confinement_narrow(struct hr_confinement *confinement, const char *named_template);
