// SPDX-License-Identifier: MIT
// Which module each address of a run lies in: by its map line, or by inference where the text was
// moved to anonymous pages. Knows no ELF.
#pragma once

#include "model/run.h"

#define HR_NO_MODULE UINT32_MAX

// A path of the map that holds addresses, or that --binary may be.
struct hr_layout_module {
    const char *path;      // as in the map
    const char *file_path; // without " (deleted)"; NULL when it can be no file
    const char *build_id;  // as the run's dumps say it; NULL: they do not
    GPtrArray *lines;      // of const struct hr_mapping, by address
    GArray *locations;     // of uint32_t
    bool remapped;         // an anonymous executable line touches its lines
};

// Where one location lies.
struct hr_layout_place {
    uint32_t module;               // HR_NO_MODULE outside all
    const struct hr_mapping *line; // of the file, whose bias counts; NULL without a module
    bool inferred;                 // the address itself lies on an anonymous line beside it
};

struct hr_layout {
    GPtrArray *modules;             // of struct hr_layout_module
    struct hr_layout_place *places; // one per location
    uint32_t places_count;
    bool assumed; // the lines are those that a program of fixed addresses must have had
};

// Lays out all locations of the run's stacks.
struct hr_layout *hr_layout_new(const struct hr_run *run);
void hr_layout_free(struct hr_layout *layout);
HR_DEFINE_AUTO(hr_layout, hr_layout_free)

static inline struct hr_layout_module *hr_layout_get(const struct hr_layout *layout, uint32_t index)
{
    return (struct hr_layout_module *)g_ptr_array_index(layout->modules, index);
}
