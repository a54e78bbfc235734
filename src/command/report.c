// SPDX-License-Identifier: MIT
// heapreport --dir DIR --binary FILE -o OUT: the whole pipeline, from a directory to documents.
#include "analysis/choice.h"
#include "analysis/filter.h"
#include "analysis/findings.h"
#include "command/confinement.h"
#include "command/data_dir.h"
#include "command/documents.h"
#include "command/dry_run.h"
#include "command/limit_values.h"
#include "command/other_base.h"
#include "command/result_context.h"
#include "command/thresholds.h"
#include "command/unusable.h"
#include "command/verbs.h"
#include "command/view.h"
#include "ingest/ingest.h"
#include "night/night.h"
#include "result/redaction.h"
#include "result/result.h"
#include "symbolize/symbolize.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// What the stages hand on; each is const once its stage is over.
struct report {
    const struct hr_options *options;
    struct hr_messages *messages;
    struct hr_outputs *outputs;
    struct hr_confinement *confinement;
    const char *data_dir;
    int spool; // of an archive of dumps; -1: none
    struct hr_ingest_options ingest;
    struct hr_rules rules;
    struct hr_limits limits;
    struct hr_source *source;
    struct hr_run *run;
    struct hr_diagnostics *diagnostics;
    struct hr_choice choice;
    const char *base_path;   // --base of another run; NULL: it is one of `run`
    struct hr_run *base_run; // what lies there
    struct hr_run *joined;   // both: once made, it is `run` too
    const struct hr_symbols *symbols;
    const struct hr_findings *findings;
    struct hr_night_options night;
    unsigned redact; // enum hr_redact
    enum hr_gates_outcome *outcome;
};

// A file that was named and is not there is a mistake; one in --dir that says nothing is not.
static bool check_evidence(const struct hr_options *options, GError **error)
{
    for (guint i = 0; i < options->evidence->len; i++) {
        const char *path = options->evidence->pdata[i];
        if (access(path, R_OK) != 0) {
            g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "--evidence %s: %s", path,
                        g_strerror(errno));
            hr_error_blame(error, "evidence", path);
            return false;
        }
    }
    return true;
}

static bool check_options(const struct hr_options *options, GError **error)
{
    if (!options->directory) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                            "no directory of dumps: heapreport --dir DIR --binary FILE "
                            "-o report.pdf; \"heapreport --help\" shows more");
        return false;
    }
    if (options->outputs->len == 0 && !options->dry_run) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_USAGE,
                            "no output: add -o report.pdf, or --dry-run");
        return false;
    }
    return check_evidence(options, error);
}

// The list with a NULL behind it, for those who take one; NULL when it is empty.
static const char *const *terminated(GPtrArray *list)
{
    if (list->len > 0 && list->pdata[list->len - 1]) {
        g_ptr_array_add(list, NULL);
    }
    return list->len > 0 ? (const char *const *)list->pdata : NULL;
}

static struct hr_ingest_options ingest_options(const struct hr_options *options)
{
    return (struct hr_ingest_options){
        .metric = hr_view_metric(options),
        .pid = options->pid,
        .evidence_paths = terminated(options->evidence),
        .since_s = options->since_s,
        .until_s = options->until_s,
        .every = options->every,
        .jobs = hr_options_jobs(options),
    };
}

static bool keep_inputs(const struct report *report, GError **error)
{
    const struct hr_options *options = report->options;
    const char *const named[] = {
        options->directory,          options->binary, options->base_binary,
        report->base_path,           options->frames, options->template_file,
        options->configuration_file, options->allow,  options->history};
    for (size_t i = 0; i < G_N_ELEMENTS(named); i++) {
        if (!hr_outputs_keep_input(report->outputs, named[i], error)) {
            return false;
        }
    }
    const struct hr_run *run = report->run;
    for (size_t i = 0; i < run->dumps_count + run->evidence.files_count; i++) {
        const char *name = i < run->dumps_count ? run->dumps[i].file
                                                : run->evidence.files[i - run->dumps_count].file;
        g_autofree char *below = g_build_filename(options->directory, name, NULL);
        if (!hr_outputs_keep_input(report->outputs, below, error) ||
            !hr_outputs_keep_input(report->outputs, name, error)) {
            return false;
        }
    }
    return true;
}

// --base dumps/app.1.0.i0.heap means the dump of that name below --dir.
static const char *name_below_directory(struct hr_run *run, const char *directory, const char *path)
{
    struct stat given;
    struct stat below;
    if (!path || !strchr(path, '/')) {
        return path;
    }
    g_autofree char *name = g_path_get_basename(path);
    g_autofree char *there = g_build_filename(directory, name, NULL);
    const bool same = stat(path, &given) == 0 && stat(there, &below) == 0 &&
                      given.st_dev == below.st_dev && given.st_ino == below.st_ino;
    return same ? hr_arena_strdup(run->arena, name) : path;
}

