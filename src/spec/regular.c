/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "spec/regular.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *size_text(int64_t most_bytes)
{
    return most_bytes >= SPEC_KEYS_FILE_MAX       ? "larger than 4 GiB, the most that is read"
           : most_bytes >= INT64_C(256) << 20 ? "larger than 256 MiB, the most that is read"
                                              : "larger than 64 MiB, the most that is read";
}

FILE *spec_open_regular(const char *path, int64_t most_bytes, const char **reason)
{
    /* a pipe without a writer would hold a blocking open up for ever */
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    struct stat st;
    FILE *in = NULL;

    if (fd < 0 || fstat(fd, &st) != 0)
        *reason = strerror(errno);
    else if (S_ISDIR(st.st_mode))
        *reason = strerror(EISDIR);
    else if (!S_ISREG(st.st_mode))
        *reason = "not a regular file; write its content to one";
    else if (st.st_size > most_bytes)
        *reason = size_text(most_bytes);
    else if (!(in = fdopen(fd, "rb")))
        *reason = strerror(errno);
    if (!in && fd >= 0)
        close(fd);
    return in;
}
