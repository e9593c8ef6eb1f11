/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said of a run's length before it begins. */
#ifndef CLI_COST_H
#define CLI_COST_H

#include <stddef.h>

#include "echo/cost.h"

/* A line of `check`, on standard output. */
void cli_cost_print(const struct spec *sp, const struct echo *echo);

/* A warning where the level that the scenario names takes minutes and a cheaper one doesn't. Returns how many. */
size_t cli_cost_warn(const char *operand, const struct spec *sp, const struct echo *echo);

/* On standard error, where a run takes long enough that one wants to know. */
void cli_cost_announce(const char *operand, const struct spec *sp);

#endif
