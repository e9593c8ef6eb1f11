/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One input of `saltplan merge`: a sorted file of lines or of fixed-width rows, read in blocks and
   handed to the library's merge as a source. */
#ifndef CLI_CMD_MERGE_FILE_H
#define CLI_CMD_MERGE_FILE_H

#include <stdint.h>

#include "cli/cmd_key_table.h"

/* A row as it stands in the file: its text without the line's end, valid until the next pull. */
struct merge_line {
    const char *text;
    size_t len;
    size_t key_len;          /* of |text|: what follows (a tab and a payload) goes with the key */
    uint64_t number;         /* from 1 */
};

struct merge_file {
    const char *name;
    FILE *stream;
    struct key_format format;
    const struct saltkey_scheme *scheme; /* NULL: rows' salts are not looked at, but for what follows */
    size_t skip;             /* without a scheme: the bytes that each row has at least */
    int through;             /* without a scheme: the byte that each row holds; -1: none */
    char *block;             /* what was read and not handed out yet: [start, end) */
    size_t cap, start, end;
    struct merge_line *lines; /* of the last pull */
    size_t lines_cap;
    uint8_t *keys;           /* their keys, where the text had to be decoded */
    size_t keys_cap, keys_len;
    uint64_t count;          /* rows handed out */
    bool eof;
    enum cli_exit failed;    /* after a pull failed: printed already */
};

/* Opens |name| ("-": standard input); prints what is wrong. merge_file_close is needed in any case. */
enum cli_exit merge_file_open(struct merge_file *f, const char *name, const struct key_format *format);
void merge_file_close(struct merge_file *f);

/* A saltkey_source's pull. */
int merge_file_pull(void *context, struct saltkey_row *rows, size_t max);

#endif
