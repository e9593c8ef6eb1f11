/* SPDX-License-Identifier: GPL-3.0-or-later */
/* How long a run takes, said before it begins: seconds of one processor, good within a factor of three for
   runs of more than some seconds on a machine of 2020 to 2025. A sum of four measured rates: rows by the level of detail and by how their keys
   are found, flushes with the compactions that follow, queries. Never part of a result. */
#ifndef ECHO_COST_H
#define ECHO_COST_H

#include "echo/echo.h"

/* |echo| is the same scenario's. |detail| isn't SPEC_DETAIL_AUTO. */
double echo_cost_s(const struct spec *sp, const struct echo *echo, enum spec_detail detail);

/* Rows of the run, each table's copy counted; the level that the run takes, and its name. */
double echo_cost_rows(const struct spec *sp);
enum spec_detail echo_cost_detail(const struct spec *sp);
const char *echo_cost_detail_name(enum spec_detail detail);

/* "under 1 s", "about 20 s", "about 5 min": one digit, since more isn't known. |text| has ECHO_COST_CAP bytes and is
   returned. */
#define ECHO_COST_CAP 32
const char *echo_cost_text(double s, char *text);

#endif
