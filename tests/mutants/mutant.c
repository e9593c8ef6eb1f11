/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "mutant.h"

#include <stdlib.h>
#include <string.h>

bool mutant(const char *name)
{
    const char *on = getenv("SALTPLAN_MUTANT");

    return on && strcmp(on, name) == 0;
}

uint64_t mutant_whole(const char *name, uint64_t value, int percent)
{
    const uint64_t by = value / 100 * (uint64_t)(percent < 0 ? -percent : percent);
    const uint64_t step = by > 0 ? by : 1;

    if (!mutant(name) || value == UINT64_MAX)
        return value;
    return percent < 0 ? (value > step ? value - step : 0) : value + step;
}

double mutant_real(const char *name, double value, int percent)
{
    return mutant(name) ? value * (1 + percent / 100.0) : value;
}
