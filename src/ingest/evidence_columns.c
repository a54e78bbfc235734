// SPDX-License-Identifier: MIT
//
//   timestamp,rss_mb,cache_mb,heap_mb,...       names
//   2026-12-01 21:06:05,107.3,12.0,96.5,...     one row a moment
//
// What a column means and its unit come from templates/rules/evidence-columns.conf.
//
#include "ingest/evidence.h"
#include "ingest/timestamp.h"

#include <math.h>
#include <string.h>

// A header with more is none that is known, which is told.
#define COLUMNS_MAX 1024

// A time without zone differs from the file's by whole quarters of an hour, give or take one
// interval between rows.
#define ZONE_STEP_S 900.0
#define ZONE_MAX_S (15 * 3600.0)
#define ZONE_ERROR_S 120.0

struct header {
    struct hr_span names[COLUMNS_MAX];
    unsigned count;
    char separator;
};

static struct hr_span trim(struct hr_span cell)
{
    while (cell.length > 0 && strchr(" \t\"\r", *cell.text) && *cell.text) {
        cell.text++;
        cell.length--;
    }
    while (cell.length > 0 && cell.text[cell.length - 1] &&
           strchr(" \t\"\r", cell.text[cell.length - 1])) {
        cell.length--;
    }
    return cell;
}

// Returns how many cells the line has; more than COLUMNS_MAX are not counted further.
static unsigned split(struct hr_cursor line, char separator, struct hr_span cells[COLUMNS_MAX])
{
    unsigned count = 0;
    while (count < COLUMNS_MAX) {
        cells[count++] = trim(hr_cursor_take_until(&line, separator));
        if (hr_cursor_at_end(&line)) {
            return count;
        }
        line.at++;
    }
    return COLUMNS_MAX + 1;
}

static bool read_header(const struct hr_evidence_input *input, struct hr_cursor *cursor,
                        struct header *header)
{
    struct hr_cursor line;
    hr_cursor_init(cursor, input->text, input->size);
    hr_cursor_take_if(cursor, "\xef\xbb\xbf");
    if (!hr_cursor_take_line(cursor, &line)) {
        return false;
    }
    const size_t length = (size_t)(line.end - line.at);
    header->separator = memchr(line.at, ',', length)    ? ','
                        : memchr(line.at, ';', length)  ? ';'
                        : memchr(line.at, '\t', length) ? '\t'
                                                        : ',';
    header->count = split(line, header->separator, header->names);
    return header->count <= COLUMNS_MAX;
}

static unsigned find_column(const struct header *header, const char *name)
{
    unsigned column = 0;
    while (column < header->count && !hr_span_equals(header->names[column], name)) {
        column++;
    }
    return column;
}

static const struct hr_table_rule *find_table(const struct header *header,
                                              const struct hr_rules *rules)
{
    for (size_t i = 0; i < rules->table_rules_count; i++) {
        const struct hr_table_rule *table = &rules->table_rules[i];
        bool all = find_column(header, table->time_column) < header->count;
        for (size_t k = 0; table->needs[k]; k++) {
            all &= find_column(header, table->needs[k]) < header->count;
        }
        if (all) {
            return table;
        }
    }
    return NULL;
}

bool hr_columns_recognise(const struct hr_evidence_input *head)
{
    struct hr_cursor cursor;
    struct header header;
    return head->rules && read_header(head, &cursor, &header) && find_table(&header, head->rules);
}

static bool read_number(struct hr_span cell, double *number)
{
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, cell.text, cell.length);
    *number = hr_cursor_take_double(&cursor);
    return hr_cursor_ok(&cursor) && hr_cursor_at_end(&cursor);
}

// What makes local times UTC: the last row was written when the file was.
static double zone_correction_s(const struct hr_evidence_input *input, double last_s, bool *known)
{
    const double difference = input->modified_at_s - last_s;
    const double correction = round(difference / ZONE_STEP_S) * ZONE_STEP_S;
    *known = fabs(difference - correction) <= ZONE_ERROR_S && fabs(correction) <= ZONE_MAX_S;
    return *known ? correction : 0;
}

static void shift_zone(const struct hr_evidence_input *input, struct hr_evidence_sink *sink,
                       guint first_sample, double last_s)
{
    bool known;
    const double correction = zone_correction_s(input, last_s, &known);
    for (guint i = first_sample; i < sink->samples->len; i++) {
        g_array_index(sink->samples, struct hr_evidence_sample, i).time_s += correction;
    }
    if (!known) {
        hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_ZONE_ASSUMED, input->file, NULL);
    }
}

static void read_row(const struct hr_table_rule *table, const struct header *header,
                     const struct hr_span *cells, unsigned count, double time_s,
                     struct hr_evidence_sink *sink)
{
    for (size_t i = 0; i < table->columns_count; i++) {
        const struct hr_column_rule *rule = &table->columns[i];
        const unsigned column = find_column(header, rule->column);
        double number;
        if (column < count && read_number(cells[column], &number)) {
            hr_evidence_add(sink, rule->id, table->source, time_s, number * rule->scale);
        }
    }
}

void hr_columns_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    struct header header = {0};
    read_header(input, &cursor, &header);
    const struct hr_table_rule *table = find_table(&header, input->rules);
    g_assert(table); // what hr_columns_recognise() found
    const unsigned time_column = find_column(&header, table->time_column);
    const guint first_sample = sink->samples->len;
    double last_s = NAN;
    bool all_zoned = true;
    while (hr_cursor_take_line(&cursor, &line)) {
        struct hr_span cells[COLUMNS_MAX];
        bool zoned = false;
        const bool torn = hr_cursor_at_end(&cursor) && input->text[input->size - 1] != '\n';
        const unsigned count = MIN(split(line, header.separator, cells), COLUMNS_MAX);
        const double time_s =
            time_column < count ? hr_timestamp_parse(cells[time_column], &zoned) : NAN;
        if (torn || isnan(time_s)) {
            hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_CUT, input->file, NULL);
            continue;
        }
        all_zoned &= zoned;
        last_s = fmax(last_s, time_s);
        read_row(table, &header, cells, count, time_s, sink);
    }
    if (!all_zoned) {
        shift_zone(input, sink, first_sample, last_s);
    }
}
