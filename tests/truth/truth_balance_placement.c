/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds assignment to what a real master of HBase 2.6.1 did: truth/placement. Argument: the truth
   folder. Each recorded event must be one that the model can bring forth; what is random must lie
   inside the recorded spread. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/balance/assign.h"
#include "hbase/balance/balancer.h"
#include "truth_balance_tsv.h"

enum { MAX_REGIONS = 1024, MAX_SERVERS = 64, SEEDS = 1000 };

/* One row: placement of the table's regions, other regions of each server. */
struct event {
    const char *name, *calls;
    char label[120];
    uint32_t n;
    uint32_t placement[MAX_REGIONS];
    uint32_t servers[MAX_SERVERS], system[MAX_SERVERS], n_servers;
};

/* One call of roundRobinAssignment as passed in. */
struct call {
    uint32_t region[MAX_REGIONS], n;
    uint32_t server[MAX_SERVERS], n_servers;
};

static uint32_t server_number(const char *text)
{
    return (uint32_t)strtoul(text + strspn(text, "rs"), NULL, 10);
}

static uint32_t read_list(const char *text, uint32_t *out, uint32_t most)
{
    uint32_t n = 0;
    for (const char *p = text; n < most;) {
        out[n++] = server_number(p);
        p += strcspn(p, ", |");
        if (*p != ',')
            break;
        p++;
    }
    return n;
}

/* "rs00:3+1,rs01:2+0": the servers and their other regions. */
static void read_counts(struct event *e, const char *text)
{
    for (const char *p = text; p && e->n_servers < MAX_SERVERS; p = strchr(p, ',')) {
        p += *p == ',';
        e->servers[e->n_servers] = server_number(p);
        const char *plus = strchr(p, '+');
        e->system[e->n_servers++] = plus ? (uint32_t)strtoul(plus + 1, NULL, 10) : 0;
    }
}

static struct event read_event(const struct tsv *t, size_t row, const char *file)
{
    struct event e = {.name = t->row[row][tsv_column(t, "event")],
                      .calls = t->row[row][tsv_column(t, "balancer_calls")]};
    snprintf(e.label, sizeof(e.label), "%.40s row %zu N=%.5s %.30s", file, row,
             t->row[row][tsv_column(t, "N")], e.name);
    e.n = read_list(t->row[row][tsv_column(t, "placement")], e.placement, MAX_REGIONS);
    read_counts(&e, t->row[row][tsv_column(t, "counts")]);
    return e;
}

/* The next call of the list "roundRobin regions=1,2 servers=rs00,rs01 | roundRobin ..." */
static int next_call(const char **rest, struct call *c)
{
    const char *regions = *rest ? strstr(*rest, "regions=") : NULL;
    const char *servers = regions ? strstr(regions, "servers=") : NULL;
    if (!servers)
        return 0;
    c->n = read_list(regions + 8, c->region, MAX_REGIONS);
    c->n_servers = read_list(servers + 8, c->server, MAX_SERVERS);
    *rest = servers;
    return 1;
}

/* A word with which balance_draw_below(|n|) gives |value|: the model with its one random number
   chosen. */
struct choice {
    uint32_t value, n;
};

static uint64_t choose(void *state)
{
    const struct choice *c = state;
    uint64_t word = (UINT64_MAX / c->n) * c->value;
    return word + UINT64_MAX / c->n / 2;
}

/* Offsets with which assign_batch puts the regions of |c| (given as |keys|) where |e| has them. */
static uint32_t matching_offsets(const struct event *e, const struct call *c,
                                 const uint32_t *keys)
{
    struct assign_request request[MAX_REGIONS] = {0};
    uint32_t server[MAX_REGIONS], found = 0;
    struct assign_servers list = {c->server, c->n_servers, NULL};

    for (uint32_t p = 0; p < c->n; p++)
        request[p].key_order = keys[p];
    for (uint32_t s0 = 0; s0 < c->n_servers; s0++) {
        struct choice choice = {s0, c->n_servers};
        struct balance_draw draw = {choose, &choice};
        int same = assign_batch(&list, &draw, request, c->n, server) == 0;
        for (uint32_t p = 0; p < c->n; p++)
            same &= server[p] == e->placement[c->region[p]];
        found += same ? 1 : 0;
    }
    return found;
}

/* Task r can't finish before r - pool + 1 others have: so position p holds at most p + pool - 1. */
static uint32_t impossible_positions(const struct call *c, uint32_t pool)
{
    uint32_t wrong = 0;
    for (uint32_t p = 0; p < c->n; p++)
        wrong += c->region[p] > p + pool - 1;
    return wrong;
}

