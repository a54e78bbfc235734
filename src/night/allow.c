// SPDX-License-Identifier: MIT
// The file is a key file:
//
//   [metadata cache]                     a name of your own; each only once
//   pattern = *MetadataCache::insert     * and ? on the function, or the 12 digits of a fingerprint
//   reason = bounded at 512 MiB, fills in two days
//   owner = storage team
//   expires = 2026-12-31                 the end of that day in UTC, or RFC 3339; may be left out
#include "night/allow.h"

#include "base/files.h"
#include "base/key_file.h"
#include "base/quantity.h"
#include "result/json.h"
#include "result/tree.h"

#include <math.h>
#include <string.h>

#define FILE_MAX_BYTES ((size_t)1024 * 1024)
#define ENTRIES_MAX 500
#define FINGERPRINT_DIGITS 12

struct entry {
    char *pattern;
    char *reason;
    char *owner;
    double expires_s; // NAN: never
};

struct hr_allow {
    GPtrArray *entries; // of struct entry
};

static void entry_free(void *pointer)
{
    struct entry *entry = pointer;
    g_free(entry->pattern);
    g_free(entry->reason);
    g_free(entry->owner);
    g_free(entry);
}

void hr_allow_free(struct hr_allow *allow)
{
    if (allow) {
        g_ptr_array_unref(allow->entries);
        g_free(allow);
    }
}

static char *read_value(GKeyFile *file, const char *group, const char *key, GError **error)
{
    g_autofree char *value = NULL;
    if (!hr_key_file_get(file, group, key, &value, HR_ERROR_USAGE, error)) {
        return NULL;
    }
    if (value && *g_strstrip(value)) {
        return g_steal_pointer(&value);
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "[%s]: %s is missing", group, key);
    return NULL;
}

static bool read_expiry(GKeyFile *file, const char *group, double *expires_s, GError **error)
{
    *expires_s = NAN;
    g_autofree char *value = NULL;
    if (!hr_key_file_get(file, group, "expires", &value, HR_ERROR_USAGE, error)) {
        return false;
    }
    if (!value) {
        return true;
    }
    g_strstrip(value);
    // A bare date holds to its end.
    g_autofree char *time = strlen(value) == strlen("2026-12-31")
                                ? g_strconcat(value, "T23:59:59Z", NULL)
                                : g_strdup(value);
    if (hr_quantity_read_time(time, expires_s, NULL)) {
        return true;
    }
    g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                "[%s]: expires is no date such as 2026-12-31: \"%s\"", group, value);
    return false;
}

static bool check_keys(GKeyFile *file, const char *group, GError **error)
{
    static const char *const KEYS[] = {"pattern", "reason", "owner", "expires", NULL};
    g_auto(GStrv) keys = g_key_file_get_keys(file, group, NULL, NULL);
    for (char **key = keys; key && *key; key++) {
        if (!g_strv_contains(KEYS, *key)) {
            g_set_error(error, HR_ERROR, HR_ERROR_USAGE, "[%s]: there is no key %s", group, *key);
            return false;
        }
    }
    return true;
}

static bool read_entry(GKeyFile *file, const char *group, struct entry *entry, GError **error)
{
    return check_keys(file, group, error) &&
           (entry->pattern = read_value(file, group, "pattern", error)) &&
           (entry->reason = read_value(file, group, "reason", error)) &&
           (entry->owner = read_value(file, group, "owner", error)) &&
           read_expiry(file, group, &entry->expires_s, error);
}

static bool read_groups(struct hr_allow *allow, GKeyFile *file, GError **error)
{
    gsize count;
    g_auto(GStrv) groups = g_key_file_get_groups(file, &count);
    if (count > ENTRIES_MAX) {
        g_set_error(error, HR_ERROR, HR_ERROR_LIMIT, "more than %d entries", ENTRIES_MAX);
        return false;
    }
    for (char **group = groups; *group; group++) {
        struct entry *entry = g_new0(struct entry, 1);
        g_ptr_array_add(allow->entries, entry);
        if (!read_entry(file, *group, entry, error)) {
            return false;
        }
    }
    return true;
}

