// SPDX-License-Identifier: MIT
// The files that a document carries inside: the result it was made of, and the tables that a
// spreadsheet wants whole. Those of charts are the renderer's, which knows what a chart shows.
#pragma once

#include "document/node.h"

#include <jansson.h>

// Gives the document the result as `bytes`, which must outlive it, and the tables of suspects and
// dumps, made in the document's arena.
void hr_attachments_compose(struct hr_document *document, const json_t *result, const void *bytes,
                            size_t size);
