// SPDX-License-Identifier: MIT
#include "record/launch.h"

#include "base/files.h"

#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#define LOOK_EVERY_US (200 * 1000UL)
#define STAT_BYTES_MAX 4096
#define STAT_START_FIELD 20 // of /proc/PID/stat, counted behind the name: field 22

static bool has_name(const char *pid, const char *name)
{
    g_autofree char *exe = g_strdup_printf("/proc/%s/exe", pid);
    g_autofree char *program = g_file_read_link(exe, NULL);
    g_autofree char *base = program ? g_path_get_basename(program) : NULL;
    return base && strcmp(base, name) == 0;
}

// When the process began, in clock ticks since boot; 0 when it is gone.
static uint64_t start_ticks(const char *pid)
{
    g_autofree char *path = g_strdup_printf("/proc/%s/stat", pid);
    g_autofree char *text = NULL;
    size_t size;
    // The name in parentheses may hold anything, parentheses too.
    const char *behind_name =
        hr_file_read(path, STAT_BYTES_MAX, &text, &size, NULL) ? strrchr(text, ')') : NULL;
    if (!behind_name) {
        return 0;
    }
    g_auto(GStrv) fields = g_strsplit(behind_name, " ", -1);
    return g_strv_length(fields) > STAT_START_FIELD
               ? g_ascii_strtoull(fields[STAT_START_FIELD], NULL, 10)
               : 0;
}

// The youngest process of that name; 0 when there is none.
static long find_youngest(GDir *proc, const char *name)
{
    uint64_t youngest = 0;
    long found = 0;
    for (const char *pid = g_dir_read_name(proc); pid; pid = g_dir_read_name(proc)) {
        if (!g_ascii_isdigit(*pid) || !has_name(pid, name)) {
            continue;
        }
        const uint64_t ticks = start_ticks(pid);
        if (ticks > youngest) {
            youngest = ticks;
            found = strtol(pid, NULL, 10);
        }
    }
    return found;
}

bool hr_launch_wait_for(const char *name, long *pid, GError **error)
{
    g_autoptr(GError) failed = NULL;
    g_autoptr(GDir) proc = g_dir_open("/proc", 0, &failed);
    if (!proc) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "%s", failed->message);
        return false;
    }
    for (;;) {
        const long found = find_youngest(proc, name);
        if (found > 0) {
            *pid = found;
            return true;
        }
        g_usleep(LOOK_EVERY_US);
        g_dir_rewind(proc);
    }
}

// What stands last in a configuration string wins. At a comma that ends what was there, jemalloc
// would give up reading.
static char **add_profiling(char **environment, const char *variable, const char *prefix)
{
    const char *present = g_environ_getenv(environment, variable);
    g_autofree char *kept = g_strdup(present ? present : "");
    for (size_t length = strlen(kept); length > 0 && kept[length - 1] == ','; length--) {
        kept[length - 1] = '\0';
    }
    g_autofree char *value = g_strdup_printf(
        "%s%sprof:true,prof_active:true,prof_prefix:%s,lg_prof_interval:26,prof_final:true", kept,
        *kept ? "," : "", prefix);
    return g_environ_setenv(environment, variable, value, TRUE);
}

static char *dump_prefix(const char *program, const char *directory, GError **error)
{
    g_autofree char *absolute = g_canonicalize_filename(directory, NULL);
    g_autofree char *name = g_path_get_basename(program);
    g_autofree char *prefix = g_build_filename(absolute, name, NULL);
    if (strchr(prefix, ',') || strlen(prefix) > 4000) {
        g_set_error(error, HR_ERROR, HR_ERROR_USAGE,
                    "%s: jemalloc's configuration takes no path with a comma, or that long",
                    prefix);
        return NULL;
    }
    return g_steal_pointer(&prefix);
}

bool hr_launch_start(char **argv, const char *directory, long *pid, GError **error)
{
    // A program is not to run for a record that cannot be kept.
    if (access(directory, W_OK | X_OK) != 0) {
        g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "cannot write in %s: %s", directory,
                    g_strerror(errno));
        return false;
    }
    g_autofree char *prefix = dump_prefix(argv[0], directory, error);
    if (!prefix) {
        return false;
    }
    g_auto(GStrv) environment = g_get_environ();
    environment = add_profiling(environment, "MALLOC_CONF", prefix);
    environment = add_profiling(environment, "_RJEM_MALLOC_CONF", prefix);
    // What we ignore or block must not be so in the program.
    sigset_t none;
    sigset_t ignored_by_us;
    sigemptyset(&none);
    sigemptyset(&ignored_by_us);
    sigaddset(&ignored_by_us, SIGPIPE);
    sigaddset(&ignored_by_us, SIGXFSZ);
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setsigdefault(&attributes, &ignored_by_us);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    pid_t started;
    const int failed = posix_spawnp(&started, argv[0], NULL, &attributes, argv, environment);
    posix_spawnattr_destroy(&attributes);
    if (failed) {
        g_set_error(error, HR_ERROR, HR_ERROR_INPUT, "cannot start %s: %s", argv[0],
                    g_strerror(failed));
        return false;
    }
    *pid = started;
    return true;
}
