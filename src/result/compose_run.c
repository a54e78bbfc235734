// SPDX-License-Identifier: MIT
// run, dumps, binary: what was looked at.
#include "result/composer.h"
#include "result/names.h"

#include <math.h>
#include <string.h>

#define DUMPS_MAX 500
#define OTHER_RUNS_MAX 50
#define BREAKS_MAX 100

static json_t *compose_id(int64_t id)
{
    return id < 0 ? json_null() : json_integer(id);
}

static json_t *compose_prefix(const char *prefix)
{
    return hr_json_text(prefix && *prefix ? prefix : NULL);
}

static json_t *compose_other_runs(const struct hr_run *run)
{
    json_t *others = json_array();
    for (size_t i = 0; i < MIN(run->other_runs_count, OTHER_RUNS_MAX); i++) {
        const struct hr_other_run *other = &run->other_runs[i];
        json_t *entry = json_object();
        hr_json_set(entry, "prefix", compose_prefix(other->key.prefix));
        hr_json_set(entry, "pid", compose_id(other->key.pid));
        hr_json_set(entry, "dumps_found_count", hr_json_count(other->dumps_found));
        hr_json_set(entry, "first_time", hr_json_time(other->first_time_s));
        hr_json_set(entry, "last_time", hr_json_time(other->last_time_s));
        hr_json_append(others, entry);
    }
    return others;
}

static json_t *compose_end(const struct hr_dump *dump, struct hr_estimate live_bytes,
                           double live_objects)
{
    if (!dump) {
        return json_null();
    }
    json_t *end = json_object();
    hr_json_set(end, "file", hr_json_text(dump->file));
    hr_json_set(end, "kind", json_string(hr_name_dump_kind(dump->kind)));
    hr_json_set(end, "sequence", hr_json_count(dump->sequence));
    hr_json_set(end, "taken_time", hr_json_time(dump->taken_at_s));
    hr_json_set(end, "file_size_bytes", hr_json_count(dump->size_bytes));
    hr_json_set_estimate(end, "live_bytes", live_bytes);
    hr_json_set(end, "live_objects", hr_json_integer(live_objects));
    return end;
}

static json_t *compose_teardown(const struct hr_composer *composer)
{
    const struct hr_dump *dump = hr_composer_teardown(composer);
    if (!dump) {
        return json_null();
    }
    json_t *teardown = json_object();
    hr_json_set(teardown, "file", hr_json_text(dump->file));
    hr_json_set(teardown, "sequence", hr_json_count(dump->sequence));
    hr_json_set(teardown, "taken_time", hr_json_time(dump->taken_at_s));
    hr_json_set(teardown, "live_bytes", hr_json_integer(dump->live_bytes));
    hr_json_set(teardown, "survived_ratio",
                hr_json_ratio(composer->findings->teardown_survived_ratio));
    return teardown;
}

static json_t *compose_breaks(const struct hr_composer *composer)
{
    const struct hr_findings *findings = composer->findings;
    json_t *breaks = json_array();
    for (size_t i = 0; i < MIN(findings->breaks_count, BREAKS_MAX); i++) {
        const struct hr_break *found = &findings->breaks[i];
        const struct hr_dump *dump = &composer->run->dumps[found->dump];
        json_t *entry = json_object();
        hr_json_set(entry, "sequence", hr_json_count(dump->sequence));
        hr_json_set(entry, "taken_time", hr_json_time(dump->taken_at_s));
        hr_json_set(entry, "kind", json_string(hr_name_break(found->kind)));
        hr_json_set(entry, "text", hr_composer_sentence(composer, &found->text));
        hr_json_append(breaks, entry);
    }
    return breaks;
}

