/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/file.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/regular.h"

static enum file_status read_stream(FILE *in, size_t cap, char **bytes, size_t *len)
{
    char *all = NULL;
    size_t used = 0, room = 0;

    for (;;) {
        size_t got;

        if (used + 1 >= room) {
            char *larger = realloc(all, room ? 2 * room : 8192);

            if (!larger) {
                free(all);
                return FILE_NO_MEMORY;
            }
            all = larger;
            room = room ? 2 * room : 8192;
        }
        got = fread(all + used, 1, room - used - 1, in);
        used += got;
        if (used > cap) {
            free(all);
            return FILE_TOO_LARGE;
        }
        if (got == 0)
            break;
    }
    if (ferror(in)) {
        free(all);
        return FILE_UNREADABLE;
    }
    all[used] = '\0';
    *bytes = all;
    *len = used;
    return FILE_OK;
}

enum file_status file_read(const char *path, size_t cap, char **bytes, size_t *len)
{
    FILE *in;
    enum file_status status;
    int cause;

    if (strcmp(path, "-") == 0)
        return read_stream(stdin, cap, bytes, len);
    in = fopen(path, "rb");
    if (!in)
        return FILE_UNREADABLE;
    status = read_stream(in, cap, bytes, len);
    cause = errno;
    fclose(in);
    errno = cause;
    return status;
}

enum file_status file_read_regular(const char *path, size_t cap, char **bytes, size_t *len, const char **reason)
{
    FILE *in = spec_open_regular(path, (int64_t)cap, reason);
    enum file_status status;

    if (!in)
        return FILE_UNREADABLE;
    status = read_stream(in, cap, bytes, len);
    if (status == FILE_TOO_LARGE)
        *reason = "it grew while it was read";
    else if (status != FILE_OK)
        *reason = strerror(errno);
    fclose(in);
    return status;
}

char *file_beside(const char *folder, const char *name, size_t name_len)
{
    size_t len = name_len > 0 && name[0] == '/' ? 0 : strlen(folder);
    char *path = malloc(len + name_len + 1);

    if (!path)
        return NULL;
    memcpy(path, folder, len);
    memcpy(path + len, name, name_len);
    path[len + name_len] = '\0';
    return path;
}
