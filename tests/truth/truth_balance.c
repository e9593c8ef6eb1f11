/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Holds the balancers to what the real ones of HBase 2.6.1 did: truth/balancer (mock.tsv with cases/,
   live.tsv with cases-live/). Argument: the truth folder. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_balance_case.h"

enum { SEEDS = 9, MAX_REPEATS = 64 };

/* The recorded rows of one case and balancer, with the columns that are looked at. */
struct group {
    const struct tsv *tsv;
    char **row[MAX_REPEATS];
    size_t n;
};

/* What a run did to the cluster. */
struct effect {
    double moves, hot_moves, hot_ratio, steps;
    char *counts, *counts_sorted, *hot_sorted, *plans;
};

static const char *field(const struct group *g, size_t i, const char *column)
{
    return g->row[i][tsv_column(g->tsv, column)];
}

static void range_of(const struct group *g, const char *column, double slack, double range[2])
{
    range[0] = (double)INFINITY;
    range[1] = -(double)INFINITY;
    for (size_t i = 0; i < g->n; i++) {
        double x = strtod(field(g, i, column), NULL);
        range[0] = fmin(range[0], x - slack);
        range[1] = fmax(range[1], x + slack);
    }
}

static int compare_u32(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
    return (x > y) - (x < y);
}

static char *join(const uint32_t *x, size_t n)
{
    char *text = tsv_alloc(n * 12 + 1, 1), *end = text;
    for (size_t i = 0; i < n; i++)
        end += sprintf(end, i ? ",%u" : "%u", x[i]);
    return text;
}

/* "3,1,2" as a sorted list. */
static char *sorted_list(const char *list)
{
    uint32_t x[4096];
    size_t n = 0;
    for (const char *p = list; p && n < 4096; p = strchr(p, ',')) {
        p += *p == ',';
        x[n++] = (uint32_t)strtoul(p, NULL, 10);
    }
    qsort(x, n, sizeof(*x), compare_u32);
    return join(x, n);
}

static char *plans_text(const struct truth_case *c, const struct balancer_outcome *out)
{
    char *text = tsv_alloc(out->n_plans * 80 + 2, 1), *end = text;
    for (size_t i = 0; i < out->n_plans; i++) {
        const struct balancer_plan *p = &out->plans[i];
        end += sprintf(end, "%s%.30s:%.20s:%u>%u", i ? " " : "",
                       c->table[c->regions[p->region].table], c->label[p->region], p->from, p->to);
    }
    if (out->n_plans == 0)
        strcpy(text, "-");
    return text;
}

static struct effect effect_of(const struct truth_case *c, const struct balancer_outcome *out)
{
    uint32_t n = c->cluster.n_servers;
    size_t regions = c->cluster.n_regions;
    uint32_t *server = tsv_alloc(regions, sizeof(*server)), *counts = tsv_alloc(n, sizeof(*counts)),
             *hot = tsv_alloc(n, sizeof(*hot));
    double *rate = tsv_alloc(n, sizeof(*rate)), most = 0, sum = 0;
    struct effect e = {.moves = (double)out->n_plans};

    for (size_t i = 0; i < regions; i++)
        server[i] = c->regions[i].server;
    for (size_t i = 0; i < out->n_plans; i++) {
        server[out->plans[i].region] = out->plans[i].to;
        e.hot_moves += c->regions[out->plans[i].region].write_rate >= c->hot_from;
    }
    for (size_t i = 0; i < regions; i++) {
        counts[server[i]]++;
        rate[server[i]] += c->regions[i].write_rate;
        hot[server[i]] += c->regions[i].write_rate >= c->hot_from;
    }
    for (uint32_t s = 0; s < n; s++) {
        sum += rate[s];
        most = fmax(most, rate[s]);
    }
    e.hot_ratio = sum > 0 ? most / (sum / n) : 0;
    e.counts = join(counts, n);
    e.counts_sorted = sorted_list(e.counts);
    qsort(hot, n, sizeof(*hot), compare_u32);
    e.hot_sorted = join(hot, n);
    e.plans = plans_text(c, out);
    for (size_t i = 0; i < out->n_decisions; i++)
        e.steps += (double)out->decisions[i].steps;
    free(server);
    free(counts);
    free(hot);
    free(rate);
    return e;
}

static void effect_free(struct effect *e)
{
    free(e->counts);
    free(e->counts_sorted);
    free(e->hot_sorted);
    free(e->plans);
}