// Few dumps are read whole at once; of many only the totals, until it is known which are needed.
static void read_totals(struct report *report)
{
    struct hr_run *run = report->run;
    g_autofree bool *all = NULL;
    if (run->dumps_count <= report->options->points) {
        all = g_new(bool, MAX(run->dumps_count, 1));
        memset(all, true, run->dumps_count);
    }
    hr_ingest_read_dumps(run, &report->ingest, all, report->diagnostics);
}

static bool choose(struct report *report, GError **error)
{
    const struct hr_options *options = report->options;
    struct hr_run *run = report->run;
    const struct hr_choice_options choice = {
        .base_file =
            report->base_path ? NULL : name_below_directory(run, options->directory, options->base),
        .final_file = name_below_directory(run, options->directory, options->final),
        .warmup_s = options->warmup_s,
        .warmup_auto = options->warmup_auto,
        .points = options->points,
    };
    return hr_choice_compute(run->arena, run, &report->rules, &choice, &report->choice, error);
}

// Which bytes are damaged shows only where dumps are read whole; then the choice is made again. It
// ends, since no dump becomes sound.
static bool choose_sound(struct report *report, GError **error)
{
    const struct hr_choice *choice = &report->choice;
    bool damaged = true;
    while (damaged) {
        if (!choose(report, error)) {
            return false;
        }
        hr_ingest_read_dumps(report->run, &report->ingest, choice->wanted, report->diagnostics);
        const size_t chosen[] = {choice->base, choice->final, choice->outlier};
        damaged = hr_ingest_cross_check(report->run, &report->ingest, chosen, G_N_ELEMENTS(chosen),
                                        report->diagnostics);
    }
    return true;
}

// From --dir to a run with its dumps, its choice and its evidence.
static bool ingest(struct report *report, GError **error)
{
    const struct hr_options *options = report->options;
    hr_messages_phase(report->messages, "phase-find");
    report->source = hr_source_new_limited(report->options->directory, g_steal_fd(&report->spool),
                                           &report->limits, report->diagnostics, error);
    report->ingest.source = report->source;
    if (!report->source ||
        !hr_ingest_find(report->run, &report->ingest, report->diagnostics, error)) {
        return false;
    }
    if (!hr_other_base_find(report->run, report->options, &report->base_path, error) ||
        !hr_view_check_base(options, report->base_path, error)) {
        return false;
    }
    hr_messages_phase(report->messages, "phase-read");
    read_totals(report);
    if (!choose_sound(report, error)) {
        return false;
    }
    hr_ingest_hash_dumps(report->run, &report->ingest, report->choice.base, report->choice.final);
    if (options->by) {
        hr_ingest_read_threads(report->run, &report->ingest, report->choice.base,
                               report->choice.final, report->diagnostics);
    }
    if (report->base_path) {
        // What was measured beside the one run says nothing of the difference between two.
        report->base_run =
            hr_other_base_read(report->base_path, &report->ingest, report->diagnostics, error);
        return report->base_run != NULL;
    }
    hr_messages_phase(report->messages, "phase-evidence");
    hr_ingest_read_evidence(report->run, &report->ingest, &report->rules, report->diagnostics);
    return true;
}

static bool join_base(struct report *report, struct hr_symbolize_options symbolize, GError **error)
{
    if (report->options->base_binary) {
        symbolize.binary = report->options->base_binary;
    }
    report->joined = hr_other_base_join(report->base_run, report->run, &report->symbols, &symbolize,
                                        &report->choice, report->diagnostics, error);
    if (report->joined) {
        report->run = report->joined;
    }
    return report->joined != NULL;
}

static bool filter(struct report *report, GError **error)
{
    const struct hr_options *options = report->options;
    const struct hr_filter filter = {options->focus, options->ignore, options->show, options->hide};
    if (hr_filter_is_set(&filter)) {
        report->symbols = hr_filter_apply(&filter, report->run, report->symbols, error);
    }
    return report->symbols != NULL;
}

