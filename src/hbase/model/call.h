/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A multi call: rows for one or more regions of one server, as a client sends it (RSRpcServices.multi).
   The server gives it a handler or queues it; the handler runs the regions one after the other: gate,
   CPU time for the rows (one FIFO a server), WAL sync, memstore. Each region answers for itself. */
#ifndef HBASE_MODEL_CALL_H
#define HBASE_MODEL_CALL_H

#include <stdint.h>

#include "hbase/model/model.h"

enum answer {
    ANSWER_NONE,
    ANSWER_OK,
    ANSWER_NOT_SERVING,   /* NotServingRegionException: split or moved away, or on its way */
    ANSWER_TOO_BUSY,      /* RegionTooBusyException: memstore over its blocking size */
    ANSWER_QUEUE_FULL,    /* CallQueueTooBigException */
    ANSWER_CONNECTION_LOST /* its server is dead, or died with the call inside */
};

struct region_action {
    int region;
    uint32_t rows;
    uint64_t first;       /* index of its first row in call.rows */
    enum answer answer;
};

/* Owned by the client from model_send until |replied| has returned. */
struct call {
    int server;
    int table;
    struct region_action *actions;
    size_t actions_len;
    const uint64_t *rows; /* the stream's row numbers, action after action; NULL: 0, 1, 2 ... */
    struct key_source source;
    size_t row_bytes;     /* of each row; 0: they differ */
    des_time span;        /* its rows came in evenly over so long until now; 0: all now */
    void (*replied)(struct call *call);
    void *client;
    des_time handed_over; /* the client's */
    /* the server's */
    struct model *model;
    size_t at;
    bool held;            /* waits at the global memstore limit */
    struct call *next, *prev;
    struct call *syncing_next;
    des_time synced_at;
    uint64_t ticket;      /* of the event at |synced_at| */
};

/* Hands the call over now. Its answers are in its actions when |replied| runs, which may be before
   model_send returns only if the queue is full. */
void model_send(struct model *m, struct call *call);

/* The number that the call's source knows row |i| by. */
static inline uint64_t call_row(const struct call *c, uint64_t i)
{
    return c->rows ? c->rows[i] : i;
}

/* Writes the rows of |action| into its region's memstore now, past gates, queues and CPU: for writers
   without calls (client/fluid.h). */
void model_write(struct model *m, struct call *call, struct region_action *action);

/* Whether the server's memstores have reached the global limit: its handlers wait then until a flush has
   ended. For writers without calls. */
bool model_blocks_updates(struct model *m, int server);

/* Counts an attempt that a region refused because its memstore is too large, and asks for its flush. */
void model_refuse(struct model *m, struct region *r);

/* Runs after rows came into a region's memstore: what a sample of written keys is taken from. */
struct model_tap {
    void (*written)(void *context, const struct call *call, const struct region_action *action);
    void *context;
};
void model_set_tap(struct model *m, struct model_tap tap);

#endif
