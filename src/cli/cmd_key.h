/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The actions of `saltplan key`, each in a file of its own. |words| are the operands behind the
   action's name. */
#ifndef CLI_CMD_KEY_H
#define CLI_CMD_KEY_H

#include "cli/cli.h"

struct key_words {
    const char *const *at;
    size_t len;
};

enum cli_exit key_encode(const struct cli_args *args, struct key_words words);
enum cli_exit key_decode(const struct cli_args *args, struct key_words words);
enum cli_exit key_salt(const struct cli_args *args, struct key_words words);
enum cli_exit key_vectors(const struct cli_args *args, struct key_words words);
enum cli_exit key_verify(const struct cli_args *args, struct key_words words);

#endif
