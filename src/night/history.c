// SPDX-License-Identifier: MIT
// The file, one line each:
//
//   {"schema":"heapreport-history","version":1,"service":"filedrive","run":"filedrive/10630/T1/T2",
//    "final_time":"2026-12-01T21:06:05Z","class":"heap_growth","base_bytes":...,"final_bytes":...,
//    "growth_bytes":...,"growth_bytes_low":...,"growth_bytes_high":...,"significant":true,
//    "rate_bytes_per_hour":...,"suspects_count":2,"new_count":1,"known_count":1,"grown_count":0,
//    "gone_count":0,
//    "suspects":[{"fingerprint":"...","function":"...","growth_bytes":...,"significant":true},...]}
#include "night/history.h"

#include "base/files.h"
#include "night/history_check.h"
#include "result/json.h"
#include "result/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define BEGINNING "{\"schema\":\"" HR_HISTORY_SCHEMA
#define FILE_MAX_BYTES ((off_t)64 * 1024 * 1024)
#define LOCK_TRIES 100
#define LOCK_WAIT_US 100000

struct hr_history {
    char *path;
    int fd;      // -1: only read
    off_t size;  // when read
    bool ragged; // the last line has no end
    bool begun;  // the first line begins as a record does
    GPtrArray *records;
    unsigned skipped_count;
};

static void record_free(void *record)
{
    json_decref(record);
}

void hr_history_free(struct hr_history *history)
{
    if (!history) {
        return;
    }
    if (history->fd >= 0) {
        close(history->fd); // gives the lock back
    }
    g_ptr_array_unref(history->records);
    g_free(history->path);
    g_free(history);
}

static bool fail(const struct hr_history *history, enum hr_error code, const char *what,
                 GError **error)
{
    g_set_error(error, HR_ERROR, code, "%s: %s", history->path, what);
    return false;
}

static bool lock(const struct hr_history *history, GError **error)
{
    for (int i = 0; i < LOCK_TRIES; i++) {
        if (flock(history->fd, LOCK_EX | LOCK_NB) == 0) {
            return true;
        }
        if (errno != EWOULDBLOCK && errno != EINTR) {
            return fail(history, HR_ERROR_OUTPUT, g_strerror(errno), error);
        }
        g_usleep(LOCK_WAIT_US);
    }
    return fail(history, HR_ERROR_OUTPUT, "is locked by another run", error);
}

static void take_line(struct hr_history *history, const char *line, size_t length)
{
    if (length == 0) {
        return;
    }
    json_t *record = json_loadb(line, length, JSON_REJECT_DUPLICATES, NULL);
    if (hr_history_is_record(record)) {
        g_ptr_array_add(history->records, record);
    } else {
        json_decref(record);
        history->skipped_count++;
    }
}

static void take_lines(struct hr_history *history, const char *bytes, size_t size)
{
    const char *end = bytes + size;
    for (const char *line = bytes; line < end;) {
        const char *newline = memchr(line, '\n', (size_t)(end - line));
        const char *line_end = newline ? newline : end;
        take_line(history, line, (size_t)(line_end - line));
        line = line_end + 1;
    }
    history->ragged = size > 0 && end[-1] != '\n';
    history->begun = size >= strlen(BEGINNING) && memcmp(bytes, BEGINNING, strlen(BEGINNING)) == 0;
}

static bool read_all(int fd, char *bytes, size_t size)
{
    size_t done = 0;
    while (done < size) {
        const ssize_t got = pread(fd, bytes + done, size - done, (off_t)done);
        if (got < 0 && errno == EINTR) {
            continue;
        }
        if (got <= 0) {
            return false;
        }
        done += (size_t)got;
    }
    return true;
}

// Another kind of file, named by mistake: its trend would be of no night, and a line more would
// damage it. A first line that was cut in the writing, or is of a later version, still tells what
// the file is.
static bool is_foreign(const struct hr_history *history)
{
    return history->records->len == 0 && history->skipped_count > 0 && !history->begun;
}

