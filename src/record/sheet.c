// SPDX-License-Identifier: MIT
#include "record/sheet.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct hr_sheet {
    char *path;
    int fd;
};

void hr_sheet_close(struct hr_sheet *sheet)
{
    if (!sheet) {
        return;
    }
    if (sheet->fd >= 0) {
        close(sheet->fd);
    }
    g_free(sheet->path);
    g_free(sheet);
}

static bool fail(const struct hr_sheet *sheet, GError **error, const char *reason)
{
    g_set_error(error, HR_ERROR, HR_ERROR_OUTPUT, "cannot write %s: %s", sheet->path, reason);
    return false;
}

// In /tmp and its like anybody may lay a file of his own there, to read it or to put lines into it.
static bool is_planted(const char *directory, const struct stat *status)
{
    struct stat around;
    return status->st_uid != geteuid() && stat(directory, &around) == 0 &&
           (around.st_mode & S_ISVTX) && (around.st_mode & S_IWOTH);
}

static bool check_place(const struct hr_sheet *sheet, const char *directory, GError **error)
{
    struct stat status;
    if (fstat(sheet->fd, &status) != 0 || !S_ISREG(status.st_mode)) {
        return fail(sheet, error, "it is no regular file");
    }
    if (is_planted(directory, &status)) {
        return fail(sheet, error,
                    "it is another user's, in a directory that everybody can write to");
    }
    return true;
}

// A file of that name that holds anything else is not ours to add to.
static bool check_begin(const struct hr_sheet *sheet, GError **error)
{
    static const char begin[] = HR_SHEET_BEGIN;
    char found[sizeof begin - 1];
    const ssize_t got = pread(sheet->fd, found, sizeof found, 0);
    if (got < 0) {
        return fail(sheet, error, g_strerror(errno));
    }
    // Where an earlier run was cut off in its first line, that much of it.
    const char *cut = memchr(found, '\n', (size_t)got);
    const size_t length = cut ? (size_t)(cut - found) : (size_t)got;
    return memcmp(found, begin, length) == 0 || fail(sheet, error, "it is no record");
}

static bool end_last_line(struct hr_sheet *sheet, GError **error)
{
    char last = '\n';
    const off_t size = lseek(sheet->fd, 0, SEEK_END);
    if (size > 0 && pread(sheet->fd, &last, 1, size - 1) != 1) {
        return fail(sheet, error, g_strerror(errno));
    }
    return last == '\n' || hr_sheet_append(sheet, "", error);
}

struct hr_sheet *hr_sheet_open(const char *directory, long pid, GError **error)
{
    HR_AUTO(hr_sheet) sheet = g_new0(struct hr_sheet, 1);
    g_autofree char *name = g_strdup_printf("heapreport-record.%ld.jsonl", pid);
    sheet->path = g_build_filename(directory, name, NULL);
    sheet->fd =
        open(sheet->path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0644);
    if (sheet->fd < 0) {
        fail(sheet, error, errno == ELOOP ? "it is a link" : g_strerror(errno));
        return NULL;
    }
    return check_place(sheet, directory, error) && check_begin(sheet, error) &&
                   end_last_line(sheet, error)
               ? HR_STEAL(sheet)
               : NULL;
}

bool hr_sheet_append(struct hr_sheet *sheet, const char *line, GError **error)
{
    g_autofree char *whole = g_strconcat(line, "\n", NULL);
    const size_t size = strlen(whole);
    ssize_t written;
    do {
        written = write(sheet->fd, whole, size);
    } while (written < 0 && errno == EINTR);
    if (written == (ssize_t)size) {
        return true;
    }
    const int reason = written < 0 ? errno : ENOSPC;
    // Half a line would be read as a fault of the record.
    const off_t end = lseek(sheet->fd, 0, SEEK_END);
    if (written > 0 && (end < written || ftruncate(sheet->fd, end - written) != 0)) {
        return fail(sheet, error, "half a line was written");
    }
    return fail(sheet, error, g_strerror(reason));
}
