/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A whole cluster over four minutes: each recorded run is started in the model from its own placement,
   settings and chore phases, over 20 seeds, and the mean is held against the recorded runs of its
   layout by the bands that the recording's README names.
   Usage: truth_end_to_end DIR [SEEDS]. Exit status 1 when a quantity is off or nothing was found. */
#include "truth_end_to_end.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "hbase/balance/balancer.h"

enum { SEEDS = 20, RUNS_MAX = 64 };

/* How far the mean may lie outside the recorded range: absolute, or a share of it. */
struct band {
    const char *name, *how;
    double absolute, share;
};

static const struct band bands[E2E_QUANTITIES] = {
    [E2E_ROWS] = {"rows", "exact", 0, 0},
    [E2E_FIRST_SPLIT_S] = {"first split, s", "+-0.5", 0.5, 0},
    [E2E_FIRST_WAVE] = {"splits of the first wave", "+-1", 1, 0},
    [E2E_ROWS_A_FLUSH] = {"rows a flush", "+-1 %", 0, 0.01},
    [E2E_FLUSHES] = {"flushes", "+-4 %", 0, 0.04},
    [E2E_COMPACTIONS] = {"compactions", "+-10 %", 0, 0.1},
    [E2E_REGIONS] = {"regions at the end", "+-2", 2, 0},
    [E2E_SPLITS] = {"splits", "+-2", 2, 0},
    [E2E_HOT_RATIO] = {"largest / mean server", "+-0.2", 0.2, 0},
    [E2E_TAILS] = {"tails of 5 %", "+-0.3", 0.3, 0},
    [E2E_MOVES] = {"balancer moves", "+-4", 4, 0},
    [E2E_NEEDED] = {"ticks that ran", "+-2", 2, 0},
    [E2E_SKIPPED] = {"ticks in transition", "+-4", 4, 0},
    [E2E_FILLED_S] = {"added server gets a region, s", "+-7", 7, 0},
    [E2E_BACK_S] = {"lost server's regions back, s", "+-2", 2, 0},
};

static struct band band_of(const struct e2e_record *rec, int q)
{
    struct band b = bands[q];
    const bool one_tail = strncmp(rec->stream_name, "TIME", 4) == 0;
    const bool pre_split = rec->spec.tables[0].buckets > 0 && rec->spec.cluster.state_len > 4;

    if (one_tail && (q == E2E_REGIONS || q == E2E_SPLITS)) {
        b.absolute = 3;
        b.how = "+-3";
    }
    if (q == E2E_HOT_RATIO && one_tail) {
        b.absolute = 0.1;
        b.how = "+-0.1";
    } else if (q == E2E_HOT_RATIO && pre_split && strncmp(rec->layout, "b-", 2) == 0) {
        b.absolute = 0.03;
        b.how = "+-0.03";
    }
    return b;
}

static void judge(struct truth_report *r, const struct e2e_record *recs, size_t n, int q, const double *mean)
{
    const struct band b = band_of(&recs[0], q);
    double lo = INFINITY, hi = -INFINITY, ours = 0;
    char name[200], real[64], text[64];

    for (size_t i = 0; i < n; i++) {
        lo = fmin(lo, recs[i].figures.value[q]);
        hi = fmax(hi, recs[i].figures.value[q]);
        ours += mean[i] / (double)n;
    }
    if (!isfinite(lo) && !isfinite(hi))
        return;
    if (q == E2E_SKIPPED)
        lo = 0;
    snprintf(name, sizeof name, "%s", recs[0].layout);
    truth_case(r, name);
    lo -= b.absolute + b.share * fabs(lo);
    hi += b.absolute + b.share * fabs(hi);
    truth_check(r, b.name, ours < lo ? lo : ours > hi ? hi : ours, ours, 0);
    for (size_t i = 0, first = 1; i < n; i++, first = 0) {
        lo = first ? recs[i].figures.value[q] : fmin(lo, recs[i].figures.value[q]);
        hi = first ? recs[i].figures.value[q] : fmax(hi, recs[i].figures.value[q]);
    }
    snprintf(real, sizeof real, "%.6g..%.6g", lo, hi);
    snprintf(text, sizeof text, "%.6g", ours);
    truth_case_end(r, b.name, real, text, b.how);
}

/* ---- the recorded decisions ---- */

/* The gate for a cluster of one table with these counts, everything else even. */
static int decide(const struct e2e_balance *b, struct balancer_decision *out)
{
    struct balancer_region regions[1024];
    struct balancer_cluster c = {.regions = regions, .n_servers = (uint32_t)b->counts_len, .n_tables = 1};
    struct balancer_options o;
    struct balancer_outcome decided = {0};
    int rc;

    memset(regions, 0, sizeof regions);
    for (uint32_t s = 0; s < b->counts_len; s++)
        for (uint32_t k = 0; k < b->counts[s] && c.n_regions < 1024; k++, c.n_regions++)
            regions[c.n_regions] = (struct balancer_region){.server = s, .key_order = (uint32_t)c.n_regions};
    balancer_options_init(&o);
    rc = balancer_decide(&c, &o, &decided);
    if (rc == 0 && decided.n_decisions == 1)
        *out = decided.decisions[0];
    balancer_outcome_free(&decided);
    return rc;
}