static void counts_of(const struct event *e, uint32_t *least, uint32_t *most)
{
    *least = UINT32_MAX;
    *most = 0;
    for (uint32_t s = 0; s < e->n_servers; s++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < e->n; i++)
            n += e->placement[i] == e->servers[s];
        *least = n < *least ? n : *least;
        *most = n > *most ? n : *most;
    }
}

static void check_create(struct verdicts *v, const struct event *e, uint32_t pool)
{
    struct call c;
    const char *rest = e->calls;
    char what[200];
    uint32_t position[MAX_REGIONS], least, most;

    if (!next_call(&rest, &c) || c.n != e->n)
        return;
    for (uint32_t p = 0; p < c.n; p++)
        position[p] = p;
    snprintf(what, sizeof(what), "%s striped over the list", e->label);
    verdict_number(v, what, 1, matching_offsets(e, &c, position) > 0, 0);
    snprintf(what, sizeof(what), "%s order of %u threads", e->label, pool);
    verdict_number(v, what, 0, impossible_positions(&c, pool), 0);
    counts_of(e, &least, &most);
    snprintf(what, sizeof(what), "%s least regions of a server", e->label);
    verdict_number(v, what, least, e->n / e->n_servers, 0);
    snprintf(what, sizeof(what), "%s most regions of a server", e->label);
    verdict_number(v, what, most, (e->n + e->n_servers - 1) / e->n_servers, 0);
}

/* enable: retainAssignment over all servers. */
static void check_enable(struct verdicts *v, const struct event *before, const struct event *e)
{
    uint32_t server[MAX_REGIONS], differ = 0;
    uint64_t state = 1;
    struct balance_draw draw = {truth_splitmix, &state};
    struct assign_servers list = {e->servers, e->n_servers, NULL};
    char what[200];

    memcpy(server, before->placement, e->n * sizeof(*server));
    if (assign_retain(&list, &draw, e->n, server))
        differ = e->n;
    for (uint32_t i = 0; i < e->n; i++)
        differ += server[i] != e->placement[i];
    snprintf(what, sizeof(what), "%s regions elsewhere", e->label);
    verdict_number(v, what, 0, differ, 0);
}

/* A server lost: each recorded batch comes out of assign_batch with one offset, the batches hold all
   regions of the lost server and nothing else has moved. */
static void check_lost(struct verdicts *v, const struct event *before, const struct event *e)
{
    struct call c;
    const char *rest = e->calls;
    char what[200];
    uint32_t dealt[MAX_REGIONS] = {0}, batches = 0, fit = 0, wrong = 0, lost = 0;

    while (next_call(&rest, &c)) {
        batches++;
        fit += matching_offsets(e, &c, c.region) > 0;
        for (uint32_t p = 0; p < c.n; p++)
            if (c.region[p] < MAX_REGIONS)
                dealt[c.region[p]]++;
    }
    for (uint32_t i = 0; i < e->n; i++) {
        uint32_t stays = 0;
        for (uint32_t s = 0; s < e->n_servers; s++)
            stays |= e->servers[s] == before->placement[i];
        wrong += stays ? e->placement[i] != before->placement[i] || dealt[i] : dealt[i] != 1;
        lost += !stays;
    }
    snprintf(what, sizeof(what), "%s batches of %u regions that come out", e->label, lost);
    verdict_number(v, what, batches, fit, 0);
    snprintf(what, sizeof(what), "%s regions against the rule", e->label);
    verdict_number(v, what, 0, wrong, 0);
}

static void check_unmoved(struct verdicts *v, const struct event *before, const struct event *e)
{
    char what[200];
    uint32_t moved = 0;
    for (uint32_t i = 0; i < e->n; i++)
        moved += before->placement[i] != e->placement[i];
    snprintf(what, sizeof(what), "%s regions moved without a balancer run", e->label);
    verdict_number(v, what, 0, moved, 0);
}

static uint32_t position_of(const struct event *e, uint32_t server)
{
    for (uint32_t s = 0; s < e->n_servers; s++)
        if (e->servers[s] == server)
            return s;
    return 0;
}

/* A balancer run on the counts before: what an empty server has afterwards, and how many regions
   moved. The loads of the moment were not recorded, and with them it hangs together whether one
   region more or less pays: hence the band of one. */
