/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result.json, both ways. The writer streams: memory does not grow with the result. Keys come in a
   fixed order (result/fields.h), without a time stamp, so equal results give equal bytes. */
#ifndef RESULT_JSON_H
#define RESULT_JSON_H

#include <stddef.h>
#include <stdio.h>

#include "result/result.h"

/* Writes one JSON object and a line feed. 0, or -1 when the stream reported an error (errno tells). */
int result_write_json(const struct result *res, FILE *to);

enum result_read_error {
    RESULT_READ_FILE = -1,            /* can't be opened or read */
    RESULT_READ_SYNTAX = -2,          /* not JSON; the message has line and column */
    RESULT_READ_SCHEMA = -3,          /* another schema, or none */
    RESULT_READ_CONTENT = -4,         /* a field of the wrong type, or a reference to nothing */
    RESULT_READ_MEMORY = -5
};

/* Reads the file at |path| into |res| (uninitialised; the caller frees it on success). On failure
   |res| is untouched and |message| holds one line, beginning with the path, that says what is wrong
   and where. Fields that this version doesn't know are passed over. */
int result_read_json(const char *path, char *message, size_t cap, struct result *res);

#endif
