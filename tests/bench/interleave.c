// SPDX-License-Identifier: MIT
// Runs shell commands in turn, round after round, each in a process of its own started from this
// small one (so that its peak of memory is its own), and prints the medians as a JSON array:
// seconds, cpu_seconds (of all threads and children), peak_mib.
#include <fcntl.h>
#include <glib.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define ROUNDS_MAX 51

struct measure {
    const char *command;
    double seconds[ROUNDS_MAX];
    double cpu_seconds[ROUNDS_MAX];
    double peak_mib[ROUNDS_MAX];
};

static double seconds_of(struct timeval time)
{
    return (double)time.tv_sec + (double)time.tv_usec * 1e-6;
}

static void run_child(const char *command)
{
    const int null = open("/dev/null", O_WRONLY);
    dup2(null, STDOUT_FILENO);
    execl("/bin/sh", "sh", "-c", command, (char *)NULL);
    _exit(127);
}

// Says why and returns false when the command fails: its time would be of something else.
static bool run_once(struct measure *measure, unsigned round)
{
    const gint64 began_us = g_get_monotonic_time();
    const pid_t child = fork();
    if (child == 0) {
        run_child(measure->command);
    }
    int status;
    struct rusage usage;
    if (wait4(child, &status, 0, &usage) != child || !WIFEXITED(status) ||
        WEXITSTATUS(status) != 0) {
        g_printerr("interleave: failed: %s\n", measure->command);
        return false;
    }
    measure->seconds[round] = (double)(g_get_monotonic_time() - began_us) / 1e6;
    measure->cpu_seconds[round] = seconds_of(usage.ru_utime) + seconds_of(usage.ru_stime);
    measure->peak_mib[round] = (double)usage.ru_maxrss / 1024;
    return true;
}

static int compare_doubles(const void *left, const void *right)
{
    const double a = *(const double *)left;
    const double b = *(const double *)right;
    return (a > b) - (a < b);
}

static double median(double *values, unsigned count)
{
    qsort(values, count, sizeof *values, compare_doubles);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    const unsigned rounds = argc > 2 ? (unsigned)atoi(argv[1]) : 0;
    if (rounds < 1 || rounds > ROUNDS_MAX) {
        g_printerr("usage: interleave ROUNDS COMMAND...\n");
        return 2;
    }
    const unsigned count = (unsigned)argc - 2;
    g_autofree struct measure *measures = g_new0(struct measure, count);
    for (unsigned round = 0; round < rounds; round++) {
        for (unsigned i = 0; i < count; i++) {
            measures[i].command = argv[i + 2];
            if (!run_once(&measures[i], round)) {
                return 3;
            }
        }
    }
    for (unsigned i = 0; i < count; i++) {
        struct measure *measure = &measures[i];
        printf("%s{\"seconds\": %.4f, \"cpu_seconds\": %.4f, \"peak_mib\": %.2f}", i ? ",\n " : "[",
               median(measure->seconds, rounds), median(measure->cpu_seconds, rounds),
               median(measure->peak_mib, rounds));
    }
    printf("]\n");
    return 0;
}
