/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Split points against stored rows: what share does each region get, and where do points come from? */
#ifndef CLI_CMD_SPLITS_FIT_H
#define CLI_CMD_SPLITS_FIT_H

#include "cli/cmd_key_table.h"
#include "emit/emit.h"

/* Prints each region's start and rows, then the verdict. |file| has stored rows, or is `salt`: then the
   rows are the salt's buckets. CLI_NEGATIVE for a fault. */
enum cli_exit splits_fit(const struct emit *em, const char *file, const struct key_format *format);

/* `R FILE`: points that cut the file's rows into R equal regions. Prints what is wrong. */
enum cli_exit splits_quantiles(const char *text, const struct key_format *format, struct saltkey_keys *keys);

#endif
