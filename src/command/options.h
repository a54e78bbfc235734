// SPDX-License-Identifier: MIT
// The one table of options: parsing, --help, the reproduce line and the check of the manual page
// all read it. What an option says is kept here as a value; what it means is its verb's business.
#pragma once

#include "base/cleanup.h"
#include "base/error.h"

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

enum hr_verb {
    HR_VERB_REPORT,
    HR_VERB_RENDER,
    HR_VERB_RECORD,
    HR_VERB_SHOW,
    HR_VERB_TREND,
    HR_VERB_DOCTOR,
    HR_VERB_DUMP,
    HR_VERBS_COUNT
};

// Sizes are bytes, durations and times seconds (NAN: not given), lists hold const char *.
struct hr_options {
    enum hr_verb verb;
    bool help, version, quiet, verbose;
    bool no_sandbox;
    unsigned jobs; // 0: as many as there are processors

    // outputs
    GPtrArray *outputs;
    const char *format;
    const char *chart;

    // which dumps
    const char *directory;
    int64_t pid; // -1: not given
    const char *base, *final;
    const char *base_binary;
    double warmup_s;
    bool warmup_auto;
    double since_s, until_s;
    unsigned every, points;
    bool dry_run;

    // beside the dumps
    GPtrArray *evidence;
    double limit_bytes;
    GPtrArray *thresholds; // "key=value"
    GPtrArray *limits;     // "key=value"

    // symbols
    const char *binary;
    GPtrArray *debug_dirs;
    const char *root;
    bool debuginfod;
    const char *frames;
    const char *focus, *ignore, *show, *hide; // regular expressions
    const char *metric;
    const char *by; // "thread"; NULL: not given

    // presentation
    int top; // -1: not given
    bool full;
    const char *paper;
    const char *title;
    GPtrArray *labels; // "key=value"
    const char *template_file;

    // the night
    const char *fail_on, *allow, *history, *redact;

    // render, show, trend: the file that they read
    const char *input_file;
    const char *suspect;

    // record
    double interval_s, for_s;
    const char *counters_command;
    const char *wait_for;
    char **program; // behind --: words of the program to start, NULL-terminated; NULL: none

    // doctor
    const char *settings; // the configuration string
    GPtrArray *units;
    const char *log, *user;
    bool json;

    // dump
    bool stats, reset;
    const char *active, *dump_name;

    // where options come from
    const char *config;       // "none": from no file; NULL: from the usual places
    char *configuration_file; // the file that was read; NULL: none
    char *configuration_text; // its bytes, which values point into
    GPtrArray *given;         // of struct hr_option_given
};

void hr_options_init(struct hr_options *options);
void hr_options_clear(struct hr_options *options);

// Reads argv into initialized `options`. Fails with HR_ERROR_USAGE on what the table does not know,
// with a hint. The strings stay argv's, which ends in NULL.
bool hr_options_parse(struct hr_options *options, int argc, char **argv, GError **error);

// Fails with HR_ERROR_USAGE on a value that is of its type and yet makes no sense.
bool hr_options_check(const struct hr_options *options, GError **error);

// Threads to use, at least 1: as asked for, else as many as there are processors.
unsigned hr_options_jobs(const struct hr_options *options);

// Appends the help of a verb: examples, usage, options; at most 80 columns.
void hr_options_append_help(GString *out, enum hr_verb verb);

// The canonical command that repeats the result: options that change it, sorted, quoted for a
// shell. g_free() it.
char *hr_options_reproduce(const struct hr_options *options);
