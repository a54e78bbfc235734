// SPDX-License-Identifier: MIT
// Names come from binaries that anybody may have made: what could hide or reorder text is shown
// as its code point instead.
#pragma once

#include <glib.h>

// A copy of `text` in valid UTF-8 whose control, bidi and otherwise invisible format characters
// read "\u{202e}"; the caller frees it. Line breaks and tabs become blanks.
char *hr_printable(const char *text);
