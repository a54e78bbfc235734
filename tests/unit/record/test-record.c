// SPDX-License-Identifier: MIT
#include "record/answer.h"
#include "record/process.h"
#include "record/record.h"
#include "record/regions.h"
#include "record/sheet.h"

#include <alloca.h>
#include <glib/gstdio.h>
#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define NO_SUCH_PID 4194305L // one above the largest that the kernel hands out

static double number(const json_t *line, const char *group, const char *key)
{
    return json_number_value(json_object_get(json_object_get(line, group), key));
}

// Reads the record and frees it; every line must be an object of its own.
static GPtrArray *take_lines(const char *directory, long pid)
{
    g_autofree char *path = g_strdup_printf("%s/heapreport-record.%ld.jsonl", directory, pid);
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_true(g_str_has_suffix(text, "\n"));
    text[strlen(text) - 1] = '\0';
    g_auto(GStrv) texts = g_strsplit(text, "\n", -1);
    GPtrArray *lines = g_ptr_array_new_with_free_func((GDestroyNotify)json_decref);
    for (char **one = texts; *one; one++) {
        json_t *line = json_loads(*one, 0, NULL);
        g_assert_nonnull(line);
        g_ptr_array_add(lines, line);
    }
    g_remove(path);
    return lines;
}

static pid_t start_sleeper(void)
{
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        pause();
        _exit(0);
    }
    return pid;
}

