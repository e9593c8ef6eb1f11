/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading a small file whole. */
#ifndef SCENARIO_FILE_H
#define SCENARIO_FILE_H

#include <stddef.h>

enum file_status {
    FILE_OK = 0,
    FILE_UNREADABLE = -1,             /* errno says why */
    FILE_TOO_LARGE = -2,
    FILE_NO_MEMORY = -3
};

/* The content of |path| ("-" = standard input), at most |cap| bytes, with a \0 behind it. The
   caller frees |*bytes|. */
enum file_status file_read(const char *path, size_t cap, char **bytes, size_t *len);

/* The same of a file that a scenario names: no pipe, device or folder (FILE_UNREADABLE), none larger
   than |cap| (the same). |*reason| says why, for every status but FILE_OK. */
enum file_status file_read_regular(const char *path, size_t cap, char **bytes, size_t *len, const char **reason);

/* folder + name, or name alone where it is absolute; NULL without memory. */
char *file_beside(const char *folder, const char *name, size_t name_len);

#endif
