// SPDX-License-Identifier: MIT
// Finds the evidence files, has them read, and makes series of what they say: one process, one
// source for each quantity, rising in time.
#include "ingest/evidence.h"

#include "ingest/foreign.h"
#include "ingest/ingest.h"
#include "ingest/name.h"
#include "ingest/timestamp.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

// The largest process id that Linux gives (PID_MAX_LIMIT).
#define PID_MAX 4194304

// Evidence may end some time before the first dump, or begin after the last one, and yet belong.
#define ELSEWHERE_S 600.0

// Dumps that were copied have file times within so small a share of the time they were taken in.
#define COPY_SPAN_RATIO 0.1

struct candidate {
    char *file; // as shown
    const struct hr_source *source;
    char *name;     // in the source
    bool asked_for; // by --evidence: it must be readable and known
    bool is_regular;
    double modified_at_s;
    uint64_t size_bytes;
    char *hash; // NULL: not read, or not readable
};

static void candidate_clear(void *pointer)
{
    struct candidate *candidate = pointer;
    g_free(candidate->file);
    g_free(candidate->name);
    g_free(candidate->hash);
}

static int compare_candidates(const void *left, const void *right)
{
    return strcmp(((const struct candidate *)left)->file, ((const struct candidate *)right)->file);
}

// All that may be read: the candidates, and the sources that they lie in beside --dir.
struct found {
    GArray *candidates;
    GPtrArray *sources;
};

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
    const struct candidate candidate = {
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
    struct candidate candidate = {.file = g_strdup(path),
                                  .source = source,
                                  .name = g_path_get_basename(path),
                                  .asked_for = true};
    (void)hr_source_find_file(source, candidate.name, &entry);
    candidate.modified_at_s = entry.modified_at_s;
    candidate.size_bytes = entry.size_bytes;
    g_array_append_val(candidates, candidate);
}

// A path that was named: all files of a directory, or one file.
static void add_path(struct found *found, const char *path, const struct hr_limits *limits,
                     struct hr_diagnostics *diagnostics)
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

static void find_candidates(struct found *found, const struct hr_ingest_options *options,
                            struct hr_diagnostics *diagnostics)
{
    *found = (struct found){.candidates = g_array_new(FALSE, FALSE, sizeof(struct candidate)),
                            .sources = g_ptr_array_new_with_free_func(free_source)};
    g_array_set_clear_func(found->candidates, candidate_clear);
    struct listing listing = {.candidates = found->candidates, .source = options->source};
    add_listed(&listing);
    for (size_t i = 0; options->evidence_paths && options->evidence_paths[i]; i++) {
        add_path(found, options->evidence_paths[i], options->limits, diagnostics);
    }
    g_array_sort(found->candidates, compare_candidates);
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

static bool read_head(const struct candidate *candidate,
                      char head[static HR_CONTENT_HEAD_BYTES + 1], struct hr_evidence_input *input)
{
    input->size = hr_content_read_head(candidate->source, candidate->name, head);
    head[input->size] = '\0';
    input->text = head;
    return input->size > 0;
}

enum content { CONTENT_WHOLE, CONTENT_UNREADABLE, CONTENT_TOO_LARGE };

// The whole content, NUL-terminated, unless it cannot be read or is too large.
static enum content read_content(const struct candidate *candidate, char **text, size_t *size)
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

static void report_too_large(const struct candidate *candidate, struct hr_diagnostics *diagnostics)
{
    g_autofree char *limit = g_strdup_printf(
        "%" PRIu64, hr_source_limits(candidate->source)->value[HR_LIMIT_evidence_file_bytes]);
    hr_diagnostics_add(diagnostics, HR_DIAG_EVIDENCE_TOO_LARGE, candidate->file, "limit_bytes",
                       limit, NULL);
}

static void read_whole(struct candidate *candidate, const struct hr_evidence_format *format,
                       struct hr_evidence_input *input, struct hr_evidence_sink *sink)
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
    input->text = text;
    input->size = size;
    format->read(input, sink);
}

