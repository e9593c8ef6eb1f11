/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <string.h>

#include "result/format.h"
#include "result/number.h"
#include "why/why.h"

/* Where HBase has the rule, and what it says. |rule| NULL: any other of that kind. */
static const struct {
    const char *kind, *rule;
    const char *class_of;             /* of HBase 2.6, with the method */
    const char *property;             /* NULL = none */
    const char *words;
} rules[] = {
    {"split", "SteppingSplitPolicy", "SteppingSplitPolicy.getSizeToCheck",
     "hbase.hregion.memstore.flush.size, hbase.hregion.max.filesize",
     "a region that is the only one of its table on its server splits at twice the flush size, any other at the "
     "maximal file size with the jitter drawn as it opened"},
    {"split", "ConstantSizeRegionSplitPolicy", "ConstantSizeRegionSplitPolicy.shouldSplit", "hbase.hregion.max.filesize",
     "a region splits when a store exceeds the maximal file size with the jitter drawn as it opened"},
    {"split", "by hand", "MasterRpcServices.splitRegion", NULL, "somebody asked for it"},
    {"split", NULL, "IncreasingToUpperBoundRegionSplitPolicy.getSizeToCheck",
     "hbase.hregion.memstore.flush.size, hbase.hregion.max.filesize",
     "the limit is twice the flush size times the cube of the table's regions on the server, at most the maximal "
     "file size"},
    {"flush", "hbase.hregion.memstore.flush.size", "HRegion.isFlushSize", "hbase.hregion.memstore.flush.size",
     "the heap of all stores of the region exceeds the flush size"},
    {"flush", "hbase.regionserver.global.memstore.size", "MemStoreFlusher.flushOneForGlobalPressure",
     "hbase.regionserver.global.memstore.size.lower.limit",
     "all memstores of the server together passed the low mark: the largest region is flushed, whatever its size"},
    {"flush", "hbase.regionserver.optionalcacheflushinterval", "HRegion.shouldFlush",
     "hbase.regionserver.optionalcacheflushinterval, hbase.regionserver.periodicmemstoreflusher.rangeofdelayseconds",
     "a chore found an edit in the memstore older than the interval; the flush comes after a random delay"},
    {"flush", "hbase.regionserver.flush.per.changes", "HRegion.shouldFlush", "hbase.regionserver.flush.per.changes",
     "a chore found more edits since the region's last flush than this; the flush comes after a random delay"},
    {"flush", "hbase.regionserver.maxlogs", "AbstractFSWAL.findRegionsToForceFlush", "hbase.regionserver.maxlogs",
     "more files of the write-ahead log are kept than this, and the region has an edit in the oldest that no flush has "
     "written: its flush lets the file go"},
    {"flush", "region closes", "HRegion.doClose", NULL,
     "a region that closes for a split, a move or the end of its server takes its memstore to a file first"},
    {"flush", NULL, "HRegion.flush", NULL, "somebody asked for it"},
    {"flush postponed", NULL, "MemStoreFlusher.flushRegion", "hbase.hstore.blockingStoreFiles, hbase.hstore.blockingWaitTime",
     "a store with that many files gets no further one until a compaction has run, or the wait is over"},
    {"refusal", NULL, "HRegion.checkResources", "hbase.hregion.memstore.block.multiplier",
     "a memstore beyond the flush size times the multiplier takes no row: RegionTooBusyException, and a flush is asked "
     "for; the refusals until that flush are not listed one by one"},
    {"updates blocked", NULL, "MemStoreFlusher.reclaimMemStoreMemory", "hbase.regionserver.global.memstore.size",
     "all memstores of the server together reached the limit: writes wait until a flush brings them below"},
    {"updates resumed", NULL, "MemStoreFlusher.reclaimMemStoreMemory", "hbase.regionserver.global.memstore.size",
     "a flush brought all memstores of the server together below the limit"},
    {"log flush", NULL, "AbstractFSWAL.findRegionsToForceFlush", "hbase.regionserver.maxlogs",
     "the log was rolled and more files are kept than this: the regions with edits in the oldest are asked to flush"},
    {"compaction", "references first", "SortedCompactionPolicy.selectCompaction", NULL,
     "a store that holds references to its parent's files is rewritten before anything else"},
    {"compaction", NULL, "ExploringCompactionPolicy.applyCompactionPolicy",
     "hbase.hstore.compaction.min, .max, .ratio, .min.size",
     "of all runs of neighbouring files, min to max of them, in which no file exceeds ratio times the others together "
     "(or that are below min.size together), the one with most files is taken, the smaller one of equals"},
    {"balancer", "idle-server", "StochasticLoadBalancer.needsBalance", NULL,
     "a server without a region beside one with several starts a run, whatever the costs"},
    {"balancer", "slop", "BaseLoadBalancer.sloppyRegionServerExist", "hbase.regions.slop",
     "a server whose count of regions is outside the average times 1 -+ slop starts a run, whatever the costs"},
    {"balancer", "cost", "StochasticLoadBalancer.needsBalance", "hbase.master.balancer.stochastic.minCostNeedBalance",
     "the weighted costs, divided by the sum of the weights, reach the minimum"},
    {"balancer", "cost-balanced", "StochasticLoadBalancer.needsBalance",
     "hbase.master.balancer.stochastic.minCostNeedBalance",
     "the weighted costs, divided by the sum of the weights, stay below the minimum, and no count is outside slop"},
    {"balancer", "hbase.balancer.max.balancing", "HMaster.executeRegionPlansWithThrottling",
     "hbase.balancer.max.balancing", "a run stops when its time is over; the next one goes on"},
    {"balancer", NULL, "HMaster.balance", NULL, "the master asks its preconditions, and then each balancer its own"},
    {"move", "balancer plan", "HMaster.executeRegionPlansWithThrottling", NULL,
     "the last run of the balancer before it planned this move"},
    {"move", NULL, "TransitRegionStateProcedure", NULL, "the scenario asks for it, or for what brings it about"},
    {"split refused", "by hand", "MasterRpcServices.splitRegion", NULL, "somebody asked for it, and it can't be done now"},
    {"split refused", NULL, "HStore.getSplitPoint", NULL,
     "a store is above its policy's limit, and no key of its largest file can cut the region: a row is never split"},
    {"merge refused", NULL, "MergeTableRegionsProcedure", NULL, "somebody asked for it, and it can't be done now"},
    {"warning", NULL, NULL, NULL, "a finding of saltplan: HBase does what was asked, and it costs something"},
    {"normalizer", NULL, "SimpleRegionNormalizer.computePlansForTable",
     "hbase.normalizer.merge.min.region.count, .merge.min_region_age.days, .merge.min_region_size.mb",
     "a region above twice the average size is split; neighbours that are together no larger than it are merged"},
    {"emptied", NULL, "HStore.removeUnneededFiles", "TTL",
     "all that the region held has expired: it stays, empty, until somebody merges it"},
    {"balancer switch", NULL, "HMaster.balanceSwitch", NULL, "the scenario says so"},
    {"create table", NULL, "CreateTableProcedure", NULL, "the scenario says so, or the next table of a row by time begins"},
    {"drop table", NULL, "DeleteTableProcedure", NULL, "the scenario says so, or its retention is over"},
    {"add server", NULL, "ServerManager.regionServerStartup", NULL, "the scenario says so"},
    {"drain", NULL, "HMaster.decommissionRegionServers", NULL, "the scenario says so"},
    {"restart", NULL, "graceful_stop.sh", NULL, "the scenario says so: its regions leave first, one after the other"},
    {"restarted", NULL, "graceful_stop.sh", NULL, "the scenario says so: its regions left, and come back one after the other"},
    {"merge", NULL, "MergeTableRegionsProcedure", NULL, "somebody asked for it, or the normalizer"},
    {"lose server", NULL, "ServerCrashProcedure", NULL, "the scenario says so"},
    {"lose refused", NULL, NULL, NULL, "the scenario loses a server that isn't there"},
    {"recovered", NULL, "ServerCrashProcedure", NULL, "its regions were assigned again after their log was split"},
    {"cure", NULL, NULL, NULL, "a recommendation of saltplan: the placement's remaining moves or the setting that would do"},
    {NULL, NULL, NULL, NULL, NULL},
};

