// SPDX-License-Identifier: MIT
#include "base/error.h"

// The name and the functions that GLib's macro asks for. It calls them with errors of this domain
// alone, which have what is private: the assertions tell so to who reads the macro's other branch.
typedef struct {
    const char *option;
    char *value;
} HrErrorPrivate;

static void hr_error_private_init(HrErrorPrivate *blame)
{
    g_assert(blame);
    *blame = (HrErrorPrivate){0};
}

static void hr_error_private_copy(const HrErrorPrivate *from, HrErrorPrivate *to)
{
    g_assert(from && to);
    *to = (HrErrorPrivate){from->option, g_strdup(from->value)};
}

static void hr_error_private_clear(HrErrorPrivate *blame)
{
    g_assert(blame);
    g_free(blame->value);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wcast-qual" // the macro's own cast
G_DEFINE_EXTENDED_ERROR(HrError, hr_error)
#pragma GCC diagnostic pop

void hr_error_blame(GError **error, const char *option, const char *value)
{
    HrErrorPrivate *blame = error ? hr_error_get_private(*error) : NULL;
    if (blame) {
        g_free(blame->value);
        *blame = (HrErrorPrivate){option, g_strdup(value)};
    }
}

const char *hr_error_blamed(const GError *error, const char **value)
{
    const HrErrorPrivate *blame = error ? hr_error_get_private(error) : NULL;
    *value = blame ? blame->value : NULL;
    return blame ? blame->option : NULL;
}
