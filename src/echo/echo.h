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
    double busiest;                   /* load of the server with most tails, share of its capacity */
    double first_flush_s, first_split_s; /* INFINITY = never */
    double memstore_bytes;            /* heap that a server's tails want when all are full */
    double memstore_limit_bytes;      /* hbase.regionserver.global.memstore.size of its heap */
};

/* Fills |out| from a checked scenario. 0, or -1 where a table's scheme can't be read. */
int echo_fill(const struct spec *sp, struct echo *out);

#endif
