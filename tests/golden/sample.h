// SPDX-License-Identifier: MIT
// A result from testdata as a document, for tests of the formats.
#pragma once

#include "document/document.h"
#include "render/render.h"

// testdata/result/NAME.json, and the document that the shipped template makes of it.
json_t *sample_result_read(const char *name);
struct hr_document *sample_document_new(const json_t *result);

// The document in that format. The caller frees it.
char *sample_write(const struct hr_document *document, const char *format, gsize *size);
