/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/atomic.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static void explain(struct atomic_file *file, const char *path, const char *what, int error)
{
    snprintf(file->message, sizeof file->message, "%s: can't be %s: %s", path, what, strerror(error));
}

static void release(struct atomic_file *file)
{
    free(file->path);
    free(file->temporary);
    file->path = file->temporary = NULL;
    file->stream = NULL;
}

/* "out/.report.txt.1234-0.tmp": beside the target, so that the rename stays in one file system. */
static char *temporary_name(const char *path, unsigned attempt)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0;
    size_t cap = strlen(path) + 48;
    char *name = malloc(cap);
    if (name)
        snprintf(name, cap, "%.*s.%s.%ld-%u.tmp", (int)folder, path, path + folder, (long)getpid(), attempt);
    return name;
}

/* A new file beside the target; 0, or -1 with errno. */
static int open_temporary(struct atomic_file *file)
{
    for (unsigned attempt = 0; attempt < 100; attempt++) {
        file->temporary = temporary_name(file->path, attempt);
        if (!file->temporary)
            return -1;
        int fd = open(file->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        int error = errno;
        if (fd >= 0) {
            file->stream = fdopen(fd, "wb");
            if (file->stream)
                return 0;
            error = errno;
            close(fd);
            unlink(file->temporary);
        }
        free(file->temporary);
        file->temporary = NULL;
        errno = error;
        if (error != EEXIST)
            return -1;
    }
    return -1;
}

int atomic_open(struct atomic_file *file, const char *path)
{
    struct stat st;
    memset(file, 0, sizeof *file);
    file->path = strdup(path);
    if (!file->path) {
        explain(file, path, "created", ENOMEM);
        return -1;
    }
    bool direct = stat(path, &st) == 0 && !S_ISREG(st.st_mode);
    if (direct)
        file->stream = fopen(path, "wb");
    else
        open_temporary(file);
    if (!file->stream) {
        explain(file, path, direct ? "opened" : "created", errno);
        release(file);
        return -1;
    }
    return 0;
}

void atomic_discard(struct atomic_file *file)
{
    if (file->stream)
        fclose(file->stream);
    if (file->temporary)
        unlink(file->temporary);
    release(file);
}

/* Why an earlier write failed: errno is long gone, so one more byte is tried. */
static int reason_of_failure(FILE *stream)
{
    errno = 0;
    if (write(fileno(stream), "\n", 1) == 1 || errno == 0)
        return EIO;
    return errno;
}

int atomic_commit(struct atomic_file *file)
{
    int error = 0;
    if (ferror(file->stream))
        error = reason_of_failure(file->stream);
    else if (fflush(file->stream) != 0)
        error = errno;
    if (!error && file->temporary && fsync(fileno(file->stream)) != 0 && errno != EINVAL)
        error = errno;
    if (fclose(file->stream) != 0 && !error)
        error = errno;
    file->stream = NULL;
    if (!error && file->temporary && rename(file->temporary, file->path) != 0)
        error = errno;
    if (error) {
        explain(file, file->path, "written", error);
        atomic_discard(file);
        return -1;
    }
    release(file);
    return 0;
}

int atomic_make_folder(const char *path, char *message, size_t cap)
{
    char *part = strdup(path);
    int error = part ? 0 : ENOMEM;
    for (char *at = part; part && !error && *at; at++) {
        if (at[0] != '/' || at == part)
            continue;
        *at = '\0';
        if (mkdir(part, 0777) != 0 && errno != EEXIST)
            error = errno;
        *at = '/';
    }
    struct stat st;
    if (!error && mkdir(path, 0777) != 0 && errno != EEXIST)
        error = errno;
    else if (!error && stat(path, &st) == 0 && !S_ISDIR(st.st_mode))
        error = ENOTDIR;
    free(part);
    if (error)
        snprintf(message, cap, "%s: can't be created: %s", path, strerror(error));
    return error ? -1 : 0;
}
