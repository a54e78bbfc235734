// SPDX-License-Identifier: MIT
// A good directory of dumps and its binary, damaged at seeded places: one bit at a time, then one
// dump cut at every byte. What came of it is counted and printed; a change of the verdict of which
// nothing is said, though the dump contradicts itself, fails.
//
// usage: damage DUMPS BINARY FLIPS BINARY_FLIPS STEP   of copies; a cut at every STEPth byte
#include "pipeline.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FIGURE_SHARE 0.01

enum outcome { SAME, TOLD, REFUSED, FIGURES, VERDICT, OUTCOMES_COUNT };
static const char *const outcome_names[] = {"same verdict and figures", "a diagnostic tells of it",
                                            "refused with a sentence", "other figures, untold",
                                            "another verdict, untold"};

struct input {
    char *path;
    char *bytes;
    gsize size;
    struct timespec time; // damage does not change the file's time
};

struct answer {
    char *verdict;
    char *quality; // codes and counts of the diagnostics
    double growth_bytes;
};

static uint64_t next_random(uint64_t *state)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return *state;
}

static struct answer answer_of(const json_t *result)
{
    GString *quality = g_string_new(NULL);
    const json_t *list = json_object_get(result, "data_quality");
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *entry = json_array_get(list, i);
        g_string_append_printf(quality, "%s:%" JSON_INTEGER_FORMAT " ",
                               json_string_value(json_object_get(entry, "code")),
                               json_integer_value(json_object_get(entry, "count")));
    }
    const json_t *run = json_object_get(result, "run");
    g_string_append_printf(quality, "breaks:%zu", json_array_size(json_object_get(run, "breaks")));
    const json_t *class = json_object_get(json_object_get(result, "verdict"), "class");
    const json_t *growth = json_object_get(json_object_get(result, "totals"), "growth_bytes");
    return (struct answer){g_strdup(json_string_value(class)), g_string_free(quality, FALSE),
                           json_is_number(growth) ? json_number_value(growth) : NAN};
}

static void answer_clear(struct answer *answer)
{
    g_free(answer->verdict);
    g_free(answer->quality);
}

static bool is_near(double a, double b)
{
    return (isnan(a) && isnan(b)) || fabs(a - b) <= FIGURE_SHARE * fmax(fabs(a), fabs(b));
}

static enum outcome judge(const struct pipeline *pipeline, const char *directory,
                          const struct answer *good)
{
    g_autoptr(GError) error = NULL;
    json_t *result = pipeline_run(pipeline, directory, &error);
    if (!result) {
        g_assert_true(error && *error->message);
        return REFUSED;
    }
    struct answer answer = answer_of(result);
    enum outcome outcome = SAME;
    if (strcmp(answer.quality, good->quality) != 0) {
        outcome = TOLD;
    } else if (g_strcmp0(answer.verdict, good->verdict) != 0) {
        outcome = VERDICT;
    } else if (!is_near(answer.growth_bytes, good->growth_bytes)) {
        outcome = FIGURES;
    }
    answer_clear(&answer);
    json_decref(result);
    return outcome;
}