static bool read_file(struct hr_history *history, int fd, GError **error)
{
    struct stat status;
    if (fstat(fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        return fail(history, HR_ERROR_INPUT, "is no regular file", error);
    }
    if (status.st_size > FILE_MAX_BYTES) {
        return fail(history, HR_ERROR_LIMIT, "is larger than 64 MiB; move its oldest lines away",
                    error);
    }
    history->size = status.st_size;
    g_autofree char *bytes = g_malloc((gsize)status.st_size + 1);
    if (!read_all(fd, bytes, (size_t)status.st_size)) {
        return fail(history, HR_ERROR_INPUT, "cannot be read", error);
    }
    take_lines(history, bytes, (size_t)status.st_size);
    return !is_foreign(history) || fail(history, HR_ERROR_INPUT,
                                        "is no history of heapreport; it was left as it is", error);
}

static struct hr_history *history_new(const char *path)
{
    struct hr_history *history = g_new0(struct hr_history, 1);
    history->path = g_strdup(path);
    history->fd = -1;
    history->records = g_ptr_array_new_with_free_func(record_free);
    return history;
}

struct hr_history *hr_history_open(const char *path, GError **error)
{
    HR_AUTO(hr_history) history = history_new(path);
    history->fd = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0644);
    if (history->fd < 0) {
        fail(history, HR_ERROR_OUTPUT, g_strerror(errno), error);
        return NULL;
    }
    if (!lock(history, error) || !read_file(history, history->fd, error)) {
        return NULL;
    }
    return HR_STEAL(history);
}

struct hr_history *hr_history_read(const char *path, GError **error)
{
    HR_AUTO(hr_history) history = history_new(path);
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK);
    if (fd < 0) {
        fail(history, HR_ERROR_INPUT, g_strerror(errno), error);
        return NULL;
    }
    const bool complete = read_file(history, fd, error);
    close(fd);
    return complete ? HR_STEAL(history) : NULL;
}

bool hr_history_is_same_run(const json_t *record, const json_t *other)
{
    return g_strcmp0(hr_tree_text(record, "run"), hr_tree_text(other, "run")) == 0 &&
           g_strcmp0(hr_tree_text(record, "service"), hr_tree_text(other, "service")) == 0;
}

// By time; a night without one stays where it was written. Insertion keeps equal ones in order.
static void insert_by_time(GPtrArray *nights, json_t *record)
{
    const double time_s = hr_tree_time(record, "final_time");
    guint at = nights->len;
    while (at > 0 && hr_tree_time(g_ptr_array_index(nights, at - 1), "final_time") > time_s) {
        at--;
    }
    g_ptr_array_insert(nights, (gint)at, record);
}

// Marks the last record of each run of the service.
static void mark_latest(const struct hr_history *history, const char *service, bool *latest)
{
    g_autoptr(GHashTable) seen = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (guint i = history->records->len; i-- > 0;) {
        const json_t *record = g_ptr_array_index(history->records, i);
        const char *owner = hr_tree_text(record, "service");
        const bool wanted = !service || strcmp(owner, service) == 0;
        latest[i] =
            wanted &&
            g_hash_table_add(seen, g_strconcat(owner, "\n", hr_tree_text(record, "run"), NULL));
    }
}

GPtrArray *hr_history_nights(const struct hr_history *history, const char *service)
{
    g_autofree bool *latest = g_new0(bool, history->records->len + 1);
    mark_latest(history, service, latest);
    GPtrArray *nights = g_ptr_array_new();
    for (guint i = 0; i < history->records->len; i++) {
        if (latest[i]) {
            insert_by_time(nights, g_ptr_array_index(history->records, i));
        }
    }
    return nights;
}

unsigned hr_history_skipped_count(const struct hr_history *history)
{
    return history->skipped_count;
}

