/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/balance/options.h"

#include <math.h>
#include <string.h>

#include "hbase/balance/cluster.h"

#define AT(field) offsetof(struct balancer_options, field)
#define COST(index) (AT(multiplier) + (index) * sizeof(double))
#define SLB "hbase.master.balancer.stochastic."

static const struct balancer_property properties[] = {
    {SLB "regionCountCost", "weight of the regions' count on each server", 500, 0, 1e9,
     COST(BALANCER_COST_REGION_COUNT), BALANCER_FLOAT},
    {SLB "primaryRegionCountCost", "weight of primaries (replicas only)", 500, 0, 1e9,
     COST(BALANCER_COST_PRIMARY_REGION_COUNT), BALANCER_FLOAT},
    {SLB "moveCost", "weight of each move", 7, 0, 1e9, COST(BALANCER_COST_MOVE), BALANCER_FLOAT},
    {SLB "moveCost.offpeak", "the same in off-peak hours", 3, 0, 1e9, AT(move_cost_offpeak),
     BALANCER_FLOAT},
    {SLB "localityCost", "weight of files that lie on another server", 25, 0, 1e9,
     COST(BALANCER_COST_SERVER_LOCALITY), BALANCER_FLOAT},
    {SLB "rackLocalityCost", "weight of files that lie in another rack", 15, 0, 1e9,
     COST(BALANCER_COST_RACK_LOCALITY), BALANCER_FLOAT},
    {SLB "tableSkewCost", "weight of each table's spread", 35, 0, 1e9,
     COST(BALANCER_COST_TABLE_SKEW), BALANCER_FLOAT},
    {SLB "regionReplicaHostCostKey", "weight of replicas on one host", 100000, 0, 1e9,
     COST(BALANCER_COST_REPLICA_HOST), BALANCER_FLOAT},
    {SLB "regionReplicaRackCostKey", "weight of replicas in one rack", 10000, 0, 1e9,
     COST(BALANCER_COST_REPLICA_RACK), BALANCER_FLOAT},
    {SLB "readRequestCost", "weight of reads", 5, 0, 1e9, COST(BALANCER_COST_READ),
     BALANCER_FLOAT},
    {SLB "writeRequestCost", "weight of writes", 5, 0, 1e9, COST(BALANCER_COST_WRITE),
     BALANCER_FLOAT},
    {SLB "memstoreSizeCost", "weight of memstore growth", 5, 0, 1e9, COST(BALANCER_COST_MEMSTORE),
     BALANCER_FLOAT},
    {SLB "storefileSizeCost", "weight of store file sizes", 5, 0, 1e9,
     COST(BALANCER_COST_STOREFILE), BALANCER_FLOAT},
    {SLB "minCostNeedBalance", "imbalance from which a run starts (0.05 before 2.4.5)", 0.025, 0, 1e9,
     AT(min_cost_need_balance), BALANCER_FLOAT},
    {SLB "maxMovePercent", "share of the regions that one run may move", 1, 0, 1,
     AT(max_move_percent), BALANCER_FLOAT},
    {SLB "maxSteps", "most steps of a walk", 1000000, 0, 2147483647, AT(max_steps), BALANCER_UINT},
    {SLB "stepsPerRegion", "steps for each region and server", 800, 0, 2147483647,
     AT(steps_per_region), BALANCER_UINT},
    {SLB "runMaxSteps", "take the larger of the two step limits", 0, 0, 1, AT(run_max_steps),
     BALANCER_BOOL},
    {SLB "maxRunningTime", "time limit of a walk; told, not obeyed", 30000, 0, 1e15,
     AT(max_running_us), BALANCER_MS},
    {"hbase.master.loadbalance.bytable", "balance each table for itself", 0, 0, 1, AT(by_table),
     BALANCER_BOOL},
    {"hbase.regions.slop", "tolerated share above or below the average; negative: no such gate",
     0.2, -1, 1e6, AT(slop), BALANCER_FLOAT},
    {"hbase.regions.overallSlop", "the same over all tables (SimpleLoadBalancer)", (double)NAN, 0, 1e6,
     AT(overall_slop), BALANCER_FLOAT},
    {"hbase.balancer.period", "time between runs", 300000, 1, 1e15, AT(period_us), BALANCER_MS},
    {"hbase.balancer.max.balancing", "time in which a run's moves are submitted; -1: the period",
     -1, -1, 1e15, AT(max_balancing_us), BALANCER_MS},
    {"hbase.master.balancer.maxRitPercent", "share of the regions in transition at once", 1, 0, 1,
     AT(max_rit_percent), BALANCER_DOUBLE},
    {"hbase.balancer.statusPeriod", "time between load samples", 60000, 1, 1e15,
     AT(status_period_us), BALANCER_MS},
};

