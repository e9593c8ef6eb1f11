/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "draw.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define COUNT(list) (int)(sizeof(list) / sizeof(list)[0])

static const char *const layouts[] = {"ts:be64 device:fixed(16)", "device:fixed(16) ts:be64", "seq:dec(12)",
                                      "seq:revdec(12)", "device:be32 ts:rts", "ts:be64 device:be32 seq:be64"};
static const char *const salts[] = {"arrays-hash floorMod", "phoenix", "murmur3 unsigned", "none"};
static const char *const policies[] = {"SteppingSplitPolicy", "IncreasingToUpperBoundRegionSplitPolicy",
                                       "ConstantSizeRegionSplitPolicy", "DisabledRegionSplitPolicy"};
static const char *const popularities[] = {"uniform", "zipf 0.99", "hot 1 30%"};
static const char *const events[] = {"", "balance", "add server", "lose server rs00", "restart rs01", "drain rs01",
                                     "balancer off"};

static uint64_t next(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));

    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

static int from(uint64_t *state, int lo, int hi)
{
    return lo + (int)(next(state) % (uint64_t)(hi - lo + 1));
}

/* Flush sizes are small beside the rates, so that files, compactions, splits and refusals come; with few
   files allowed on a slow disk flushes are postponed. */
void draw_scenario(uint64_t seed, struct drawn *out)
{
    uint64_t s = seed * UINT64_C(0xd1342543de82ef95) + 1;

    *out = (struct drawn){.seed = seed};
    out->servers = from(&s, 2, 12);
    out->background = from(&s, 0, 3) == 0 ? from(&s, 1, 20) : 0;
    out->layout = from(&s, 0, COUNT(layouts) - 1);
    out->salt = from(&s, 0, COUNT(salts) - 1);
    out->buckets = from(&s, 1, 30);
    out->splits = from(&s, 0, 2);
    out->value_bytes = from(&s, 1, 400);
    out->families = from(&s, 1, 2);
    out->rate_per_s = from(&s, 500, 8000);
    out->clients = from(&s, 1, 8);
    out->buffered = from(&s, 0, 1);
    out->popularity = from(&s, 0, COUNT(popularities) - 1);
    out->seconds = from(&s, 20, 60);
    out->flush_kib = 1024 * from(&s, 1, 4);
    out->max_file_mib = from(&s, 4, 64);
    out->policy = from(&s, 0, COUNT(policies) - 1);
    out->blocking_files = from(&s, 0, 1) ? from(&s, 2, 5) : from(&s, 6, 16);
    out->disk_kb_per_s = from(&s, 0, 1) == 0 ? from(&s, 300, 2000) : 100000;
    out->capacity_per_s = from(&s, 0, 3) == 0 ? from(&s, 500, 2000) : 20000;
    out->event = from(&s, 0, COUNT(events) - 1);
    out->query = from(&s, 0, 1);
    out->period_s = from(&s, 10, 60);
}

static void put(char *text, size_t cap, size_t *len, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static void put(char *text, size_t cap, size_t *len, const char *fmt, ...)
{
    va_list args;
    int n;

    if (*len >= cap)
        return;
    va_start(args, fmt);
    n = vsnprintf(text + *len, cap - *len, fmt, args);
    va_end(args);
    *len += n > 0 ? (size_t)n : 0;
}

size_t draw_text(const struct drawn *d, char *text, size_t cap)
{
    const int salted = strcmp(salts[d->salt], "none") != 0;
    size_t len = 0;

    put(text, cap, &len, "; drawn from seed %" PRIu64 "\n[scenario]\nseed = %" PRIu64 "\nduration = %ds\ndetail = write\n"
        "compare = %s\n", d->seed, d->seed, d->seconds, salted ? "none" : "no");
    put(text, cap, &len, "[cluster]\nservers = %d\nbackground = %d regions per server\n", d->servers, d->background);
    put(text, cap, &len, "[server]\nwrite_capacity = %d/s\ndisk = %dkB/s\n", d->capacity_per_s, d->disk_kb_per_s);
    put(text, cap, &len, "[hbase]\nhbase.hregion.memstore.flush.size = %d\nhbase.hregion.max.filesize = %d\n",
        d->flush_kib * 1024, d->max_file_mib * 1048576);
    put(text, cap, &len, "hbase.regionserver.region.split.policy = %s\nhbase.hstore.blockingStoreFiles = %d\n"
        "hbase.balancer.period = %d\n", policies[d->policy], d->blocking_files, d->period_s * 1000);
    put(text, cap, &len, "[table t]\nkey = %s\nsalt = %s\n", layouts[d->layout], salts[d->salt]);
    if (salted)
        put(text, cap, &len, "buckets = %d\nsplits = %s\n", d->buckets,
            d->splits == 0 ? "buckets" : d->splits == 1 ? "none" : "buckets x 2");
    for (int f = 0; f < d->families; f++)
        put(text, cap, &len, "[family t/%c]\ncolumn = v:%d\n", 'd' + f, d->value_bytes);
    put(text, cap, &len, "[stream s]\ntables = t\nentities = 1k\narrival = %d/s constant\npopularity = %s\n",
        d->rate_per_s, popularities[d->popularity]);
    put(text, cap, &len, "clients = %d %s\n", d->clients, d->buffered ? "buffered 64KiB" : "unbuffered");
    if (d->query)
        put(text, cap, &len, "[query q]\ntable = t\nkind = full\nrate = 1/s\n");
    if (d->event)
        put(text, cap, &len, "[event e]\nat = %ds\ndo = %s\n", d->seconds / 2, events[d->event]);
    return len;
}

int draw_plainer(const struct drawn *d, size_t k, struct drawn *out)
{
    static const struct {
        size_t offset;
        int plain;
    } ways[] = {
#define WAY(member, plain) {offsetof(struct drawn, member), plain}
        WAY(event, 0),      WAY(query, 0),          WAY(background, 0),      WAY(families, 1),
        WAY(popularity, 0), WAY(buffered, 0),       WAY(clients, 1),         WAY(splits, 0),
        WAY(layout, 0),     WAY(salt, 0),           WAY(policy, 0),          WAY(buckets, 1),
        WAY(servers, 2),    WAY(blocking_files, 16), WAY(disk_kb_per_s, 100000), WAY(capacity_per_s, 20000),
        WAY(seconds, 1),    WAY(rate_per_s, 100),   WAY(value_bytes, 1),     WAY(flush_kib, 1024),
        WAY(max_file_mib, 4), WAY(period_s, 60),
#undef WAY
    };
    const size_t len = sizeof ways / sizeof ways[0], way = k % len;
    int *value;

    if (k >= 2 * len)
        return 0;
    *out = *d;
    value = (int *)(void *)((char *)out + ways[way].offset);
    if (*value == ways[way].plain)
        return -1;
    /* First all the way, then half of it. */
    *value = k < len ? ways[way].plain : ways[way].plain + (*value - ways[way].plain) / 2;
    return 1;
}
