// SPDX-License-Identifier: MIT
// Text that has to fit a width. What is least telling goes first: of a name the arguments of its
// types, then its outer scopes, at last its middle. An ellipsis stands for each of them.
#pragma once

#include "render/fonts.h"

// Shortens `text`, which may have a word before its name ("S1 "), until it fits `width` points.
// NULL when nothing readable fits. The caller frees it.
char *hr_shorten(struct hr_fonts *fonts, enum hr_font font, double size, const char *text,
                 double width);
