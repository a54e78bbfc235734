// SPDX-License-Identifier: MIT
//
//   # HELP, # TYPE and other comments
//   jemalloc_allocated_bytes{instance="a"} 754856 [1796160571000]
//   process_resident_memory_bytes 4685824
//
// Names differ by exporter: what counts is that jemalloc is named and how the name ends. A series
// with labels that split it (arena="0") is no total and is left out.
//
#include "ingest/evidence.h"

#include <math.h>
#include <string.h>

#define RSS_NAME "process_resident_memory_bytes"
#define ALLOCATOR "jemalloc"

static const struct {
    const char *name;
    enum hr_evidence_id id;
} COUNTERS[] = {
    {"allocated", HR_EVIDENCE_ALLOCATED}, {"active", HR_EVIDENCE_ACTIVE},
    {"metadata", HR_EVIDENCE_METADATA},   {"resident", HR_EVIDENCE_RESIDENT},
    {"mapped", HR_EVIDENCE_MAPPED},       {"retained", HR_EVIDENCE_RETAINED},
};

// Words between the allocator's name and the counter's that leave it the whole heap's. Others name
// a part (small_allocated), pages (arenas_all_pactive) or something else (prof_active).
static const char *const WHOLE[] = {"stats", "memory", "mem", "heap", "global", "process"};

static bool span_ends(struct hr_span span, const char *text)
{
    const size_t length = strlen(text);
    return span.length >= length && memcmp(span.text + span.length - length, text, length) == 0;
}

// Takes the next word of a name, the separators before it left out.
static struct hr_span take_word(struct hr_cursor *rest)
{
    while (hr_cursor_take_if(rest, "_") || hr_cursor_take_if(rest, ":")) {
    }
    const char *start = rest->at;
    while (rest->at < rest->end && *rest->at != '_' && *rest->at != ':') {
        rest->at++;
    }
    return (struct hr_span){start, (size_t)(rest->at - start)};
}

static bool is_of_whole(struct hr_span word)
{
    bool found = false;
    for (size_t i = 0; i < G_N_ELEMENTS(WHOLE); i++) {
        found |= hr_span_equals(word, WHOLE[i]);
    }
    return found;
}

static bool find_counter(struct hr_span word, enum hr_evidence_id *id)
{
    for (size_t i = 0; i < G_N_ELEMENTS(COUNTERS); i++) {
        if (hr_span_equals(word, COUNTERS[i].name)) {
            *id = COUNTERS[i].id;
            return true;
        }
    }
    return false;
}

// anything_jemalloc_[stats_]allocated[_bytes]
static bool find_metric(struct hr_span name, enum hr_evidence_id *id)
{
    const char *allocator = memmem(name.text, name.length, ALLOCATOR, strlen(ALLOCATOR));
    if (span_ends(name, RSS_NAME)) {
        *id = HR_EVIDENCE_RSS;
        return true;
    }
    if (!allocator) {
        return false;
    }
    struct hr_cursor rest;
    const char *start = allocator + strlen(ALLOCATOR);
    hr_cursor_init(&rest, start, (size_t)(name.text + name.length - start));
    struct hr_span word = take_word(&rest);
    while (is_of_whole(word)) {
        word = take_word(&rest);
    }
    return find_counter(word, id) &&
           (hr_cursor_at_end(&rest) || hr_span_equals(take_word(&rest), "bytes")) &&
           hr_cursor_at_end(&rest);
}

// Labels that say where a series comes from, not what part of it this is.
static bool is_total(struct hr_span labels)
{
    static const char *const known[] = {"instance", "job",  "pid",       "service", "host",
                                        "pod",      "node", "namespace", "app",     "container"};
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, labels.text, labels.length);
    while (!hr_cursor_at_end(&cursor)) {
        const struct hr_span key = hr_cursor_take_until(&cursor, '=');
        bool found = false;
        for (size_t i = 0; i < G_N_ELEMENTS(known); i++) {
            found |= hr_span_equals(key, known[i]);
        }
        hr_cursor_take_if(&cursor, "=\"");
        hr_cursor_take_until(&cursor, '"');
        hr_cursor_take_if(&cursor, "\"");
        hr_cursor_take_if(&cursor, ",");
        hr_cursor_skip_blanks(&cursor);
        if (!found) {
            return false;
        }
    }
    return true;
}

static bool take_metric(struct hr_cursor line, enum hr_evidence_id *id, double *value,
                        double *time_s)
{
    const char *start = line.at;
    while (line.at < line.end &&
           (g_ascii_isalnum(*line.at) || *line.at == '_' || *line.at == ':')) {
        line.at++;
    }
    const struct hr_span name = {start, (size_t)(line.at - start)};
    struct hr_span labels = {start, 0};
    if (hr_cursor_take_if(&line, "{")) {
        labels = hr_cursor_take_until(&line, '}');
        hr_cursor_expect(&line, "}");
    }
    hr_cursor_skip_blanks(&line);
    *value = hr_cursor_take_double(&line);
    if (!hr_cursor_ok(&line) || !find_metric(name, id) || !is_total(labels)) {
        return false;
    }
    hr_cursor_skip_blanks(&line);
    const double milliseconds = hr_cursor_take_double(&line);
    if (hr_cursor_ok(&line)) {
        *time_s = milliseconds / 1e3;
    }
    return true;
}

bool hr_prometheus_recognise(const struct hr_evidence_input *head)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    hr_cursor_init(&cursor, head->text, head->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        enum hr_evidence_id id;
        double value;
        double time_s;
        if (hr_cursor_take_if(&line, "# TYPE ") || take_metric(line, &id, &value, &time_s)) {
            return true;
        }
    }
    return false;
}

void hr_prometheus_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    double file_time_s = input->time_s;
    hr_cursor_init(&cursor, input->text, input->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        enum hr_evidence_id id;
        double value;
        double time_s = file_time_s;
        if (!hr_evidence_take_time_line(line, &file_time_s) &&
            take_metric(line, &id, &value, &time_s)) {
            hr_evidence_add(sink, id, "Prometheus", time_s, value);
        }
    }
}