// How the stacks of two runs were matched; null where the dumps are of one process.
static json_t *compose_comparison(const struct hr_composer *composer)
{
    const struct hr_comparison *comparison = composer->run->comparison;
    if (!comparison) {
        return json_null();
    }
    const double unmatched = 1 - comparison->matched_ratio;
    struct hr_phrase text =
        hr_phrase_new(comparison->by_symbol_ratio > 0 ? "comparison-names" : "comparison-same");
    hr_phrase_add_number(&text, "by_offset_ratio", comparison->by_offset_ratio);
    hr_phrase_add_number(&text, "by_symbol_ratio", comparison->by_symbol_ratio);
    hr_phrase_add_number(&text, "found_again_ratio", comparison->found_again_ratio);
    hr_phrase_add_number(&text, "unmatched_ratio", unmatched);
    hr_phrase_add_text_id(&text, "rest", "comparison-rest");
    if (unmatched > 0) {
        hr_phrase_add_text_id(&text, "unmatched", "comparison-unmatched");
    } else {
        hr_phrase_add_text(&text, "unmatched", "");
    }
    json_t *object = json_object();
    hr_json_set(object, "prefix", compose_prefix(comparison->base_key.prefix));
    hr_json_set(object, "pid", compose_id(comparison->base_key.pid));
    hr_json_set(object, "binary_path", hr_json_text(comparison->base_binary));
    hr_json_set(object, "matched_ratio", hr_json_ratio(comparison->matched_ratio));
    hr_json_set(object, "by_offset_ratio", hr_json_ratio(comparison->by_offset_ratio));
    hr_json_set(object, "by_symbol_ratio", hr_json_ratio(comparison->by_symbol_ratio));
    hr_json_set(object, "found_again_ratio", hr_json_ratio(comparison->found_again_ratio));
    hr_json_set(object, "text", hr_composer_sentence(composer, &text));
    return object;
}

static json_t *compose_reason(const struct hr_composer *composer, bool final)
{
    const struct hr_choice *choice = composer->findings->choice;
    if (!choice) {
        return json_null();
    }
    return hr_composer_sentence(composer, final ? &choice->final_reason : &choice->base_reason);
}

static void set_counts(json_t *object, const struct hr_run *run)
{
    const size_t used = hr_run_used_count(run);
    const size_t found = run->dumps_count + run->foreign_count;
    hr_json_set(object, "dumps_found_count", hr_json_count(found));
    hr_json_set(object, "dumps_used_count", hr_json_count(used));
    hr_json_set(object, "dumps_skipped_count", hr_json_count(found - used));
}

static void set_window(json_t *object, const struct hr_composer *composer)
{
    const struct hr_dump *base = hr_composer_base(composer);
    const struct hr_dump *final = hr_composer_final(composer);
    const struct hr_evidence *evidence = &composer->run->evidence;
    const bool one_process = base && final && !composer->run->comparison;
    const double duration_s = one_process ? final->taken_at_s - base->taken_at_s : NAN;
    hr_json_set(object, "duration_s", hr_json_seconds(duration_s));
    hr_json_set(object, "evidence_first_time", hr_json_time(hr_evidence_first_time_s(evidence)));
    hr_json_set(object, "evidence_last_time", hr_json_time(hr_evidence_last_time_s(evidence)));
    hr_json_set(object, "time_axis", json_string(hr_name_time_axis(composer->run->time_axis)));
}

json_t *hr_compose_run(const struct hr_composer *composer)
{
    const struct hr_run *run = composer->run;
    const struct hr_findings *findings = composer->findings;
    json_t *object = json_object();
    hr_json_set(object, "prefix", compose_prefix(run->key.prefix));
    hr_json_set(object, "pid", compose_id(run->key.pid));
    hr_json_set(object, "pid_namespace", compose_id(run->key.pid_namespace));
    set_counts(object, run);
    hr_json_set(object, "other_runs", compose_other_runs(run));
    hr_json_set(object, "base",
                compose_end(hr_composer_base(composer), findings->totals.base,
                            findings->totals.base_objects));
    hr_json_set(object, "final",
                compose_end(hr_composer_final(composer), findings->totals.final,
                            findings->totals.final_objects));
    hr_json_set(object, "base_reason", compose_reason(composer, false));
    hr_json_set(object, "final_reason", compose_reason(composer, true));
    hr_json_set(object, "teardown", compose_teardown(composer));
    hr_json_set(object, "breaks", compose_breaks(composer));
    set_window(object, composer);
    const bool sampled = hr_composer_final(composer) != NULL;
    hr_json_set(object, "sampling",
                sampled ? json_string(hr_name_sampling(findings->sampling)) : json_null());
    hr_json_set(object, "sample_interval_bytes",
                hr_json_integer(sampled ? findings->sample_interval_bytes : NAN));
    hr_json_set(object, "comparison", compose_comparison(composer));
    return object;
}

static json_t *compose_note(const struct hr_composer *composer, const struct hr_dump *dump)
{
    const char *name = hr_name_dump_note(dump->note);
    if (!name) {
        return json_null();
    }
    g_autofree char *plain = g_strconcat("dump-note-", name, NULL);
    g_autofree char *detailed = g_strconcat(plain, "-kind", NULL);
    const bool has_detail = dump->note_detail && hr_text_has(composer->text, detailed);
    const char *id = has_detail ? detailed : plain;
    struct hr_phrase phrase = hr_phrase_new(id);
    hr_phrase_add_text(&phrase, "detail", dump->note_detail ? dump->note_detail : "");
    hr_phrase_add_number(&phrase, "kept_ratio", dump->kept_ratio);
    return hr_composer_sentence(composer, &phrase);
}

