/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Values of Phoenix's typed primary keys as text, for `key --phoenix` and `splits --phoenix`. */
#ifndef CLI_CMD_KEY_PHOENIX_H
#define CLI_CMD_KEY_PHOENIX_H

#include "cli/cmd_key_table.h"

/* --phoenix's columns with --buckets (none: unsalted). Prints what is wrong; --key, --salt, --salt-over
   and --scenario say the same otherwise and are refused. */
enum cli_exit key_phoenix_open(const struct cli_args *args, struct saltkey_phoenix *key);

/* A column's value from its text: numbers, dates and times in milliseconds, TIMESTAMP as MS or
   MS/NANOS (of the second), true or false, decimals, texts in HBase's escape notation; empty is null.
   Texts may be put behind |bytes|. NULL, or what is wrong. */
const char *key_phoenix_value(const struct saltkey_phoenix_column *c, const char *text, struct saltkey_buf *bytes,
                              struct saltkey_value *v);

/* The way back, without an end of line. */
void key_phoenix_print(const struct saltkey_phoenix_column *c, const struct saltkey_value *v, FILE *out);

/* A number with or without a sign; a real one. */
bool key_read_integer(const char *text, struct saltkey_value *v);
bool key_read_real(const char *text, struct saltkey_value *v);

#endif