static void read_candidate(struct candidate *candidate, const struct hr_rules *rules,
                           struct hr_evidence_sink *sink)
{
    char head[HR_CONTENT_HEAD_BYTES + 1];
    struct hr_evidence_input input = {.file = candidate->file, .rules = rules};
    const struct hr_evidence_format *format =
        read_head(candidate, head, &input) ? hr_evidence_format_find(&input, &sink->rank) : NULL;
    if (!format) {
        // What cannot be read may have been evidence: nobody can know, so it is told.
        const bool unreadable = input.size == 0 && candidate->size_bytes > 0;
        if (candidate->asked_for || (unreadable && candidate->is_regular)) {
            hr_diagnostics_add(sink->diagnostics,
                               unreadable ? HR_DIAG_EVIDENCE_UNREADABLE : HR_DIAG_EVIDENCE_UNKNOWN,
                               candidate->file, NULL);
        }
        return;
    }
    double name_time_s;
    read_name(candidate->file, &sink->pid, &name_time_s);
    input.modified_at_s = candidate->modified_at_s;
    input.time_s = isnan(name_time_s) ? input.modified_at_s : name_time_s;
    const guint before = sink->samples->len;
    read_whole(candidate, format, &input, sink);
    if (candidate->asked_for && sink->samples->len == before) {
        hr_diagnostics_add(sink->diagnostics, HR_DIAG_EVIDENCE_UNKNOWN, candidate->file, NULL);
    }
}

// The process that counts: the run's; without one, that of the newest sample. A container's dumps
// say pid 1 where the host's evidence says another: if there is only one, it is meant.
static int64_t choose_pid(const struct hr_run *run, const GArray *samples,
                          struct hr_diagnostics *diagnostics)
{
    int64_t newest = -1;
    double newest_s = -INFINITY;
    int64_t only = -1;
    bool several = false;
    for (guint i = 0; i < samples->len; i++) {
        const struct hr_evidence_sample *sample =
            &g_array_index(samples, struct hr_evidence_sample, i);
        if (sample->pid < 0) {
            continue;
        }
        several |= only >= 0 && only != sample->pid;
        only = sample->pid;
        if (sample->time_s > newest_s) {
            newest_s = sample->time_s;
            newest = sample->pid;
        }
    }
    if (run->key.pid < 0) {
        return newest;
    }
    if (run->key.pid == 1 && only >= 0 && only != 1 && !several) {
        hr_diagnostics_add(diagnostics, HR_DIAG_EVIDENCE_PID_ASSUMED, NULL, NULL);
        return only;
    }
    return run->key.pid;
}

// Leaves out other processes' samples and reports their files, each once. True when a sample that
// stays names the process.
static bool drop_other_pids(GArray *samples, int64_t pid, const GArray *candidates,
                            struct hr_diagnostics *diagnostics)
{
    bool named = false;
    guint kept = 0;
    unsigned reported = UINT_MAX;
    for (guint i = 0; i < samples->len; i++) {
        const struct hr_evidence_sample sample =
            g_array_index(samples, struct hr_evidence_sample, i);
        if (sample.pid < 0 || pid < 0 || sample.pid == pid) {
            g_array_index(samples, struct hr_evidence_sample, kept++) = sample;
            named |= sample.pid >= 0;
        } else if (sample.file != reported) {
            reported = sample.file;
            hr_diagnostics_add(diagnostics, HR_DIAG_EVIDENCE_OTHER_PID,
                               g_array_index(candidates, struct candidate, sample.file).file, NULL);
        }
    }
    g_array_set_size(samples, kept);
    return named;
}

static int compare_samples(const void *left, const void *right)
{
    const struct hr_evidence_sample *a = left;
    const struct hr_evidence_sample *b = right;
    if (a->id != b->id) {
        return a->id < b->id ? -1 : 1;
    }
    if (a->rank != b->rank) {
        return a->rank < b->rank ? -1 : 1;
    }
    const int source = strcmp(a->source, b->source);
    if (source != 0) {
        return source;
    }
    if (a->time_s != b->time_s) {
        return a->time_s < b->time_s ? -1 : 1;
    }
    if (a->file != b->file) {
        return a->file < b->file ? -1 : 1;
    }
    return (a->value > b->value) - (a->value < b->value);
}

static bool same_series(const struct hr_evidence_sample *a, const struct hr_evidence_sample *b)
{
    return a->id == b->id && a->rank == b->rank && strcmp(a->source, b->source) == 0;
}

// Makes a series of sorted samples; of those at one time the first counts.
static struct hr_evidence_series make_series(struct hr_arena *arena,
                                             const struct hr_evidence_sample *samples, guint count)
{
    double *times = HR_ARENA_ARRAY(arena, double, count);
    double *values = HR_ARENA_ARRAY(arena, double, count);
    size_t kept = 0;
    for (guint i = 0; i < count; i++) {
        if (kept == 0 || samples[i].time_s > times[kept - 1]) {
            times[kept] = samples[i].time_s;
            values[kept++] = samples[i].value;
        }
    }
    return (struct hr_evidence_series){.source = hr_arena_strdup(arena, samples[0].source),
                                       .count = kept,
                                       .time_s = times,
                                       .value = values};
}

