// SPDX-License-Identifier: MIT
//
// Linux     start-end perms offset dev inode [path, may hold blanks, may end in " (deleted)"]
//           55f6c2a00000-55f6c2a4a000 r-xp 00001000 fe:00 333211      /srv/my app (deleted)
// cooked    start-end: path                                   (macOS, gperftools)
// FreeBSD   0xstart 0xend resident private object perms ... vnode path NCH -1
//
#include "ingest/maps.h"

#include "base/cursor.h"

#include <string.h>

static void trim_end(struct hr_cursor *line)
{
    while (line->end > line->at && (line->end[-1] == ' ' || line->end[-1] == '\t')) {
        line->end--;
    }
}

static void take_path(struct hr_cursor *line, struct hr_strings *strings,
                      struct hr_mapping *mapping)
{
    hr_cursor_skip_blanks(line);
    trim_end(line);
    const size_t length = strnlen(line->at, (size_t)(line->end - line->at));
    mapping->path = hr_strings_intern_n(strings, line->at, length);
}

static bool parse_linux(struct hr_cursor line, struct hr_strings *strings,
                        struct hr_mapping *mapping)
{
    mapping->start = hr_cursor_take_hex(&line);
    hr_cursor_expect(&line, "-");
    mapping->end = hr_cursor_take_hex(&line);
    if (hr_cursor_take_if(&line, ": ")) {
        mapping->executable = true;
        take_path(&line, strings, mapping);
        return true;
    }
    hr_cursor_expect(&line, " ");
    hr_cursor_skip_blanks(&line);
    const struct hr_span permissions = hr_cursor_take_word(&line);
    hr_cursor_skip_blanks(&line);
    mapping->offset = hr_cursor_take_hex(&line);
    hr_cursor_skip_blanks(&line);
    hr_cursor_take_word(&line); // device
    hr_cursor_skip_blanks(&line);
    hr_cursor_take_u64(&line); // inode
    if (!hr_cursor_ok(&line) || permissions.length < 3) {
        return false;
    }
    mapping->executable = permissions.text[2] == 'x';
    take_path(&line, strings, mapping);
    return true;
}

static bool parse_freebsd(struct hr_cursor line, struct hr_strings *strings,
                          struct hr_mapping *mapping)
{
    mapping->start = hr_cursor_take_hex(&line);
    hr_cursor_expect(&line, " ");
    mapping->end = hr_cursor_take_hex(&line);
    struct hr_span permissions = {0};
    for (int i = 0; i < 4; i++) {
        hr_cursor_skip_blanks(&line);
        permissions = hr_cursor_take_word(&line);
    }
    const char *vnode = memmem(line.at, (size_t)(line.end - line.at), " vnode ", 7);
    if (!hr_cursor_ok(&line) || permissions.length != 3 || !vnode) {
        return false;
    }
    line.at = vnode + 7;
    mapping->executable = permissions.text[2] == 'x';
    const struct hr_span path = hr_cursor_take_word(&line);
    mapping->path = hr_strings_intern_n(strings, path.text, path.length);
    return true;
}

// Data of nobody's file cannot name code, and there is a lot of it.
static bool is_kept(const struct hr_mapping *mapping)
{
    return mapping->start < mapping->end &&
           (mapping->executable || (mapping->path[0] != '\0' && mapping->path[0] != '['));
}

void hr_maps_parse(const char *text, size_t size, struct hr_strings *strings, GArray *mappings)
{
    const char *last = memrchr(text, '\n', size);
    struct hr_cursor cursor;
    struct hr_cursor line;
    hr_cursor_init(&cursor, text, last ? (size_t)(last + 1 - text) : 0);
    while (hr_cursor_take_line(&cursor, &line)) {
        struct hr_mapping mapping = {.path = ""};
        const bool freebsd = line.end - line.at > 2 && line.at[0] == '0' && line.at[1] == 'x';
        if ((freebsd ? parse_freebsd(line, strings, &mapping)
                     : parse_linux(line, strings, &mapping)) &&
            is_kept(&mapping)) {
            g_array_append_val(mappings, mapping);
        }
    }
}

uint64_t hr_maps_end(const char *text, size_t size)
{
    const char *last = memrchr(text, '\n', size);
    if (!last) {
        return 0;
    }
    const char *before = memrchr(text, '\n', (size_t)(last - text));
    const char *start = before ? before + 1 : text;
    struct hr_cursor line;
    hr_cursor_init(&line, start, (size_t)(last - start));
    (void)hr_cursor_take_hex(&line);
    hr_cursor_expect(&line, "-");
    const uint64_t end = hr_cursor_take_hex(&line);
    hr_cursor_expect(&line, " ");
    return hr_cursor_ok(&line) ? end : 0;
}

static int compare_starts(const void *left, const void *right)
{
    const struct hr_mapping *a = left;
    const struct hr_mapping *b = right;
    if (a->start != b->start) {
        return a->start < b->start ? -1 : 1;
    }
    return (a->end > b->end) - (a->end < b->end);
}

// Of one path it may still be another build.
static bool is_conflict(const struct hr_mapping *there, const struct hr_mapping *added)
{
    const bool rebuilt =
        there->build_id && added->build_id && strcmp(there->build_id, added->build_id) != 0;
    return (there->executable || added->executable) &&
           (rebuilt || strcmp(there->path, added->path) != 0);
}

// One map may know that a range holds code, and another not (profile_reader.c).
static void learn(struct hr_mapping *there, const struct hr_mapping *added)
{
    if (there->start == added->start && there->end == added->end &&
        strcmp(there->path, added->path) == 0) {
        there->executable |= added->executable;
    }
}

// Adds the pieces of `added` that no mapping from `*position` on covers; both move up the address
// space together. Returns whether it lies on another file's code.
static bool add_uncovered(GArray *pieces, GArray *all, guint *position,
                          const struct hr_mapping *added, uint64_t from)
{
    bool conflict = false;
    while (from < added->end) {
        struct hr_mapping *there = NULL;
        for (; *position < all->len; (*position)++) {
            there = &g_array_index(all, struct hr_mapping, *position);
            if (there->end > from) {
                break;
            }
            there = NULL;
        }
        if (there && there->start <= from) {
            conflict |= is_conflict(there, added);
            learn(there, added);
            from = MIN(added->end, there->end);
            continue;
        }
        struct hr_mapping piece = *added;
        piece.start = from;
        piece.end = there ? MIN(added->end, there->start) : added->end;
        piece.offset = added->offset + (from - added->start);
        g_array_append_val(pieces, piece);
        from = piece.end;
    }
    return conflict;
}

size_t hr_maps_merge(GArray *all, const struct hr_mapping *more, size_t count)
{
    g_autofree struct hr_mapping *sorted = g_memdup2(more, count * sizeof *more);
    if (count > 0) {
        qsort(sorted, count, sizeof *sorted, compare_starts);
    }
    g_autoptr(GArray) pieces = g_array_new(FALSE, FALSE, sizeof(struct hr_mapping));
    size_t conflicts = 0;
    guint position = 0;
    uint64_t covered = 0;
    for (size_t i = 0; i < count; i++) {
        const uint64_t from = MAX(covered, sorted[i].start);
        conflicts += add_uncovered(pieces, all, &position, &sorted[i], from);
        covered = MAX(covered, sorted[i].end);
    }
    if (pieces->len > 0) {
        g_array_append_vals(all, pieces->data, pieces->len);
        g_array_sort(all, compare_starts);
    }
    return conflicts;
}
