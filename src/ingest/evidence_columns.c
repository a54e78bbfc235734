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

// What reading a table comes to.
struct reading {
    const struct hr_evidence_input *input;
    struct hr_evidence_sink *sink;
    struct header header;
    const struct hr_table_rule *table;
    double last_zoneless_s; // NAN: all times have a zone
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

static bool take_header(struct hr_cursor line, struct header *header)
{
    const size_t length = (size_t)(line.end - line.at);
    header->separator = memchr(line.at, ',', length)    ? ','
                        : memchr(line.at, ';', length)  ? ';'
                        : memchr(line.at, '\t', length) ? '\t'
                                                        : ',';
    header->count = split(line, header->separator, header->names);
    if (header->count > COLUMNS_MAX) {
        return false;
    }
    while (header->count > 0 && header->names[header->count - 1].length == 0) {
        header->count--; // a separator at the end of each line
    }
    return true;
}

static bool read_header(const struct hr_evidence_input *input, struct header *header)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    hr_cursor_init(&cursor, input->text, input->size);
    return hr_cursor_take_line(&cursor, &line) && take_header(line, header);
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
    struct header header;
    return head->rules && read_header(head, &header) && find_table(&header, head->rules);
}

static bool read_number(struct hr_span cell, double *number)
{
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, cell.text, cell.length);
    *number = hr_cursor_take_double(&cursor);
    return hr_cursor_ok(&cursor) && hr_cursor_at_end(&cursor);
}

static bool is_twice(const struct header *header, const char *name)
{
    unsigned count = 0;
    for (unsigned i = 0; i < header->count; i++) {
        count += hr_span_equals(header->names[i], name);
    }
    return count > 1;
}

// Of two columns of one name nobody can know which is meant.
static bool is_ambiguous(const struct header *header, const struct hr_table_rule *table)
{
    bool ambiguous = is_twice(header, table->time_column);
    for (size_t i = 0; i < table->columns_count; i++) {
        ambiguous |= is_twice(header, table->columns[i].column);
    }
    return ambiguous;
}

// A row with a cell less was cut; one with a cell more has a separator in a cell, or another row
// in it. Either would put numbers under other names.
static bool fits(const struct header *header, const struct hr_span *cells, unsigned count)
{
    for (unsigned i = header->count; i < count; i++) {
        if (cells[i].length > 0) {
            return false;
        }
    }
    return count >= header->count;
}

// What makes local times UTC: the last row was written when the file was.
static double zone_correction_s(const struct hr_evidence_input *input, double last_s, bool *known)
{
    const double difference = input->modified_at_s - last_s;
    const double correction = round(difference / ZONE_STEP_S) * ZONE_STEP_S;
    *known = fabs(difference - correction) <= ZONE_ERROR_S && fabs(correction) <= ZONE_MAX_S;
    return *known ? correction : 0;
}

static void shift_zoneless(const struct reading *reading, guint first_sample)
{
    bool known;
    const double correction = zone_correction_s(reading->input, reading->last_zoneless_s, &known);
    for (guint i = first_sample; i < reading->sink->samples->len; i++) {
        struct hr_evidence_sample *sample =
            &g_array_index(reading->sink->samples, struct hr_evidence_sample, i);
        sample->time_s += sample->zoneless ? correction : 0;
    }
    if (!known) {
        hr_diagnostics_add(reading->sink->diagnostics, HR_DIAG_EVIDENCE_ZONE_ASSUMED,
                           reading->input->file, NULL);
    }
}

// How programs write that they do not know.
static bool says_nothing(struct hr_span cell)
{
    static const char *const WORDS[] = {"-", "na", "n/a", "nan", "null", "none"};
    g_autofree char *text = g_ascii_strdown(cell.text, (gssize)cell.length);
    bool found = cell.length == 0;
    for (size_t i = 0; i < G_N_ELEMENTS(WORDS); i++) {
        found |= strcmp(text, WORDS[i]) == 0;
    }
    return found;
}

// False when a cell that is wanted holds something else than a number.
static bool add_cells(const struct reading *reading, const struct hr_span *cells, double time_s)
{
    bool sound = true;
    for (size_t i = 0; i < reading->table->columns_count; i++) {
        const struct hr_column_rule *rule = &reading->table->columns[i];
        const unsigned column = find_column(&reading->header, rule->column);
        double number;
        if (column == reading->header.count) {
            continue;
        }
        if (read_number(cells[column], &number)) {
            hr_evidence_add(reading->sink, rule->id, reading->table->source, time_s,
                            number * rule->scale);
        } else {
            sound &= says_nothing(cells[column]);
        }
    }
    return sound;
}

// False for a line that is no row of the table, or of which a cell makes no sense.
static bool read_row(struct reading *reading, struct hr_cursor line)
{
    struct hr_span cells[COLUMNS_MAX];
    bool zoned;
    const unsigned count = split(line, reading->header.separator, cells);
    if (count > COLUMNS_MAX || !fits(&reading->header, cells, count)) {
        return false;
    }
    const unsigned time_column = find_column(&reading->header, reading->table->time_column);
    const double time_s = hr_timestamp_read(cells[time_column], &zoned);
    if (isnan(time_s)) {
        return false;
    }
    const guint first_sample = reading->sink->samples->len;
    const bool sound = add_cells(reading, cells, time_s);
    if (!zoned) {
        reading->last_zoneless_s = fmax(reading->last_zoneless_s, time_s);
        for (guint i = first_sample; i < reading->sink->samples->len; i++) {
            g_array_index(reading->sink->samples, struct hr_evidence_sample, i).zoneless = true;
        }
    }
    return sound;
}

// Tables that were put behind each other: each header counts up to the next.
static bool begin_table(struct reading *reading, struct hr_cursor line)
{
    struct header header;
    const struct hr_table_rule *table =
        take_header(line, &header) ? find_table(&header, reading->input->rules) : NULL;
    if (!table || is_ambiguous(&header, table)) {
        return false;
    }
    reading->header = header;
    reading->table = table;
    return true;
}

void hr_columns_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    struct reading reading = {.input = input, .sink = sink, .last_zoneless_s = NAN};
    const guint first_sample = sink->samples->len;
    hr_cursor_init(&cursor, input->text, input->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        const bool torn = hr_cursor_at_end(&cursor) && input->text[input->size - 1] != '\n';
        const bool understood =
            !torn && ((reading.table && read_row(&reading, line)) || begin_table(&reading, line));
        if (!understood) {
            hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_CUT, input->file, NULL);
        }
    }
    if (!isnan(reading.last_zoneless_s)) {
        shift_zoneless(&reading, first_sample);
    }
}