const char *why_kind(size_t i)
{
    return i < sizeof rules / sizeof *rules ? rules[i].kind : NULL;
}

static size_t rule_of(const struct result_event *ev)
{
    size_t i = 0;

    while (rules[i].kind && (strcmp(rules[i].kind, ev->kind) != 0 ||
                             (rules[i].rule && (!ev->rule || strcmp(rules[i].rule, ev->rule) != 0))))
        i++;
    return i;
}

static void field(FILE *to, const char *name, const char *text)
{
    fprintf(to, "  %-10s %s\n", name, text);
}

static void head(const struct result_run *run, const struct result_event *ev, FILE *to)
{
    const char *table = result_table_name(run, ev->table), *server = result_server_name(run, ev->server);
    char at[FORMAT_CAP];

    fprintf(to, "event %d at %s: %s", ev->id, format_time(ev->at_s, at), ev->kind);
    if (ev->region >= 0 && (size_t)ev->region < run->regions_len) {
        const struct result_region *reg = &run->regions[ev->region];

        fprintf(to, " of region %d, %s [%s, %s)", ev->region, table ? table : "of another table",
                reg->start ? reg->start : "", reg->end ? reg->end : "");
    } else if (table) {
        fprintf(to, " of %s", table);
    }
    if (server)
        fprintf(to, " on %s", server);
    if (result_server_name(run, ev->to_server))
        fprintf(to, " to %s", result_server_name(run, ev->to_server));
    fputc('\n', to);
}

