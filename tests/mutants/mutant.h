/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mutant is one modelled rule switched off, or one number of it changed by a few percent, at run time:
   SALTPLAN_MUTANT names it. The linker puts these functions (ld --wrap) between a rule and its callers, in
   the programs that `make mutants` links only, so that neither the sources nor the release build know of it.
   tests/mutants/mutants.list has one line for each. */
#ifndef TESTS_MUTANTS_MUTANT_H
#define TESTS_MUTANTS_MUTANT_H

#include <stdbool.h>
#include <stdint.h>

/* Whether this mutant is switched on. */
bool mutant(const char *name);

/* The number, about |percent| larger (smaller if negative) if the mutant is switched on; at least 1 apart. */
uint64_t mutant_whole(const char *name, uint64_t value, int percent);
double mutant_real(const char *name, double value, int percent);

#endif
