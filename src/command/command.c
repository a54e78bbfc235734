// SPDX-License-Identifier: MIT
#include "command/command.h"

#include "command/configuration.h"
#include "command/failures.h"
#include "command/messages.h"
#include "command/options.h"
#include "command/verbs.h"
#include "result/text.h"

#ifdef HR_HAS_JEMALLOC
#include <jemalloc/jemalloc.h>
#endif

enum exit_status {
    EXIT_WRITTEN = 0,
    EXIT_TRIPPED = 1,
    EXIT_USAGE = 2,
    EXIT_UNUSABLE = 3,
    EXIT_INCONCLUSIVE = 4,
};

#ifdef HR_HAS_JEMALLOC
// A MALLOC_CONF that is meant for the service profiles us too: our own dumps would land among the
// service's, as its newest run. Without a prefix none is written, whatever asks for one. Called
// before the libraries' constructors: with prof_gdump their allocations write dumps before main.
static void keep_allocator_from_dumping(void)
{
    const char *no_prefix = "";
    bool inactive = false;
    (void)mallctl("prof.prefix", NULL, NULL, &no_prefix, sizeof no_prefix);
    (void)mallctl("prof.active", NULL, NULL, &inactive, sizeof inactive);
}

__attribute__((section(".preinit_array"),
               used)) static void (*const before_constructors)(void) = keep_allocator_from_dumping;
#endif

static int exit_status_of(const GError *error)
{
    return error->domain == HR_ERROR && error->code == HR_ERROR_USAGE ? EXIT_USAGE : EXIT_UNUSABLE;
}

static int exit_status_of_gates(enum hr_gates_outcome outcome)
{
    switch (outcome) {
    case HR_GATES_PASSED:
        return EXIT_WRITTEN;
    case HR_GATES_INCONCLUSIVE:
        return EXIT_INCONCLUSIVE;
    case HR_GATES_TRIPPED:
        return EXIT_TRIPPED;
    }
    g_assert_not_reached();
}

static bool print_help(enum hr_verb verb)
{
    g_autoptr(GString) help = g_string_new(NULL);
    hr_options_append_help(help, verb);
    return hr_messages_output(help->str, help->len);
}

static bool run_verb(const struct hr_options *options, struct hr_messages *messages,
                     enum hr_gates_outcome *outcome, GError **error)
{
    HR_AUTO(hr_text) text = hr_failures_check_epoch(error) ? hr_text_load(NULL, error) : NULL;
    if (!text) {
        return false;
    }
    messages->text = text;
    bool done = false;
    switch (options->verb) {
    case HR_VERB_REPORT:
        done = hr_verb_report(options, messages, outcome, error);
        break;
    case HR_VERB_RENDER:
        done = hr_verb_render(options, messages, error);
        break;
    case HR_VERB_RECORD:
        done = hr_verb_record(options, messages, outcome, error);
        break;
    case HR_VERB_SHOW:
        done = hr_verb_show(options, messages, error);
        break;
    case HR_VERB_TREND:
        done = hr_verb_trend(options, messages, error);
        break;
    case HR_VERB_DOCTOR:
        done = hr_verb_doctor(options, messages, outcome, error);
        break;
    case HR_VERB_DUMP:
        done = hr_verb_dump(options, messages, error);
        break;
    case HR_VERBS_COUNT:
        g_assert_not_reached();
    }
    hr_messages_phase_end(messages);
    messages->text = NULL;
    return done;
}

static bool run(struct hr_options *options, int argc, char **argv, struct hr_messages *messages,
                enum hr_gates_outcome *outcome, GError **error)
{
    if (!hr_options_parse(options, argc, argv, error)) {
        return false;
    }
    if (options->help) {
        return print_help(options->verb);
    }
    if (options->version) {
        return hr_messages_path("heapreport " HR_VERSION);
    }
    if (!hr_configuration_apply(options, error)) {
        return false;
    }
    messages->quiet = options->quiet;
    messages->verbose = options->verbose;
    if (!run_verb(options, messages, outcome, error)) {
        hr_configuration_explain(options, error);
        return false;
    }
    return true;
}

int hr_command_run(int argc, char **argv)
{
    hr_failures_prepare();
    struct hr_messages messages;
    struct hr_options options;
    g_autoptr(GError) error = NULL;
    hr_messages_init(&messages);
    hr_options_init(&options);
    enum hr_gates_outcome outcome = HR_GATES_PASSED;
    int status = EXIT_WRITTEN;
    if (run(&options, argc, argv, &messages, &outcome, &error)) {
        status = exit_status_of_gates(outcome);
    } else {
        if (!error) { // all else has a reason of its own
            g_set_error(&error, HR_ERROR, HR_ERROR_OUTPUT, "standard output: %s",
                        hr_messages_output_fault());
        }
        status = exit_status_of(error);
        hr_messages_error(&messages, error);
    }
    hr_options_clear(&options);
    return status;
}
