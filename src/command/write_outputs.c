// SPDX-License-Identifier: MIT
#include "command/write_outputs.h"

#include "command/place_lock.h"
#include "render/chart/csv.h"

#include <errno.h>
#include <signal.h>

// One file's bytes: already beside its place, or waiting for standard output.
struct piece {
    struct hr_target *target; // NULL: standard output
    bool owns_target;
    GByteArray *bytes; // NULL once they are in the file
};

// One output on its way to files.
struct task {
    const struct hr_output *output;
    GPtrArray *pieces; // of struct piece
    GError *error;
};

struct writing {
    const struct hr_outputs *outputs;
    const struct hr_output_sources *sources;
    struct task *tasks; // [outputs->outputs->len]
    struct task **documents;
    gint documents_count;
    gint next_document; // taken by the threads one by one
};

static void piece_free(void *pointer)
{
    struct piece *piece = pointer;
    if (piece->owns_target) {
        hr_target_free(piece->target);
    }
    if (piece->bytes) {
        g_byte_array_unref(piece->bytes);
    }
    g_free(piece);
}

// Takes the bytes, and the target when it is the piece's own; both are gone when this fails.
static bool add_piece(struct task *task, struct hr_target *target, bool owns_target,
                      GByteArray *bytes, GError **error)
{
    struct piece *piece = g_new0(struct piece, 1);
    *piece = (struct piece){target, owns_target, bytes};
    g_ptr_array_add(task->pieces, piece);
    if (!target) {
        return true;
    }
    const bool filled = hr_target_fill(target, bytes->data, bytes->len, error);
    g_clear_pointer(&piece->bytes, g_byte_array_unref);
    return filled;
}

static bool write_chart(struct task *task, const struct writing *writing,
                        struct hr_renderer *renderer, const char *chart, GError **error)
{
    const struct hr_output *output = task->output;
    g_autofree char *path = g_strdup_printf("%s%s%s", output->path, chart, output->backend->suffix);
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    HR_AUTO(hr_target) target = hr_target_new(path, error);
    return target &&
           output->backend->write(renderer, writing->sources->document, chart, bytes, error) &&
           add_piece(task, HR_STEAL(target), true, g_steal_pointer(&bytes), error);
}

// The numbers of a chart, beside its picture.
static bool write_numbers(struct task *task, const struct hr_chart *chart, GError **error)
{
    g_autofree char *path = g_strdup_printf("%s%s.csv", task->output->path, chart->name);
    HR_AUTO(hr_target) target = hr_target_new(path, error);
    if (!target) {
        return false;
    }
    g_autoptr(GString) csv = g_string_new(NULL);
    hr_chart_append_csv(chart, csv);
    GByteArray *bytes = g_byte_array_new();
    g_byte_array_append(bytes, (const guint8 *)csv->str, (guint)csv->len);
    return add_piece(task, HR_STEAL(target), true, bytes, error);
}

static bool write_directory(struct task *task, const struct writing *writing,
                            struct hr_renderer *renderer, GError **error)
{
    struct hr_node_iterator iterator = {.root = writing->sources->document->root};
    while (hr_node_iterator_next(&iterator)) {
        const struct hr_node *node = iterator.node;
        const bool is_chart = iterator.entering && node->kind == HR_NODE_CHART;
        if (is_chart && node->chart->kind != HR_CHART_SPARKLINE &&
            (!write_chart(task, writing, renderer, node->chart->name, error) ||
             !write_numbers(task, node->chart, error))) {
            return false;
        }
    }
    return true;
}

// `renderer` is NULL for what is no document.
static bool make_bytes(const struct hr_output *output, const struct writing *writing,
                       struct hr_renderer *renderer, GByteArray *bytes, GError **error)
{
    const struct hr_output_sources *sources = writing->sources;
    if (output->backend) {
        return output->backend->write(renderer, sources->document, writing->outputs->chart, bytes,
                                      error);
    }
    if (output->export && output->export->write_model && !sources->model->final) {
        g_set_error_literal(error, HR_ERROR, HR_ERROR_INPUT,
                            "this format holds stacks, and no dump was read");
        return false;
    }
    if (output->export && output->export->write_model) {
        output->export->write_model(sources->model, bytes);
    } else if (output->export) {
        output->export->write_result(sources->result, sources->text, bytes);
    } else {
        g_byte_array_append(bytes, sources->result_bytes->data, sources->result_bytes->len);
    }
    return true;
}

static bool carry_out(struct task *task, const struct writing *writing,
                      struct hr_renderer *renderer, GError **error)
{
    if (task->output->is_directory) {
        return write_directory(task, writing, renderer, error);
    }
    g_autoptr(GByteArray) bytes = g_byte_array_new();
    if (!make_bytes(task->output, writing, renderer, bytes, error)) {
        g_prefix_error(error, "%s: ", task->output->path);
        return false;
    }
    return add_piece(task, task->output->target, false, g_steal_pointer(&bytes), error);
}

// Fonts and layouts belong to one thread: each makes a renderer of its own.
static gpointer carry_out_documents(gpointer data)
{
    struct writing *writing = data;
    HR_AUTO(hr_renderer) renderer = NULL;
    gint next;
    while ((next = g_atomic_int_add(&writing->next_document, 1)) < writing->documents_count) {
        struct task *task = writing->documents[next];
        const bool needs_fonts = task->output->backend->needs_fonts;
        if (needs_fonts && !renderer) {
            renderer = hr_renderer_new(writing->sources->data_dir, &task->error);
        }
        if (renderer || !needs_fonts) {
            (void)carry_out(task, writing, renderer, &task->error);
        }
    }
    return NULL;
}

