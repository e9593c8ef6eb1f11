/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers as text with a dot, whatever the process's locale: for JSON and CSV. */
#ifndef RESULT_NUMBER_H
#define RESULT_NUMBER_H

#include <stddef.h>

#define RESULT_NUMBER_CAP 40

/* The shortest of 15, 16 or 17 significant digits that reads back as the same double; whole
   numbers below 2^53 without point or exponent. Returns the length. NaN and infinities, which
   JSON has no word for, give "null". */
size_t result_number_text(double value, char text[RESULT_NUMBER_CAP]);

/* Copies |raw| (a number as printf wrote it) and puts a dot where the locale put its own sign,
   of one byte or several. Returns the length. */
size_t result_number_dot(const char *raw, char text[RESULT_NUMBER_CAP]);

#endif
