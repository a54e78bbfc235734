// SPDX-License-Identifier: MIT
#include "ingest/evidence_files.h"

#include "ingest/foreign.h"
#include "ingest/ingest.h"
#include "ingest/name.h"
#include "ingest/timestamp.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// The largest process id that Linux gives (PID_MAX_LIMIT).
#define PID_MAX 4194304

static void candidate_clear(void *pointer)
{
    struct hr_evidence_candidate *candidate = pointer;
    g_free(candidate->file);
    g_free(candidate->name);
    g_free(candidate->hash);
}

static int compare_candidates(const void *left, const void *right)
{
    return strcmp(((const struct hr_evidence_candidate *)left)->file,
                  ((const struct hr_evidence_candidate *)right)->file);
}

// One source whose files are listed.
struct listing {
    GArray *candidates;
    const struct hr_source *source;
    const char *shown; // put before the names; NULL: nothing
};

static bool wants(const char *name, void *context)
{
    (void)context;
    return name[0] != '.' && !hr_dump_name_looks_like(name);
}

static void visit(const struct hr_entry *entry, void *context)
{
    const struct listing *listing = context;
    const struct hr_evidence_candidate candidate = {
        .file = listing->shown ? g_build_filename(listing->shown, entry->name, NULL)
                               : g_strdup(entry->name),
        .source = listing->source,
        .name = g_strdup(entry->name),
        .is_regular = entry->is_regular,
        .modified_at_s = entry->modified_at_s,
        .size_bytes = entry->size_bytes,
    };
    g_array_append_val(listing->candidates, candidate);
}

// What cannot be listed gives nothing: --dir was listed before, and --evidence was checked.
static void add_listed(struct listing *listing)
{
    const struct hr_source_visitor visitor = {
        .wants = wants, .visit = visit, .context = listing, .everywhere = true};
    (void)hr_source_list(listing->source, &visitor, NULL);
}

static void add_file(GArray *candidates, const struct hr_source *source, const char *path)
{
    struct hr_entry entry = {.modified_at_s = NAN};
    struct hr_evidence_candidate candidate = {.file = g_strdup(path),
                                              .source = source,
                                              .name = g_path_get_basename(path),
                                              .asked_for = true};
    (void)hr_source_find_file(source, candidate.name, &entry);
    candidate.modified_at_s = entry.modified_at_s;
    candidate.size_bytes = entry.size_bytes;
    g_array_append_val(candidates, candidate);
}

// A path that was named: all files of a directory, or one file.
static void add_path(struct hr_evidence_files *found, const char *path,
                     const struct hr_limits *limits, struct hr_diagnostics *diagnostics)
{
    const bool is_directory = g_file_test(path, G_FILE_TEST_IS_DIR);
    g_autofree char *directory = is_directory ? g_strdup(path) : g_path_get_dirname(path);
    struct hr_source *source = hr_source_new_limited(directory, -1, limits, diagnostics, NULL);
    if (!source) {
        hr_diagnostics_add(diagnostics, HR_DIAG_EVIDENCE_UNREADABLE, path, NULL);
        return;
    }
    g_ptr_array_add(found->sources, source);
    if (is_directory) {
        struct listing listing = {found->candidates, source, path};
        add_listed(&listing);
    } else {
        add_file(found->candidates, source, path);
    }
}

static void free_source(void *source)
{
    hr_source_free(source);
}

void hr_evidence_files_find(struct hr_evidence_files *found,
                            const struct hr_ingest_options *options,
                            struct hr_diagnostics *diagnostics)
{
    *found = (struct hr_evidence_files){
        .candidates = g_array_new(FALSE, FALSE, sizeof(struct hr_evidence_candidate)),
        .sources = g_ptr_array_new_with_free_func(free_source)};
    g_array_set_clear_func(found->candidates, candidate_clear);
    struct listing listing = {.candidates = found->candidates, .source = options->source};
    add_listed(&listing);
    for (size_t i = 0; options->evidence_paths && options->evidence_paths[i]; i++) {
        add_path(found, options->evidence_paths[i], options->limits, diagnostics);
    }
    g_array_sort(found->candidates, compare_candidates);
}

void hr_evidence_files_clear(struct hr_evidence_files *found)
{
    g_array_unref(found->candidates);
    g_ptr_array_unref(found->sources);
}

// `smaps_rollup.<pid>.<unix time>.txt`: the time is the number of ten digits or more, the pid the
// number right before it, or the only one there is.
static void read_name(const char *file, int64_t *pid, double *time_s)
{
    const char *base = strrchr(file, '/') ? strrchr(file, '/') + 1 : file;
    g_auto(GStrv) parts = g_strsplit_set(base, ".-_", -1);
    *pid = -1;
    *time_s = NAN;
    for (size_t i = 0; parts[i]; i++) {
        uint64_t number;
        if (!g_ascii_string_to_unsigned(parts[i], 10, 0, UINT64_MAX, &number, NULL)) {
            continue;
        }
        const double time = hr_timestamp_from_digits(number, strlen(parts[i]));
        if (!isnan(time)) {
            *time_s = time;
        } else if (number > 0 && number <= PID_MAX && isnan(*time_s)) {
            *pid = (int64_t)number;
        }
    }
}

