// SPDX-License-Identifier: MIT
#include "ingest/one_line.h"

#include "ingest/unscale.h"
#include "model/sample.h"

#include <glib.h>
#include <string.h>

#define HEADER "heap profile:"

struct kind {
    const char *mark;
    bool sampled; // the interval stands behind the mark
    bool births;
};

static const struct kind KINDS[] = {{"heapprofile", false, true},
                                    {"heapz_v2/", true, false}, // repeats what is live
                                    {"heap_v2/", true, true}};

bool hr_one_line_read_kind(const char *at, const char *end, uint64_t *interval_bytes,
                           bool *has_births)
{
    g_autofree char *text = g_strstrip(g_strndup(at, (gsize)(end - at)));
    for (size_t i = 0; i < G_N_ELEMENTS(KINDS); i++) {
        if (!g_str_has_prefix(text, KINDS[i].mark)) {
            continue;
        }
        const char *rest = text + strlen(KINDS[i].mark);
        *interval_bytes = 1;
        *has_births = KINDS[i].births;
        return KINDS[i].sampled
                   ? g_ascii_string_to_unsigned(rest, 10, 0, G_MAXUINT64, interval_bytes, NULL)
                   : *rest == '\0';
    }
    return false;
}

bool hr_one_line_recognise(const char *head, size_t size)
{
    if (size < strlen(HEADER) || memcmp(head, HEADER, strlen(HEADER)) != 0) {
        return false;
    }
    const char *newline = memchr(head, '\n', size);
    const char *end = newline ? newline : head + size;
    const char *at = memchr(head, '@', (size_t)(end - head));
    uint64_t interval_bytes;
    bool has_births;
    return at && hr_one_line_read_kind(at + 1, end, &interval_bytes, &has_births);
}

static void add_pair(uint64_t *objects, uint64_t *bytes, uint64_t more_objects, uint64_t more_bytes,
                     uint64_t interval_bytes)
{
    const struct hr_scaled before = hr_sample_scale(*objects, *bytes, interval_bytes);
    const struct hr_scaled more = hr_sample_scale(more_objects, more_bytes, interval_bytes);
    const bool one_size =
        (double)*bytes * (double)more_objects == (double)more_bytes * (double)*objects;
    if (*objects == 0 || more_objects == 0 || one_size || interval_bytes <= 1) {
        *objects = __builtin_add_overflow(*objects, more_objects, objects) ? UINT64_MAX : *objects;
        *bytes = __builtin_add_overflow(*bytes, more_bytes, bytes) ? UINT64_MAX : *bytes;
    } else {
        (void)hr_unscale(before.objects + more.objects, before.bytes + more.bytes, interval_bytes,
                         objects, bytes);
    }
}

void hr_one_line_add(struct hr_row *row, const struct hr_row *line, uint64_t interval_bytes)
{
    add_pair(&row->objects, &row->bytes, line->objects, line->bytes, interval_bytes);
    add_pair(&row->accum_objects, &row->accum_bytes, line->accum_objects, line->accum_bytes,
             interval_bytes);
}
