/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A resolved scenario as INI text, as `saltplan show` prints it. */
#ifndef TESTS_SCENARIO_PRINT_H
#define TESTS_SCENARIO_PRINT_H

#include "scenario/scenario.h"
#include "scenario/text.h"

void print_scenario(const struct scenario *sc, struct text *out);

#endif