bool hr_history_append(struct hr_history *history, const json_t *record, GError **error)
{
    g_assert(history->fd >= 0);
    char *line = json_dumps(record, JSON_COMPACT | JSON_REAL_PRECISION(15));
    g_autoptr(GString) bytes = g_string_new(history->ragged ? "\n" : "");
    g_string_append_printf(bytes, "%s\n", line);
    free(line);
    if (hr_file_write_all(history->fd, bytes->str, bytes->len) && fsync(history->fd) == 0) {
        history->size += (off_t)bytes->len;
        history->ragged = false;
        return true;
    }
    const int cause = errno;
    // Half a line would be a record lost and one in the way.
    if (ftruncate(history->fd, history->size) != 0) {
        return fail(history, HR_ERROR_OUTPUT, "a line was written in part", error);
    }
    return fail(history, HR_ERROR_OUTPUT, g_strerror(cause), error);
}

static const char *service_of(const json_t *result)
{
    const char *label = hr_tree_text(json_object_get(result, "labels"), "service");
    const char *prefix = hr_tree_text(json_object_get(result, "run"), "prefix");
    return label ? label : prefix ? prefix : "";
}

static json_t *compose_run_name(const json_t *result)
{
    const json_t *run = json_object_get(result, "run");
    const char *prefix = hr_tree_text(run, "prefix");
    const char *base = hr_tree_text(json_object_get(run, "base"), "taken_time");
    json_t *final_time = hr_json_time(hr_tree_final_time(result));
    const double pid = hr_tree_number(run, "pid");
    const char *final = json_string_value(final_time);
    g_autofree char *name =
        g_strdup_printf("%s/%.0f/%s/%s", prefix ? prefix : "", isnan(pid) ? -1 : pid,
                        base ? base : "", final ? final : "");
    json_decref(final_time);
    return hr_json_text(name);
}

static void copy(json_t *record, const json_t *source, const char *key)
{
    json_t *value = json_object_get(source, key);
    json_object_set(record, key, value ? value : json_null());
}

static json_t *compose_suspects(const json_t *result, json_t *record)
{
    json_t *list = json_array();
    static const char *const STATUSES[] = {"new", "known", "grown"};
    json_int_t significant = 0;
    json_int_t counts[G_N_ELEMENTS(STATUSES)] = {0};
    size_t i;
    json_t *suspect;
    json_array_foreach(json_object_get(result, "suspects"), i, suspect)
    {
        json_t *entry = json_object();
        copy(entry, suspect, "fingerprint");
        copy(entry, suspect, "function");
        copy(entry, suspect, "growth_bytes");
        copy(entry, suspect, "significant");
        hr_json_append(list, entry);
        const bool counts_tonight = hr_tree_is(suspect, "significant");
        significant += counts_tonight;
        for (size_t s = 0; counts_tonight && s < G_N_ELEMENTS(STATUSES); s++) {
            counts[s] += g_strcmp0(hr_tree_text(suspect, "status"), STATUSES[s]) == 0;
        }
    }
    hr_json_set(record, "suspects_count", json_integer(significant));
    for (size_t s = 0; s < G_N_ELEMENTS(STATUSES); s++) {
        g_autofree char *key = g_strconcat(STATUSES[s], "_count", NULL);
        hr_json_set(record, key, json_integer(counts[s]));
    }
    hr_json_set(record, "gone_count",
                json_integer((json_int_t)json_array_size(json_object_get(result, "gone"))));
    return list;
}

json_t *hr_history_compose_record(const json_t *result)
{
    static const char *const TOTALS[] = {"base_bytes",         "final_bytes",       "growth_bytes",
                                         "growth_bytes_low",   "growth_bytes_high", "significant",
                                         "rate_bytes_per_hour"};
    json_t *record = json_object();
    hr_json_set(record, "schema", json_string(HR_HISTORY_SCHEMA));
    hr_json_set(record, "version", json_integer(HR_HISTORY_VERSION));
    hr_json_set(record, "service", hr_json_text(service_of(result)));
    hr_json_set(record, "run", compose_run_name(result));
    hr_json_set(record, "final_time", hr_json_time(hr_tree_final_time(result)));
    copy(record, json_object_get(result, "verdict"), "class");
    for (size_t i = 0; i < G_N_ELEMENTS(TOTALS); i++) {
        copy(record, json_object_get(result, "totals"), TOTALS[i]);
    }
    hr_json_set(record, "suspects", compose_suspects(result, record));
    return record;
}
