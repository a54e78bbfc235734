// SPDX-License-Identifier: MIT
// A template file (docs/template.md) as an XML tree with its includes put in place. What its
// elements say is checked by those above it (document/check.h).
#pragma once

#include "base/cleanup.h"
#include "base/error.h"

#include <glib.h>
#include <libxml/tree.h>

#define HR_TEMPLATE_SIZE_MAX_BYTES ((size_t)1024 * 1024)
#define HR_TEMPLATE_DEPTH_MAX 24
#define HR_TEMPLATE_INCLUDES_MAX 32

struct hr_template {
    xmlDoc *tree;      // each element's _private is the name of the file it stands in
    GPtrArray *files;  // the names of the files, owned
    GHashTable *names; // "key" and "key=word" -> what <names> calls the word
};

// Reads the file and what it includes; checks neither elements nor paths. No network, no entities,
// no DTD. Fails (HR_ERROR_TEMPLATE) with file:line.
struct hr_template *hr_template_parse(const char *path, GError **error);
void hr_template_free(struct hr_template *template);
HR_DEFINE_AUTO(hr_template, hr_template_free)

// What the template calls that word of that key; NULL when it has no name for it.
const char *hr_template_find_name(const struct hr_template *template, const char *key,
                                  const char *word);

// What the report is about: "result", or what <report of="..."> says.
const char *hr_template_subject(const struct hr_template *template);

// The text of an attribute, owned by the tree; NULL when it is not there.
const char *hr_template_attribute(const xmlNode *element, const char *name);

// Walks a tree in document order without recursion: the node behind `node` inside `root`, or NULL.
// `depth` follows along.
xmlNode *hr_template_next(const xmlNode *root, xmlNode *node, int *depth);

// Sets an error "file:line: ..." about an element. Returns false.
bool hr_template_fail(GError **error, const xmlNode *element, const char *format, ...)
    G_GNUC_PRINTF(3, 4);
