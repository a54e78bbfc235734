// SPDX-License-Identifier: MIT
//
//   gperftools      heap profile: ... @ growthz              Go: @ heap/1048576
//   hprof           JAVA PROFILE 1.0.2
//   pprof           see pprof.c
//
#include "ingest/foreign.h"

#include "ingest/one_line.h"
#include "ingest/pprof.h"

#include <glib.h>
#include <string.h>

static bool starts_with(const char *head, size_t size, const char *mark)
{
    return size >= strlen(mark) && memcmp(head, mark, strlen(mark)) == 0;
}

bool hr_content_is_dump(const char *head, size_t size)
{
    // The names alone may be longer than the head; what follows them shows when it is read.
    if (starts_with(head, size, "--- symbol") || hr_one_line_recognise(head, size)) {
        return true;
    }
    static const char mark[] = "heap_v2/";
    const size_t length = sizeof mark - 1;
    for (const char *at = head; at && at + length <= head + size;) {
        if (memcmp(at, mark, length) == 0) {
            return true;
        }
        at = memchr(at, '\n', (size_t)(head + size - at));
        at = at ? at + 1 : NULL;
    }
    return false;
}

bool hr_content_is_profile(const char *head, size_t size)
{
    return hr_pprof_recognise(head, size);
}

static const char *one_line_kind(const char *head, size_t size)
{
    static const struct {
        const char *mark;
        const char *kind;
    } kinds[] = {
        {"@ heap/", "Go heap profile"},
        {"@ growth", "gperftools growth profile"},
    };
    const char *newline = memchr(head, '\n', size);
    const size_t line = newline ? (size_t)(newline - head) : size;
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (memmem(head, line, kinds[i].mark, strlen(kinds[i].mark))) {
            return kinds[i].kind;
        }
    }
    return "one-line heap profile";
}

const char *hr_content_foreign_kind(const char *head, size_t size)
{
    static const struct {
        const char *mark;
        const char *kind;
    } kinds[] = {
        {"--- ", "symbolized profile"}, // not of a heap
        {"JAVA PROFILE", "Java heap dump"},
        {"\x1f\x8b", "gzip file"},
        {"\x28\xb5\x2f\xfd", "zstd file"},
        {"\xfd"
         "7zXZ",
         "xz file"},
        {"\x7f"
         "ELF",
         "ELF file"},
        {"{", "JSON file"},
        {"<", "XML or HTML file"},
    };
    if (starts_with(head, size, "heap profile:")) {
        return one_line_kind(head, size);
    }
    for (size_t i = 0; i < G_N_ELEMENTS(kinds); i++) {
        if (starts_with(head, size, kinds[i].mark)) {
            return kinds[i].kind;
        }
    }
    return NULL;
}

size_t hr_content_read_head(const struct hr_source *source, const char *name,
                            char head[static HR_CONTENT_HEAD_BYTES])
{
    struct hr_stream stream;
    if (!hr_source_open(source, name, &stream, NULL)) {
        return 0;
    }
    const size_t size = hr_stream_read_fully(&stream, head, HR_CONTENT_HEAD_BYTES);
    hr_stream_close(&stream);
    return size;
}
