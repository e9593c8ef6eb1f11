/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "chance/chance.h"

#define SPREADS_MAX 4

struct made {
    struct result_run *run;
    bool failed;
};

static char *copy(struct made *m, const char *text)
{
    char *p = malloc(strlen(text) + 1);

    m->failed |= !p;
    return p ? strcpy(p, text) : NULL;
}

/* Many rows make small differences certain: beyond chance is said with how much it is, and below
   CHANCE_NO_MATTER of the most that chance gives it is said to be no matter. */
static void judge(double most, const struct chance_range *range, char *text, size_t cap)
{
    const double beyond = range->hi > 0 ? most / range->hi - 1 : 0;

    if (most > range->hi && beyond < CHANCE_NO_MATTER)
        snprintf(text, cap, "beyond chance, by %.2g %%: no matter", 100 * beyond);
    else if (most > range->hi)
        snprintf(text, cap, "skewed, %.3g %% beyond chance", 100 * beyond);
    else
        snprintf(text, cap, "%s", most < range->lo ? "more even than chance" : "even");
}

/* |range| in the unit of |most|. */
static struct result_spread *add(struct made *m, const char *name, double most, const struct chance_range *range)
{
    struct result_spread *s = &m->run->spreads[m->run->spreads_len++];
    char verdict[80];

    *s = (struct result_spread){.most = most, .least = NAN, .expected = range->mean, .lo = range->lo, .hi = range->hi};
    s->name = copy(m, name);
    judge(most, range, verdict, sizeof verdict);
    s->verdict = copy(m, verdict);
    return s;
}

static void scale(struct chance_range *range, double by)
{
    range->mean *= by;
    range->lo *= by;
    range->hi *= by;
}

/* Rows a bucket of the first salted table, as multiples of an even share. */
static void buckets(struct made *m)
{
    struct result_run *run = m->run;
    double rows[256] = {0}, total = 0;
    int table = 0, n, most = 0, least = 0;
    struct chance_range range;
    struct result_spread *s;
    char at[40];

    while ((size_t)table < run->tables_len && run->tables[table].buckets < 2)
        table++;
    if ((size_t)table == run->tables_len)
        return;
    n = run->tables[table].buckets < 256 ? run->tables[table].buckets : 256;
    for (size_t i = 0; i < run->regions_len; i++) {
        const struct result_region *reg = &run->regions[i];

        if (reg->table == table && reg->bucket >= 0 && reg->bucket < n) {
            rows[reg->bucket] += reg->writes;
            total += reg->writes;
        }
    }
    for (int b = 1; b < n; b++) {
        most = rows[b] > rows[most] ? b : most;
        least = rows[b] < rows[least] ? b : least;
    }
    if (chance_fullest(total, n, &range) != 0)
        return;
    scale(&range, n / total);
    s = add(m, "bucket", rows[most] * n / total, &range);
    s->least = rows[least] * n / total;
    snprintf(at, sizeof at, "bucket %d", most);
    s->most_at = copy(m, at);
    snprintf(at, sizeof at, "bucket %d", least);
    s->least_at = copy(m, at);
}

/* Something that each server has; the one with nothing is the least. */
static void servers(struct made *m, const char *name, bool tails)
{
    struct result_run *run = m->run;
    double total = 0, live = 0;
    const struct result_server *most = NULL, *least = NULL;
    struct chance_range range;
    struct result_spread *s;

    for (size_t i = 0; i < run->servers_len; i++) {
        const struct result_server *srv = &run->servers[i];
        const double v = tails ? srv->tails : srv->regions_end;

        if (!(srv->up_s > 0) || isnan(v))
            continue;
        live++;
        total += v;
        if (!most || v > (tails ? most->tails : most->regions_end))
            most = srv;
        if (!least || v < (tails ? least->tails : least->regions_end))
            least = srv;
    }
    if (!most || chance_fullest(total, live, &range) != 0)
        return;
    s = add(m, name, tails ? most->tails : most->regions_end, &range);
    s->least = tails ? least->tails : least->regions_end;
    s->most_at = copy(m, most->name);
    s->least_at = copy(m, least->name);
    if (!tails || isnan(run->summary.hot_server_ratio))
        return;
    scale(&range, live / total); /* equal tails, thrown at random */
    add(m, "hot_server_ratio", run->summary.hot_server_ratio, &range);
}

int chance_fill(struct result_run *run)
{
    struct made m = {run, false};

    run->spreads = calloc(SPREADS_MAX, sizeof *run->spreads);
    if (!run->spreads)
        return -1;
    buckets(&m);
    servers(&m, "tails_per_server", true);
    servers(&m, "regions_per_server", false);
    return m.failed ? -1 : 0;
}