static void check_balancer(struct verdicts *v, const struct event *before, const struct event *e)
{
    struct balancer_region region[MAX_REGIONS + 64] = {{0}};
    uint32_t counts[MAX_SERVERS] = {0}, real[MAX_SERVERS] = {0}, n = e->n, moved = 0;
    struct balancer_options options;
    struct balancer_outcome out;
    uint64_t state = 1;
    struct balance_draw draw = {truth_splitmix, &state};
    char what[200];

    for (uint32_t i = 0; i < e->n; i++) {
        region[i].server = position_of(before, before->placement[i]);
        real[position_of(e, e->placement[i])]++;
    }
    for (uint32_t s = 0; s < before->n_servers; s++) {
        real[s] += e->system[s];
        for (uint32_t k = 0; k < before->system[s] && n < MAX_REGIONS + 64; k++) {
            region[n].server = s;
            region[n].table = 1 + (n - e->n);
            region[n].flags = BALANCER_REGION_SYSTEM;
            n++;
        }
    }
    struct balancer_cluster cluster = {.regions = region, .n_regions = n, .n_tables = 80,
                                       .n_servers = before->n_servers};
    balancer_options_init(&options);
    balancer_cluster_counts(&cluster, counts);
    for (uint32_t s = 0; s < before->n_servers; s++)
        moved += real[s] > counts[s] ? real[s] - counts[s] : 0;
    snprintf(what, sizeof(what), "%s moves", e->label);
    if (balancer_balance(&cluster, &options, &draw, &out)) {
        verdict_text(v, what, "a run", "an error");
        return;
    }
    verdict_number(v, what, moved, (double)out.n_plans, moved ? 1 : 0);
    for (size_t i = 0; i < out.n_plans; i++)
        region[out.plans[i].region].server = out.plans[i].to;
    uint32_t before_counts[MAX_SERVERS];
    memcpy(before_counts, counts, sizeof(counts));
    balancer_cluster_counts(&cluster, counts);
    for (uint32_t s = 0; s < before->n_servers; s++) {
        if (before_counts[s] != 0)
            continue;
        double share[2] = {floor((double)n / before->n_servers), ceil((double)n / before->n_servers)};
        snprintf(what, sizeof(what), "%s regions of the empty server, recorded", e->label);
        verdict_range(v, what, share, real[s]);
        snprintf(what, sizeof(what), "%s regions of the empty server, ours", e->label);
        verdict_range(v, what, share, counts[s]);
    }
    balancer_outcome_free(&out);
}

/* Statistics of creations: share of neighbours on one server, rank correlation of the list's order
   with the keys, most of the first half of the regions on one server. */
struct sample {
    uint32_t servers, n;
    double value[3][512];
    uint32_t count;
};

static const char *const statistic_name[3] = {
    "neighbours on one server", "rank correlation", "most of the first half on one server"};

static void statistics(const uint32_t *server, const uint32_t *order, uint32_t n, double out[3])
{
    double same = 0, squares = 0;
    uint32_t half[MAX_SERVERS * 4] = {0}, most = 0;

    for (uint32_t i = 0; i + 1 < n; i++)
        same += server[i] == server[i + 1];
    for (uint32_t p = 0; p < n; p++)
        squares += ((double)p - order[p]) * ((double)p - order[p]);
    for (uint32_t i = 0; i < n / 2; i++)
        if (server[i] < MAX_SERVERS * 4 && ++half[server[i]] > most)
            most = half[server[i]];
    out[0] = same / (n - 1);
    out[1] = 1 - 6 * squares / ((double)n * ((double)n * n - 1));
    out[2] = most;
}

static void add_sample(struct sample *all, size_t *n_all, const struct event *e)
{
    struct call c;
    const char *rest = e->calls;
    double x[3];
    size_t i;

    if (!next_call(&rest, &c) || c.n != e->n || c.n < 3)
        return;
    for (i = 0; i < *n_all; i++)
        if (all[i].servers == c.n_servers && all[i].n == c.n)
            break;
    if (i == 64)
        return;
    if (i == *n_all) {
        all[i] = (struct sample){.servers = c.n_servers, .n = c.n};
        (*n_all)++;
    }
    statistics(e->placement, c.region, c.n, x);
    for (int k = 0; k < 3 && all[i].count < 512; k++)
        all[i].value[k][all[i].count] = x[k];
    all[i].count += all[i].count < 512;
}

/* Our mean against the recorded mean. The band is one recorded standard deviation, or, where few
   creations happen to agree, what the mean of so many of ours may be off by (99.9 %). */
