/* SPDX-License-Identifier: GPL-3.0-or-later */
/* RegionNormalizerChore and its worker: the plans of each table that asks for them, carried out in
   an order that HBase shuffles. */
#include <stdlib.h>

#include "hbase/model/act.h"
#include "hbase/model/admin.h"
#include "hbase/rules/normalizer.h"

static struct normalizer_config config_of(const struct model *m, const struct spec_table *t)
{
    const struct spec_normalizer *n = &m->spec->hbase.normalizer;
    struct normalizer_config c;

    normalizer_config_default(&c);
    c.split_enabled = n->split && !t->normalizer_no_split;
    c.merge_enabled = n->merge && !t->normalizer_no_merge;
    c.merge_min_region_count = (uint32_t)n->merge_min_regions;
    c.merge_min_region_age_days = (uint32_t)n->merge_min_age_days;
    c.merge_min_region_size_mb = (uint64_t)n->merge_min_size_mb;
    c.target_region_size_mb = t->normalizer_target_bytes / 1048576;
    c.target_region_count = t->normalizer_target_regions;
    return c;
}

static uint64_t region_mb(const struct model *m, const struct region *r)
{
    uint64_t bytes = 0;

    for (size_t f = 0; r->state != REGION_DEAD && f < m->tables[r->table].families_len; f++)
        bytes += store_bytes(&r->stores[f]);
    return normalizer_reported_mb(bytes);
}

static void say_refused(struct model *m, struct region *r, const char *what, int why)
{
    struct result_event *e = model_log(m, "normalizer", r, "SimpleRegionNormalizer");

    if (e)
        model_log_text(e, "the %s that it planned was refused (%s)", what,
                       why == MERGE_QUALIFIER && *what == 'm' ? "merged before, and the catalog janitor hasn't run since"
                                                              : "references, or in transition");
}

static void split_one(struct model *m, struct region *r, double average_mb)
{
    struct result_event *e = model_log(m, "normalizer", r, "SimpleRegionNormalizer");

    if (e) {
        e->threshold = 2 * average_mb;
        model_log_input(e, "region_mb", (double)region_mb(m, r));
        model_log_input(e, "average_mb", average_mb);
        model_log_text(e, "splits a region of %.0f MB, more than twice the average of %.4g MB", (double)region_mb(m, r),
                       average_mb);
    }
    if (model_split(m, r, (struct saltkey_slice){NULL, 0}) != SPLIT_POINT_FOUND)
        say_refused(m, r, "split", 0);
}

static void merge_some(struct model *m, struct region *const *r, const struct normalizer_plan *p, double average_mb)
{
    struct result_event *e = model_log(m, "normalizer", r[0], "SimpleRegionNormalizer");
    double sum = 0;
    int rc;

    for (size_t i = 0; i < p->count; i++)
        sum += (double)region_mb(m, r[i]);
    if (e) {
        e->threshold = average_mb;
        model_log_input(e, "regions", (double)p->count);
        model_log_input(e, "sum_mb", sum);
        model_log_input(e, "average_mb", average_mb);
        model_log_text(e, "merges %zu regions of together %.0f MB, not above the average of %.4g MB", p->count, sum,
                       average_mb);
    }
    rc = (int)model_merge(m, r, p->count, false);
    if (rc != MERGE_OK)
        say_refused(m, r[0], "merge", rc);
    else if (p->joins_buckets)
        region_warn_buckets(m, r[0], r[p->count - 1]);
}

static size_t below(struct model *m, size_t n)
{
    return (size_t)(des_uniform(&m->streams.normalizer) * (double)n);
}

static void carry_out(struct model *m, struct region **all, struct normalizer_plan *plans, size_t n, double average_mb)
{
    for (size_t k = n; k > 1; k--) {
        const size_t j = below(m, k);
        const struct normalizer_plan other = plans[j];

        plans[j] = plans[k - 1];
        plans[k - 1] = other;
    }
    for (size_t k = 0; k < n && m->error == 0; k++) {
        if (plans[k].split)
            split_one(m, all[plans[k].first], average_mb);
        else if (plans[k].count <= MERGE_MOST)
            merge_some(m, all + plans[k].first, &plans[k], average_mb);
    }
}

static void normalize(struct model *m, struct table *t)
{
    const struct normalizer_config c = config_of(m, t->spec);
    const size_t n = t->regions_len;
    struct normalizer_region *in = calloc(n + 1, sizeof *in);
    struct normalizer_plan *plans = calloc(2 * n + 1, sizeof *plans);
    struct region **all = calloc(n + 1, sizeof *all);

    if (!in || !plans || !all)
        model_fail(m, MODEL_NO_MEMORY);
    for (size_t i = 0; m->error == 0 && i < n; i++) {
        all[i] = m->regions[t->regions[i]];
        in[i] = (struct normalizer_region){region_mb(m, all[i]), (uint64_t)((des_now(m->cal) - all[i]->born) / DES_US),
                                           (uint32_t)all[i]->bucket, all[i]->state == REGION_OPEN};
    }
    if (m->error == 0)
        carry_out(m, all, plans, normalizer_plans(&c, in, n, plans), normalizer_average_mb(&c, in, n));
    free(in);
    free(plans);
    free(all);
}

static void tick(struct des_calendar *cal, void *self, uint64_t arg)
{
    struct model *m = self;

    (void)arg;
    for (size_t i = 0; i < m->tables_len; i++)
        if (m->tables[i].spec->normalizer)
            normalize(m, &m->tables[i]);
    des_after(cal, m->spec->hbase.normalizer.period_ns, (struct des_action){.run = tick, .self = m});
}

void normalizer_start(struct model *m)
{
    bool any = false;

    for (size_t i = 0; i < m->tables_len; i++)
        any |= m->tables[i].spec->normalizer;
    if (any)
        des_after(m->cal, m->spec->hbase.normalizer.period_ns, (struct des_action){.run = tick, .self = m});
}
