// SPDX-License-Identifier: MIT
#include "render/printable.h"

static gboolean is_hidden(gunichar character)
{
    switch (g_unichar_type(character)) {
    case G_UNICODE_CONTROL:
    case G_UNICODE_FORMAT:
    case G_UNICODE_SURROGATE:
    case G_UNICODE_LINE_SEPARATOR:
    case G_UNICODE_PARAGRAPH_SEPARATOR:
        return TRUE;
    default:
        // noncharacters, which XML refuses
        return (character & 0xfffe) == 0xfffe;
    }
}

char *hr_printable(const char *text)
{
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    GString *out = g_string_sized_new(64);
    for (const char *p = valid; *p; p += g_utf8_skip[(guchar)*p]) {
        const gunichar character = g_utf8_get_char(p);
        if (character == '\n' || character == '\t' || character == '\r') {
            g_string_append_c(out, ' ');
        } else if (is_hidden(character)) {
            g_string_append_printf(out, "\\u{%x}", character);
        } else {
            g_string_append_unichar(out, character);
        }
    }
    return g_string_free(out, FALSE);
}