// What is no document is quick to make, and the exports share what they replace names by.
static void carry_out_others(struct writing *writing)
{
    for (guint i = 0; i < writing->outputs->outputs->len; i++) {
        struct task *task = &writing->tasks[i];
        if (!task->output->backend) {
            (void)carry_out(task, writing, NULL, &task->error);
        }
    }
}

// The first failure in the order of the outputs.
static bool collect_errors(const struct writing *writing, GError **error)
{
    for (guint i = 0; i < writing->outputs->outputs->len; i++) {
        if (writing->tasks[i].error) {
            g_propagate_error(error, g_steal_pointer(&writing->tasks[i].error));
            return false;
        }
    }
    return true;
}

static bool carry_out_all(struct writing *writing, GError **error)
{
    const unsigned jobs = writing->sources->jobs;
    g_autoptr(GPtrArray) threads = g_ptr_array_new();
    for (gint i = 1; i <= writing->documents_count && threads->len + 1 < jobs; i++) {
        GThread *thread = g_thread_try_new("render", carry_out_documents, writing, NULL);
        if (thread) {
            g_ptr_array_add(threads, thread);
        }
    }
    carry_out_others(writing);
    (void)carry_out_documents(writing);
    for (guint i = 0; i < threads->len; i++) {
        g_thread_join(threads->pdata[i]);
    }
    return collect_errors(writing, error);
}

static bool commit_piece(const struct hr_outputs *outputs, const struct piece *piece,
                         GError **error)
{
    if (!piece->target) {
        if (hr_messages_output((const char *)piece->bytes->data, piece->bytes->len)) {
            return true;
        }
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "cannot write to standard output: %s",
                    g_strerror(errno));
        return false;
    }
    if (!hr_target_commit(piece->target, error)) {
        return false;
    }
    // That nobody reads the paths does not unmake the report.
    if (!outputs->to_standard_output) {
        (void)hr_messages_path(hr_target_path(piece->target));
    }
    return true;
}

// Two runs that end together each move all of their files or wait: no place gets the report of one
// beside the result of the other.
static struct hr_place_lock *lock_places(const struct writing *writing, GError **error)
{
    g_autoptr(GPtrArray) targets = g_ptr_array_new();
    for (guint i = 0; i < writing->outputs->outputs->len; i++) {
        const GPtrArray *pieces = writing->tasks[i].pieces;
        for (guint p = 0; p < pieces->len; p++) {
            const struct piece *piece = pieces->pdata[p];
            if (piece->target) {
                g_ptr_array_add(targets, piece->target);
            }
        }
    }
    return hr_place_lock_new((struct hr_target *const *)targets->pdata, targets->len, error);
}

static bool commit_all(const struct writing *writing, GError **error)
{
    HR_AUTO(hr_place_lock) lock = lock_places(writing, error);
    if (!lock) {
        return false;
    }
    for (guint i = 0; i < writing->outputs->outputs->len; i++) {
        const GPtrArray *pieces = writing->tasks[i].pieces;
        for (guint p = 0; p < pieces->len; p++) {
            if (!commit_piece(writing->outputs, pieces->pdata[p], error)) {
                return false;
            }
        }
    }
    return true;
}

static void writing_init(struct writing *writing, const struct hr_outputs *outputs,
                         const struct hr_output_sources *sources)
{
    const guint count = outputs->outputs->len;
    *writing = (struct writing){outputs, sources, .tasks = g_new0(struct task, count + 1),
                                .documents = g_new(struct task *, count + 1)};
    for (guint i = 0; i < count; i++) {
        struct task *task = &writing->tasks[i];
        task->output = outputs->outputs->pdata[i];
        task->pieces = g_ptr_array_new_with_free_func(piece_free);
        if (task->output->backend) {
            writing->documents[writing->documents_count++] = task;
        }
    }
}

// What was filled and not committed goes.
static void writing_clear(struct writing *writing)
{
    for (guint i = 0; i < writing->outputs->outputs->len; i++) {
        const struct task *task = &writing->tasks[i];
        g_ptr_array_unref(task->pieces);
        g_clear_error(&writing->tasks[i].error);
    }
    g_free(writing->tasks);
    g_free(writing->documents);
}

bool hr_write_outputs(struct hr_outputs *outputs, const struct hr_output_sources *sources,
                      struct hr_messages *messages, GError **error)
{
    // An interrupt in between would leave temporary files behind.
    sigset_t interrupts;
    sigset_t before;
    sigemptyset(&interrupts);
    sigaddset(&interrupts, SIGINT);
    sigaddset(&interrupts, SIGTERM);
    sigaddset(&interrupts, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &interrupts, &before);
    struct writing writing;
    writing_init(&writing, outputs, sources);
    bool written = carry_out_all(&writing, error);
    if (written) {
        hr_messages_phase(messages, "phase-write");
        written = commit_all(&writing, error);
    }
    writing_clear(&writing);
    if (!written) {
        g_ptr_array_set_size(outputs->outputs, 0);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return written;
}
