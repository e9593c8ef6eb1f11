/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figures for people: three significant digits, a prefix, a unit, "-" where there is no value. Report
   and pictures use the same words, so that a figure reads alike in both. Each function fills |text|
   and returns it. All output is UTF-8; the micro sign is the only letter beyond ASCII. */
#ifndef RESULT_FORMAT_H
#define RESULT_FORMAT_H

#define FORMAT_CAP 32

/* Three significant digits with thousands prefixes: "0", "16", "1.50", "40.0 k", "288 M". Whole
   numbers below 10,000 stand in full ("2900"). */
const char *format_count(double value, char text[FORMAT_CAP]);

/* A rate of rows: "40.0 k rows/s". */
const char *format_rate(double per_s, char text[FORMAT_CAP]);

/* A factor: "1.50x". */
const char *format_ratio(double ratio, char text[FORMAT_CAP]);

/* A share of 1: "12.5 %". */
const char *format_percent(double share, char text[FORMAT_CAP]);

/* Bytes with powers of 1024: "258 MiB". */
const char *format_bytes(double bytes, char text[FORMAT_CAP]);

/* A latency: "850 us" (with the micro sign), "2.40 ms", "1.09 s". */
const char *format_latency(double us, char text[FORMAT_CAP]);

/* A length or point of simulated time in at most two units: "45s", "12m05s", "2h", "1h30m", "3d04h",
   "2y". Below 10 s tenths are kept: "1.5s". */
const char *format_time(double s, char text[FORMAT_CAP]);

/* "%.*f"-like text of three significant digits without prefix. */
const char *format_digits(double value, char text[FORMAT_CAP]);

#endif
