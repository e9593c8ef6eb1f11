/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_CLUSTER_H
#define HBASE_BALANCE_CLUSTER_H

#include <stddef.h>
#include <stdint.h>

/* The cluster as a balancer sees it: which region is on which server, and what each region cost
   since the first remembered sample. Plain arrays owned by the caller; a balancer reads them and
   changes nothing. Servers, tables and regions are named by their index.

   Two orders matter. Server indices are taken as the order of the servers' names, in which HBase
   sorts them for a run over all tables (toEnsumbleTableLoad); by-table runs and ties among equally
   loaded servers follow the iteration order of a hash map, which is arbitrary but fixed: give it in
   |server_list|. On each server the regions come in the order of the region array; HBase holds them
   there in the byte order of their names ("t,\x01,..." before "t,,..."). */

enum balance_error {
    BALANCE_OK = 0,
    BALANCE_NO_MEMORY = -1,
    BALANCE_BAD_SERVER = -2,  /* a server index out of range, or no live server at all */
    BALANCE_BAD_REGION = -3,  /* a table out of range, or a load that is negative or not finite */
    BALANCE_BAD_OPTION = -4,  /* unknown property, or value out of its range */
    BALANCE_REPLICAS = -5     /* region replicas are not modelled */
};

enum balancer_server_state {
    BALANCER_SERVER_LIVE = 0,
    BALANCER_SERVER_DRAINING, /* online, but out of the balancer's view together with its regions */
    BALANCER_SERVER_DEAD
};

enum balancer_region_flags {
    /* Closed, in transition, or its table is disabled: not in the balancer's view. HBase has no
       region that is seen but may not be moved. */
    BALANCER_REGION_OFFLINE = 1u << 0,
    BALANCER_REGION_SYSTEM = 1u << 1, /* of a system table: cuts an assign batch short */
    BALANCER_REGION_META = 1u << 2    /* hbase:meta: SimpleLoadBalancer's second pass skips it */
};

struct balancer_region {
    uint32_t table;       /* index below balancer_cluster.n_tables */
    uint32_t server;      /* index below balancer_cluster.n_servers */
    uint32_t key_order;   /* rank in RegionInfo's order: table, start key, region id */
    uint32_t flags;       /* enum balancer_region_flags */
    int64_t region_id;    /* HBase's region id: when it was created, ms; a table's first regions */
                          /* share one. SimpleLoadBalancer moves the youngest first */
    double storefile_mb;  /* mean of the samples, StoreFileCostFunction */
    double storefile_last_mb; /* newest sample, weight of the locality costs */
    double write_rate;    /* requests a sample, see load.h */
    double read_rate;     /* the same */
    double memstore_rate; /* MB a sample, the same */
};

/* Share of a region's HDFS blocks that lies on a server. */
struct balancer_block_share {
    uint32_t region;
    uint32_t server;
    double share; /* 0..1 */
};

struct balancer_cluster {
    const struct balancer_region *regions;
    size_t n_regions;
    const uint8_t *server_state; /* enum balancer_server_state, NULL: all live */
    const uint32_t *server_list; /* the n_servers indices in hash order, NULL: 0, 1, 2, ... */
    uint32_t n_servers;
    uint32_t n_tables;
    const struct balancer_block_share *block_shares; /* in region order; NULL: locality unknown */
    size_t n_block_shares;                           /* (its costs are then 0) */
    uint32_t replicas; /* region replication; 0 and 1 mean none, else BALANCE_REPLICAS */
};

/* Checks every index and figure; where |at| is given it receives the offending region or server.
   Returns 0 or a negative enum balance_error. */
int balancer_cluster_check(const struct balancer_cluster *cluster, size_t *at);

/* Counts each server's regions in the balancer's view into |counts| (n_servers values). */
void balancer_cluster_counts(const struct balancer_cluster *cluster, uint32_t *counts);

#endif
