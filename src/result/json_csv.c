// SPDX-License-Identifier: MIT
#include "result/json_csv.h"

void hr_json_add_cell(struct hr_csv *csv, const json_t *value)
{
    if (!value || json_is_null(value)) {
        hr_csv_add_text(csv, NULL);
    } else if (json_is_string(value)) {
        hr_csv_add_text(csv, json_string_value(value));
    } else if (json_is_number(value)) {
        hr_csv_add_number(csv, json_number_value(value));
    } else {
        hr_csv_add_text(csv, json_is_true(value) ? "true" : "false");
    }
}

void hr_json_add_row(struct hr_csv *csv, const json_t *object, const char *const *keys)
{
    for (; *keys; keys++) {
        hr_json_add_cell(csv, json_object_get(object, *keys));
    }
    hr_csv_end_row(csv);
}
