/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_ASSIGN_H
#define HBASE_BALANCE_ASSIGN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "hbase/balance/cluster.h"
#include "hbase/balance/draw.h"

/* Which server a region opens on when no balancer has been asked (BaseLoadBalancer,
   AssignmentManager, ServerCrashProcedure, CreateTableProcedure of HBase 2.6; recordings in
   truth/placement). Everything here works on the list of destination servers in the order in which
   the master holds it. That order comes from a hash set: arbitrary, but fixed as long as the set of
   servers is. Each server gets one random hash when it is added and keeps it
   (assign_sort_servers), so that the list of the survivors keeps its order too. */

struct assign_servers {
    const uint32_t *id; /* destination servers in list order */
    uint32_t count;
    /* Regions that each server last reported, by position in |id|: randomAssignment prefers servers
       that report none. NULL: nobody is known to be idle. Up to 3 s (msginterval) stale for real. */
    const uint32_t *reported_regions;
};

enum { ASSIGN_DEFAULT_POOL = 16 }; /* hbase.hregion.open.and.init.threads.max */

/* Sorts |n| server indices by their hash (hash[id]), ties by index: the master's server list. */
void assign_sort_servers(const uint64_t *hash, uint32_t *id, size_t n);

/* BaseLoadBalancer.roundRobinAssignment: position p of the list goes to server (s0 + p) mod S, with
   s0 uniform. Loads are not looked at. Writes |n| server indices. This and all below return 0,
   BALANCE_BAD_SERVER where there is no server, or BALANCE_NO_MEMORY. */
int assign_round_robin(const struct assign_servers *servers, const struct balance_draw *draw,
                       size_t n, uint32_t *server);

/* Order in which CreateTableProcedure hands |n| new regions to the balancer: the order in which
   min(n, pool) threads finished making their directories (ModifyRegionUtils.createRegions).
   order[p] = region at position p. With pool = 1 it is key order. Returns 0 or BALANCE_NO_MEMORY. */
int assign_creation_order(const struct balance_draw *draw, size_t n, uint32_t pool,
                          uint32_t *order);

/* createTable: server[i] of region i in key order, through the two functions above. */
int assign_create_table(const struct assign_servers *servers, const struct balance_draw *draw,
                        size_t n, uint32_t pool, uint32_t *server);

/* BaseLoadBalancer.randomAssignment, for a single region: the idle servers if there are any, else
   all; uniform among them. */
int assign_random(const struct assign_servers *servers, const struct balance_draw *draw,
                  uint32_t *server);

/* BaseLoadBalancer.retainAssignment (enable, restart, retained crash): server[i] holds the last
   server of region i and receives the new one: the same where it is in the list, else random. */
int assign_retain(const struct assign_servers *servers, const struct balance_draw *draw, size_t n,
                  uint32_t *server);

/* A region of the assign queue. */
struct assign_request {
    uint32_t key_order; /* rank in RegionInfo's order */
    uint32_t flags;     /* enum balancer_region_flags */
    int64_t queued_us;  /* when it was queued, ascending */
};

/* AssignmentManager's queue: the thread wakes at the first request, waits wait_us for more, stops
   waiting at max_size requests or at a system region, and takes all that is there. */
struct assign_queue {
    int64_t wait_us;   /* hbase.assignment.dispatch.wait.msec = 150 ms */
    uint32_t max_size; /* hbase.assignment.dispatch.wait.queue.max.size = 100 */
};

void assign_queue_init(struct assign_queue *queue);

/* Length of the batch that begins at |requests| (n >= 1), and when it is dealt out. */
size_t assign_queue_batch(const struct assign_queue *queue, const struct assign_request *requests,
                          size_t n, int64_t *dealt_us);

/* One batch without a retained server (crash, forceNewPlan, a region never assigned): sorted by key
   and striped over the servers from an offset of its own. A batch of one is a uniform pick. */
int assign_batch(const struct assign_servers *servers, const struct balance_draw *draw,
                 const struct assign_request *requests, size_t n, uint32_t *server);

struct assign_crash_set {
    const struct assign_request *requests; /* in queue order */
    size_t n;
};

/* The regions of a lost server, in queue order, cut into batches by |queue|; each is dealt by
   assign_batch. |servers| must not hold the lost one. */
int assign_crash(const struct assign_servers *servers, const struct balance_draw *draw,
                 const struct assign_queue *queue, const struct assign_crash_set *set,
                 uint32_t *server);

/* Daughters of a split: both on the parent's server, or, with
   hbase.master.auto.separate.child.regions.after.split.enabled, the second on one of the others
   (uniform; on the parent's where there is no other). */
int assign_split_daughters(const struct assign_servers *servers, const struct balance_draw *draw,
                           uint32_t parent_server, bool separate, uint32_t daughter_server[2]);

/* A merged region opens on the server of the parent with the lowest start key; |parents| in key
   order. */
uint32_t assign_merged(const uint32_t *parent_servers, size_t n);

/* `move` without a target: randomAssignment over all servers but the region's own. Returns
   BALANCE_BAD_SERVER where there is no other. */
int assign_move(const struct assign_servers *servers, const struct balance_draw *draw,
                uint32_t from, uint32_t *server);

#endif
