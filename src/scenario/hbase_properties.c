/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this version does not act on. Properties of HBase 2.6 that no row of the table of options models. Naming one of them in a
   scenario is refused as "not modelled", which tells more than "unknown". */
#include <string.h>

#include "scenario/key.h"

static const char *const properties[] = {
    "hbase.block.data.cachecompressed",
    "hbase.bucketcache.ioengine",
    "hbase.bucketcache.size",
    "hbase.cells.scanned.per.heartbeat.check",
    "hbase.client.backpressure.enabled",
    "hbase.client.keyvalue.maxsize",
    "hbase.client.max.perregion.tasks",
    "hbase.client.max.perrequest.heapsize",
    "hbase.client.max.perrequest.rows",
    "hbase.client.max.perserver.tasks",
    "hbase.client.max.submit.heapsize",
    "hbase.client.max.total.tasks",
    "hbase.client.meta.operation.timeout",
    "hbase.client.operation.timeout",
    "hbase.client.pause.server.overloaded",
    "hbase.client.perserver.requests.threshold",
    "hbase.client.scanner.timeout.period",
    "hbase.client.write.buffer.periodicflush.timeout.ms",
    "hbase.client.write.buffer.periodicflush.timertick.ms",
    "hbase.cluster.distributed",
    "hbase.defaults.for.version.skip",
    "hbase.dfs.client.read.shortcircuit.buffer.size",
    "hbase.hregion.compacting.memstore.type",
    "hbase.hregion.max.filesize.limit",
    "hbase.hregion.memstore.flush.size.limit",
    "hbase.hregion.memstore.mslab.enabled",
    "hbase.hregion.percolumnfamilyflush.size.lower.bound",
    "hbase.hregion.percolumnfamilyflush.size.lower.bound.min",
    "hbase.hregion.preclose.flush.size",
    "hbase.hregion.split.ignore.blocking.enabled",
    "hbase.hstore.blockingHFileSize",
    "hbase.hstore.compaction.kv.max",
    "hbase.hstore.compaction.max.size.offpeak",
    "hbase.hstore.compactionThreshold",
    "hbase.hstore.engine.class",
    "hbase.hstore.time.to.purge.deletes",
    "hbase.io.compress.snappy.codec",
    "hbase.ipc.client.tcpnodelay",
    "hbase.ipc.server.callqueue.handler.factor",
    "hbase.ipc.server.callqueue.read.ratio",
    "hbase.ipc.server.callqueue.scan.ratio",
    "hbase.ipc.server.max.callqueue.size",
    "hbase.master.balancer.decision.buffer.enabled",
    "hbase.master.balancer.stochastic.moveCost.offpeak",
    "hbase.master.balancer.stochastic.primaryRegionCountCost",
    "hbase.master.balancer.stochastic.rackLocalityCost",
    "hbase.master.balancer.stochastic.regionReplicaHostCostKey",
    "hbase.master.balancer.stochastic.regionReplicaRackCostKey",
    "hbase.master.info.port",
    "hbase.master.port",
    "hbase.normalizer.throughput.max_bytes_per_sec",
    "hbase.regionserver.checksum.verify",
    "hbase.regionserver.global.memstore.lowerLimit",
    "hbase.regionserver.global.memstore.upperLimit",
    "hbase.regionserver.hlog.blocksize",
    "hbase.regionserver.hlog.syncer.count",
    "hbase.regionserver.info.port",
    "hbase.regionserver.logroll.multiplier",
    "hbase.regionserver.logroll.period",
    "hbase.regionserver.metahandler.count",
    "hbase.regionserver.minibatch.size",
    "hbase.regionserver.offheap.global.memstore.size",
    "hbase.regionserver.port",
    "hbase.regionserver.thread.compaction.large",
    "hbase.regionserver.thread.compaction.small",
    "hbase.regionserver.thread.split",
    "hbase.regionserver.throughput.controller",
    "hbase.region.replica.replication.enabled",
    "hbase.rootdir",
    "hbase.rpc.rows.size.threshold.reject",
    "hbase.rpc.rows.warning.threshold",
    "hbase.rpc.timeout",
    "hbase.rs.cacheblocksonwrite",
    "hbase.server.compactchecker.interval.multiplier",
    "hbase.server.scanner.max.result.size",
    "hbase.server.thread.wakefrequency",
    "hbase.snapshot.enabled",
    "hbase.storescanner.parallel.seek.enable",
    "hbase.storescanner.pread.max.bytes",
    "hbase.systemtables.compacting.memstore.type",
    "hbase.table.sanity.checks",
    "hbase.tmp.dir",
    "hbase.unsafe.stream.capability.enforce",
    "hbase.wal.batch.size",
    "hbase.wal.hsync",
    "hbase.wal.provider",
    "hbase.zookeeper.property.clientPort",
    "hbase.zookeeper.quorum",
    "hfile.block.bloom.cacheonwrite",
    "hfile.block.cache.policy",
    "hfile.block.index.cacheonwrite",
    "hfile.format.version",
    "hfile.index.block.max.size",
    "io.storefile.bloom.block.size",
    "phoenix.query.force.rowkeyorder",
    "phoenix.query.threadPoolSize",
    "zookeeper.znode.parent",
};

#define PROPERTIES (sizeof properties / sizeof properties[0])

bool hbase_property_known(const char *name)
{
    for (size_t i = 0; i < PROPERTIES; i++) {
        if (strcmp(properties[i], name) == 0)
            return true;
    }
    return false;
}

const char *hbase_property_name(size_t i)
{
    return i < PROPERTIES ? properties[i] : NULL;
}

static const struct {
    const char *section, *key, *what;
} not_yet[] = {
    {"table", "region_replication", "replicas of regions are not modelled: each region has one copy"},
    {"table", "replicas", "replicas of regions are not modelled: each region has one copy"},
};

const char *scenario_not_yet(const char *section, const char *key)
{
    for (size_t i = 0; i < sizeof not_yet / sizeof not_yet[0]; i++) {
        if (strcmp(not_yet[i].section, section) == 0 &&
            (key ? not_yet[i].key && strcmp(not_yet[i].key, key) == 0 : !not_yet[i].key))
            return not_yet[i].what;
    }
    return NULL;
}
