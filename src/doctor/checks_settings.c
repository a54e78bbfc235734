// SPDX-License-Identifier: MIT
// The configuration string, as jemalloc will read it.
#include "doctor/check.h"

#include <limits.h>
#include <math.h>
#include <string.h>

// Without measured dumps: 16 GiB is hours between two dumps at a MiB a second, 1 MiB is a dump a
// second at the same rate.
#define INTERVAL_MOST_LG 33
#define INTERVAL_LEAST_LG 20

// A night of twelve hours should have a dozen dumps at the very least.
#define GAP_MOST_S 3600.0
#define GAP_WANTED_S 300.0

#define INTERVAL_USUAL_LG 26

// Of ".1234567.123456.i123456.heap", with room.
#define SUFFIX_LETTERS 40

static struct hr_phrase text_phrase(struct hr_phrase phrase, const char *slot, const char *text)
{
    hr_phrase_add_text(&phrase, slot, text);
    return phrase;
}

bool hr_check_blanks(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->text) {
        return false;
    }
    if (!subject->settings.blank_in) {
        return hr_check_fine(check, hr_phrase_new("doctor-blanks-fine"));
    }
    return hr_check_mend(
        check,
        text_phrase(hr_phrase_new("doctor-blanks-some"), "piece", subject->settings.blank_in),
        hr_phrase_new("doctor-blanks-mend"));
}

bool hr_check_form(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->text) {
        return false;
    }
    if (subject->settings.broken_in) {
        return hr_check_mend(
            check,
            text_phrase(hr_phrase_new("doctor-form-broken"), "piece", subject->settings.broken_in),
            hr_phrase_new("doctor-form-mend"));
    }
    if (subject->settings.ends_with_comma) {
        return hr_check_mend(check, hr_phrase_new("doctor-form-comma"),
                             hr_phrase_new("doctor-form-comma-mend"));
    }
    return hr_check_fine(check, hr_phrase_new("doctor-form-fine"));
}

bool hr_check_options(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->text) {
        return false;
    }
    for (size_t i = 0; i < subject->settings.count; i++) {
        const char *name = subject->settings.list[i].name;
        if (hr_settings_find_rule(subject->rules, name)) {
            continue;
        }
        const char *nearest = hr_settings_find_nearest(subject->rules, name);
        struct hr_phrase mend = nearest ? hr_phrase_new("doctor-options-nearest")
                                        : hr_phrase_new("doctor-options-mend");
        hr_phrase_add_text(&mend, "nearest", nearest ? nearest : "");
        hr_phrase_add_text(&mend, "option", name);
        return hr_check_mend(
            check, text_phrase(hr_phrase_new("doctor-options-unknown"), "option", name), mend);
    }
    return hr_check_fine(check, hr_phrase_new("doctor-options-fine"));
}

static const char *describe_values(const struct hr_subject *subject,
                                   const struct hr_setting_rule *rule)
{
    if (rule->kind == HR_SETTING_NUMBER) {
        return hr_arena_printf(subject->arena, "%" G_GINT64_FORMAT "..%" G_GINT64_FORMAT,
                               rule->least, rule->most);
    }
    if (rule->kind == HR_SETTING_SWITCH) {
        return "true|false";
    }
    g_autoptr(GString) words = g_string_new(NULL);
    for (size_t i = 0; rule->words[i]; i++) {
        g_string_append_printf(words, "%s%s", i > 0 ? "|" : "", rule->words[i]);
    }
    return hr_arena_strdup(subject->arena, words->str);
}

bool hr_check_values(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->text) {
        return false;
    }
    for (size_t i = 0; i < subject->settings.count; i++) {
        const struct hr_setting *setting = &subject->settings.list[i];
        const struct hr_setting_rule *rule = hr_settings_find_rule(subject->rules, setting->name);
        if (!rule || hr_settings_is_valid(rule, setting->value)) {
            continue;
        }
        struct hr_phrase reason = hr_phrase_new("doctor-values-wrong");
        hr_phrase_add_text(&reason, "option", setting->name);
        hr_phrase_add_text(&reason, "value", setting->value);
        struct hr_phrase mend = hr_phrase_new("doctor-values-mend");
        hr_phrase_add_text(&mend, "option", setting->name);
        hr_phrase_add_text(&mend, "values", describe_values(subject, rule));
        return hr_check_mend(check, reason, mend);
    }
    return hr_check_fine(check, hr_phrase_new("doctor-values-fine"));
}

bool hr_check_prof(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->text) {
        return false;
    }
    return hr_settings_is_on(&subject->settings, "prof", false)
               ? hr_check_fine(check, hr_phrase_new("doctor-prof-on"))
               : hr_check_mend(check, hr_phrase_new("doctor-prof-off"),
                               hr_phrase_new("doctor-prof-mend"));
}

