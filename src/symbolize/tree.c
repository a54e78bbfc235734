// SPDX-License-Identifier: MIT
#include "symbolize/tree.h"

#include "symbolize/debuginfod.h"
#include "symbolize/library.h"

int hr_tree_open(const struct hr_tree *tree, const char *path, GError **error)
{
    const char *root = tree ? tree->root : NULL;
    const struct hr_opener *opener = tree ? tree->opener : NULL;
    return opener ? opener->open(opener->context, root, path, error)
                  : hr_library_open(root, path, error);
}

char *hr_tree_fetch(const struct hr_tree *tree, const char *build_id)
{
    const struct hr_opener *opener = tree->opener;
    return opener ? opener->fetch(opener->context, build_id) : hr_debuginfod_fetch(build_id);
}
