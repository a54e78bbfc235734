// SPDX-License-Identifier: MIT
// --base of another run or of another build: makes of that dump and of this run's final one a run
// of two dumps whose stacks are the same where the places in the program are. Analysis then goes
// on as with two dumps of one process. Reads nothing; what cannot be matched is counted, not
// guessed.
#pragma once

#include "model/run.h"
#include "model/symbols.h"

// One of the two runs, with the dump (read with its rows) that is compared.
struct hr_comparison_side {
    const struct hr_run *run;
    const struct hr_symbols *symbols;
    size_t dump;
};

// Makes the run of the two dumps, base first, and sets *symbols, which lives in its arena. Places
// are the same by file offset where both runs mapped the same file (equal build-ids; where neither
// has one, equal paths and equally laid out code), else by function and source file. The new run
// has no evidence and no clock across its dumps; both sides must outlive it. Free it with
// hr_run_free().
struct hr_run *hr_comparison_new(const struct hr_comparison_side *base,
                                 const struct hr_comparison_side *final,
                                 const struct hr_symbols **symbols);
