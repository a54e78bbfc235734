// SPDX-License-Identifier: MIT
#include "night/night.h"

#include "night/allow.h"
#include "night/history.h"
#include "night/status.h"
#include "result/result.h"
#include "result/tree.h"

bool hr_night_check(const struct hr_night_options *options, GError **error)
{
    if (options->fail_on) {
        HR_AUTO(hr_gates) gates = hr_gates_new(options->fail_on, error);
        if (!gates) {
            hr_error_blame(error, "fail-on", NULL);
            return false;
        }
        if (hr_gates_need_history(gates) && !options->history_file) {
            g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                                "--fail-on new-suspect needs --history to know what is new");
            hr_error_blame(error, "fail-on", NULL);
            return false;
        }
    }
    HR_AUTO(hr_allow)
    allow = options->allow_file ? hr_allow_read(options->allow_file, error) : NULL;
    if (options->allow_file && !allow) {
        hr_error_blame(error, "allow", NULL);
        return false;
    }
    return true;
}

// Tonight's own earlier lines do not count: a run may be reported twice.
static void leave_out(GPtrArray *nights, const json_t *record)
{
    for (guint i = nights->len; i-- > 0;) {
        if (hr_history_is_same_run(g_ptr_array_index(nights, i), record)) {
            g_ptr_array_remove_index(nights, i);
        }
    }
    // Nor do later nights, when an old run is reported again.
    const double time_s = hr_tree_time(record, "final_time");
    while (nights->len > 0 &&
           hr_tree_time(g_ptr_array_index(nights, nights->len - 1), "final_time") > time_s) {
        g_ptr_array_remove_index(nights, nights->len - 1);
    }
}

static bool apply_history(json_t *result, const struct hr_text *text, const char *path,
                          struct hr_diagnostics *diagnostics, GError **error)
{
    HR_AUTO(hr_history) history = hr_history_open(path, error);
    if (!history) {
        return false;
    }
    json_t *record = hr_history_compose_record(result);
    g_autoptr(GPtrArray) earlier = hr_history_nights(history, hr_tree_text(record, "service"));
    leave_out(earlier, record);
    hr_status_apply(earlier, result);
    json_decref(record);
    record = hr_history_compose_record(result); // now that it is known who is new
    hr_status_set_nights(earlier, record, text, result);
    for (unsigned i = 0; i < hr_history_skipped_count(history); i++) {
        hr_diagnostics_add(diagnostics, HR_DIAG_HISTORY_LINES, i == 0 ? path : NULL, NULL);
    }
    const bool appended = hr_history_append(history, record, error);
    json_decref(record);
    return appended;
}

static bool apply_allow(json_t *result, const char *path, struct hr_diagnostics *diagnostics,
                        GError **error)
{
    HR_AUTO(hr_allow) allow = hr_allow_read(path, error);
    if (!allow) {
        return false;
    }
    hr_allow_apply(allow, result, diagnostics);
    return true;
}

bool hr_night_apply(json_t *result, const struct hr_text *text,
                    const struct hr_night_options *options, enum hr_gates_outcome *outcome,
                    GError **error)
{
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    HR_AUTO(hr_gates) gates = options->fail_on ? hr_gates_new(options->fail_on, error) : NULL;
    if (options->fail_on && !gates) {
        return false;
    }
    if (options->history_file &&
        !apply_history(result, text, options->history_file, diagnostics, error)) {
        return false;
    }
    if (options->allow_file && !apply_allow(result, options->allow_file, diagnostics, error)) {
        return false;
    }
    *outcome = gates ? hr_gates_judge(gates, text, result) : HR_GATES_PASSED;
    hr_result_add_diagnostics(result, text, diagnostics);
    return true;
}