static void test_sample_of_this_process(void)
{
    g_autoptr(GString) groups = g_string_new("{");
    g_assert_true(hr_process_sample(groups, getpid(), NULL));
    g_string_append_c(groups, '}');
    json_t *sample = json_loads(groups->str, 0, NULL);
    g_assert_nonnull(sample);
    const double rss = number(sample, "smaps_rollup", "rss_bytes");
    const double anonymous = number(sample, "smaps_rollup", "anonymous_bytes");
    g_assert_cmpfloat(rss, >, 100e3);
    g_assert_cmpfloat(anonymous, >, 10e3);
    g_assert_cmpfloat(rss, >=, anonymous);
    g_assert_cmpfloat(fmod(rss, 4096), ==, 0);
    g_assert_cmpfloat(number(sample, "status", "threads_count"), >=, 1);
    g_assert_cmpfloat(number(sample, "status", "rss_anon_bytes"), >, 10e3);
    json_decref(sample);

    g_autoptr(GError) error = NULL;
    g_assert_false(hr_process_sample(groups, NO_SUCH_PID, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_INPUT);
}

// Records a process that ends by itself, then one for a given time.
static void test_records_until_the_end(void)
{
    g_autofree char *directory = g_dir_make_tmp("heapreport-record-XXXXXX", NULL);
    const pid_t pid = start_sleeper();
    const pid_t killer = fork();
    if (killer == 0) {
        g_usleep(350 * 1000);
        kill(pid, SIGKILL);
        _exit(0);
    }
    struct hr_record_options options = {
        .pid = pid, .directory = directory, .every_s = 0.1, .for_s = NAN};
    g_assert_true(hr_record(&options, NULL));
    waitpid(pid, NULL, 0);
    waitpid(killer, NULL, 0);
    g_autoptr(GPtrArray) lines = take_lines(directory, pid);
    g_assert_cmpuint(lines->len, >=, 2);
    g_assert_cmpuint(lines->len, <=, 5);
    for (guint i = 0; i < lines->len; i++) {
        const json_t *line = lines->pdata[i];
        g_assert_cmpstr(json_string_value(json_object_get(line, "schema")), ==,
                        "heapreport-record");
        g_assert_cmpint(json_integer_value(json_object_get(line, "pid")), ==, pid);
        g_assert_cmpfloat(json_number_value(json_object_get(line, "time_s")), >, 1.7e9);
    }

    options.pid = getpid();
    options.for_s = 0.25;
    g_assert_true(hr_record(&options, NULL));
    g_autoptr(GPtrArray) timed = take_lines(directory, getpid());
    g_assert_cmpuint(timed->len, >=, 2);
    g_assert_cmpuint(timed->len, <=, 3);
    g_assert_cmpint(g_rmdir(directory), ==, 0);
}

static void test_ends_on_a_signal(void)
{
    g_autofree char *directory = g_dir_make_tmp("heapreport-record-XXXXXX", NULL);
    const pid_t watched = start_sleeper();
    const pid_t recorder = fork();
    if (recorder == 0) {
        const struct hr_record_options options = {
            .pid = watched, .directory = directory, .every_s = 0.05, .for_s = 60};
        _exit(hr_record(&options, NULL) ? 0 : 1);
    }
    g_usleep(300 * 1000);
    kill(recorder, SIGTERM);
    int status;
    g_assert_cmpint(waitpid(recorder, &status, 0), ==, recorder);
    g_assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    kill(watched, SIGKILL);
    waitpid(watched, NULL, 0);
    g_autoptr(GPtrArray) lines = take_lines(directory, watched);
    g_assert_cmpuint(lines->len, >=, 2);
    g_assert_cmpint(g_rmdir(directory), ==, 0);
}

// Flat, or as jemalloc's own statistics nest them; what is slow, fails or talks of other things
// adds nothing.
static void test_asks_a_command(void)
{
    static const struct {
        const char *command;
        const char *answer;
    } answers[] = {
        {"echo '{\"allocated\":7,\"resident\":9.0}'",
         "\"allocator\":{\"allocated_bytes\":7,\"resident_bytes\":9}"},
        {"echo '{\"a\":{\"x\":{\"allocated\":1}},\"jemalloc\":{\"allocated\":2}}'",
         "\"allocator\":{\"allocated_bytes\":2}"},
        {"echo '{\"allocated\":-7}'", ""},
        {"echo '{\"allocated\":\"7\"}'", ""},
        {"echo '{\"status\":\"ok\"}'", ""},
        {"echo allocated 7", ""},
        {"echo '{\"allocated\":7}'; exit 1", ""},
        {"no-such-command", ""},
        {"sleep 30; echo '{\"allocated\":7}'", ""},
        {"yes", ""},
        {"echo '{\"allocated\":7}'; exec >&-; sleep 30", ""},
        {"printf '{\"allocated\":7}\\0{'", ""},
        {"printf '\\377\\376'; exec >&-", ""},
        {"exec >&-", ""},
        {"head -c 500000000 /dev/zero", ""},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(answers); i++) {
        g_autoptr(GString) out = g_string_new(NULL);
        const bool found = hr_answer_sample(out, answers[i].command, 1);
        g_assert_cmpstr(out->str, ==, answers[i].answer);
        g_assert_cmpint(found, ==, out->len > 0);
    }
}

// What a command leaves behind would be there once a sample.
static void test_leaves_nothing_behind(void)
{
    g_autofree char *directory = g_dir_make_tmp("heapreport-record-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(directory, "pid", NULL);
    g_autofree char *command =
        g_strdup_printf("sleep 300 >/dev/null 2>&1 & echo $! >%s; echo '{\"allocated\":7}'", path);
    g_autoptr(GString) out = g_string_new(NULL);
    g_assert_true(hr_answer_sample(out, command, 5));
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    const long pid = strtol(text, NULL, 10);
    g_assert_cmpint(pid, >, 1);
    g_autofree char *stat = g_strdup_printf("/proc/%ld/smaps_rollup", pid);
    g_autofree char *rollup = NULL;
    // Killed; where nobody collects orphans, a zombie without memory stays.
    for (int tries = 0; tries < 200 && g_file_get_contents(stat, &rollup, NULL, NULL); tries++) {
        g_clear_pointer(&rollup, g_free);
        g_usleep(50 * 1000);
    }
    g_assert_false(g_file_get_contents(stat, &rollup, NULL, NULL));
    g_remove(path);
    g_rmdir(directory);
}

// Anybody can make a file in a directory like /tmp, and then reads and writes what is put into it.
static void test_refuses_a_planted_file(void)
{
    if (geteuid() != 0) {
        g_test_skip("only root can plant another user's file");
        return;
    }
    g_autofree char *directory = g_dir_make_tmp("heapreport-record-XXXXXX", NULL);
    g_autofree char *path = g_build_filename(directory, "heapreport-record.7.jsonl", NULL);
    g_assert_true(g_file_set_contents(path, "", 0, NULL));
    g_assert_cmpint(chown(path, 65534, 65534), ==, 0);
    struct hr_sheet *sheet = hr_sheet_open(directory, 7, NULL);
    g_assert_nonnull(sheet);
    hr_sheet_close(sheet); // among ourselves it is a service's file
    g_assert_cmpint(g_chmod(directory, 01777), ==, 0);
    g_autoptr(GError) error = NULL;
    g_assert_null(hr_sheet_open(directory, 7, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_OUTPUT);
    g_assert_nonnull(strstr(error->message, path));
    g_remove(path);
    g_assert_cmpint(g_rmdir(directory), ==, 0);
}

#define MIB 1048576.0
#define STACK_USED (2u << 20)
#define ARENA_OBJECT_BYTES 4000
#define ARENA_OBJECTS 4000
#define THREADS 4

void *__libc_malloc(size_t size);

struct holder {
    pthread_t thread;
    pthread_barrier_t *barrier;
    bool has_arena;
};

// Holds memory in its stack, and where asked in an arena of the C library's malloc, whatever malloc
// the test runs on.
static void *hold_memory(void *pointer)
{
    struct holder *holder = pointer;
    volatile char *stack = alloca(STACK_USED);
    for (size_t i = 0; i < STACK_USED; i += 512) {
        stack[i] = 1;
    }
    for (size_t i = 0; holder->has_arena && i < ARENA_OBJECTS; i++) {
        static void *last;
        void **object = memset(__libc_malloc(ARENA_OBJECT_BYTES), 1, ARENA_OBJECT_BYTES);
        *object = last;
        last = object;
    }
    pthread_barrier_wait(holder->barrier); // all hold
    pthread_barrier_wait(holder->barrier); // measured
    return NULL;
}

static json_t *sample_regions(struct hr_regions_pace *pace)
{
    g_autoptr(GString) out = g_string_new("{");
    if (!hr_regions_sample(out, getpid(), pace)) {
        return NULL;
    }
    // Behind other groups a comma comes first.
    g_string_erase(out, 1, out->str[1] == ',');
    g_string_append_c(out, '}');
    json_t *sample = json_loads(out->str, 0, NULL);
    g_assert_nonnull(sample);
    return sample;
}

static void test_names_stacks_and_arenas(void)
{
    pthread_barrier_t barrier;
    struct holder holders[THREADS];
    json_t *before = sample_regions(&(struct hr_regions_pace){0});
    pthread_barrier_init(&barrier, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++) {
        holders[i].barrier = &barrier;
        holders[i].has_arena = i == 0;
        g_assert_cmpint(pthread_create(&holders[i].thread, NULL, hold_memory, &holders[i]), ==, 0);
    }
    pthread_barrier_wait(&barrier);
    struct hr_regions_pace pace = {0};
    json_t *after = sample_regions(&pace);
    g_assert_null(sample_regions(&pace)); // not due so soon
    pthread_barrier_wait(&barrier);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(holders[i].thread, NULL);
    }
    pthread_barrier_destroy(&barrier);
    const double stacks = number(after, "smaps", "thread_stacks_bytes") -
                          number(before, "smaps", "thread_stacks_bytes");
    const double arenas = number(after, "smaps", "glibc_arenas_bytes") -
                          number(before, "smaps", "glibc_arenas_bytes");
    g_assert_cmpfloat(stacks, >=, THREADS * STACK_USED);
    g_assert_cmpfloat(stacks, <, THREADS * STACK_USED + 2 * MIB);
    g_assert_cmpfloat(arenas, >=, ARENA_OBJECTS * ARENA_OBJECT_BYTES);
    g_assert_cmpfloat(arenas, <, ARENA_OBJECTS * ARENA_OBJECT_BYTES + 4 * MIB);
    json_decref(before);
    json_decref(after);
}

// A recorder that was killed inside a line must not spoil the next one's first line.
static void test_mends_a_cut_line(void)
{
    g_autofree char *directory = g_dir_make_tmp("heapreport-record-XXXXXX", NULL);
    g_autofree char *path = g_strdup_printf("%s/heapreport-record.%d.jsonl", directory, 5);
    g_assert_true(g_file_set_contents(path, "{\"schem", -1, NULL));
    hr_sheet_close(hr_sheet_open(directory, 5, NULL));
    struct hr_sheet *sheet = hr_sheet_open(directory, 5, NULL);
    g_assert_nonnull(sheet);
    g_assert_true(hr_sheet_append(sheet, "{\"c\":3}", NULL));
    hr_sheet_close(sheet);
    g_autofree char *text = NULL;
    g_assert_true(g_file_get_contents(path, &text, NULL, NULL));
    g_assert_cmpstr(text, ==, "{\"schem\n{\"c\":3}\n");
    g_remove(path);
    g_assert_true(g_file_set_contents(path, "kind,time\n", -1, NULL));
    g_assert_null(hr_sheet_open(directory, 5, NULL));
    g_remove(path);
    g_assert_cmpint(symlink("/dev/null", path), ==, 0);
    g_autoptr(GError) error = NULL;
    g_assert_null(hr_sheet_open(directory, 5, &error));
    g_assert_error(error, HR_ERROR, HR_ERROR_OUTPUT);
    g_remove(path);
    g_assert_cmpint(g_rmdir(directory), ==, 0);
}

int main(int argc, char **argv)
{
    g_test_init(&argc, &argv, NULL);
    g_test_add_func("/record/sample-of-this-process", test_sample_of_this_process);
    g_test_add_func("/record/until-the-end", test_records_until_the_end);
    g_test_add_func("/record/ends-on-a-signal", test_ends_on_a_signal);
    g_test_add_func("/record/asks-a-command", test_asks_a_command);
    g_test_add_func("/record/leaves-nothing-behind", test_leaves_nothing_behind);
    g_test_add_func("/record/planted", test_refuses_a_planted_file);
    g_test_add_func("/record/names-stacks-and-arenas", test_names_stacks_and_arenas);
    g_test_add_func("/record/mends-a-cut-line", test_mends_a_cut_line);
    return g_test_run();
}
