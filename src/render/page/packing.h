// SPDX-License-Identifier: MIT
// A document's attachments, packed by a thread of their own while the pages are set: the result
// inside is megabytes of text.
#pragma once

#include "base/cleanup.h"
#include "document/node.h"

#include <glib.h>

struct hr_packing;

// Begins to pack what the document carries now; its attachments must outlive the packing.
struct hr_packing *hr_packing_new(const struct hr_document *document);
void hr_packing_free(struct hr_packing *packing);
HR_DEFINE_AUTO(hr_packing, hr_packing_free)

// The attachment's bytes as a zlib stream (RFC 1950), made here and now when it came later; NULL
// when zlib could not. The caller unreferences it.
GBytes *hr_packing_get(struct hr_packing *packing, const struct hr_attachment *attachment);
