// SPDX-License-Identifier: MIT
#include "base/diagnostics.h"

#include <stdarg.h>
#include <stdbool.h>

struct hr_diagnostics {
    GPtrArray *folded; // of struct hr_diagnostic, kept sorted
};

static enum hr_severity severity_of(enum hr_diagnostic_code code)
{
    switch (code) {
#define HR_MESSAGE(name, number, severity)                                                         \
    case HR_DIAG_##name:                                                                           \
        return HR_SEVERITY_##severity;
#include "base/messages.def"
#undef HR_MESSAGE
    }
    g_assert_not_reached();
}

static void diagnostic_free(void *pointer)
{
    struct hr_diagnostic *diagnostic = pointer;
    for (unsigned i = 0; i < diagnostic->files_count; i++) {
        g_free(diagnostic->files[i]);
    }
    for (unsigned i = 0; i < diagnostic->slots_count; i++) {
        g_free(diagnostic->slots[i].name);
        g_free(diagnostic->slots[i].value);
    }
    g_free(diagnostic);
}

struct hr_diagnostics *hr_diagnostics_new(void)
{
    struct hr_diagnostics *diagnostics = g_new0(struct hr_diagnostics, 1);
    diagnostics->folded = g_ptr_array_new_with_free_func(diagnostic_free);
    return diagnostics;
}

void hr_diagnostics_free(struct hr_diagnostics *diagnostics)
{
    if (!diagnostics) {
        return;
    }
    g_ptr_array_unref(diagnostics->folded);
    g_free(diagnostics);
}

static int compare_diagnostics(const void *left, const void *right)
{
    const struct hr_diagnostic *a = *(struct hr_diagnostic *const *)left;
    const struct hr_diagnostic *b = *(struct hr_diagnostic *const *)right;
    if (a->severity != b->severity) {
        return a->severity > b->severity ? -1 : 1;
    }
    return (a->code > b->code) - (a->code < b->code);
}

static struct hr_diagnostic *find_folded(const struct hr_diagnostics *diagnostics,
                                         enum hr_diagnostic_code code)
{
    for (guint i = 0; i < diagnostics->folded->len; i++) {
        struct hr_diagnostic *diagnostic = g_ptr_array_index(diagnostics->folded, i);
        if (diagnostic->code == code) {
            return diagnostic;
        }
    }
    return NULL;
}

const struct hr_diagnostic *hr_diagnostics_find(const struct hr_diagnostics *diagnostics,
                                                enum hr_diagnostic_code code)
{
    return find_folded(diagnostics, code);
}

static struct hr_diagnostic *diagnostic_new(struct hr_diagnostics *diagnostics,
                                            enum hr_diagnostic_code code)
{
    struct hr_diagnostic *diagnostic = g_new0(struct hr_diagnostic, 1);
    diagnostic->code = code;
    diagnostic->severity = severity_of(code);
    g_ptr_array_add(diagnostics->folded, diagnostic);
    g_ptr_array_sort(diagnostics->folded, compare_diagnostics);
    return diagnostic;
}

static void add_file(struct hr_diagnostic *diagnostic, const char *file)
{
    if (file && diagnostic->files_count < HR_DIAGNOSTIC_FILES_MAX) {
        diagnostic->files[diagnostic->files_count++] = g_strdup(file);
    }
}

static void add_slot(struct hr_diagnostic *diagnostic, const char *name, const char *value)
{
    g_assert(diagnostic->slots_count < HR_DIAGNOSTIC_SLOTS_MAX);
    diagnostic->slots[diagnostic->slots_count++] =
        (struct hr_diagnostic_slot){g_strdup(name), g_strdup(value)};
}

void hr_diagnostics_add(struct hr_diagnostics *diagnostics, enum hr_diagnostic_code code,
                        const char *file, ...)
{
    struct hr_diagnostic *diagnostic = find_folded(diagnostics, code);
    const bool first = !diagnostic;
    if (first) {
        diagnostic = diagnostic_new(diagnostics, code);
    }
    diagnostic->count++;
    add_file(diagnostic, file);
    if (!first) {
        return;
    }
    va_list slots;
    va_start(slots, file);
    for (const char *name; (name = va_arg(slots, const char *));) {
        add_slot(diagnostic, name, va_arg(slots, const char *));
    }
    va_end(slots);
}

void hr_diagnostics_merge(struct hr_diagnostics *diagnostics, const struct hr_diagnostics *other)
{
    for (guint i = 0; i < other->folded->len; i++) {
        const struct hr_diagnostic *source = g_ptr_array_index(other->folded, i);
        struct hr_diagnostic *target = find_folded(diagnostics, source->code);
        if (!target) {
            target = diagnostic_new(diagnostics, source->code);
            for (unsigned s = 0; s < source->slots_count; s++) {
                add_slot(target, source->slots[s].name, source->slots[s].value);
            }
        }
        target->count += source->count;
        for (unsigned f = 0; f < source->files_count; f++) {
            add_file(target, source->files[f]);
        }
    }
}

guint hr_diagnostics_count(const struct hr_diagnostics *diagnostics)
{
    return diagnostics->folded->len;
}

const struct hr_diagnostic *hr_diagnostics_get(const struct hr_diagnostics *diagnostics,
                                               guint index)
{
    return g_ptr_array_index(diagnostics->folded, index);
}