static const char *trigger(const struct balancer_decision *d)
{
    switch (d->gate) {
    case BALANCER_GATE_IDLE_SERVER:
        return "idle";
    case BALANCER_GATE_SLOP:
        return "slop";
    case BALANCER_GATE_COST:
        return "cost";
    default:
        return "none";
    }
}

static const struct balancer_decision *decision_for(const struct truth_case *c,
                                                    const struct balancer_outcome *out,
                                                    const char *table)
{
    int64_t want = strcmp(table, "hbase:ensemble") == 0 ? BALANCER_ALL_TABLES
                                                        : (int64_t)truth_case_table(c, table);
    for (size_t i = 0; i < out->n_decisions; i++)
        if (out->decisions[i].table == want)
            return &out->decisions[i];
    return NULL;
}

static void check_costs(struct verdicts *v, const char *name, const struct balancer_decision *d,
                        const char *costs)
{
    char *copy = tsv_copy(costs), *rest = copy, *one, what[300];
    for (int k = 0; k < BALANCER_COSTS && (one = tsv_field(&rest, ',')); k++) {
        if (strcmp(one, "-") == 0)
            continue;
        snprintf(what, sizeof(what), "%s cost %s", name, balancer_cost_name(k));
        verdict_number(v, what, strtod(one, NULL), d->cost[k], 1.5e-6);
    }
    free(copy);
}

/* "table needs=true trigger=idle total=1.5 sumMult=602.0 imbalance=0.1 ; table ..." and the costs of
   the last of them. The recorded total has five decimals. */
static void check_decisions(struct verdicts *v, const struct truth_case *c, const char *name,
                            const struct balancer_outcome *out, const char *const recorded[2])
{
    char *copy = tsv_copy(recorded[0]), *rest = copy, what[300];
    const struct balancer_decision *d = NULL;
    while (rest && *rest) {
        char table[100], needs[10], gate[20];
        double total, sum;
        char *next = strstr(rest, " ; ");
        if (next)
            *next = '\0';
        if (sscanf(rest, "%99s needs=%9s trigger=%19s total=%lf sumMult=%lf", table, needs, gate,
                   &total, &sum) != 5) {
            verdict_text(v, name, rest, "not understood");
            break;
        }
        rest = next ? next + 3 : NULL;
        d = decision_for(c, out, table);
        snprintf(what, sizeof(what), "%s %s decision", name, table);
        if (!d) {
            printf("%s: the state of this table was not recorded\n", what);
            continue;
        }
        verdict_text(v, what, needs, d->needed ? "true" : "false");
        snprintf(what, sizeof(what), "%s %s trigger", name, table);
        verdict_text(v, what, gate, trigger(d));
        snprintf(what, sizeof(what), "%s %s total", name, table);
        verdict_number(v, what, total, d->total, 6e-6);
        snprintf(what, sizeof(what), "%s %s multipliers", name, table);
        verdict_number(v, what, sum, d->multiplier_sum, 1e-4);
    }
    if (d)
        check_costs(v, name, d, recorded[1]);
    free(copy);
}

/* Where no repeat differs, what most of our seeds give must be equal, and so many must give it that n
   equal repeats had at least a chance of 1 % with us; else our mean, give or take its 99.9 % interval,
   lies inside what was seen. */
static void check_number(struct verdicts *v, const struct group *g, const char *names[2],
                         const double *ours, double slack)
{
    double range[2], mean = 0, squares = 0, inside = 0;
    char what[300];

    range_of(g, names[1], slack, range);
    for (int i = 0; i < SEEDS; i++) {
        mean += ours[i] / SEEDS;
        inside += ours[i] >= range[0] && ours[i] <= range[1] ? 1.0 / SEEDS : 0;
    }
    snprintf(what, sizeof(what), "%s %s", names[0], names[1]);
    if (range[1] - range[0] > 2.5 * slack) {
        for (int i = 0; i < SEEDS; i++)
            squares += (ours[i] - mean) * (ours[i] - mean);
        double error = 3.29 * sqrt(squares / (SEEDS - 1) / SEEDS);
        double middle = fmax(range[0], fmin(range[1], mean));
        verdict_number(v, what, middle, mean, error);
        return;
    }
    int at = 0;
    while (at + 1 < SEEDS && ((ours[at] >= range[0] && ours[at] <= range[1]) !=
                              (pow(inside, (double)g->n) >= 0.01)))
        at++;
    snprintf(what, sizeof(what), "%s %s (%.0f of %d seeds)", names[0], names[1], inside * SEEDS,
             SEEDS);
    verdict_range(v, what, range, ours[at]);
}

