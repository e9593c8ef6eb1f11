/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a server does for a read: the processor time of an RPC, the blocks that it needs, which of them the
   block cache holds, and how long the RPC waits. Queries load servers as a share of their processor and of
   their disk (a fluid); a query that is timed meets that load, the writes' backlog, and other reads. */
#ifndef HBASE_MODEL_READ_H
#define HBASE_MODEL_READ_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "des/stream.h"
#include "hbase/model/model.h"

/* Utilisation at which the waits of reads are cut off: a queue that is full has no steady state. */
#define READ_SHARE_MOST 0.95

/* One RPC as its server sees it. */
struct read_rpc {
    uint32_t scan;            /* of the query */
    int region, server;
    bool opens;               /* seeks in every file */
    bool closes;              /* only a close */
    uint32_t gets;            /* Gets in it; 0: a scan's */
    uint32_t files;           /* store files of the region, all families */
    double file_reads;        /* of gets: files that are read */
    uint64_t cells;           /* looked at */
    uint64_t rows;            /* returned */
    uint64_t file_rows;       /* of the rows looked at, those that lie in files */
    uint64_t heap_bytes;      /* of the reply */
};

/* Processor time of the RPC. */
double read_cpu_ns(const struct spec_server *s, const struct read_rpc *rpc);

/* Data blocks that it needs: one of each file that it seeks in, and those that its rows fill. */
double read_blocks(const struct read_rpc *rpc, double row_bytes, double block_bytes);

/* Files that a Get of one row reads: without a bloom filter all of them; with it the row's own, where it
   isn't in the memstore, and |error_rate| of the others (StoreFileReader.passesBloomFilter). */
double read_get_files(uint32_t files, bool in_memstore, bool bloom, double error_rate);

/* Something that is read again and again: |bytes| of blocks, each referred to |per_s| times a second, at
   random times; |fresh| of them were never read before (just flushed: cacheblocksonwrite is off).
   |once|: a pass over the whole, block after block, as a full scan does. */
struct cache_class {
    double bytes, per_s, fresh;
    bool once;
    double hit;               /* out: share of the references that find their block */
};

/* LruBlockCache in the steady state. Blocks that are used again (multi) keep at least half of the cache
   against those that pass once (single); of what competes with its like, the least recently used leaves
   (Che's approximation: a block stays for a time T, the same for all). */
void read_cache_hits(double cache_bytes, struct cache_class *classes, size_t n);

/* Time until the server's processor has done the writes that it has now. */
double read_backlog_ns(const struct model *m, const struct server *s);

/* Part of the processor that writes have. Handlers and processor know no rank of reads and writes: where both
   ask for more than there is, each gets the part that it has in what is asked for; else the writes have all
   that reads leave. */
double read_write_part_beside(const struct server *s);
static inline double read_write_part(const struct server *s)
{
    return s->read_demand > 0 ? read_write_part_beside(s) : 1;
}

/* Wait behind other reads, drawn: they hold the processor for read_share of the time (M/G/1). */
double read_wait_ns(const struct server *s, struct des_stream *draws);

/* The load that queries put on a server from now on. |cpu_share| may exceed 1: reads alone saturate it. */
struct read_load {
    double cpu_share, residual_ns, disk_bytes_per_s;
};
void read_set_load(struct model *m, int server, const struct read_load *load);

#endif