static bool analyse(struct report *report, GError **error)
{
    const struct hr_options *options = report->options;
    const struct hr_symbolize_options symbolize = {
        .binary = options->binary,
        .debug_dirs = terminated(options->debug_dirs),
        .root = options->root,
        .debuginfod = options->debuginfod,
        .opener = hr_confinement_opener(report->confinement),
        .jobs = report->ingest.jobs,
    };
    hr_messages_phase(report->messages, "phase-symbolize");
    report->symbols = hr_symbolize(report->run, &symbolize, report->diagnostics, error);
    if (!report->symbols || (report->base_run && !join_base(report, symbolize, error))) {
        return false;
    }
    hr_confinement_narrow(report->confinement, NULL);
    if (!filter(report, error)) {
        return false;
    }
    hr_messages_phase(report->messages, "phase-analyse");
    const struct hr_analysis_options analysis = {.limit_bytes = options->limit_bytes};
    report->findings =
        hr_findings_compute(report->run->arena, report->run, report->symbols, &report->choice,
                            &report->rules, &analysis, report->diagnostics);
    return true;
}

static json_t *compose(const struct report *report)
{
    const struct hr_result_context context = hr_result_context_of(
        report->run->arena, report->options, hr_confinement_name(report->confinement));
    hr_messages_phase(report->messages, "phase-result");
    return hr_result_compose(report->run, report->symbols, report->findings, &report->rules,
                             report->diagnostics, report->messages->text, &context);
}

static const struct hr_dump *dump_of(const struct report *report, size_t dump)
{
    return dump == HR_CHOICE_NONE ? NULL : &report->run->dumps[dump];
}

static bool write_report(const struct report *report, GError **error)
{
    json_t *result = compose(report);
    const bool judged =
        hr_night_apply(result, report->messages->text, &report->night, report->outcome, error);
    if (judged && report->redact) {
        hr_result_redact(result, report->redact);
    }
    HR_AUTO(hr_redaction) redaction = hr_redaction_new(report->redact);
    const struct hr_export_model model = {
        .run = report->run,
        .symbols = report->symbols,
        .base = dump_of(report, report->choice.base),
        .final = dump_of(report, report->choice.final),
        .frame_kinds = report->findings->frame_kinds,
        .redaction = redaction,
    };
    const bool written =
        judged && hr_documents_write(result, report->options, report->data_dir, &model,
                                     report->outputs, report->messages, error);
    json_decref(result);
    hr_messages_phase_end(report->messages);
    hr_messages_diagnostics(report->messages, report->diagnostics);
    if (written && !report->messages->quiet) {
        hr_messages_phrase(report->messages, &report->findings->verdict.sentence);
    }
    return written;
}

static bool run_stages(struct report *report, GError **error)
{
    const struct hr_options *options = report->options;
    if (!hr_ingest_read_rules(report->run->arena, &report->rules, report->data_dir, options->frames,
                              error) ||
        !hr_thresholds_apply(&report->rules, options->thresholds, error) ||
        !hr_limits_apply(&report->limits, options->limits, error) || !ingest(report, error)) {
        return false;
    }
    if (options->dry_run) {
        return hr_dry_run_print(report->run, &report->choice, report->base_path,
                                report->diagnostics, report->messages, error);
    }
    return hr_unusable_check(report->run, options, &report->rules, report->diagnostics,
                             report->confinement, report->messages->text, error) &&
           hr_view_check_counts(report->run, report->base_run, options, error) &&
           keep_inputs(report, error) && analyse(report, error) && write_report(report, error);
}

bool hr_verb_report(const struct hr_options *options, struct hr_messages *messages,
                    enum hr_gates_outcome *outcome, GError **error)
{
    const struct hr_night_options night = {options->fail_on, options->allow, options->history};
    unsigned redact = 0;
    if (!check_options(options, error) || !hr_night_check(&night, error) ||
        (options->redact && !hr_redact_parse(options->redact, &redact, error))) {
        return false;
    }
    HR_AUTO(hr_outputs) outputs = hr_outputs_new(options, error);
    g_autofree char *data_dir = outputs ? hr_data_dir_find(error) : NULL;
    if (!data_dir) {
        return false;
    }
    const int spool = hr_source_open_spool(options->directory);
    HR_AUTO(hr_confinement)
    confinement = hr_confinement_new(options, data_dir, outputs, NULL, messages->text);
    HR_AUTO(hr_run) run = hr_run_new();
    HR_AUTO(hr_diagnostics) diagnostics = hr_diagnostics_new();
    struct report report = {
        .options = options,
        .messages = messages,
        .outputs = outputs,
        .confinement = confinement,
        .spool = spool,
        .data_dir = data_dir,
        .ingest = ingest_options(options),
        .limits = *hr_limits_default(),
        .run = run,
        .diagnostics = diagnostics,
        .night = night,
        .redact = redact,
        .outcome = outcome,
    };
    report.ingest.limits = &report.limits;
    const bool done = run_stages(&report, error);
    if (report.spool >= 0) {
        close(report.spool);
    }
    hr_run_free(report.joined);
    hr_run_free(report.base_run);
    hr_source_free(report.source);
    return done;
}