/* True when |column|, made sorted, is the same in all repeats. */
static int is_steady(const struct group *g, const char *column, int sorted)
{
    int steady = 1;
    char *first = sorted ? sorted_list(field(g, 0, column)) : tsv_copy(field(g, 0, column));
    for (size_t i = 1; i < g->n; i++) {
        char *other = sorted ? sorted_list(field(g, i, column)) : tsv_copy(field(g, i, column));
        steady &= strcmp(first, other) == 0;
        free(other);
    }
    free(first);
    return steady;
}

/* A list that all repeats share must be what our seeds end with, as often as check_number asks. */
static void check_list(struct verdicts *v, const struct group *g, const char *names[2],
                       const char *const ours[SEEDS], int sorted)
{
    char what[300];
    int same = 0, at = 0;

    if (!is_steady(g, names[1], sorted))
        return;
    char *real = sorted ? sorted_list(field(g, 0, names[1])) : tsv_copy(field(g, 0, names[1]));
    for (int i = 0; i < SEEDS; i++)
        same += strcmp(real, ours[i]) == 0;
    int enough = pow((double)same / SEEDS, (double)g->n) >= 0.01;
    while (at + 1 < SEEDS && (strcmp(real, ours[at]) == 0) != enough)
        at++;
    snprintf(what, sizeof(what), "%s %s%s (%d of %d seeds)", names[0], names[1],
             sorted ? " sorted" : "", same, SEEDS);
    verdict_text(v, what, real, ours[at]);
    free(real);
}

static void check_effects(struct verdicts *v, const struct group *g, const char *name,
                          const struct effect e[SEEDS])
{
    double moves[SEEDS], hot[SEEDS], ratio[SEEDS];
    const char *counts[SEEDS], *counts_sorted[SEEDS], *hot_sorted[SEEDS];
    const char *names[2] = {name, "moves"};

    for (int i = 0; i < SEEDS; i++) {
        counts[i] = e[i].counts;
        counts_sorted[i] = e[i].counts_sorted;
        hot_sorted[i] = e[i].hot_sorted;
        moves[i] = e[i].moves;
        hot[i] = e[i].hot_moves;
        ratio[i] = e[i].hot_ratio;
    }
    check_number(v, g, names, moves, 0);
    names[1] = "hot_moves";
    check_number(v, g, names, hot, 0);
    names[1] = "hot_ratio_after";
    check_number(v, g, names, ratio, 5.1e-5);
    names[1] = "counts_after";
    check_list(v, g, names, counts, 0);
    check_list(v, g, names, counts_sorted, 1);
    names[1] = "hot_after";
    check_list(v, g, names, hot_sorted, 1);
}

/* Our plans come source by source and, on one server, in the order of the case file. */
static void check_plan_order(struct verdicts *v, const char *name,
                             const struct balancer_outcome *out)
{
    size_t wrong = 0;
    char what[300];
    for (size_t d = 0; d < out->n_decisions; d++)
        for (size_t i = 1; i < out->decisions[d].n_plans; i++) {
            const struct balancer_plan *p = &out->plans[out->decisions[d].first_plan + i];
            wrong += p->from < p[-1].from || (p->from == p[-1].from && p->region < p[-1].region);
        }
    snprintf(what, sizeof(what), "%s plans out of order", name);
    verdict_number(v, what, 0, (double)wrong, 0);
}

static void check_group(struct verdicts *v, struct truth_case *c, const struct group *g)
{
    char name[200];
    int simple = strcmp(field(g, 0, "balancer"), "Simple") == 0;
    struct balancer_options options;
    struct effect e[SEEDS];

    snprintf(name, sizeof(name), "%.120s %.20s", field(g, 0, "case"), field(g, 0, "balancer"));
    if (truth_options(&options, field(g, 0, "conf"))) {
        verdict_text(v, name, field(g, 0, "conf"), "setting not known");
        return;
    }
    options.kind = simple ? BALANCER_SIMPLE : BALANCER_STOCHASTIC;
    c->cluster.server_list = simple ? c->hash_order : NULL;
    for (uint64_t seed = 0; seed < SEEDS; seed++) {
        uint64_t state = seed + 1;
        struct balance_draw draw = {truth_splitmix, &state};
        struct balancer_outcome out;
        int error = balancer_balance(&c->cluster, &options, &draw, &out);
        if (error) {
            verdict_number(v, name, 0, error, 0);
            exit(1);
        }
        e[seed] = effect_of(c, &out);
        if (!simple && seed == 0)
            check_decisions(v, c, name, &out,
                            (const char *const[2]){field(g, 0, "decision"),
                                                   field(g, 0, "cost_init")});
        if (!simple)
            check_plan_order(v, name, &out);
        balancer_outcome_free(&out);
    }
    check_effects(v, g, name, e);
    const char *names[2] = {name, "steps"};
    double steps[SEEDS];
    for (int i = 0; i < SEEDS; i++)
        steps[i] = e[i].steps;
    check_number(v, g, names, steps, 0);
    const char *plans[SEEDS];
    for (int i = 0; i < SEEDS; i++)
        plans[i] = e[i].plans;
    names[1] = "plans";
    if (simple)
        check_list(v, g, names, plans, 0);
    for (int i = 0; i < SEEDS; i++)
        effect_free(&e[i]);
}

