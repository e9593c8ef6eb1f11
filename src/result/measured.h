/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What was measured on a real cluster, beside the model's figures: a file of tab- or comma-separated values
   whose first line names its columns:

       case,figure,measured,simulated
       salt8,first_split_s,31.2..33.9,32.5
       ,write_p99_us,41000,

   figure and measured are needed. measured is a number, or the range LO..HI of several runs. Where there is no
   simulated, the result's own figure of that name is taken: one of the summary, or QUERY.FIGURE. Lines that
   begin with # and empty ones are left out. */
#ifndef RESULT_MEASURED_H
#define RESULT_MEASURED_H

#include "result/result.h"

#define MEASUREMENTS_MAX 2000

/* Adds them to res->measurements. 0; -1: the file can't be read; -2: it is no such table (or no memory).
   |message| says which line. */
int result_read_measured(const char *path, struct result *res, char *message, size_t cap);

/* simulated / measured, of a range its middle. Both 0: 1. NaN where only one is above 0. */
double result_measured_ratio(const struct result_measurement *ms);

/* Whether the model lies in the range of the runs that were measured, or within 2 % of it. */
bool result_measured_inside(const struct result_measurement *ms);

#endif
