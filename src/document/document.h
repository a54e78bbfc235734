// SPDX-License-Identifier: MIT
// The door of document: template + result -> node tree. Knows the result's keys (checked when a
// template is loaded), but neither the model nor any output format.
#pragma once

#include "base/cleanup.h"
#include "base/error.h"
#include "document/node.h"

#include <glib.h>
#include <jansson.h>

// Composes the document of `result` by the template file (docs/template.md). `result_bytes` is the
// serialized result, to be attached; it must outlive the document. Fails with template file:line
// when a path, element or condition is wrong.
struct hr_document *hr_document_compose(const json_t *result, const char *template_file,
                                        const void *result_bytes, size_t result_size,
                                        GError **error);
void hr_document_free(struct hr_document *document);
HR_DEFINE_AUTO(hr_document, hr_document_free)