// The text of a file, for all readers alike: NUL-terminated, from behind a byte order mark.
static void set_text(struct hr_evidence_input *input, const char *text, size_t size)
{
    struct hr_cursor cursor;
    hr_cursor_init(&cursor, text, size);
    hr_cursor_take_mark(&cursor);
    input->text = cursor.at;
    input->size = (size_t)(cursor.end - cursor.at);
}

static bool read_head(const struct hr_evidence_candidate *candidate,
                      char head[static HR_CONTENT_HEAD_BYTES + 1], struct hr_evidence_input *input)
{
    const size_t size = hr_content_read_head(candidate->source, candidate->name, head);
    head[size] = '\0';
    set_text(input, head, size);
    return size > 0;
}

enum content { CONTENT_WHOLE, CONTENT_UNREADABLE, CONTENT_TOO_LARGE };

// The whole content, NUL-terminated, unless it cannot be read or is too large.
static enum content read_content(const struct hr_evidence_candidate *candidate, char **text,
                                 size_t *size)
{
    struct hr_stream stream;
    if (!hr_source_open(candidate->source, candidate->name, &stream, NULL)) {
        return CONTENT_UNREADABLE;
    }
    const size_t most = (size_t)stream.limits->value[HR_LIMIT_evidence_file_bytes];
    size_t capacity = (size_t)MIN(stream.stored_bytes, most) + 1;
    *text = g_malloc(capacity + 1);
    size_t filled = 0;
    size_t got;
    while ((got = hr_stream_read_fully(&stream, *text + filled, capacity - filled)) > 0) {
        filled += got;
        if (filled == capacity && capacity <= most) {
            capacity *= 2;
            *text = g_realloc(*text, capacity + 1);
        }
    }
    const bool fine = stream.failure == HR_STREAM_FINE;
    hr_stream_close(&stream);
    if (!fine || filled > most) {
        g_clear_pointer(text, g_free);
        return fine ? CONTENT_TOO_LARGE : CONTENT_UNREADABLE;
    }
    (*text)[filled] = '\0';
    *size = filled;
    return CONTENT_WHOLE;
}

static void report_too_large(const struct hr_evidence_candidate *candidate,
                             struct hr_diagnostics *diagnostics)
{
    g_autofree char *limit = g_strdup_printf(
        "%" PRIu64, hr_source_limits(candidate->source)->value[HR_LIMIT_evidence_file_bytes]);
    hr_diagnostics_add(diagnostics, HR_DIAG_EVIDENCE_TOO_LARGE, candidate->file, "limit_bytes",
                       limit, NULL);
}

static void read_whole(struct hr_evidence_candidate *candidate,
                       const struct hr_evidence_format *format, struct hr_evidence_input *input,
                       struct hr_evidence_sink *sink)
{
    size_t size;
    g_autofree char *text = NULL;
    const enum content content = read_content(candidate, &text, &size);
    if (content == CONTENT_TOO_LARGE) {
        report_too_large(candidate, sink->diagnostics);
        return;
    }
    if (content == CONTENT_UNREADABLE) {
        hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_UNREADABLE, candidate->file, NULL);
        return;
    }
    candidate->hash = g_compute_checksum_for_data(G_CHECKSUM_SHA256, (const guchar *)text, size);
    candidate->size_bytes = size;
    set_text(input, text, size);
    format->read(input, sink);
}

void hr_evidence_files_read(struct hr_evidence_candidate *candidate, const struct hr_rules *rules,
                            struct hr_evidence_sink *sink)
{
    char head[HR_CONTENT_HEAD_BYTES + 1];
    struct hr_evidence_input input = {.file = candidate->file, .rules = rules};
    const bool readable = read_head(candidate, head, &input);
    const struct hr_evidence_format *format =
        input.size > 0 ? hr_evidence_format_find(&input, &sink->rank) : NULL;
    if (!format) {
        // What cannot be read may have been evidence: nobody can know, so it is told.
        const bool unreadable = !readable && candidate->size_bytes > 0;
        if (candidate->asked_for || (unreadable && candidate->is_regular)) {
            hr_diagnostics_add(sink->diagnostics,
                               unreadable ? HR_DIAG_EVIDENCE_UNREADABLE : HR_DIAG_EVIDENCE_UNKNOWN,
                               candidate->file, NULL);
        }
        return;
    }
    double name_time_s;
    read_name(candidate->file, &sink->pid, &name_time_s);
    sink->file_shown = candidate->file;
    input.modified_at_s = candidate->modified_at_s;
    input.time_s = isnan(name_time_s) ? input.modified_at_s : name_time_s;
    const guint before = sink->samples->len;
    read_whole(candidate, format, &input, sink);
    if (candidate->asked_for && sink->samples->len == before) {
        hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_UNKNOWN, candidate->file, NULL);
    }
}
