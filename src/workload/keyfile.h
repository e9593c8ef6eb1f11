/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file of natural keys, replayed as a stream: row i of the stream has key i of the file. The file
   is read whole; the keys stay in one block of memory owned by the struct. */
#ifndef WORKLOAD_KEYFILE_H
#define WORKLOAD_KEYFILE_H

#include <stddef.h>
#include <stdint.h>

#include "saltkey.h"
#include "spec/spec.h"

struct keyfile {
    uint8_t *bytes;
    size_t *offset;     /* count + 1; NULL for fixed-width keys */
    size_t width;       /* of fixed-width keys */
    size_t count;
    size_t longest;
};

enum {
    KEYFILE_NO_MEMORY = -1,
    KEYFILE_CANT_READ = -2,
    KEYFILE_BAD_LINE = -3
};

/* What was wrong, and in which line (from 1; of a binary file 0). */
struct keyfile_error {
    size_t line;
    char reason[200];
};

/* escaped: one key a line in HBase's notation (strict); hex: an even number of digits a line;
   binary: keys of |width| bytes one after the other. Empty lines and an empty file are errors. */
int keyfile_read(const char *path, enum spec_key_format format, int width, struct keyfile *kf,
                 struct keyfile_error *err);

static inline struct saltkey_slice keyfile_key(const struct keyfile *kf, size_t i)
{
    struct saltkey_slice s;

    if (kf->offset) {
        s.bytes = kf->bytes + kf->offset[i];
        s.len = kf->offset[i + 1] - kf->offset[i];
    } else {
        s.bytes = kf->bytes + i * kf->width;
        s.len = kf->width;
    }
    return s;
}

void keyfile_free(struct keyfile *kf);

#endif