static json_t *compose_dump(const struct hr_composer *composer, const struct hr_dump *dump)
{
    json_t *entry = json_object();
    hr_json_set(entry, "file", hr_json_text(dump->file));
    hr_json_set(entry, "kind", json_string(hr_name_dump_kind(dump->kind)));
    hr_json_set(entry, "sequence",
                dump->note == HR_DUMP_NOTE_FOREIGN ? json_null() : hr_json_count(dump->sequence));
    hr_json_set(entry, "taken_time", hr_json_time(dump->taken_at_s));
    hr_json_set(entry, "live_bytes", hr_json_integer(dump->used ? dump->live_bytes : NAN));
    hr_json_set(entry, "used", json_boolean(dump->used));
    hr_json_set(entry, "note", compose_note(composer, dump));
    return entry;
}

static void keep(bool *kept, size_t count, size_t index, size_t *kept_count)
{
    if (index < count && !kept[index]) {
        kept[index] = true;
        (*kept_count)++;
    }
}

// Of too many dumps the chosen ones are kept and, of the rest, every n-th.
static void choose_rows(const struct hr_composer *composer, bool *kept, size_t count)
{
    size_t kept_count = 0;
    const struct hr_choice *choice = composer->findings->choice;
    if (count <= DUMPS_MAX) {
        memset(kept, true, count);
        return;
    }
    if (choice) {
        keep(kept, count, choice->base, &kept_count);
        keep(kept, count, choice->final, &kept_count);
        keep(kept, count, choice->peak, &kept_count);
        keep(kept, count, choice->teardown, &kept_count);
    }
    const size_t wanted = DUMPS_MAX - kept_count;
    for (size_t i = 0; i < wanted; i++) {
        keep(kept, count, i * count / wanted, &kept_count);
    }
    for (size_t i = 0; kept_count < DUMPS_MAX; i++) {
        keep(kept, count, i, &kept_count);
    }
}

static json_t *compose_dumps_rest(size_t dumps, size_t used, double size_bytes)
{
    json_t *rest = json_object();
    hr_json_set(rest, "dumps_count", hr_json_count(dumps));
    hr_json_set(rest, "dumps_used_count", hr_json_count(used));
    hr_json_set(rest, "file_size_bytes", hr_json_integer(size_bytes));
    return rest;
}

void hr_compose_set_dumps(const struct hr_composer *composer, json_t *result)
{
    const struct hr_run *run = composer->run;
    const size_t count = run->dumps_count + run->foreign_count;
    g_autofree bool *kept = g_new0(bool, count + 1);
    choose_rows(composer, kept, count);
    json_t *dumps = json_array();
    size_t rest = 0;
    size_t rest_used = 0;
    double rest_bytes = 0;
    for (size_t i = 0; i < count; i++) {
        const struct hr_dump *dump =
            i < run->dumps_count ? &run->dumps[i] : &run->foreign[i - run->dumps_count];
        if (kept[i]) {
            hr_json_append(dumps, compose_dump(composer, dump));
            continue;
        }
        rest++;
        rest_used += dump->used;
        rest_bytes += (double)dump->size_bytes;
    }
    hr_json_set(result, "dumps", dumps);
    hr_json_set(result, "dumps_rest", compose_dumps_rest(rest, rest_used, rest_bytes));
}

json_t *hr_compose_binary(const struct hr_composer *composer)
{
    const struct hr_symbols *symbols = composer->symbols;
    if (!symbols || !symbols->binary_path) {
        return json_null();
    }
    json_t *binary = json_object();
    hr_json_set(binary, "path", hr_json_text(symbols->binary_path));
    hr_json_set(binary, "build_id", hr_json_text(symbols->binary_build_id));
    hr_json_set(binary, "debug_file", hr_json_text(symbols->binary_debug_file));
    hr_json_set(binary, "match", json_string(hr_name_match(symbols->binary_match)));
    hr_json_set(binary, "match_ratio", hr_json_ratio(symbols->binary_match_ratio));
    hr_json_set(binary, "match_reason",
                hr_composer_sentence(composer, &symbols->binary_match_reason));
    return binary;
}
