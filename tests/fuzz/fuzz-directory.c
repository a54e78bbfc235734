// SPDX-License-Identifier: MIT
// A whole directory: names, file times and contents, through everything but the pages.
//
//   ==> demo.7.0.i0.heap 1796158800.5     a file's name and time; what follows is its content
//   heap_v2/524288
//   ...
#include "fuzz.h"

#include "pipeline.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MARK "==> "
#define FILES_MAX 24
#define NAME_MAX_BYTES 200
#define TIME_MAX_S 4e9

static struct pipeline pipeline;
static char *directory;

static void remove_directory(void)
{
    rmdir(directory);
    g_free(directory);
    pipeline_clear(&pipeline);
}

static void prepare(void)
{
    if (directory) {
        return;
    }
    directory = g_dir_make_tmp("hr-fuzz-XXXXXX", NULL);
    g_assert_nonnull(directory);
    pipeline_init(&pipeline, NULL, directory); // nothing is found below it
    atexit(remove_directory);
}

static struct timespec time_from(const char *text)
{
    const double time_s = text ? g_ascii_strtod(text, NULL) : 0;
    const double kept_s = isfinite(time_s) ? CLAMP(time_s, 0, TIME_MAX_S) : 0;
    return (struct timespec){(time_t)kept_s, (long)((kept_s - floor(kept_s)) * 1e9)};
}

// `head` is "NAME TIME". A name that a file system refuses makes no file.
static void write_file(char *head, const char *content, size_t size, GPtrArray *paths)
{
    char *space = strrchr(head, ' ');
    const struct timespec time = time_from(space);
    if (space) {
        *space = '\0';
    }
    if (!*head || strlen(head) > NAME_MAX_BYTES || strchr(head, '/')) {
        return;
    }
    char *path = g_build_filename(directory, head, NULL);
    const int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (fd < 0) {
        g_free(path);
        return;
    }
    const struct timespec times[2] = {time, time};
    g_assert_true(write(fd, content, size) == (ssize_t)size && futimens(fd, times) == 0);
    close(fd);
    g_ptr_array_add(paths, path);
}

// The next line that begins with the mark, or the end.
static const char *next_mark(const char *at, const char *end)
{
    const char *found = memmem(at, (size_t)(end - at), "\n" MARK, strlen("\n" MARK));
    return found ? found + 1 : end;
}

static void write_files(const char *at, const char *end, GPtrArray *paths)
{
    while (paths->len < FILES_MAX && at < end) {
        const char *next = next_mark(at, end);
        const char *newline = memchr(at, '\n', (size_t)(next - at));
        const char *head_end = newline ? newline : next;
        if (g_str_has_prefix(at, MARK) && (size_t)(head_end - at) > strlen(MARK)) {
            g_autofree char *head =
                g_strndup(at + strlen(MARK), (size_t)(head_end - at) - strlen(MARK));
            const char *content = newline ? newline + 1 : next;
            write_file(head, content, (size_t)(next - content), paths);
        }
        at = next;
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    prepare();
    g_autoptr(GPtrArray) paths = g_ptr_array_new_with_free_func(g_free);
    g_autofree char *text = g_strndup("", size); // with a NUL behind it
    if (size > 0) {
        memcpy(text, bytes, size);
    }
    write_files(text, text + size, paths);
    g_autoptr(GError) error = NULL;
    json_t *result = pipeline_run(&pipeline, directory, &error);
    g_assert_true(!result == (error != NULL));
    json_decref(result);
    for (guint i = 0; i < paths->len; i++) {
        unlink(paths->pdata[i]);
    }
    return 0;
}
