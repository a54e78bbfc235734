// SPDX-License-Identifier: MIT
#include "result/names.h"

// One table a function; a value without a word is a bug.
#define DEFINE_NAMES(function, type, ...)                                                          \
    const char *function(type value)                                                               \
    {                                                                                              \
        static const char *const NAMES[] = {__VA_ARGS__};                                          \
        g_assert((size_t)value < G_N_ELEMENTS(NAMES));                                             \
        return NAMES[value];                                                                       \
    }

DEFINE_NAMES(hr_name_dump_kind,
             enum hr_dump_kind, [HR_DUMP_UNKNOWN] = "unknown", [HR_DUMP_INTERVAL] = "interval",
             [HR_DUMP_MANUAL] = "manual", [HR_DUMP_GDUMP] = "gdump", [HR_DUMP_FINAL] = "final")

DEFINE_NAMES(hr_name_dump_note, enum hr_dump_note, [HR_DUMP_NOTE_NONE] = NULL,
             [HR_DUMP_NOTE_CUT] = "cut", [HR_DUMP_NOTE_EMPTY] = "empty",
             [HR_DUMP_NOTE_FOREIGN] = "foreign", [HR_DUMP_NOTE_UNREADABLE] = "unreadable",
             [HR_DUMP_NOTE_MALFORMED] = "malformed", [HR_DUMP_NOTE_GROWING] = "growing",
             [HR_DUMP_NOTE_EXCLUDED] = "excluded", [HR_DUMP_NOTE_THINNED] = "thinned",
             [HR_DUMP_NOTE_TEARDOWN] = "teardown", [HR_DUMP_NOTE_UNPACKED_LIMIT] = "limit")

DEFINE_NAMES(hr_name_time_axis,
             enum hr_time_axis, [HR_TIME_SEQUENCE] = "sequence", [HR_TIME_MTIME] = "mtime",
             [HR_TIME_NAME] = "name", [HR_TIME_EVIDENCE] = "evidence", [HR_TIME_INSIDE] = "inside")

DEFINE_NAMES(
    hr_name_sampling,
    enum hr_sampling, [HR_SAMPLING_SAMPLED] = "sampled", [HR_SAMPLING_EVERY] = "every_allocation",
    [HR_SAMPLING_OFF] = "effectively_off", [HR_SAMPLING_VARYING] = "varying")

DEFINE_NAMES(hr_name_break, enum hr_break_kind, [HR_BREAK_RATE_CHANGE] = "rate_change",
             [HR_BREAK_RESET] = "reset", [HR_BREAK_RESTART] = "restart", [HR_BREAK_GAP] = "gap")

DEFINE_NAMES(
    hr_name_shape, enum hr_shape, [HR_SHAPE_UNKNOWN] = "unknown", [HR_SHAPE_LINEAR] = "linear",
    [HR_SHAPE_STEP] = "step", [HR_SHAPE_PLATEAU] = "plateau", [HR_SHAPE_SAWTOOTH] = "sawtooth",
    [HR_SHAPE_BURST] = "burst", [HR_SHAPE_SHRINKING] = "shrinking", [HR_SHAPE_FLAT] = "flat")

DEFINE_NAMES(hr_name_class, enum hr_class, [HR_CLASS_NO_GROWTH] = "no_growth",
             [HR_CLASS_HEAP_GROWTH] = "heap_growth", [HR_CLASS_BOUNDED_GROWTH] = "bounded_growth",
             [HR_CLASS_ALLOCATOR_RETENTION] = "allocator_retention",
             [HR_CLASS_OUTSIDE_HEAP] = "outside_heap", [HR_CLASS_FILE_BACKED] = "file_backed",
             [HR_CLASS_INCONCLUSIVE] = "inconclusive")

DEFINE_NAMES(hr_name_scope, enum hr_scope, [HR_SCOPE_HEAP] = "heap", [HR_SCOPE_PROCESS] = "process")

DEFINE_NAMES(hr_name_confidence, enum hr_confidence, [HR_CONFIDENCE_LOW] = "low",
             [HR_CONFIDENCE_MEDIUM] = "medium", [HR_CONFIDENCE_HIGH] = "high")

DEFINE_NAMES(hr_name_part, enum hr_part_id, [HR_PART_HEAP] = "heap", [HR_PART_SLACK] = "slack",
             [HR_PART_OUTSIDE] = "outside", [HR_PART_SHMEM] = "shmem", [HR_PART_FILE] = "file",
             [HR_PART_PROCESS] = "process")

DEFINE_NAMES(hr_name_outcome, enum hr_rule_outcome, [HR_RULE_NOT_FIRED] = "not_fired",
             [HR_RULE_FIRED] = "fired", [HR_RULE_UNKNOWN] = "unknown")

DEFINE_NAMES(hr_name_frame_kind,
             enum hr_frame_kind, [HR_FRAME_UNKNOWN] = "unknown", [HR_FRAME_ALLOCATOR] = "allocator",
             [HR_FRAME_RUNTIME] = "runtime", [HR_FRAME_LIBRARY] = "library", [HR_FRAME_APP] = "app")

DEFINE_NAMES(hr_name_trust, enum hr_trust, [HR_TRUST_NONE] = "none", [HR_TRUST_GUESSED] = "guessed",
             [HR_TRUST_SYMBOL] = "symbol", [HR_TRUST_EXACT] = "exact")

DEFINE_NAMES(hr_name_match, enum hr_binary_match, [HR_BINARY_UNKNOWN] = "unknown",
             [HR_BINARY_CONFIRMED] = "confirmed", [HR_BINARY_MISMATCH] = "mismatch")

DEFINE_NAMES(hr_name_severity, enum hr_severity, [HR_SEVERITY_NOTE] = "note",
             [HR_SEVERITY_WARNING] = "warning", [HR_SEVERITY_ERROR] = "error")
