// SPDX-License-Identifier: MIT
// Rule sets as data: what kind of frame a name is, what category a suspect falls in, and the
// thresholds in force. Read by ingest/ from templates/rules/, passed on const.
#pragma once

#include "base/arena.h"
#include "model/evidence.h"

#include <stdbool.h>
#include <stdint.h>

enum hr_frame_kind {
    HR_FRAME_UNKNOWN,
    HR_FRAME_ALLOCATOR, // jemalloc under any prefix, operator new, __rust_alloc
    HR_FRAME_RUNTIME,   // Rust core/alloc/std/hashbrown, libstdc++, libc
    HR_FRAME_LIBRARY,   // cargo registry, /usr/include, other modules
    HR_FRAME_APP,
};

enum hr_frame_field { HR_FIELD_FUNCTION, HR_FIELD_FILE, HR_FIELD_MODULE };

// The first rule whose glob (* and ?) matches the frame's field decides.
struct hr_frame_rule {
    enum hr_frame_kind kind;
    enum hr_frame_field field;
    const char *glob;
};

// The first rule whose glob matches (in lower case) a function of the stack from the responsible
// frame inward decides.
struct hr_category_rule {
    const char *category; // "cache", "queue"...
    const char *glob;
};

// What a column of a table of measurements is.
struct hr_column_rule {
    const char *column; // as in the header line
    enum hr_evidence_id id;
    double scale; // from the column's unit to the id's
};

// A kind of table: it is meant when the header has the time and every column that `needs` names.
struct hr_table_rule {
    const char *source; // shown with the values
    const char *time_column;
    const char *const *needs; // NULL-terminated
    const struct hr_column_rule *columns;
    size_t columns_count;
};

// An option of jemalloc's configuration string, and what may stand behind its colon.
enum hr_setting_kind { HR_SETTING_SWITCH, HR_SETTING_NUMBER, HR_SETTING_WORD, HR_SETTING_TEXT };

struct hr_setting_rule {
    const char *name; // "lg_prof_interval"
    enum hr_setting_kind kind;
    int64_t least; // of a number
    int64_t most;
    const char *const *words; // of a word, NULL-terminated
};

enum hr_threshold_id {
#define HR_THRESHOLD(key, value) HR_THRESHOLD_##key,
#include "model/thresholds.def"
#undef HR_THRESHOLD
    HR_THRESHOLDS_COUNT,
};

struct hr_rules {
    const struct hr_frame_rule *frame_rules;
    size_t frame_rules_count;
    const struct hr_category_rule *category_rules;
    size_t category_rules_count;
    const struct hr_table_rule *table_rules;
    size_t table_rules_count;
    const struct hr_setting_rule *setting_rules;
    size_t setting_rules_count;
    double thresholds[HR_THRESHOLDS_COUNT];
};

const char *hr_threshold_key(enum hr_threshold_id id);
double hr_threshold_default(enum hr_threshold_id id);

// Sets every threshold to its default.
void hr_rules_init_thresholds(struct hr_rules *rules);

// Sets the threshold of that key; false when there is none.
bool hr_rules_set_threshold(struct hr_rules *rules, const char *key, double value);
