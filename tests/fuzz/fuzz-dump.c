// SPDX-License-Identifier: MIT
// A dump with its memory map; its first line is read as a file name too. What must hold whatever
// comes: a stack stands in one row, a second reading by a reader that has learned gives the same
// rows, and the merged map is sorted and does not overlap.
#include "fuzz.h"

#include "ingest/heap_reader.h"
#include "ingest/maps.h"
#include "ingest/name.h"

#include <glib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static void check_name(const char *text, size_t size)
{
    const char *newline = memchr(text, '\n', size);
    g_autofree char *name = g_strndup(text, newline ? (size_t)(newline - text) : size);
    g_autofree char *dump = g_strconcat(name, ".heap", NULL);
    const char *const names[] = {name, dump};
    for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
        struct hr_dump_name parsed;
        if (!hr_dump_name_read(names[i], &parsed)) {
            hr_dump_name_read_own(names[i], &parsed);
        }
        g_assert(parsed.prefix_length <= strlen(names[i]));
    }
}

static void check_map(const char *text, size_t size)
{
    HR_AUTO(hr_arena) arena = hr_arena_new();
    HR_AUTO(hr_strings) strings = hr_strings_new(arena);
    g_autoptr(GArray) parsed = g_array_new(FALSE, FALSE, sizeof(struct hr_mapping));
    g_autoptr(GArray) all = g_array_new(FALSE, FALSE, sizeof(struct hr_mapping));
    hr_maps_parse(text, size, strings, parsed);
    const struct hr_mapping *mappings = (const struct hr_mapping *)(void *)parsed->data;
    const guint half = parsed->len / 2;
    hr_maps_merge(all, mappings, half);
    if (half < parsed->len) {
        hr_maps_merge(all, mappings + half, parsed->len - half);
    }
    uint64_t end = 0;
    for (guint i = 0; i < all->len; i++) {
        const struct hr_mapping *mapping = &g_array_index(all, struct hr_mapping, i);
        g_assert(mapping->start >= end && mapping->end > mapping->start);
        end = mapping->end;
    }
}

static void check_rows(const struct hr_heap_reader *reader, const struct hr_heap_dump *dump)
{
    const uint32_t stacks = hr_stacks_count(hr_heap_reader_stacks(reader));
    g_autofree bool *seen = g_new0(bool, stacks + 1);
    for (size_t i = 0; i < dump->rows_count; i++) {
        g_assert(dump->rows[i].stack < stacks && !seen[dump->rows[i].stack]);
        seen[dump->rows[i].stack] = true;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const char *text = size > 0 ? (const char *)bytes : ""; // a fuzzer's nothing is NULL
    const int fd = memfd_create("dump", MFD_CLOEXEC);
    g_assert(fd >= 0 && write(fd, bytes, size) == (ssize_t)size);
    HR_AUTO(hr_heap_reader) reader = hr_heap_reader_new();
    struct hr_row_buffer first = {0};
    struct hr_row_buffer second = {0};
    struct hr_heap_dump dump;
    struct hr_stream stream;
    hr_stream_open_slice(&stream, fd, 0, size);
    hr_heap_reader_read(reader, &stream, true, &first, &dump);
    hr_stream_close(&stream);
    check_rows(reader, &dump);
    check_map(dump.map_text, dump.map_bytes);
    const size_t rows_count = dump.rows_count;
    hr_stream_open_slice(&stream, fd, 0, size);
    hr_heap_reader_read(reader, &stream, false, &second, &dump);
    hr_stream_close(&stream);
    g_assert(dump.rows_count == rows_count);
    g_assert(rows_count == 0 ||
             memcmp(first.rows, second.rows, rows_count * sizeof *first.rows) == 0);
    g_free(first.rows);
    g_free(second.rows);
    close(fd);
    check_name(text, size);
    check_map(text, size);
    return 0;
}
