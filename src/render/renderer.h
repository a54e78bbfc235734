// SPDX-License-Identifier: MIT
// What the backends share while they write: inside of render/ only.
#pragma once

#include "render/fonts.h"
#include "render/render.h"

struct hr_renderer {
    char *data_dir;
    struct hr_fonts *fonts;
};