// In place and without syncing: g_file_set_contents() would wait for the disk each time.
static void write_input(const struct input *input, size_t size)
{
    const int fd = open(input->path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    const struct timespec times[2] = {input->time, input->time};
    g_assert_true(fd >= 0 && write(fd, input->bytes, size) == (ssize_t)size);
    g_assert_true(futimens(fd, times) == 0 && close(fd) == 0);
}

static void read_input(struct input *input, char *path)
{
    g_autoptr(GError) error = NULL;
    struct stat status;
    g_assert_true(stat(path, &status) == 0);
    input->path = path;
    input->time = status.st_mtim;
    g_file_get_contents(path, &input->bytes, &input->size, &error);
    g_assert_no_error(error);
}

static int compare_paths(const void *left, const void *right)
{
    return strcmp(((const struct input *)left)->path, ((const struct input *)right)->path);
}

static GArray *read_inputs(const char *directory)
{
    GArray *inputs = g_array_new(FALSE, TRUE, sizeof(struct input));
    g_autoptr(GDir) list = g_dir_open(directory, 0, NULL);
    g_assert_nonnull(list);
    for (const char *name; (name = g_dir_read_name(list));) {
        struct input input;
        read_input(&input, g_build_filename(directory, name, NULL));
        g_array_append_val(inputs, input);
    }
    g_array_sort(inputs, compare_paths);
    return inputs;
}

static void print_outcomes(const char *what, const unsigned *counts)
{
    printf("%s:\n", what);
    for (int i = 0; i < OUTCOMES_COUNT; i++) {
        printf("  %6u %s\n", counts[i], outcome_names[i]);
    }
}

// Flips one bit of one file, judges, and flips it back.
static enum outcome flip(const struct pipeline *pipeline, const char *directory,
                         struct input *input, uint64_t place, const struct answer *good)
{
    const uint64_t at = place % (input->size * 8);
    const char bit = (char)(1 << at % 8);
    input->bytes[at / 8] ^= bit;
    write_input(input, input->size);
    const enum outcome outcome = judge(pipeline, directory, good);
    if (outcome >= FIGURES) {
        printf("# %s: byte %" G_GUINT64_FORMAT ", bit %" G_GUINT64_FORMAT ": %s\n", input->path,
               at / 8, at % 8, outcome_names[outcome]);
    }
    input->bytes[at / 8] ^= bit;
    write_input(input, input->size);
    return outcome;
}

static unsigned flip_many(const struct pipeline *pipeline, const char *directory, GArray *inputs,
                          unsigned flips, const struct answer *good, const char *what)
{
    unsigned counts[OUTCOMES_COUNT] = {0};
    uint64_t state = 0x2545f4914f6cdd1d;
    for (unsigned i = 0; i < flips; i++) {
        const uint64_t which = next_random(&state) % inputs->len;
        struct input *input = &g_array_index(inputs, struct input, which);
        counts[flip(pipeline, directory, input, next_random(&state), good)]++;
    }
    print_outcomes(what, counts);
    return counts[VERDICT];
}

// The last dump, cut at every `step`th byte.
static void cut(const struct pipeline *pipeline, const char *directory, GArray *inputs,
                unsigned step, const struct answer *good)
{
    unsigned counts[OUTCOMES_COUNT] = {0};
    const struct input *last = NULL;
    for (guint i = 0; i < inputs->len; i++) {
        const struct input *input = &g_array_index(inputs, struct input, i);
        last = g_str_has_suffix(input->path, ".heap") ? input : last;
    }
    g_assert_nonnull(last);
    unsigned cuts = 0;
    for (gsize size = 0; size < last->size; size += step, cuts++) {
        write_input(last, size);
        counts[judge(pipeline, directory, good)]++;
    }
    write_input(last, last->size);
    print_outcomes("a dump cut", counts);
    printf("covered: %u of %zu lengths (%.0f %%)\n", cuts, last->size,
           100.0 * cuts / (double)last->size);
}

static void inputs_free(GArray *inputs)
{
    for (guint i = 0; i < inputs->len; i++) {
        struct input *input = &g_array_index(inputs, struct input, i);
        g_free(input->path);
        g_free(input->bytes);
    }
    g_array_unref(inputs);
}

int main(int argc, char **argv)
{
    g_assert_cmpint(argc, ==, 6);
    struct pipeline pipeline;
    pipeline_init(&pipeline, argv[2], argv[1]);
    g_autoptr(GError) error = NULL;
    json_t *result = pipeline_run(&pipeline, argv[1], &error);
    g_assert_no_error(error);
    struct answer good = answer_of(result);
    json_decref(result);
    GArray *dumps = read_inputs(argv[1]);
    GArray *binary = g_array_new(FALSE, TRUE, sizeof(struct input));
    struct input program;
    read_input(&program, g_strdup(argv[2]));
    g_array_append_val(binary, program);
    unsigned silent = flip_many(&pipeline, argv[1], dumps, (unsigned)atoi(argv[3]), &good,
                                "one bit of the directory");
    silent += flip_many(&pipeline, argv[1], binary, (unsigned)atoi(argv[4]), &good,
                        "one bit of the binary");
    cut(&pipeline, argv[1], dumps, (unsigned)atoi(argv[5]), &good);
    inputs_free(dumps);
    inputs_free(binary);
    answer_clear(&good);
    pipeline_clear(&pipeline);
    printf("%u untold changes of the verdict\n", silent);
    return silent > 0;
}
