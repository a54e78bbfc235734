// SPDX-License-Identifier: MIT
// heapreport show RESULT.json [--suspect ID]: a look at a result without leaving the terminal.
#include "result/show.h"
#include "command/confinement.h"
#include "command/result_file.h"
#include "command/verbs.h"

#include <errno.h>
#include <string.h>

// "1" is short for "S1" where so few digits can be no fingerprint's start worth typing.
static char *suspect_name(const char *given)
{
    const bool is_number = strlen(given) <= 2 && strspn(given, "0123456789") == strlen(given);
    return is_number ? g_strconcat("S", given, NULL) : g_strdup(given);
}

static bool compose(const json_t *result, const struct hr_options *options,
                    const struct hr_text *text, GString *out, GError **error)
{
    if (!options->suspect) {
        hr_show_overview(result, text, out);
        return true;
    }
    g_autofree char *name = suspect_name(options->suspect);
    return hr_show_suspect(result, text, name, out, error);
}

bool hr_verb_show(const struct hr_options *options, struct hr_messages *messages, GError **error)
{
    if (!options->input_file) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                            "show needs a result: heapreport show RESULT.json");
        return false;
    }
    HR_AUTO(hr_confinement)
    confinement = hr_confinement_new(options, NULL, NULL, NULL, messages->text);
    json_t *result = hr_result_file_read(options->input_file, error);
    g_autoptr(GString) out = g_string_new(NULL);
    const bool composed = result && compose(result, options, messages->text, out, error);
    json_decref(result);
    if (composed && !hr_messages_output(out->str, out->len)) {
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "standard output: %s", g_strerror(errno));
        return false;
    }
    return composed;
}
