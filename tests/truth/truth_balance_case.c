/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_balance_case.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TABLES = 64 };

static uint32_t table_index(struct truth_case *c, char *name)
{
    uint32_t t;
    for (t = 0; t < c->cluster.n_tables; t++)
        if (strcmp(c->table[t], name) == 0)
            return t;
    if (t == MAX_TABLES) {
        fprintf(stderr, "too many tables\n");
        exit(1);
    }
    c->table[t] = name;
    c->cluster.n_tables++;
    return t;
}

uint32_t truth_case_table(const struct truth_case *c, const char *name)
{
    for (uint32_t t = 0; t < c->cluster.n_tables; t++)
        if (strcmp(c->table[t], name) == 0)
            return t;
    return UINT32_MAX;
}

/* The recording's servers are rs00.example.org,16020,1700000000000 and so on, kept in a
   java.util.HashMap: buckets by the spread String.hashCode, in order of insertion inside one. */
static uint32_t *hash_order(uint32_t n)
{
    uint32_t *order = tsv_alloc(n, sizeof(*order)), buckets = 16, at = 0;

    while (n > buckets / 4 * 3)
        buckets *= 2;
    for (uint32_t b = 0; b < buckets; b++)
        for (uint32_t s = 0; s < n; s++) {
            char name[64];
            uint32_t h = 0;
            snprintf(name, sizeof(name), "rs%02u.example.org,16020,1700000000000", s);
            for (const char *p = name; *p; p++)
                h = h * 31 + (uint8_t)*p;
            if (((h ^ (h >> 16)) & (buckets - 1)) == b)
                order[at++] = s;
        }
    return order;
}

static void add_shares(struct truth_case *c, uint32_t region, const char *list)
{
    for (const char *p = list; (p = strstr(p, "rs")); p += 2) {
        struct balancer_block_share *b = &c->shares[c->cluster.n_block_shares++];
        *b = (struct balancer_block_share){region, (uint32_t)strtoul(p + 2, NULL, 10), 1};
    }
}

static int begin(struct truth_case *c, const char *path, uint32_t servers)
{
    *c = (struct truth_case){0};
    int error = tsv_read(&c->tsv, path);
    if (error || c->tsv.n_rows < 2) {
        fprintf(stderr, "%s: %s\n", path, error == -1 ? "can't be read" : "not a table");
        tsv_free(&c->tsv);
        return -1;
    }
    for (size_t i = 0; i < c->tsv.n_comments && !servers; i++)
        if (sscanf(c->tsv.comment[i], " %u servers", &servers) != 1)
            servers = 0;
    size_t n = c->tsv.n_rows - 1;
    c->regions = tsv_alloc(n, sizeof(*c->regions));
    c->shares = tsv_alloc(n * 16, sizeof(*c->shares));
    c->label = tsv_alloc(n, sizeof(*c->label));
    c->hash_order = hash_order(servers);
    c->cluster.regions = c->regions;
    c->cluster.n_regions = n;
    c->cluster.n_servers = servers;
    return 0;
}

static void finish(struct truth_case *c)
{
    double most = 0;
    for (size_t i = 0; i < c->cluster.n_regions; i++)
        most = c->regions[i].write_rate > most ? c->regions[i].write_rate : most;
    c->hot_from = most / 2;
    if (c->cluster.n_block_shares)
        c->cluster.block_shares = c->shares;
}

int truth_case_read(struct truth_case *c, const char *path)
{
    if (begin(c, path, 0))
        return -1;
    const struct tsv *t = &c->tsv;
    size_t server = tsv_column(t, "server"), table = tsv_column(t, "table"),
           region = tsv_column(t, "region"), store = tsv_column(t, "store_mb"),
           write = tsv_column(t, "write_delta"), read = tsv_column(t, "read_delta"),
           mem1 = tsv_column(t, "mem_mb_1"), mem2 = tsv_column(t, "mem_mb_2"),
           local = tsv_column(t, "local");
    for (size_t i = 0; i < c->cluster.n_regions; i++) {
        char **row = t->row[i + 1];
        struct balancer_region *r = &c->regions[i];
        r->server = (uint32_t)strtoul(row[server] + 2, NULL, 10);
        r->table = table_index(c, row[table]);
        r->key_order = (uint32_t)i;
        r->region_id = strtol(row[region], NULL, 10); /* the recorded ones grow with the index */
        r->storefile_mb = r->storefile_last_mb = strtod(row[store], NULL);
        r->write_rate = strtod(row[write], NULL);
        r->read_rate = strtod(row[read], NULL);
        double before = strtod(row[mem1], NULL), after = strtod(row[mem2], NULL);
        r->memstore_rate = after >= before ? after - before : after;
        c->label[i] = row[region];
        if (strcmp(row[local], "-") != 0)
            add_shares(c, (uint32_t)i, row[local]);
    }
    finish(c);
    return 0;
}

/* The files give rounded means of whole numbers over a known number of samples: undo the rounding. */
static double whole_mean(const char *text, double n)
{
    return n > 0 ? nearbyint(strtod(text, NULL) * n) / n : 0;
}

int truth_case_read_live(struct truth_case *c, const char *path, uint32_t servers)
{
    if (begin(c, path, servers))
        return -1;
    const struct tsv *t = &c->tsv;
    size_t server = tsv_column(t, "server"), table = tsv_column(t, "table"),
           start = tsv_column(t, "start"), samples = tsv_column(t, "samples"),
           store = tsv_column(t, "store_mb"), write = tsv_column(t, "write_delta"),
           read = tsv_column(t, "read_delta"), mem = tsv_column(t, "mem_mb_delta");
    for (size_t i = 0; i < c->cluster.n_regions; i++) {
        char **row = t->row[i + 1];
        struct balancer_region *r = &c->regions[i];
        double n = strtod(row[samples], NULL);
        r->server = (uint32_t)strtoul(row[server] + 2, NULL, 10);
        r->table = table_index(c, row[table]);
        r->key_order = (uint32_t)i;
        r->storefile_mb = r->storefile_last_mb = whole_mean(row[store], n);
        r->write_rate = whole_mean(row[write], n - 1);
        r->read_rate = whole_mean(row[read], n - 1);
        r->memstore_rate = whole_mean(row[mem], n - 1);
        c->label[i] = row[start];
    }
    finish(c);
    return 0;
}

void truth_case_free(struct truth_case *c)
{
    tsv_free(&c->tsv);
    free(c->regions);
    free(c->shares);
    free(c->label);
    free(c->hash_order);
}

int truth_options(struct balancer_options *options, const char *conf)
{
    char *copy = tsv_copy(conf), *rest = copy + strspn(copy, "{"), *item;
    int error = 0;

    balancer_options_init(options);
    rest[strcspn(rest, "}")] = '\0';
    if (strcmp(rest, "-") == 0)
        rest = NULL;
    while (!error && (item = tsv_field(&rest, ','))) {
        char *name = item + strspn(item, " "), *value = strchr(name, '=');
        if (!value)
            continue;
        *value++ = '\0';
        double number = strcmp(value, "true") == 0    ? 1
                        : strcmp(value, "false") == 0 ? 0
                                                      : strtod(value, NULL);
        error = balancer_options_set(options, name, number);
    }
    if (error)
        fprintf(stderr, "setting not known: %s\n", conf);
    free(copy);
    return error ? -1 : 0;
}
