/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers with units, read and written by one table a family, so that what is written reads back
   to the same value:
     bytes      B, kB MB GB TB (1000), KiB MiB GiB TiB (1024); K, M, G alone are refused
     duration   ns us ms s m h d y; 1h30m; a bare number only if it is 0
     count      bare, or k M G T (1000)
     rate       count/s, /m, /h, /d; "rows" may stand before the slash
     byte rate  bytes/s
     ratio      0.3 or 30%
     number     a plain decimal
   Whole families are exact: a fraction of a byte or of a nanosecond is an error. */
#ifndef SCENARIO_UNIT_H
#define SCENARIO_UNIT_H

#include <stddef.h>
#include <stdint.h>

enum unit_family {
    UNIT_BYTES,                       /* whole: bytes */
    UNIT_DURATION,                    /* whole: nanoseconds */
    UNIT_COUNT,                       /* whole */
    UNIT_RATE,                        /* double: per second */
    UNIT_BYTE_RATE,                   /* double: bytes per second */
    UNIT_RATIO,                       /* double: 1 = 100 % */
    UNIT_NUMBER                       /* double */
};

/* Why a text can't be read: |at| bytes after its start. */
struct unit_problem {
    size_t at;
    char message[120];                /* "unknown unit 'GiBs'" */
    char hint[120];                   /* "" = none */
};

#define UNIT_TEXT_CAP 40

/* Reads |len| bytes of |text|, all of them. 0, or -1 with |why|. For the whole families. */
int unit_read_whole(enum unit_family family, const char *text, size_t len, int64_t *out,
                    struct unit_problem *why);

/* The same for the families of doubles; what is read is finite and not negative. */
int unit_read_real(enum unit_family family, const char *text, size_t len, double *out,
                   struct unit_problem *why);

/* The shortest text that reads back to |value| (which is not negative, and finite). */
void unit_write_whole(enum unit_family family, int64_t value, char text[UNIT_TEXT_CAP]);
void unit_write_real(enum unit_family family, double value, char text[UNIT_TEXT_CAP]);

/* What a value of the family looks like, for messages: "bytes, as 16GiB". */
const char *unit_family_example(enum unit_family family);

#endif