static void check_sample(struct verdicts *v, const struct sample *s)
{
    double ours[3] = {0}, our_squares[3] = {0};
    uint32_t id[MAX_SERVERS], server[MAX_REGIONS], order[MAX_REGIONS];
    struct assign_servers list = {id, s->servers, NULL};

    if (s->count < 2)
        return;
    for (uint32_t i = 0; i < s->servers; i++)
        id[i] = i;
    for (uint64_t seed = 1; seed <= SEEDS; seed++) {
        /* the same words twice: once for the order, once for the placement that follows from it */
        uint64_t state = seed, again = seed;
        struct balance_draw draw = {truth_splitmix, &state}, draw_again = {truth_splitmix, &again};
        double x[3];
        if (assign_creation_order(&draw, s->n, ASSIGN_DEFAULT_POOL, order) ||
            assign_create_table(&list, &draw_again, s->n, ASSIGN_DEFAULT_POOL, server))
            exit(1);
        statistics(server, order, s->n, x);
        for (int k = 0; k < 3; k++) {
            ours[k] += x[k] / SEEDS;
            our_squares[k] += x[k] * x[k] / SEEDS;
        }
    }
    for (int k = 0; k < 3; k++) {
        double mean = 0, squares = 0;
        char what[200];
        for (uint32_t i = 0; i < s->count; i++)
            mean += s->value[k][i] / s->count;
        for (uint32_t i = 0; i < s->count; i++)
            squares += (s->value[k][i] - mean) * (s->value[k][i] - mean);
        double ours_off = 3.29 * sqrt(fmax(our_squares[k] - ours[k] * ours[k], 0) / s->count);
        double spread = fmax(sqrt(squares / (s->count - 1)), ours_off);
        snprintf(what, sizeof(what), "%u servers N=%u, %u creations: %s", s->servers, s->n,
                 s->count, statistic_name[k]);
        verdict_number(v, what, mean, ours[k], spread + 1e-9);
    }
}

static void check_event(struct verdicts *v, const struct event *before, const struct event *e,
                        uint32_t pool)
{
    if (strcmp(e->name, "create") == 0)
        check_create(v, e, pool);
    else if (before->n != e->n)
        return;
    else if (strcmp(e->name, "disable-enable") == 0)
        check_enable(v, before, e);
    else if (strcmp(e->name, "server-stopped") == 0 || strcmp(e->name, "server-killed") == 0)
        check_lost(v, before, e);
    else if (strcmp(e->name, "server-added") == 0)
        check_unmoved(v, before, e);
    else if (strncmp(e->name, "balancer", 8) == 0)
        check_balancer(v, before, e);
}

static uint32_t pool_of(const struct tsv *t)
{
    static const char property[] = "hbase.hregion.open.and.init.threads.max=";
    for (size_t i = 0; i < t->n_comments; i++) {
        const char *found = strstr(t->comment[i], property);
        if (found)
            return (uint32_t)strtoul(found + sizeof(property) - 1, NULL, 10);
    }
    return ASSIGN_DEFAULT_POOL;
}

static void check_file(struct verdicts *v, const char *dir, const char *file,
                       struct sample *samples, size_t *n_samples)
{
    char path[5000];
    struct tsv t;
    struct event before = {.n = 0};

    snprintf(path, sizeof(path), "%s/%s", dir, file);
    if (tsv_read(&t, path)) {
        printf("%s: can't be read\n", path);
        v->missed++;
        return;
    }
    uint32_t pool = pool_of(&t);
    for (size_t i = 1; i < t.n_rows; i++) {
        struct event e = read_event(&t, i, file);
        check_event(v, &before, &e, pool);
        if (strcmp(e.name, "create") == 0 && pool == ASSIGN_DEFAULT_POOL)
            add_sample(samples, n_samples, &e);
        before = e;
    }
    tsv_free(&t);
}

int main(int argc, char **argv)
{
    struct verdicts v = {.loud = 1};
    char dir[4096];

    if (argc != 2) {
        fprintf(stderr, "usage: truth_balance_placement DIR\n");
        return 2;
    }
    snprintf(dir, sizeof(dir), "%s/placement", argv[1]);
    char **files = tsv_list(dir, ".tsv");
    if (!files) {
        printf("%s: absent\n", dir);
        return 1;
    }
    struct sample *samples = tsv_alloc(65, sizeof(*samples));
    size_t n_samples = 0;
    for (size_t i = 0; files[i]; i++)
        check_file(&v, dir, files[i], samples, &n_samples);
    for (size_t i = 0; i < n_samples; i++)
        check_sample(&v, &samples[i]);
    free(samples);
    tsv_list_free(files);
    return verdict_end(&v, "truth/placement");
}
