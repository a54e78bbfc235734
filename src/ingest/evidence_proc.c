// SPDX-License-Identifier: MIT
//
//   [# time 1796160571.850790126]          smaps_rollup; many snapshots may follow each other
//   565030b52000-7ffc664ef000 ---p 00000000 00:00 0    [rollup]
//   Rss:                4576 kB
//   Anonymous:           756 kB
//
//   [# time ...]                           status
//   Name:   filedrive
//   Pid:    9915
//   RssAnon:             756 kB
//
// Keys differ by kernel: what is not there is unknown. kB is 1024 bytes (proc(5)).
//
#include "ingest/evidence.h"

#include <math.h>
#include <string.h>

struct key {
    const char *name; // with the colon
    enum hr_evidence_id id;
};

static const struct key ROLLUP_KEYS[] = {
    {"Rss:", HR_EVIDENCE_RSS},
    {"Anonymous:", HR_EVIDENCE_ANONYMOUS},
    {"Private_Dirty:", HR_EVIDENCE_PRIVATE_DIRTY},
    {"LazyFree:", HR_EVIDENCE_LAZY_FREE},
    {"Swap:", HR_EVIDENCE_SWAP},
    {"Pss_File:", HR_EVIDENCE_FILE},
    {"Pss_Shmem:", HR_EVIDENCE_SHMEM},
    {"AnonHugePages:", HR_EVIDENCE_HUGE_PAGES},
};

static const struct key STATUS_KEYS[] = {
    {"VmRSS:", HR_EVIDENCE_RSS},    {"RssAnon:", HR_EVIDENCE_ANONYMOUS},
    {"RssFile:", HR_EVIDENCE_FILE}, {"RssShmem:", HR_EVIDENCE_SHMEM},
    {"VmSwap:", HR_EVIDENCE_SWAP},  {"Threads:", HR_EVIDENCE_THREADS},
};

static bool line_is_rollup(const struct hr_cursor *line)
{
    static const char mark[] = "[rollup]";
    const size_t length = sizeof mark - 1;
    return (size_t)(line->end - line->at) > length && memcmp(line->end - length, mark, length) == 0;
}

bool hr_rollup_recognise(const struct hr_evidence_input *head)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    double time_s;
    hr_cursor_init(&cursor, head->text, head->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        if (!hr_evidence_take_time_line(line, &time_s)) {
            return line_is_rollup(&line);
        }
    }
    return false;
}

bool hr_status_recognise(const struct hr_evidence_input *head)
{
    return hr_evidence_has_line(head, "Name:\t") && hr_evidence_has_line(head, "VmRSS:\t");
}

static const struct key *find_key(struct hr_cursor *line, const struct key *keys, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (hr_cursor_take_if(line, keys[i].name)) {
            return &keys[i];
        }
    }
    return NULL;
}

// Takes `   4576 kB` or, of a count, `   12`. A line that was cut before its unit says nothing.
static bool take_amount(struct hr_cursor *line, enum hr_evidence_id id, double *amount)
{
    hr_cursor_skip_blanks(line);
    const uint64_t number = hr_cursor_take_u64(line);
    hr_cursor_skip_blanks(line);
    if (id != HR_EVIDENCE_THREADS) {
        hr_cursor_expect(line, "kB");
    }
    *amount = id == HR_EVIDENCE_THREADS ? (double)number : (double)number * 1024;
    return hr_cursor_ok(line);
}

static void report_torn(const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_CUT, input->file, NULL);
}

// Reads `key: amount` lines; a time line begins a new snapshot. A Pid line says whose they are.
static void read_keys(const struct hr_evidence_input *input, struct hr_evidence_sink *sink,
                      const struct key *keys, size_t count, const char *source)
{
    struct hr_cursor cursor;
    struct hr_cursor line;
    double time_s = input->time_s;
    hr_cursor_init(&cursor, input->text, input->size);
    while (hr_cursor_take_line(&cursor, &line)) {
        double amount;
        if (hr_evidence_take_time_line(line, &time_s)) {
            continue;
        }
        struct hr_cursor pid = line;
        if (hr_cursor_take_if(&pid, "Pid:\t")) {
            const uint64_t number = hr_cursor_take_u64(&pid);
            sink->pid = hr_cursor_ok(&pid) && number <= INT32_MAX ? (int64_t)number : sink->pid;
        }
        const struct key *key = find_key(&line, keys, count);
        if (key && take_amount(&line, key->id, &amount)) {
            hr_evidence_add(sink, key->id, source, time_s, amount);
        } else if (key) {
            report_torn(input, sink);
        }
    }
}

void hr_rollup_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    read_keys(input, sink, ROLLUP_KEYS, G_N_ELEMENTS(ROLLUP_KEYS), "smaps_rollup");
}

void hr_status_read(const struct hr_evidence_input *input, struct hr_evidence_sink *sink)
{
    read_keys(input, sink, STATUS_KEYS, G_N_ELEMENTS(STATUS_KEYS), "status");
}
