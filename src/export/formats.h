// SPDX-License-Identifier: MIT
// The formats behind the table in exports.c, one file each.
#pragma once

#include "export/export.h"

// The result itself.
void hr_json_export_write(const json_t *result, const struct hr_text *text, GByteArray *out);

// One row a suspect, then rest and total (RFC 4180).
void hr_csv_export_write(const json_t *result, const struct hr_text *text, GByteArray *out);

// Gauges in Prometheus' text format, for node_exporter's textfile collector. Unknown is left out.
void hr_prom_export_write(const json_t *result, const struct hr_text *text, GByteArray *out);

// One test case a gate: tripped is a failure, inconclusive an error.
void hr_junit_export_write(const json_t *result, const struct hr_text *text, GByteArray *out);

// One line a stack of the final dump: "root;...;leaf bytes".
void hr_folded_export_write(const struct hr_export_model *model, GByteArray *out);

// The same with two columns, as tools for differential flame graphs take them: "root;...;leaf
// base_bytes final_bytes", for every stack of either dump.
void hr_folded_diff_export_write(const struct hr_export_model *model, GByteArray *out);

// A gzipped pprof profile: objects and bytes in use, bytes at base, growth.
void hr_pprof_export_write(const struct hr_export_model *model, GByteArray *out);