const struct balancer_property *balancer_properties(size_t *count)
{
    *count = sizeof(properties) / sizeof(properties[0]);
    return properties;
}

static void store(struct balancer_options *options, const struct balancer_property *p,
                  double value)
{
    char *field = (char *)options + p->offset;
    switch (p->type) {
    case BALANCER_FLOAT:
        *(double *)(void *)field = (double)(float)value;
        break;
    case BALANCER_DOUBLE:
        *(double *)(void *)field = value;
        break;
    case BALANCER_UINT:
        *(uint64_t *)(void *)field = (uint64_t)value;
        break;
    case BALANCER_BOOL:
        *(bool *)(void *)field = value != 0;
        break;
    case BALANCER_MS:
        *(int64_t *)(void *)field = (int64_t)(value * 1000);
        break;
    }
}

void balancer_options_init(struct balancer_options *options)
{
    memset(options, 0, sizeof(*options));
    options->kind = BALANCER_STOCHASTIC;
    for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]); i++)
        store(options, &properties[i], properties[i].value);
}

int balancer_options_set(struct balancer_options *options, const char *name, double value)
{
    for (size_t i = 0; i < sizeof(properties) / sizeof(properties[0]); i++) {
        const struct balancer_property *p = &properties[i];
        if (strcmp(p->name, name) != 0)
            continue;
        if (!(value >= p->min && value <= p->max))
            return BALANCE_BAD_OPTION;
        if ((p->type == BALANCER_UINT || p->type == BALANCER_BOOL) && value != floor(value))
            return BALANCE_BAD_OPTION;
        store(options, p, value);
        return BALANCE_OK;
    }
    return BALANCE_BAD_OPTION;
}

int balancer_kind_parse(const char *text, enum balancer_kind *kind)
{
    static const struct {
        const char *name;
        enum balancer_kind kind;
    } kinds[] = {
        {"StochasticLoadBalancer", BALANCER_STOCHASTIC},
        {"SimpleLoadBalancer", BALANCER_SIMPLE},
        {"stochastic", BALANCER_STOCHASTIC},
        {"simple", BALANCER_SIMPLE},
        {"off", BALANCER_OFF},
    };
    static const char package[] = "org.apache.hadoop.hbase.master.balancer.";

    if (strncmp(text, package, sizeof(package) - 1) == 0)
        text += sizeof(package) - 1;
    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
        if (strcmp(text, kinds[i].name) == 0) {
            *kind = kinds[i].kind;
            return BALANCE_OK;
        }
    return BALANCE_BAD_OPTION;
}

const char *balancer_cost_name(enum balancer_cost cost)
{
    static const char *const names[BALANCER_COSTS] = {
        "RegionCountSkew", "PrimaryRegionCountSkew", "Move",         "ServerLocality",
        "RackLocality",    "TableSkew",              "RegionReplicaHost", "RegionReplicaRack",
        "ReadRequest",     "WriteRequest",           "MemStoreSize", "StoreFile",
    };
    return (unsigned)cost < BALANCER_COSTS ? names[cost] : "?";
}