bool hr_check_active(const struct hr_subject *subject, struct hr_check *check)
{
    const struct hr_settings *settings = &subject->settings;
    if (!subject->text || !hr_settings_is_on(settings, "prof", false)) {
        return false;
    }
    const char *const names[] = {"prof_active", "prof_thread_active_init"};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        if (!hr_settings_is_on(settings, names[i], true)) {
            return hr_check_mend(
                check, text_phrase(hr_phrase_new("doctor-active-off"), "option", names[i]),
                text_phrase(hr_phrase_new("doctor-active-mend"), "option", names[i]));
        }
    }
    return hr_check_fine(check, hr_phrase_new("doctor-active-on"));
}

// Behind the prefix stand ".PID.SEQUENCE.KIND.heap", and the file system bounds the name.
static bool is_too_long(const char *prefix)
{
    const char *slash = strrchr(prefix, '/');
    return strlen(prefix) + SUFFIX_LETTERS > PATH_MAX - 1 ||
           strlen(slash ? slash + 1 : prefix) + SUFFIX_LETTERS > NAME_MAX;
}

bool hr_check_prefix(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->text) {
        return false;
    }
    if (!subject->prefix) {
        return hr_check_mend(check, hr_phrase_new("doctor-prefix-none"),
                             hr_phrase_new("doctor-prefix-mend"));
    }
    if (is_too_long(subject->prefix)) {
        struct hr_phrase reason = hr_phrase_new("doctor-prefix-long");
        hr_phrase_add_number(&reason, "letters_count", (double)strlen(subject->prefix));
        return hr_check_mend(check, reason, hr_phrase_new("doctor-prefix-long-mend"));
    }
    return hr_check_fine(
        check, text_phrase(hr_phrase_new("doctor-prefix-fine"), "prefix", subject->prefix));
}

static struct hr_phrase interval_mend(const struct hr_subject *subject, int64_t lg)
{
    return text_phrase(hr_phrase_new("doctor-interval-mend"), "lg",
                       hr_arena_printf(subject->arena, "%" G_GINT64_FORMAT, lg));
}

// By what the dumps show, or the age of a process that has written none, or else by size alone.
static bool judge_interval(const struct hr_subject *subject, int64_t lg, struct hr_check *check)
{
    const struct hr_doctor_dumps *dumps = &subject->dumps;
    const double age_s = subject->process ? subject->process->age_s : NAN;
    struct hr_phrase reason = hr_phrase_new("doctor-interval-fine");
    hr_phrase_add_number(&reason, "interval_bytes", exp2((double)lg));
    if (dumps->interval_gap_s > GAP_MOST_S) {
        reason.id = "doctor-interval-seldom";
        hr_phrase_add_number(&reason, "gap_s", dumps->interval_gap_s);
        const double halvings = ceil(log2(dumps->interval_gap_s / GAP_WANTED_S));
        return hr_check_mend(
            check, reason, interval_mend(subject, MAX(INTERVAL_LEAST_LG, lg - (int64_t)halvings)));
    }
    if (dumps->looked && dumps->interval_count == 0 && age_s > GAP_MOST_S) {
        reason.id = "doctor-interval-never";
        hr_phrase_add_number(&reason, "age_s", age_s);
        return hr_check_mend(check, reason, interval_mend(subject, MIN(INTERVAL_USUAL_LG, lg - 2)));
    }
    if (isnan(dumps->interval_gap_s) && lg > INTERVAL_MOST_LG) {
        reason.id = "doctor-interval-large";
        return hr_check_mend(check, reason, interval_mend(subject, INTERVAL_USUAL_LG));
    }
    if (lg < INTERVAL_LEAST_LG) {
        reason.id = "doctor-interval-small";
        return hr_check_mend(check, reason, interval_mend(subject, INTERVAL_USUAL_LG));
    }
    return hr_check_fine(check, reason);
}

bool hr_check_interval(const struct hr_subject *subject, struct hr_check *check)
{
    const struct hr_settings *settings = &subject->settings;
    if (!subject->text || !hr_settings_is_on(settings, "prof", false)) {
        return false;
    }
    const int64_t lg = hr_settings_find_number(settings, "lg_prof_interval", -1);
    if (lg >= 0) {
        return judge_interval(subject, lg, check);
    }
    if (hr_settings_is_on(settings, "prof_gdump", false)) {
        return hr_check_fine(check, hr_phrase_new("doctor-interval-gdump"));
    }
    return hr_check_mend(check, hr_phrase_new("doctor-interval-none"),
                         interval_mend(subject, INTERVAL_USUAL_LG));
}

bool hr_check_final(const struct hr_subject *subject, struct hr_check *check)
{
    if (!subject->text || !hr_settings_is_on(&subject->settings, "prof", false)) {
        return false;
    }
    return hr_settings_is_on(&subject->settings, "prof_final", false)
               ? hr_check_fine(check, hr_phrase_new("doctor-final-on"))
               : hr_check_mend(check, hr_phrase_new("doctor-final-off"),
                               hr_phrase_new("doctor-final-mend"));
}