// Of the sources of one quantity, the one with most to say counts; samples are sorted by source.
static void fill_series(struct hr_run *run, const GArray *samples, bool *file_used)
{
    const struct hr_evidence_sample *all = (const struct hr_evidence_sample *)(void *)samples->data;
    for (guint first = 0; first < samples->len;) {
        guint end = first + 1;
        while (end < samples->len && same_series(&all[first], &all[end])) {
            end++;
        }
        struct hr_evidence_series *series = &run->evidence.series[all[first].id];
        const struct hr_evidence_series found = make_series(run->arena, &all[first], end - first);
        if (found.count > series->count) {
            *series = found;
        }
        for (guint i = first; i < end; i++) {
            file_used[all[i].file] = true;
        }
        first = end;
    }
}

static void fill_files(struct hr_run *run, const GArray *candidates, const bool *file_used)
{
    struct hr_evidence_file *files =
        HR_ARENA_ARRAY(run->arena, struct hr_evidence_file, candidates->len);
    size_t count = 0;
    for (guint i = 0; i < candidates->len; i++) {
        const struct candidate *candidate = &g_array_index(candidates, struct candidate, i);
        if (file_used[i]) {
            files[count++] = (struct hr_evidence_file){
                .file = hr_arena_strdup(run->arena, candidate->file),
                .size_bytes = candidate->size_bytes,
                .sha256 = candidate->hash ? hr_arena_strdup(run->arena, candidate->hash) : NULL};
        }
    }
    run->evidence.files = files;
    run->evidence.files_count = count;
}

// Dumps whose file times lie apart from all evidence: if they span almost nothing, they are the
// times of a copy and no clock. Otherwise either may be wrong, and only the reader can know.
static void settle_clock(struct hr_run *run, struct hr_diagnostics *diagnostics)
{
    const double from_s = hr_evidence_first_time_s(&run->evidence);
    const double to_s = hr_evidence_last_time_s(&run->evidence);
    if (run->time_axis != HR_TIME_MTIME || run->dumps_count == 0 || isnan(from_s)) {
        return;
    }
    const double first_s = run->dumps[0].taken_at_s;
    const double last_s = run->dumps[run->dumps_count - 1].taken_at_s;
    if (first_s <= to_s + ELSEWHERE_S && last_s >= from_s - ELSEWHERE_S) {
        return;
    }
    hr_diagnostics_add(diagnostics, HR_DIAG_EVIDENCE_ELSEWHERE, NULL, NULL);
    if (last_s - first_s >= COPY_SPAN_RATIO * (to_s - from_s)) {
        return;
    }
    run->time_axis = HR_TIME_SEQUENCE;
    for (size_t i = 0; i < run->dumps_count; i++) {
        run->dumps[i].taken_at_s = NAN;
    }
}

void hr_ingest_read_evidence(struct hr_run *run, const struct hr_ingest_options *options,
                             const struct hr_rules *rules, struct hr_diagnostics *diagnostics)
{
    struct found found;
    find_candidates(&found, options, diagnostics);
    GArray *candidates = found.candidates;
    g_autoptr(GArray) samples = g_array_new(FALSE, FALSE, sizeof(struct hr_evidence_sample));
    g_autoptr(GArray) bins = g_array_new(FALSE, FALSE, sizeof(struct hr_bin));
    // A container's process 1 has another number outside.
    struct hr_evidence_sink sink = {.samples = samples,
                                    .bins = bins,
                                    .wanted_pid = run->key.pid == 1 ? -1 : run->key.pid,
                                    .diagnostics = diagnostics};
    for (guint i = 0; i < candidates->len; i++) {
        sink.file = i;
        read_candidate(&g_array_index(candidates, struct candidate, i), rules, &sink);
    }
    const int64_t pid = choose_pid(run, samples, diagnostics);
    run->evidence.names_process = drop_other_pids(samples, pid, candidates, diagnostics);
    hr_evidence_refine_moments(samples);
    g_array_sort(samples, compare_samples);
    g_autofree bool *file_used = g_new0(bool, candidates->len);
    fill_series(run, samples, file_used);
    fill_files(run, candidates, file_used);
    run->evidence.bins = hr_arena_copy(run->arena, bins->data, bins->len, sizeof(struct hr_bin));
    run->evidence.bins_count = bins->len;
    settle_clock(run, diagnostics);
    g_array_unref(candidates);
    g_ptr_array_unref(found.sources);
}
