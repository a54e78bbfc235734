// SPDX-License-Identifier: MIT
//
// jemalloc's statistics as text, alone or among log lines (4.x has tabs for blanks, and no
// retained):
//   2026-12-01T21:06:05Z INFO ___ Begin jemalloc statistics ___
//   Allocated: 176128, active: 188416, metadata: 2734064 (n_thp 0), resident: 2834432, mapped:
//   6479872, retained: 1908736
//
// pmap -x:
//   4711:   /srv/app
//   Address           Kbytes     RSS   Dirty Mode  Mapping
//   total kB          123456    4567     890
//
// A cgroup's files hold one number, or "max"; only the name tells which.
//
#include "ingest/evidence.h"
#include "ingest/timestamp.h"

#include <math.h>
#include <string.h>

bool hr_stats_text_recognise(const struct hr_evidence_input *head)
{
    // Statistics may stand far down in a log: any text is looked through.
    return head->size > 0 && !memchr(head->text, '\0', head->size);
}

// A time at the start of a line, after brackets or blanks.
static double time_of_line(struct hr_cursor line, double otherwise_s)
{
    while (line.at < line.end && (*line.at == '[' || *line.at == ' ' || *line.at == '"')) {
        line.at++;
    }
    bool zoned = false;
    const struct hr_span text = {line.at, (size_t)(line.end - line.at)};
    const double time_s = text.length > 0 ? hr_timestamp_parse(text, &zoned) : NAN;
    return isnan(time_s) || !zoned ? otherwise_s : time_s;
}

// Takes `name: number` where the line has it.
static bool take_counter(const struct hr_cursor *line, const char *name, double *value)
{
    const char *found = memmem(line->at, (size_t)(line->end - line->at), name, strlen(name));
    if (!found) {
        return false;
    }
    struct hr_cursor cursor = *line;
    cursor.at = found + strlen(name);
    hr_cursor_skip_blanks(&cursor);
    *value = hr_cursor_take_double(&cursor); // one below zero is told, not passed over
    return hr_cursor_ok(&cursor);
}

static void read_counters(const struct hr_cursor *line, double time_s,
                          struct hr_evidence_sink *sink)
{
    static const struct {
        const char *name;
        enum hr_evidence_id id;
    } counters[] = {
        {"Allocated:", HR_EVIDENCE_ALLOCATED}, {" active:", HR_EVIDENCE_ACTIVE},
        {" metadata:", HR_EVIDENCE_METADATA},  {" resident:", HR_EVIDENCE_RESIDENT},
        {" mapped:", HR_EVIDENCE_MAPPED},      {" retained:", HR_EVIDENCE_RETAINED},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(counters); i++) {
        double value;
        if (take_counter(line, counters[i].name, &value)) {
            hr_evidence_add(sink, counters[i].id, "jemalloc stats", time_s, value);
        }
    }
}

void hr_stats_text_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    double time_s = input->time_s;
    double value;
    hr_cursor_init(&cursor, input->text, input->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        if (!hr_evidence_take_time_line(line, &time_s)) {
            time_s = time_of_line(line, time_s);
        }
        if (take_counter(&line, "Allocated:", &value) && take_counter(&line, " active:", &value)) {
            read_counters(&line, time_s, sink);
        }
    }
}

bool hr_pmap_recognise(const struct hr_evidence_input *head)
{
    return hr_evidence_has_line(head, "Address           Kbytes     RSS   Dirty Mode");
}

void hr_pmap_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    double time_s = input->time_s;
    hr_cursor_init(&cursor, input->text, input->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        if (hr_evidence_take_time_line(line, &time_s)) {
            continue;
        }
        struct hr_cursor first = line;
        const uint64_t pid = hr_cursor_take_u64(&first);
        hr_cursor_expect(&first, ": ");
        if (hr_cursor_ok(&first) && pid <= INT32_MAX) {
            sink->pid = (int64_t)pid;
        }
        if (hr_cursor_take_if(&line, "total kB")) {
            hr_cursor_skip_blanks(&line);
            hr_cursor_take_u64(&line);
            hr_cursor_skip_blanks(&line);
            const double rss_kib = (double)hr_cursor_take_u64(&line);
            hr_evidence_add(sink, HR_EVIDENCE_RSS, "pmap", time_s,
                            hr_cursor_ok(&line) ? rss_kib * 1024 : NAN);
        }
    }
}

static const struct {
    const char *name;
    enum hr_evidence_id id;
} CGROUP_FILES[] = {
    {"memory.current", HR_EVIDENCE_CGROUP_CURRENT},
    {"memory.usage_in_bytes", HR_EVIDENCE_CGROUP_CURRENT},
    {"memory.max", HR_EVIDENCE_CGROUP_LIMIT},
    {"memory.limit_in_bytes", HR_EVIDENCE_CGROUP_LIMIT},
    {"memory.stat", HR_EVIDENCE_CGROUP_FILE},
};

// Lines of memory.stat, "key bytes": the cache of files in version 2, and in version 1.
static const char *const CACHE_KEYS[] = {"file ", "total_cache "};

#define NO_LIMIT "max"

// A limit at or above this is none (cgroup v1 says 2^63 rounded down to a page).
#define NO_LIMIT_BYTES 9.2e18

static bool find_cgroup_file(const char *file, enum hr_evidence_id *id)
{
    const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    for (size_t i = 0; i < G_N_ELEMENTS(CGROUP_FILES); i++) {
        if (strstr(base, CGROUP_FILES[i].name)) {
            *id = CGROUP_FILES[i].id;
            return true;
        }
    }
    return false;
}

bool hr_cgroup_recognise(const struct hr_evidence_input *head)
{
    enum hr_evidence_id id;
    return find_cgroup_file(head->file, &id);
}

void hr_cgroup_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    enum hr_evidence_id id = HR_EVIDENCE_COUNT;
    double time_s = input->time_s;
    g_assert(find_cgroup_file(input->file, &id));
    hr_cursor_init(&cursor, input->text, input->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        if (hr_evidence_take_time_line(line, &time_s)) {
            continue;
        }
        if (id == HR_EVIDENCE_CGROUP_FILE && !hr_cursor_take_if(&line, CACHE_KEYS[0]) &&
            !hr_cursor_take_if(&line, CACHE_KEYS[1])) {
            continue;
        }
        if (hr_cursor_at_end(&line) || hr_cursor_take_if(&line, NO_LIMIT)) {
            continue;
        }
        const double bytes = (double)hr_cursor_take_u64(&line);
        hr_cursor_skip_blanks(&line);
        if (!hr_cursor_ok(&line) || !hr_cursor_at_end(&line)) {
            hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_CUT, input->file, NULL);
        } else if (bytes < NO_LIMIT_BYTES) {
            hr_evidence_add(sink, id, "cgroup", time_s, bytes);
        }
    }
}
