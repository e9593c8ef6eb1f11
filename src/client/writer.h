/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The applications that write: a number of clients, each with a BufferedMutator of HBase 2.6 (or
   without a buffer), taking the rows of one stream in turn and sending them to one table.

   A buffered client is what HBase's is: it fills its buffer, submits when the puts' heap exceeds the
   limit, waits until the whole submission has been answered, retries what was refused with HBase's
   pauses, and only then goes on. Rows that arrive meanwhile wait for it (the backlog). A client
   without a buffer sends each row as it arrives and waits for nothing. */
#ifndef CLIENT_WRITER_H
#define CLIENT_WRITER_H

#include <stdint.h>

#include "des/histogram.h"
#include "hbase/model/call.h"
#include "hbase/rules/mutator.h"
#include "workload/keystream.h"

/* Shape of the latency histograms; latencies above an hour have no bucket of their own. */
#define WRITER_PRECISION 7
#define WRITER_LATENCY_MOST ((uint64_t)DES_HOUR)

struct client;

struct writer {
    struct model *model;
    const struct arrivals *arrivals;
    const struct keystream *keys;
    const struct spec_stream *spec;
    int table;
    des_time end;                 /* rows that arrive later don't exist */
    uint64_t rows;                /* how many arrive before the end */
    uint64_t put_heap_bytes;      /* Put.heapSize of a row */
    struct mutator_limits limits;
    struct client *clients;
    int clients_len;
    struct des_stream pauses;
    struct key_source source;
    /* what came of it, in rows */
    uint64_t done, rejected;
    des_time oldest_wait;         /* longest time from a row's arrival to its first hand-over */
    struct des_histogram latency; /* ns from the first hand-over to the answer, up to the last window taken */
    struct des_histogram window;  /* the same since then (writer_take_window) */
    struct writer_call *ones;     /* all calls for one region: they live as long as the writer */
    struct writer_call *spare;    /* those of them that are to be used again */
    struct writer_call *under_way; /* calls for several regions, for the end of a run */
};

/* Borrows everything it is given. 0 or an enum model_error. */
struct writer_setup {
    struct model *model;
    const struct arrivals *arrivals;
    const struct keystream *keys;
    const struct spec_stream *stream;
    int table;
    des_time end;
    uint64_t seed;
};
int writer_init(struct writer *w, const struct writer_setup *setup);

/* Adds the present window's latencies to |window| (NULL: to none) and begins the next one. */
void writer_take_window(struct writer *w, struct des_histogram *window);

/* Schedules the first arrivals. */
void writer_start(struct writer *w);
void writer_free(struct writer *w);

/* Of the rows that have arrived by |now|: those in buffers that aren't full yet. */
uint64_t writer_buffered(const struct writer *w, des_time now);

/* Put.heapSize of a row with all columns of all families of the table. */
uint64_t writer_put_heap_bytes(const struct spec_table *t, size_t row_bytes);

/* Rows that have arrived by |now|. */
uint64_t writer_offered(const struct writer *w, des_time now);

#endif