static void check_decisions(struct truth_report *r, const struct e2e_record *rec)
{
    char text[32];
    unsigned wrong = 0;

    truth_case(r, rec->name);
    for (size_t i = 0; i < rec->balances_len; i++) {
        const struct e2e_balance *b = &rec->balances[i];
        struct balancer_decision d;
        const char *ours = "none";

        if (decide(b, &d) != 0)
            ours = "failed";
        else if (d.gate == BALANCER_GATE_IDLE_SERVER)
            ours = "idle";
        else if (d.gate == BALANCER_GATE_SLOP)
            ours = "slop";
        else if (b->total >= d.threshold * d.multiplier_sum)
            ours = "cost";
        wrong += strcmp(ours, b->trigger) != 0;
        truth_check_text(r, "trigger", b->trigger, ours);
        truth_check(r, "needed", b->needed, strcmp(ours, "none") != 0, 0);
    }
    snprintf(text, sizeof text, "%zu right", rec->balances_len - wrong);
    truth_case_end(r, "balancer decisions by counts and total", "as recorded", text, "exact");
}

/* ---- layouts ---- */

static int run_layout(struct truth_report *r, const struct e2e_record *recs, size_t n, unsigned seeds)
{
    double (*sum)[E2E_QUANTITIES] = calloc(n, sizeof *sum), mean[RUNS_MAX];
    char keys[] = "truth-keys-XXXXXX";
    const int fd = mkstemp(keys);
    const size_t width = fd >= 0 ? e2e_write_keys(&recs[0], keys) : 0;
    int rc = sum && width > 0 ? 0 : -1;

    for (size_t i = 0; i < n && rc == 0; i++)
        for (unsigned seed = 1; seed <= seeds && rc == 0; seed++) {
            struct e2e_figures f;

            rc = e2e_run(&recs[i], keys, width, seed, &f);
            for (int q = 0; rc == 0 && q < E2E_QUANTITIES; q++)
                sum[i][q] += f.value[q] / seeds;
        }
    for (int q = 0; q < E2E_QUANTITIES && rc == 0; q++) {
        for (size_t i = 0; i < n; i++)
            mean[i] = sum[i][q];
        judge(r, recs, n, q, mean);
    }
    free(sum);
    if (fd >= 0) {
        close(fd);
        unlink(keys);
    }
    return rc;
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* Names of the runs, sorted; the ping-pong of a client is none to compare with (README, point 10). */
static size_t find_runs(const char *dir, char *names[RUNS_MAX])
{
    static const char ending[] = ".state.tsv";
    struct dirent *e;
    size_t n = 0;
    DIR *d = opendir(dir);

    while (d && (e = readdir(d)) && n < RUNS_MAX) {
        const size_t len = strlen(e->d_name);

        if (len <= strlen(ending) || strcmp(e->d_name + len - strlen(ending), ending) != 0 ||
            strstr(e->d_name, "pingpong"))
            continue;
        names[n] = malloc(len + 1);
        if (!names[n])
            abort();
        memcpy(names[n], e->d_name, len - strlen(ending));
        names[n++][len - strlen(ending)] = '\0';
    }
    if (d)
        closedir(d);
    qsort(names, n, sizeof *names, by_name);
    return n;
}

static void judge_all(struct truth_report *r, const char *dir, char *names[RUNS_MAX], size_t n, unsigned seeds)
{
    struct e2e_record *recs = calloc(n + 1, sizeof *recs);
    size_t read = 0;

    if (!recs)
        abort();
    for (size_t i = 0; i < n; i++) {
        char reason[200] = "";

        if (e2e_read(dir, names[i], &recs[read], reason, sizeof reason) != 0) {
            truth_case(r, names[i]);
            truth_check_text(r, "files", "readable", reason);
            truth_case_end(r, "files", "readable", reason, "exact");
            e2e_free(&recs[read]);
            continue;
        }
        check_decisions(r, &recs[read++]);
    }
    for (size_t i = 0, k; i < read; i = k) {
        for (k = i; k < read && strcmp(recs[k].layout, recs[i].layout) == 0;)
            k++;
        if (run_layout(r, recs + i, k - i, seeds) != 0) {
            truth_case(r, recs[i].layout);
            truth_check_text(r, "run", "runs", "fails");
            truth_case_end(r, "run", "runs", "fails", "exact");
        }
    }
    for (size_t i = 0; i < read; i++)
        e2e_free(&recs[i]);
    free(recs);
}

int main(int argc, char **argv)
{
    struct truth_report r = {0};
    char dir[4096], *names[RUNS_MAX];
    size_t n;

    if (argc != 2 && argc != 3) {
        fprintf(stderr, "usage: %s DIR [SEEDS]\n", argv[0]);
        return 2;
    }
    snprintf(dir, sizeof dir, "%s/end-to-end", argv[1]);
    r.folder = "end-to-end";
    n = find_runs(dir, names);
    if (n == 0) {
        printf("end-to-end\tabsent in %s\n", argv[1]);
        return 0;
    }
    judge_all(&r, dir, names, n, argc == 3 ? (unsigned)strtoul(argv[2], NULL, 10) : SEEDS);
    for (size_t i = 0; i < n; i++)
        free(names[i]);
    printf("end-to-end\t%u cases\t%u values\t%u failed\n", r.cases, r.values, r.failed);
    return r.failed > 0 || r.cases == 0;
}
