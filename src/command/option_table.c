// SPDX-License-Identifier: MIT
#include "command/option_table.h"

#include <glib.h>
#include <string.h>

#define REPORT (1u << HR_VERB_REPORT)
#define RENDER (1u << HR_VERB_RENDER)
#define RECORD (1u << HR_VERB_RECORD)
#define SHOW (1u << HR_VERB_SHOW)
#define TREND (1u << HR_VERB_TREND)
#define DOCTOR (1u << HR_VERB_DOCTOR)
#define DUMP (1u << HR_VERB_DUMP)
#define ANY (REPORT | RENDER | RECORD | SHOW | TREND | DOCTOR | DUMP)
#define ONE_RUN HR_OPTION_ONE_RUN
#define AT(member) offsetof(struct hr_options, member)

// clang-format off
static const struct hr_option table[] = {
    {"Input", "dir", 0, "DIR", HR_OPTION_TEXT, REPORT, AT(directory), true,
     "directory, tar or zip of the dumps and of evidence"},
    {NULL, "binary", 0, "FILE", HR_OPTION_TEXT, REPORT, AT(binary), true,
     "the program that wrote them, for names"},
    {NULL, "evidence", 0, "PATH", HR_OPTION_LIST, REPORT, AT(evidence), true,
     "more evidence: a file, or a directory of files"},
    {NULL, "limit", 0, "SIZE", HR_OPTION_SIZE, REPORT, AT(limit_bytes), true,
     "memory limit that a forecast is made against (2GiB)"},
    {NULL, "threshold", 0, "NAME=VALUE", HR_OPTION_PAIR, REPORT, AT(thresholds), true,
     "set a threshold of the method for this run"},
    {NULL, "max", 0, "NAME=VALUE", HR_OPTION_PAIR, REPORT, AT(limits), true,
     "raise a limit of an input for this run (map_bytes=1GiB)"},

    {"Which dumps", "pid", 0, "N", HR_OPTION_PID, REPORT | ONE_RUN, AT(pid), true,
     "process to report on (the one with the newest dump)"},
    {NULL, "base", 0, "FILE", HR_OPTION_TEXT, REPORT, AT(base), true,
     "compare from this dump, of this run or another"},
    {NULL, "base-binary", 0, "FILE", HR_OPTION_TEXT, REPORT, AT(base_binary), true,
     "the program of that other run, if not --binary"},
    {NULL, "final", 0, "FILE", HR_OPTION_TEXT, REPORT | ONE_RUN, AT(final), true,
     "compare to this dump"},
    {NULL, "warmup", 0, "DUR", HR_OPTION_WARMUP, REPORT, AT(warmup_s), true,
     "leave out the time after the start (5m, or auto)"},
    {NULL, "since", 0, "TIME", HR_OPTION_TIME, REPORT | ONE_RUN, AT(since_s), true,
     "leave out what is older (2026-12-01T21:06:05Z, @unix)"},
    {NULL, "until", 0, "TIME", HR_OPTION_TIME, REPORT | ONE_RUN, AT(until_s), true,
     "leave out what is newer"},
    {NULL, "every", 0, "N", HR_OPTION_COUNT, REPORT, AT(every), true,
     "use every Nth dump"},
    {NULL, "points", 0, "N", HR_OPTION_COUNT, REPORT, AT(points), true,
     "at most so many dumps in the series (512)"},
    {NULL, "dry-run", 0, NULL, HR_OPTION_FLAG, REPORT | ONE_RUN, AT(dry_run), false,
     "print the choice of dumps and why; write nothing"},

    {"Symbols", "debug-dir", 0, "DIR", HR_OPTION_LIST, REPORT, AT(debug_dirs), true,
     "look for debug files here too"},
    {NULL, "root", 0, "DIR", HR_OPTION_TEXT, REPORT, AT(root), true,
     "look for shared libraries below this directory"},
    {NULL, "debuginfod", 0, NULL, HR_OPTION_FLAG, REPORT, AT(debuginfod), true,
     "ask the servers of DEBUGINFOD_URLS for debug files"},
    {NULL, "frames", 0, "FILE", HR_OPTION_TEXT, REPORT, AT(frames), true,
     "rules that tell application frames from libraries"},

    {"View", "metric", 0, "NAME", HR_OPTION_TEXT, REPORT, AT(metric), true,
     "live_bytes, or allocated_bytes (needs prof_accum)"},
    {NULL, "by", 0, "WHAT", HR_OPTION_TEXT, REPORT, AT(by), true,
     "thread: also list who allocated, by thread"},

    {"Filters", "focus", 0, "REGEX", HR_OPTION_TEXT, REPORT, AT(focus), true,
     "only stacks with a function or file that matches"},
    {NULL, "ignore", 0, "REGEX", HR_OPTION_TEXT, REPORT, AT(ignore), true,
     "no stacks with a function or file that matches"},
    {NULL, "show", 0, "REGEX", HR_OPTION_TEXT, REPORT, AT(show), true,
     "only frames whose function or file matches"},
    {NULL, "hide", 0, "REGEX", HR_OPTION_TEXT, REPORT, AT(hide), true,
     "no frames whose function or file matches"},

    {"Output", "output", 'o', "OUT", HR_OPTION_LIST, (ANY & ~(SHOW | DOCTOR | DUMP)) | ONE_RUN, AT(outputs), false,
     "write OUT, format by suffix; - needs --format"},
    {NULL, "format", 0, "NAME", HR_OPTION_TEXT, REPORT | RENDER | TREND | ONE_RUN, AT(format), false,
     "format of an output without a suffix"},
    {NULL, "suspect", 0, "ID", HR_OPTION_TEXT, SHOW | ONE_RUN, AT(suspect), false,
     "all of one suspect: 1, S1, or the start of a fingerprint"},
    {NULL, "chart", 0, "NAME", HR_OPTION_TEXT, REPORT | RENDER | ONE_RUN, AT(chart), false,
     "write this chart alone (timeline, suspect-S1)"},
    {NULL, "top", 0, "N", HR_OPTION_TOP, REPORT, AT(top), true,
     "show so many suspects and rows in full"},
    {NULL, "full", 0, NULL, HR_OPTION_FLAG, REPORT, AT(full), true,
     "show all that the result holds"},
    {NULL, "paper", 0, "SIZE", HR_OPTION_PAPER, REPORT, AT(paper), true,
     "a4 or letter"},
    {NULL, "title", 0, "TEXT", HR_OPTION_TEXT, REPORT, AT(title), true,
     "title of the report"},
    {NULL, "label", 0, "KEY=VALUE", HR_OPTION_PAIR, REPORT, AT(labels), true,
     "service, host, ticket, commit: shown on page 1"},
    {NULL, "template", 0, "FILE", HR_OPTION_TEXT, REPORT | RENDER, AT(template_file), true,
     "layout and wording of the report"},

    {"The night", "fail-on", 0, "RULE,...", HR_OPTION_TEXT, REPORT, AT(fail_on), true,
     "exit 1 on class=heap_growth, growth>8MiB, rate>1MiB/h"},
    {NULL, "allow", 0, "FILE", HR_OPTION_TEXT, REPORT, AT(allow), true,
     "growth that is known and accepted, with reasons"},
    {NULL, "history", 0, "FILE", HR_OPTION_TEXT, REPORT, AT(history), false,
     "keep each night's figures in FILE.jsonl, and compare"},
    {NULL, "redact", 0, "WHAT", HR_OPTION_TEXT, REPORT, AT(redact), true,
     "replace names: paths, symbols or both"},

    {"Recording", "pid", 0, "N", HR_OPTION_PID, RECORD | ONE_RUN, AT(pid), false,
     "process to watch"},
    {NULL, "wait-for", 0, "NAME", HR_OPTION_TEXT, RECORD, AT(wait_for), false,
     "wait for a program of this name, and watch it"},
    {NULL, "dir", 0, "DIR", HR_OPTION_TEXT, RECORD, AT(directory), false,
     "directory for heapreport-record.N.jsonl"},
    {NULL, "every", 0, "DUR", HR_OPTION_DURATION, RECORD, AT(interval_s), false,
     "time between samples (30s)"},
    {NULL, "run", 0, "CMD", HR_OPTION_TEXT, RECORD, AT(counters_command), false,
     "command that prints the allocator's counters as JSON"},
    {NULL, "for", 0, "DUR", HR_OPTION_DURATION, RECORD, AT(for_s), false,
     "end after this time (12h); else with the process"},

    {"Examination", "binary", 0, "FILE", HR_OPTION_TEXT, DOCTOR, AT(binary), false,
     "the program that is to write dumps"},
    {NULL, "conf", 0, "STRING", HR_OPTION_TEXT, DOCTOR, AT(settings), false,
     "the string that MALLOC_CONF is to say"},
    {NULL, "unit", 0, "FILE", HR_OPTION_LIST, DOCTOR, AT(units), false,
     "systemd unit, then its drop-ins"},
    {NULL, "pid", 0, "N", HR_OPTION_PID, DOCTOR | ONE_RUN, AT(pid), false,
     "the service as it runs"},
    {NULL, "dir", 0, "DIR", HR_OPTION_TEXT, DOCTOR, AT(directory), false,
     "directory of the heap dumps"},
    {NULL, "log", 0, "FILE", HR_OPTION_TEXT, DOCTOR, AT(log), false,
     "what the service printed"},
    {NULL, "user", 0, "NAME", HR_OPTION_TEXT, DOCTOR, AT(user), false,
     "who the service runs as"},
    {NULL, "debug-dir", 0, "DIR", HR_OPTION_LIST, DOCTOR, AT(debug_dirs), false,
     "look for debug files here too"},
    {NULL, "json", 0, NULL, HR_OPTION_FLAG, DOCTOR | ONE_RUN, AT(json), false,
     "print the checks as JSON"},

    {"Dumps on demand", "pid", 0, "N", HR_OPTION_PID, DUMP | ONE_RUN, AT(pid), false,
     "the service, which has libheapreport-trigger in it"},
    {NULL, "dir", 0, "DIR", HR_OPTION_TEXT, DUMP, AT(directory), false,
     "its HEAPREPORT_TRIGGER_DIR, where /proc does not tell"},
    {NULL, "name", 0, "NAME.heap", HR_OPTION_TEXT, DUMP | ONE_RUN, AT(dump_name), false,
     "call the dump so, and put it into that directory"},
    {NULL, "stats", 0, NULL, HR_OPTION_FLAG, DUMP | ONE_RUN, AT(stats), false,
     "print the allocator's counters as JSON instead"},
    {NULL, "active", 0, "on|off", HR_OPTION_TEXT, DUMP | ONE_RUN, AT(active), false,
     "switch sampling on or off instead"},
    {NULL, "reset", 0, NULL, HR_OPTION_FLAG, DUMP | ONE_RUN, AT(reset), false,
     "forget all samples so far instead"},

    {"Run", "jobs", 'j', "N", HR_OPTION_COUNT, REPORT, AT(jobs), false,
     "threads (as many as there are processors)"},
    {NULL, "no-sandbox", 0, NULL, HR_OPTION_FLAG, REPORT | RENDER | SHOW | TREND, AT(no_sandbox), false,
     "let the run open any file, network and program"},
    {NULL, "quiet", 'q', NULL, HR_OPTION_FLAG, ANY, AT(quiet), false,
     "print errors only"},
    {NULL, "verbose", 'v', NULL, HR_OPTION_FLAG, ANY, AT(verbose), false,
     "print notes, remedies and times of the phases"},
    {NULL, "config", 0, "FILE", HR_OPTION_FILE_OR_NONE, ANY | ONE_RUN, AT(config), false,
     "read options from FILE, or from no file: none"},
    {NULL, "help", 'h', NULL, HR_OPTION_FLAG, ANY | ONE_RUN, AT(help), false,
     "print this help"},
    {NULL, "version", 'V', NULL, HR_OPTION_FLAG, ANY | ONE_RUN, AT(version), false,
     "print the version"},
    {NULL, NULL, 0, NULL, HR_OPTION_FLAG, 0, 0, false, NULL},
};
// clang-format on

