/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A client's pass over its buffer: which rows go now, grouped by server and region into calls. The
   inner part of src/client/writer.c. */
#ifndef CLIENT_PASS_H
#define CLIENT_PASS_H

#include "client/writer.h"

struct client {
    struct writer *w;
    int index;
    uint64_t taken;              /* own rows taken from the stream so far */
    uint64_t *rows;              /* buffered rows, oldest first */
    size_t rows_len, rows_cap;
    uint64_t *sorted;            /* the rows of the pass, by server and region */
    struct key_route *routes;
    struct keystream_clock clock; /* of the last row located */
    struct key_route *ahead;     /* without a buffer: routes of the next rows, which follow from the stream alone */
    unsigned ahead_at, ahead_len;
    int *region;                 /* of each buffered row */
    int *touched;                /* regions of the pass */
    size_t touched_cap;
    uint32_t *server_rows;       /* of the pass, by server */
    uint32_t *errors;            /* refused calls of this submission, by server */
    unsigned waiting;            /* calls and retries of the submission that aren't answered */
    des_time submitted;
    uint64_t wanted;             /* rows that the next arrival brings */
    uint32_t slot;               /* next arrival */
};

/* A call and what the client remembers of it. */
struct writer_call {
    struct call call;
    struct client *client;
    struct region_action *actions;
    uint64_t *own_rows;          /* of a retry, or of a one-row call; else NULL */
    uint64_t one_row;
    struct region_action one_action;
    uint32_t tries;
    des_time submitted;          /* first hand-over of its rows */
    size_t retry_rows;           /* rows in own_rows that wait for their pause */
    size_t lookups;              /* of them, regions that are sought in hbase:meta then */
    struct writer_call *next, *prev; /* in writer.under_way or writer.spare */
    struct writer_call *older;   /* in writer.ones */
    struct writer_call *grouped; /* the next call of one submission */
};

/* A call for |actions| regions of |server|; the writer owns it. NULL without memory (the model has then
   failed). */
struct writer_call *call_new(struct client *c, int server, size_t actions);
/* It is answered for good; a call for one region is kept for later use. */
void call_drop(struct writer_call *wc);
void call_free(struct writer_call *wc);

/* The server's answer (writer.c). */
void call_replied(struct call *call);

/* Finds each row's region, into c->region. The client's view of the table is up to date: a stale
   location costs a refused call in any case, since the region is away then. */
void pass_locate(struct client *c, const uint64_t *rows, size_t n);

/* SimpleRequestController's pass over the buffer: rows beyond a server's limits get region -1. */
void pass_choose(struct client *c);

/* Groups |n| rows whose regions are in c->region (-1: not in this pass) into |sorted| and one call a
   server. The calls come back in a list in the order of the servers. */
struct writer_call *pass_group(struct client *c, const uint64_t *rows, size_t n, uint64_t *sorted);

/* What isn't in the pass stays in the buffer, in order. */
void pass_keep_rest(struct client *c);

#endif
