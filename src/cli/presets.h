/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The scenarios that come with the program. */
#ifndef CLI_PRESETS_H
#define CLI_PRESETS_H

#include <stddef.h>

#include "cli/cli.h"

struct cli_presets {
    char folder[4096];
    char **names;                     /* sorted, without .ini */
    size_t len;
};

/* Lists them; prints what is wrong. cli_presets_free releases the list. */
enum cli_exit cli_presets_list(struct cli_presets *prs);
void cli_presets_free(struct cli_presets *prs);

#endif