struct hr_allow *hr_allow_read(const char *path, GError **error)
{
    g_autofree char *bytes = NULL;
    size_t size;
    HR_AUTO(hr_allow) allow = g_new0(struct hr_allow, 1);
    allow->entries = g_ptr_array_new_with_free_func(entry_free);
    if (!hr_file_read(path, FILE_MAX_BYTES, &bytes, &size, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    g_autoptr(GKeyFile) file = hr_key_file_parse(path, bytes, size, HR_ERROR_USAGE, error);
    if (!file) {
        return NULL;
    }
    if (!read_groups(allow, file, error)) {
        g_prefix_error(error, "%s: ", path);
        return NULL;
    }
    return HR_STEAL(allow);
}

static bool is_fingerprint(const char *pattern)
{
    return strlen(pattern) == FINGERPRINT_DIGITS &&
           strspn(pattern, "0123456789abcdef") == FINGERPRINT_DIGITS;
}

static bool entry_matches(const struct entry *entry, const json_t *suspect)
{
    if (is_fingerprint(entry->pattern)) {
        return g_strcmp0(hr_tree_text(suspect, "fingerprint"), entry->pattern) == 0;
    }
    const char *function = hr_tree_text(suspect, "function");
    return function && g_pattern_match_simple(entry->pattern, function);
}

// Without any time to compare with, what is meant to end has ended.
static bool has_expired(const struct entry *entry, double now_s)
{
    return !isnan(entry->expires_s) && !(now_s <= entry->expires_s);
}

static json_t *compose_allowed(const struct entry *entry, bool expired)
{
    json_t *allowed = json_object();
    hr_json_set(allowed, "reason", hr_json_text(entry->reason));
    hr_json_set(allowed, "owner", hr_json_text(entry->owner));
    hr_json_set(allowed, "expires_time", hr_json_time(entry->expires_s));
    hr_json_set(allowed, "expired", json_boolean(expired));
    return allowed;
}

// An entry in force wins over one that has expired.
static void mark(json_t *suspect, const struct entry *entry, bool expired)
{
    const json_t *before = json_object_get(suspect, "allowed");
    if (!json_is_object(before) || (hr_tree_is(before, "expired") && !expired)) {
        hr_json_set(suspect, "allowed", compose_allowed(entry, expired));
    }
}

static json_t *apply_entry(const struct entry *entry, json_t *suspects, bool expired)
{
    json_int_t matched = 0;
    size_t i;
    json_t *suspect;
    json_array_foreach(suspects, i, suspect)
    {
        if (entry_matches(entry, suspect)) {
            matched++;
            mark(suspect, entry, expired);
        }
    }
    json_t *object = json_object();
    hr_json_set(object, "pattern", hr_json_text(entry->pattern));
    hr_json_set(object, "reason", hr_json_text(entry->reason));
    hr_json_set(object, "owner", hr_json_text(entry->owner));
    hr_json_set(object, "expires_time", hr_json_time(entry->expires_s));
    hr_json_set(object, "matched_count", json_integer(matched));
    hr_json_set(object, "expired", json_boolean(expired));
    return object;
}

void hr_allow_apply(const struct hr_allow *allow, json_t *result,
                    struct hr_diagnostics *diagnostics)
{
    json_t *suspects = json_object_get(result, "suspects");
    const double now_s = hr_tree_final_time(result);
    json_t *list = json_array();
    for (guint i = 0; i < allow->entries->len; i++) {
        const struct entry *entry = g_ptr_array_index(allow->entries, i);
        const bool expired = has_expired(entry, now_s);
        json_t *applied = apply_entry(entry, suspects, expired);
        if (expired) {
            hr_diagnostics_add(diagnostics, HR_DIAG_ALLOW_EXPIRED, NULL, "pattern", entry->pattern,
                               "owner", entry->owner, NULL);
        } else if (hr_tree_number(applied, "matched_count") == 0) {
            hr_diagnostics_add(diagnostics, HR_DIAG_ALLOW_UNUSED, NULL, "pattern", entry->pattern,
                               "owner", entry->owner, NULL);
        }
        hr_json_append(list, applied);
    }
    hr_json_set(result, "allow", list);
}