static void check_mock(struct verdicts *v, const char *dir)
{
    char path[4096];
    struct tsv t;
    snprintf(path, sizeof(path), "%s/balancer/mock.tsv", dir);
    if (tsv_read(&t, path)) {
        printf("%s: absent\n", path);
        return;
    }
    size_t name = tsv_column(&t, "case"), balancer = tsv_column(&t, "balancer");
    uint8_t *done = tsv_alloc(t.n_rows, 1);
    for (size_t i = 1; i < t.n_rows; i++) {
        struct group g = {.tsv = &t};
        struct truth_case c;
        for (size_t j = i; j < t.n_rows && !done[i]; j++)
            if (!done[j] && g.n < MAX_REPEATS && strcmp(t.row[i][name], t.row[j][name]) == 0 &&
                strcmp(t.row[i][balancer], t.row[j][balancer]) == 0) {
                g.row[g.n++] = t.row[j];
                done[j] = j != i;
            }
        if (g.n == 0)
            continue;
        snprintf(path, sizeof(path), "%s/balancer/cases/%.200s.tsv", dir, t.row[i][name]);
        if (truth_case_read(&c, path)) {
            v->missed++;
            continue;
        }
        check_group(v, &c, &g);
        truth_case_free(&c);
    }
    free(done);
    tsv_free(&t);
}

/* Calls of the balancer in a running cluster: decision and total. Ensemble totals come from rates
   that the file gives to three digits. */
static void check_live_row(struct verdicts *v, const struct group *g, const char *dir,
                           uint32_t servers)
{
    char path[4096], name[200];
    struct truth_case c;
    struct balancer_options options;
    struct balancer_outcome out;

    snprintf(name, sizeof(name), "live %.100s-%.20s", field(g, 0, "case"), field(g, 0, "call"));
    snprintf(path, sizeof(path), "%s/balancer/cases-live/%.100s-%.20s.tsv", dir,
             field(g, 0, "case"), field(g, 0, "call"));
    if (truth_case_read_live(&c, path, servers) || truth_options(&options, field(g, 0, "conf")) ||
        balancer_decide(&c.cluster, &options, &out)) {
        verdict_text(v, name, "a state", "can't be read");
        return;
    }
    check_decisions(v, &c, name, &out,
                    (const char *const[2]){field(g, 0, "decision"), field(g, 0, "cost_init")});
    balancer_outcome_free(&out);
    truth_case_free(&c);
}

static void check_live(struct verdicts *v, const char *dir)
{
    char path[4096];
    struct tsv t;
    unsigned servers = 0;

    snprintf(path, sizeof(path), "%s/balancer/live.tsv", dir);
    if (tsv_read(&t, path)) {
        printf("%s: absent\n", path);
        return;
    }
    for (size_t i = 0; i < t.n_comments && !servers; i++) {
        const char *on = strstr(t.comment[i], " on a ");
        if (on && sscanf(on, " on a %u-server", &servers) != 1)
            servers = 0;
    }
    for (size_t i = 1; i < t.n_rows; i++) {
        struct group g = {.tsv = &t, .row = {t.row[i]}, .n = 1};
        check_live_row(v, &g, dir, servers);
    }
    tsv_free(&t);
}

int main(int argc, char **argv)
{
    struct verdicts v = {.loud = 1};

    if (argc != 2) {
        fprintf(stderr, "usage: truth_balance DIR\n");
        return 2;
    }
    check_mock(&v, argv[1]);
    check_live(&v, argv[1]);
    return verdict_end(&v, "truth/balancer");
}
