// SPDX-License-Identifier: MIT
#include "command/option_table.h"

#define HELP_COLUMN 23

static const char report_head[] =
    "Examples:\n"
    "  heapreport --dir dumps --binary app -o report.pdf -o report.html\n"
    "  heapreport record --pid 4711 --dir dumps --every 30s\n"
    "\n"
    "Usage:\n"
    "  heapreport --dir DIR [--binary FILE] -o OUT [-o OUT ...]\n"
    "  heapreport render RESULT.json -o OUT [-o OUT ...]\n"
    "  heapreport record --pid N --dir DIR [--every DUR] [--for DUR]\n"
    "  heapreport show RESULT.json [--suspect ID]\n"
    "  heapreport trend HISTORY.jsonl [-o OUT]\n"
    "  heapreport doctor [--binary FILE] [--unit FILE] [--pid N] [--dir DIR]\n"
    "  heapreport dump --pid N [--stats]\n"
    "\n"
    "Turns a directory of jemalloc heap dumps, the binary that wrote them and what\n"
    "was measured beside them into a report that says whether memory grew, where,\n"
    "and how sure that is. Outputs: .pdf .html .md .txt .svg .png .json .csv .prom\n"
    ".junit.xml .folded .diff.folded .pb.gz.\n";

static const char render_head[] =
    "Examples:\n"
    "  heapreport render result.json -o report.pdf\n"
    "  heapreport render result.json -o - --format txt\n"
    "\n"
    "Usage:\n"
    "  heapreport render RESULT.json -o OUT [-o OUT ...]\n"
    "\n"
    "Writes documents from a result that \"-o result.json\" wrote: the same bytes as\n"
    "the run that wrote it, without the dumps and without the binary.\n";

static const char record_head[] =
    "Examples:\n"
    "  heapreport record --pid 4711 --dir dumps --every 30s\n"
    "  heapreport record --dir dumps -o report.pdf -- ./app --port 3000\n"
    "\n"
    "Usage:\n"
    "  heapreport record --pid N --dir DIR [--every DUR] [--for DUR]\n"
    "  heapreport record --dir DIR [-o OUT ...] -- PROGRAM [ARGS ...]\n"
    "\n"
    "Writes what the kernel says of a process's memory, a line a sample, to\n"
    "DIR/heapreport-record.N.jsonl, where a report finds it. Ends with the process,\n"
    "after --for, or on SIGINT or SIGTERM. A PROGRAM is started with profiling on;\n"
    "when it ends, -o writes the report.\n";

static const char show_head[] =
    "Examples:\n"
    "  heapreport show result.json\n"
    "  heapreport show result.json --suspect 1\n"
    "\n"
    "Usage:\n"
    "  heapreport show RESULT.json [--suspect ID]\n"
    "\n"
    "Prints the verdict and the suspects of a result that \"-o result.json\" wrote, or\n"
    "all that it knows of one suspect, its stacks too.\n";

static const char trend_head[] =
    "Examples:\n"
    "  heapreport trend nights.jsonl\n"
    "  heapreport trend nights.jsonl -o trend.html -o nights.csv\n"
    "\n"
    "Usage:\n"
    "  heapreport trend HISTORY.jsonl [-o OUT ...]\n"
    "\n"
    "Shows all nights that --history kept, service by service: what each grew by,\n"
    "what drifts, and which suspects come back. Without -o, text on standard output.\n"
    "Outputs: .html .pdf .md .png .svg .txt .csv .json.\n";

static const char doctor_head[] =
    "Examples:\n"
    "  heapreport doctor --pid 4711 --dir dumps\n"
    "  heapreport doctor --binary app --unit app.service\n"
    "\n"
    "Usage:\n"
    "  heapreport doctor [--binary FILE] [--conf STRING] [--unit FILE ...]\n"
    "                    [--pid N] [--dir DIR] [--log FILE] [--user NAME]\n"
    "\n"
    "Finds out why a service writes no heap dumps, or dumps without names: checks\n"
    "whatever is named, tells what mends each fault, and prints the configuration\n"
    "string and the systemd override for this service. Exit status: 0 all is well;\n"
    "1 something is to be mended; 2 usage; 3 something named cannot be read.\n";

static const char dump_head[] =
    "Examples:\n"
    "  heapreport dump --pid 4711\n"
    "  heapreport dump --pid 4711 --stats\n"
    "\n"
    "Usage:\n"
    "  heapreport dump --pid N [--dir DIR] [--name NAME.heap]\n"
    "  heapreport dump --pid N [--dir DIR] --stats | --active on|off | --reset\n"
    "\n"
    "Asks a running service for a heap dump now. The service must have\n"
    "libheapreport-trigger in it and HEAPREPORT_TRIGGER_DIR set.\n";

static const char exit_statuses[] =
    "\n"
    "Exit status: 0 outputs written; 1 a gate tripped; 2 usage; 3 input unusable or\n"
    "an output not written; 4 a gate cannot be decided. Paths written go to\n"
    "standard output, all else to standard error.\n";

static void append_option(GString *out, const struct hr_option *option)
{
    GString *left = g_string_new("  ");
    if (option->letter) {
        g_string_append_printf(left, "-%c, ", option->letter);
    }
    g_string_append_printf(left, "--%s", option->name);
    if (option->argument) {
        g_string_append_printf(left, " %s", option->argument);
    }
    if (left->len + 2 > HELP_COLUMN) {
        g_string_append_printf(left, "\n%*s", HELP_COLUMN, "");
    } else {
        g_string_append_printf(left, "%*s", (int)(HELP_COLUMN - left->len), "");
    }
    g_string_append_printf(out, "%s%s\n", left->str, option->help);
    g_string_free(left, TRUE);
}

void hr_options_append_help(GString *out, enum hr_verb verb)
{
    static const char *const heads[HR_VERBS_COUNT] = {
        report_head, render_head, record_head, show_head, trend_head, doctor_head, dump_head};
    g_string_append(out, heads[verb]);
    const char *group = NULL;
    const char *shown_group = NULL;
    for (const struct hr_option *option = hr_option_table(); option->name; option++) {
        group = option->group ? option->group : group;
        if (!(option->verbs & (1u << verb))) {
            continue;
        }
        if (group != shown_group) {
            g_string_append_printf(out, "\n%s:\n", group);
            shown_group = group;
        }
        append_option(out, option);
    }
    g_string_append(out, verb == HR_VERB_DOCTOR ? "" : exit_statuses);
}