const struct hr_option *hr_option_table(void)
{
    return table;
}

const char *hr_verb_name(enum hr_verb verb)
{
    static const char *const names[HR_VERBS_COUNT] = {"report", "render", "record", "show",
                                                      "trend",  "doctor", "dump"};
    return names[verb];
}

const struct hr_option *hr_option_find(enum hr_verb verb, const char *name)
{
    for (const struct hr_option *option = table; option->name; option++) {
        if ((option->verbs & (1u << verb)) && strcmp(option->name, name) == 0) {
            return option;
        }
    }
    return NULL;
}

const struct hr_option *hr_option_find_letter(enum hr_verb verb, char letter)
{
    for (const struct hr_option *option = table; option->name; option++) {
        if ((option->verbs & (1u << verb)) && option->letter == letter) {
            return option;
        }
    }
    return NULL;
}

// Number of letters to change, add or leave out between two names (Levenshtein).
static unsigned name_distance(const char *a, const char *b)
{
    const size_t width = strlen(b) + 1;
    g_autofree unsigned *row = g_new(unsigned, width);
    for (size_t j = 0; j < width; j++) {
        row[j] = (unsigned)j;
    }
    for (size_t i = 1; i <= strlen(a); i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j < width; j++) {
            const unsigned changed = diagonal + (a[i - 1] != b[j - 1]);
            diagonal = row[j];
            row[j] = MIN(changed, MIN(row[j], row[j - 1]) + 1);
        }
    }
    return row[width - 1];
}

const struct hr_option *hr_option_find_nearest(enum hr_verb verb, const char *name)
{
    const struct hr_option *nearest = NULL;
    unsigned least = 3;
    for (const struct hr_option *option = table; option->name; option++) {
        const bool begins = strlen(name) >= 2 && g_str_has_prefix(option->name, name);
        const unsigned distance = begins ? 0 : name_distance(name, option->name);
        if ((option->verbs & (1u << verb)) && distance < least) {
            nearest = option;
            least = distance;
        }
    }
    return nearest;
}
