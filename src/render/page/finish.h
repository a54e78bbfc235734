// SPDX-License-Identifier: MIT
// What cairo cannot write into a PDF, added with libqpdf: attachments, alternative texts, table
// header scopes, language, metadata, an id made from the content; objects packed into streams.
#pragma once

#include "render/page/packing.h"
#include "render/page/strips.h"

// Replaces the PDF in `pdf` by the finished one. `tag_order` is what hr_paint_pdf() told.
bool hr_pdf_finish(const struct hr_document *document, const struct hr_strips *strips,
                   const GArray *tag_order, struct hr_packing *packing, GByteArray *pdf,
                   GError **error);
