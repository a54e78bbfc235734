// SPDX-License-Identifier: MIT
#include "base/format.h"

#include <math.h>
#include <time.h>

// Years 0 to 9999: what RFC 3339 can say.
#define FIRST_S (-62167219200.0)
#define END_S 253402300800.0

static bool break_down(double unix_s, struct tm *parts)
{
    if (!(unix_s >= FIRST_S && unix_s < END_S)) {
        return false;
    }
    const time_t seconds = (time_t)floor(unix_s);
    return gmtime_r(&seconds, parts) != NULL;
}

void hr_format_append_time(GString *out, double unix_s)
{
    struct tm parts;
    if (!break_down(unix_s, &parts)) {
        g_string_append(out, "\u2014");
        return;
    }
    g_string_append_printf(out, "%04d-%02d-%02d %02d:%02d:%02d UTC", parts.tm_year + 1900,
                           parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min,
                           parts.tm_sec);
}

void hr_format_append_rfc3339(GString *out, double unix_s)
{
    struct tm parts;
    if (!break_down(unix_s, &parts)) {
        g_string_append(out, "\u2014");
        return;
    }
    g_string_append_printf(out, "%04d-%02d-%02dT%02d:%02d:%02dZ", parts.tm_year + 1900,
                           parts.tm_mon + 1, parts.tm_mday, parts.tm_hour, parts.tm_min,
                           parts.tm_sec);
}
