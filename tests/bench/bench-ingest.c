// SPDX-License-Identifier: MIT
// Measures reading a directory of dumps beside `cat` and `wc -l` on the same files, interleaved, in
// processes of their own so that peak memory is each one's. Prints one table with medians.
#include "ingest/ingest.h"

#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS_MAX 51

struct measure {
    const char *name;
    const char *command; // run by the shell with the directory as $1; NULL: our own reader
    unsigned jobs;
    bool one_pass; // rows of all dumps at once; else totals first, then rows of 512
    double seconds[ROUNDS_MAX];
    double cpu_seconds[ROUNDS_MAX]; // of all threads; steadier on a busy machine
    double peak_kib;
};

static double now_s(void)
{
    return (double)g_get_monotonic_time() / 1e6;
}

static void choose(const struct hr_run *run, bool *wanted)
{
    const size_t points = MIN(run->dumps_count, 512);
    for (size_t i = 0; i < points; i++) {
        wanted[points > 1 ? i * (run->dumps_count - 1) / (points - 1) : 0] = true;
    }
}

// Finds and reads the directory; exits 3 when that is not possible.
static void read_directory(const char *directory, const struct measure *measure)
{
    struct hr_run *run = hr_run_new();
    struct hr_diagnostics *diagnostics = hr_diagnostics_new();
    const struct hr_ingest_options options = {.directory = directory,
                                              .pid = -1,
                                              .since_s = NAN,
                                              .until_s = NAN,
                                              .every = 1,
                                              .jobs = measure->jobs};
    GError *error = NULL;
    if (!hr_ingest_find(run, &options, diagnostics, &error)) {
        g_printerr("bench-ingest: %s\n", error->message);
        _exit(3);
    }
    bool *wanted = g_new0(bool, run->dumps_count + 1);
    choose(run, wanted);
    if (!measure->one_pass) {
        hr_ingest_read_dumps(run, &options, NULL, diagnostics);
    }
    hr_ingest_read_dumps(run, &options, wanted, diagnostics);
    _exit(hr_run_used_count(run) > 0 ? 0 : 3);
}

static void run_child(const char *directory, const struct measure *measure)
{
    if (!measure->command) {
        read_directory(directory, measure);
    }
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", measure->command, "sh", directory, (char *)NULL);
    _exit(127);
}

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static bool run_once(const char *directory, struct measure *measure, unsigned round)
{
    const double start_s = now_s();
    const pid_t child = fork();
    if (child == 0) {
        run_child(directory, measure);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0) {
        g_printerr("bench-ingest: %s failed\n", measure->name);
        return false;
    }
    measure->seconds[round] = now_s() - start_s;
    measure->cpu_seconds[round] = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    measure->peak_kib = MAX(measure->peak_kib, (double)usage.ru_maxrss);
    return true;
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static double directory_bytes(const char *directory, unsigned *files)
{
    GDir *stream = g_dir_open(directory, 0, NULL);
    const char *name;
    double bytes = 0;
    *files = 0;
    while (stream && (name = g_dir_read_name(stream))) {
        g_autofree char *path = g_build_filename(directory, name, NULL);
        struct stat status;
        if (stat(path, &status) == 0) {
            bytes += (double)status.st_size;
            (*files)++;
        }
    }
    if (stream) {
        g_dir_close(stream);
    }
    return bytes;
}

static void print_table(const char *directory, struct measure *measures, size_t count,
                        unsigned rounds)
{
    unsigned files;
    const double bytes = directory_bytes(directory, &files);
    printf("%u files, %.1f MB, medians of %u interleaved runs\n\n", files, bytes / 1e6, rounds);
    printf("| what | seconds | MB/s | x wc -l | CPU s | x wc -l | peak MiB |\n"
           "|---|---:|---:|---:|---:|---:|---:|\n");
    const double reference = measures[1].seconds[rounds / 2];
    const double cpu_reference = measures[1].cpu_seconds[rounds / 2];
    for (size_t i = 0; i < count; i++) {
        const double median = measures[i].seconds[rounds / 2];
        const double cpu = measures[i].cpu_seconds[rounds / 2];
        printf("| %s | %.3f | %.0f | %.2f | %.3f | %.2f | %.1f |\n", measures[i].name, median,
               bytes / 1e6 / median, median / reference, cpu, cpu / cpu_reference,
               measures[i].peak_kib / 1024);
    }
}

int main(int argc, char **argv)
{
    const char *cat = "find \"$1\" -name '*.heap' -print0 | xargs -0 cat";
    const char *wc = "find \"$1\" -name '*.heap' -print0 | xargs -0 wc -l";
    struct measure measures[] = {
        {.name = "cat", .command = cat},
        {.name = "wc -l", .command = wc},
        {.name = "read, 1 thread", .jobs = 1, .one_pass = true},
        {.name = "read, 2 threads", .jobs = 2, .one_pass = true},
        {.name = "read in two passes, 2 threads", .jobs = 2},
    };
    const unsigned rounds = argc > 2 ? (unsigned)atoi(argv[2]) : 5;
    if (argc < 2 || rounds < 1 || rounds > ROUNDS_MAX) {
        g_printerr("usage: bench-ingest DIRECTORY [ROUNDS]\n");
        return 2;
    }
    for (unsigned round = 0; round < rounds; round++) {
        for (size_t i = 0; i < G_N_ELEMENTS(measures); i++) {
            if (!run_once(argv[1], &measures[i], round)) {
                return 3;
            }
        }
    }
    for (size_t i = 0; i < G_N_ELEMENTS(measures); i++) {
        qsort(measures[i].seconds, rounds, sizeof *measures[i].seconds, compare_doubles);
        qsort(measures[i].cpu_seconds, rounds, sizeof *measures[i].cpu_seconds, compare_doubles);
    }
    print_table(argv[1], measures, G_N_ELEMENTS(measures), rounds);
    return 0;
}
