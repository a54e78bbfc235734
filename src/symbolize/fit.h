// SPDX-License-Identifier: MIT
// How well one file fits one module of the run: the vaddr of each of its addresses, and how many of
// them stand right behind a call. Decides whether names of the file may be used, and for which
// addresses.
#pragma once

#include "model/symbols.h"
#include "symbolize/layout.h"
#include "symbolize/match.h"

struct hr_fit_address {
    uint64_t vaddr;
    bool placed;         // vaddr is known and lies in code
    bool behind_call;    // true also where the machine is not known
    enum hr_trust limit; // no name from this file deserves more trust
};

struct hr_fit {
    struct hr_fit_address *addresses; // as module->locations
    uint32_t count;
    uint32_t placed_count;
    uint32_t behind_count;
    bool lines_fit;
    bool shifted; // a profile held return addresses: all vaddrs are one byte before what was read
    double ratio; // behind_count / count, NAN when not tried
    enum hr_binary_match match;
    struct hr_phrase reason;
};

// Fits `object` to the module. Never NULL.
struct hr_fit *hr_fit_new(const struct hr_object *object, const struct hr_layout_module *module,
                          const struct hr_layout *layout, const struct hr_run *run);
void hr_fit_free(struct hr_fit *fit);
HR_DEFINE_AUTO(hr_fit, hr_fit_free)
