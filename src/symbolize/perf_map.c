// SPDX-License-Identifier: MIT
// perf-PID.map, one entry a line, in the order in which the code was generated:
//   | start, hex | blank | size in bytes, hex | blank | name, may hold blanks |
//   7f3c5c0a1b40 9c LazyCompile:*handle /srv/app.js:12
#include "symbolize/perf_map.h"

#include "base/cursor.h"
#include "base/files.h"

#include <inttypes.h>
#include <unistd.h>

#define MAP_MAX_BYTES (256u << 20)

// Reads a file that is open; takes the descriptor.
static bool read_open(int fd, char **text, size_t *size)
{
    GByteArray *bytes = g_byte_array_new();
    guint8 chunk[65536];
    ssize_t got;
    while ((got = read(fd, chunk, sizeof chunk)) > 0 && bytes->len <= MAP_MAX_BYTES) {
        g_byte_array_append(bytes, chunk, (guint)got);
    }
    close(fd);
    const bool whole = got == 0;
    *size = bytes->len;
    *text = (char *)g_byte_array_free(bytes, !whole);
    return whole;
}

static bool open_map(struct hr_perf_map *map, const struct hr_tree *tree, char *path)
{
    const int fd = hr_tree_open(tree, path, NULL);
    if (fd >= 0 && read_open(fd, &map->text, &map->size)) {
        map->path = path;
        return true;
    }
    g_free(path);
    return false;
}

struct hr_perf_map *hr_perf_map_new(const char *directory, const struct hr_tree *tree, int64_t pid)
{
    const struct hr_tree host = {.opener = tree->opener};
    HR_AUTO(hr_perf_map) map = g_new0(struct hr_perf_map, 1);
    if (pid < 0) {
        return NULL;
    }
    const bool found =
        (directory &&
         open_map(map, &host, g_strdup_printf("%s/perf-%" PRId64 ".map", directory, pid))) ||
        (tree->root && open_map(map, tree, g_strdup_printf("/tmp/perf-%" PRId64 ".map", pid)));
    return found ? HR_STEAL(map) : NULL;
}

void hr_perf_map_free(struct hr_perf_map *map)
{
    if (map) {
        g_free(map->path);
        g_free(map->text);
        g_free(map);
    }
}

static size_t find_first(const uint64_t *addresses, size_t count, uint64_t start)
{
    size_t low = 0;
    size_t high = count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (addresses[middle] < start) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void read_entry(struct hr_cursor *line, struct hr_strings *strings,
                       const uint64_t *addresses, size_t count, struct hr_perf_name *names)
{
    const uint64_t start = hr_cursor_take_hex(line);
    hr_cursor_expect(line, " ");
    hr_cursor_skip_blanks(line);
    const uint64_t size = hr_cursor_take_hex(line);
    hr_cursor_expect(line, " ");
    hr_cursor_skip_blanks(line);
    const size_t length = (size_t)(line->end - line->at);
    if (!hr_cursor_ok(line) || length == 0 || !g_utf8_validate(line->at, (gssize)length, NULL)) {
        return;
    }
    for (size_t i = find_first(addresses, count, start); i < count && addresses[i] - start < size;
         i++) {
        names[i].replaced = names[i].name != NULL;
        names[i].name = hr_strings_intern_n(strings, line->at, length);
    }
}

void hr_perf_map_read(const struct hr_perf_map *map, struct hr_strings *strings,
                      const uint64_t *addresses, size_t count, struct hr_perf_name *names)
{
    struct hr_cursor text;
    struct hr_cursor line;
    hr_cursor_init(&text, map->text, map->size);
    while (hr_cursor_take_line(&text, &line)) {
        read_entry(&line, strings, addresses, count, names);
    }
}
