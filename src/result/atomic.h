/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Output files that are there whole or not at all: written to a hidden file in the same folder,
   synced, then renamed over the old one. A target that exists and is no regular file (/dev/stdout,
   a pipe) is written directly.

       struct atomic_file file;
       if (atomic_open(&file, "out/report.txt") == 0) {
           fputs("...", file.stream);
           failed = atomic_commit(&file) != 0;       file.message says why
       } */
#ifndef RESULT_ATOMIC_H
#define RESULT_ATOMIC_H

#include <stdio.h>

struct atomic_file {
    FILE *stream;                     /* write here; NULL when nothing is open */
    char *path, *temporary;           /* temporary NULL = written directly */
    char message[512];                /* after a failure: "PATH: can't be written: reason" */
};

/* 0, or -1: |file->message| tells why, and nothing is left to release. */
int atomic_open(struct atomic_file *file, const char *path);

/* Flushes, syncs, renames. 0, or -1 with a message; then the old file, if any, stands unchanged and
   the temporary one is gone. Either way the file is closed and released. */
int atomic_commit(struct atomic_file *file);

/* Gives up: the old file stands, the temporary one goes. The message stays. */
void atomic_discard(struct atomic_file *file);

/* Makes the folder |path| and those above it that are missing. 0, or -1 with a one-line message. */
int atomic_make_folder(const char *path, char *message, size_t cap);

#endif
