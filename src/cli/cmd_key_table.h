/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A table's scheme for the commands on keys: from --key, --salt, --buckets, --salt-over, or from a
   table of a scenario; and keys as text: HBase's escape notation, hexadecimal digits, raw bytes. */
#ifndef CLI_CMD_KEY_TABLE_H
#define CLI_CMD_KEY_TABLE_H

#include <stdio.h>

#include "cli/cli.h"
#include "saltkey.h"

#define KEY_BYTES_MAX 32767                      /* HConstants.MAX_ROW_LENGTH */
#define KEY_TEXT_MAX (4 * (size_t)KEY_BYTES_MAX) /* each byte as \xHH */

/* Rows for a command's table of options. */
#define KEY_TABLE_OPTIONS                                                                                     \
    {'k', "key", "LAYOUT", "the natural key, field by field: 'ts:be64 device:fixed(16)'"},                    \
    {'s', "salt", "SALT", "hash and remainder, or a preset: 'arrays-hash floorMod', phoenix, none"},          \
    {'n', "buckets", "N", "bucket count"},                                                                    \
    {0, "salt-over", "FIELDS", "what the salt is computed over: key (default), or names of fields"},          \
    {0, "scenario", "FILE", "take all of it from a table of this scenario instead (or preset:NAME)"},         \
    {0, "table", "NAME", "the scenario's table; needed where it has several"},                                \
    {0, "set", "'[SECTION] KEY=VALUE'", "change one value of the scenario; repeatable"}

struct key_table {
    bool from_scenario;
    struct scenario sc;
    struct spec own_spec;                        /* where there is no scenario */
    struct spec_table own_table;                 /* its texts are the command line's */
    struct spec_family own_family;
    const struct spec *spec;
    const struct spec_table *table;
    struct saltkey_scheme scheme;
};

/* Reads the options and prints what is wrong. |need_key| false: without --key the natural key is
   taken as it is (`row:text`). CLI_DONE: key_table_close is the caller's. */
enum cli_exit key_table_open(struct key_table *kt, const struct cli_args *args, bool need_key);
/* A table whose key is Phoenix's: its salt is over all that follows it. */
enum cli_exit key_table_open_phoenix(struct key_table *kt, const struct cli_args *args, uint32_t buckets);
void key_table_close(struct key_table *kt);

/* CLI_USAGE, said, where standard input has more than one reader: the scenario and |others|. */
enum cli_exit key_stdin_once(const struct cli_args *args, size_t others);

/* `warning: ...` on stderr for all that is known to be bad about the scheme. */
void key_table_warn(const struct key_table *kt);

/* One line, `warning: MESSAGE`. */
void key_warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));

enum key_form { KEY_ESCAPED, KEY_HEX, KEY_BINARY };

struct key_format {
    enum key_form form;
    size_t width;                                /* of a binary row, in bytes */
};

/* `escaped`, `hex`, `binary W`; NULL is escaped. Prints what is wrong. */
enum cli_exit key_format_read(const char *text, struct key_format *format);

/* A key from its text (not for binary). 0, or a saltkey_status with |err|'s column and reason. */
int key_from_text(enum key_form form, struct saltkey_slice text, struct saltkey_buf *key,
                  struct saltkey_error *err);

/* Writes a key in its form, without an end of line. */
void key_print(enum key_form form, struct saltkey_slice key, FILE *out);

/* A decimal number up to |max|; false for anything else. */
bool cli_whole_number(const char *text, unsigned long long max, unsigned long long *out);

#endif
