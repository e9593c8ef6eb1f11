/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a scenario means before anything is simulated: its load by server, when the first flush and
   the first split can come, what the memstores want. Plain arithmetic with HBase's own sizes; a check
   of plausibility, not a forecast. */
#ifndef ECHO_ECHO_H
#define ECHO_ECHO_H

#include "spec/spec.h"

struct echo {
    double rows_per_s, bytes_per_s;   /* of all rows, each table's copy counted; KeyValue bytes */
    double per_server_rows_per_s, per_server_bytes_per_s; /* mean */
    double tails;                     /* regions that take the writes at the start */
    double busiest;                   /* load of the server with most tails and the hottest, share of its capacity */
    double hottest;                   /* share of its table's rows that the hottest region takes; 0: none stands out */
    double first_flush_s, first_split_s; /* INFINITY = never */
    bool by_age;                      /* the first flush is the periodic one */
    double memstore_bytes;            /* heap that a server's tails want at most */
    double memstore_limit_bytes;      /* hbase.regionserver.global.memstore.size of its heap */
};

/* Rows of a table whose keys are looked at for its hottest region. */
#define ECHO_SAMPLED_ROWS 50000

/* Fills |out| from a checked scenario. |hottest|: of each table the share of its rows that go to its hottest region at
   the start, from a sample of that many; NULL, or NaN for a table: not known. One that is within 10 % and the sample's
   scatter of an even share counts as even. 0, or -1 where a table's scheme can't be read. */
int echo_fill(const struct spec *sp, const double *hottest, struct echo *out);

#endif