static void inputs(const struct result_event *ev, FILE *to)
{
    char number[RESULT_NUMBER_CAP];

    for (size_t i = 0; ev->inputs && ev->inputs[i].name; i++) {
        number[result_number_text(ev->inputs[i].value, number)] = '\0';
        fprintf(to, "  %-10s %s = %s\n", i == 0 ? "inputs" : "", ev->inputs[i].name, number);
    }
    if (!isnan(ev->threshold)) {
        number[result_number_text(ev->threshold, number)] = '\0';
        field(to, "threshold", number);
    }
    if (ev->files)
        field(to, "files", ev->files);
}

/* Other ways that were open, and why they weren't taken. */
static void rejected(const struct result_event *ev, FILE *to)
{
    const double lo = result_event_input(ev, "count_min"), hi = result_event_input(ev, "count_max");

    if (strcmp(ev->kind, "compaction") == 0 && ev->files) {
        const double first = result_event_input(ev, "first"), count = result_event_input(ev, "files");
        double all = 1;

        for (const char *at = ev->files; *at; at++)
            all += *at == ' ';
        if (count < all)
            fprintf(to, "  %-10s the other %.0f of %.0f files (%.0f older, %.0f newer)\n", "rejected", all - count, all, first,
                    all - count - first);
        return;
    }
    if (strcmp(ev->kind, "balancer") != 0 || isnan(lo))
        return;
    if (strcmp(ev->rule, "idle-server") != 0)
        fprintf(to, "  %-10s idle-server: the least loaded has %.0f regions, the most loaded %.0f\n", "rejected", lo, hi);
    if (strcmp(ev->rule, "idle-server") != 0 && strcmp(ev->rule, "slop") != 0)
        fprintf(to, "  %-10s slop: counts %.0f to %.0f lie within %.0f to %.0f\n", "", lo, hi,
                result_event_input(ev, "count_floor"), result_event_input(ev, "count_ceil"));
    if (strcmp(ev->rule, "cost-balanced") == 0)
        fprintf(to, "  %-10s cost: %.4f is below %.4f\n", "", result_event_input(ev, "imbalance"), ev->threshold);
}

/* The balancer's run that planned a move. */
static const struct result_event *planner(const struct result_run *run, const struct result_event *ev)
{
    for (size_t i = (size_t)ev->id + 1; i-- > 0;) {
        const struct result_event *other = &run->events[i];

        if (strcmp(other->kind, "balancer") == 0 && result_event_input(other, "moves_planned") > 0 &&
            (other->table < 0 || other->table == ev->table))
            return other;
    }
    return NULL;
}

int why_tell(const struct result_run *run, const struct result_event *ev, FILE *to)
{
    const size_t r = rule_of(ev);
    char said[200];

    head(run, ev, to);
    if (ev->text)
        field(to, "what", ev->text);
    if (ev->rule)
        field(to, "rule", ev->rule);
    if (rules[r].words)
        field(to, "meaning", rules[r].words);
    if (rules[r].class_of)
        field(to, "HBase 2.6", rules[r].class_of);
    if (rules[r].property)
        field(to, "property", rules[r].property);
    inputs(ev, to);
    rejected(ev, to);
    if (strcmp(ev->kind, "move") == 0 && ev->rule && strcmp(ev->rule, "balancer plan") == 0 && planner(run, ev))
        fprintf(to, "  %-10s event %d: %s\n", "because of", planner(run, ev)->id, planner(run, ev)->text);
    switch (why_ask(ev, said, sizeof said)) {
    case WHY_SAME:
        fprintf(to, "  %-10s the same inputs give the same answer: %s\n", "asked again", said);
        break;
    case WHY_DIFFERENT:
        fprintf(to, "  %-10s NOT the same answer: %s\n", "asked again", said);
        break;
    case WHY_NOTHING_TO_ASK:
        break;
    }
    return ferror(to) ? -1 : 0;
}
