/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Opening the files that a scenario names. They are read as a whole, some of them twice (checked,
   then replayed), so a folder, a pipe or a device is refused before a byte of it is read. */
#ifndef SPEC_REGULAR_H
#define SPEC_REGULAR_H

#include <stdint.h>
#include <stdio.h>

#define SPEC_KEYS_FILE_MAX (INT64_C(4) << 30) /* its keys are kept in memory */

/* Opens |path| for reading where it is a regular file of at most |most_bytes|; NULL with a reason
   (the system's, or a static text) otherwise. */
FILE *spec_open_regular(const char *path, int64_t most_bytes, const char **reason);

#endif
