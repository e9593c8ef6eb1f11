/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs random scenarios and holds them to what must be true of any run. A failing one is shrunk and
   printed as an INI. Usage: check_random [FIRST-SEED COUNT], or
   check_random FILE.ini for one that was printed

   Each run asserts the model's own invariants (model_check at its end). Here, from the result alone:
   rows are conserved and sum over regions, tables, servers and windows; the living regions tile the key
   space; daughters cut their parent in two; parents are dead and children not older; bytes of regions sum to
   their tables'; every logged decision is what its pure function gives (a run of the balancer that finds the
   cluster balanced plans nothing); the same bytes on one and two threads, watched or not; each key lies in the region
   whose boundaries say so, in files and on its way there (keys.h). And in two more runs: the levels of detail agree. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "draw.h"
#include "keys.h"
#include "result/json.h"
#include "scenario/scenario.h"
#include "sim/sim.h"
#include "why/why.h"

#define TEXT_CAP 4096
#define SHRINK_ROUNDS 200

struct failure {
    char what[500];
};

static int fail(struct failure *f, const char *what)
{
    snprintf(f->what, sizeof f->what, "%s", what);
    return -1;
}

static int check_sums(const struct result_run *run, struct failure *f)
{
    const struct result_summary *s = &run->summary;
    double regions = 0, tables = 0, servers = 0, windows = 0, offered = 0;

    for (size_t i = 0; i < run->regions_len; i++)
        regions += run->regions[i].writes;
    for (size_t i = 0; i < run->tables_len; i++)
        tables += run->tables[i].writes;
    for (size_t i = 0; i < run->servers_len; i++)
        servers += run->servers[i].writes;
    for (size_t i = 0; i < run->windows_len; i++) {
        windows += run->windows[i].done;
        offered += run->windows[i].offered;
    }
    if (s->writes_offered != s->writes_done + s->writes_rejected + s->writes_queued)
        return fail(f, "offered is not done + rejected + queued");
    if (regions != tables || tables != servers || servers != windows)
        return fail(f, "rows of regions, tables, servers and windows differ");
    if (offered != s->writes_offered)
        return fail(f, "rows offered in the windows are not those of the run");
    return 0;
}

static const char *text_of(const char *key)
{
    return key ? key : "";
}

static int check_tiles(const struct result_run *run, int table, struct failure *f)
{
    int ids[4096];
    const size_t n = result_regions_alive(run, table, run->duration_s, ids, 4096);

    if (n == 0 || n > 4096)
        return fail(f, "no region, or too many, at the end");
    if (text_of(run->regions[ids[0]].start)[0] || text_of(run->regions[ids[n - 1]].end)[0])
        return fail(f, "the key space has no open end");
    for (size_t i = 1; i < n; i++) {
        if (strcmp(text_of(run->regions[ids[i - 1]].end), text_of(run->regions[ids[i]].start)) != 0)
            return fail(f, "a gap or an overlap between two regions");
    }
    return 0;
}

static int check_births(const struct result_run *run, struct failure *f)
{
    for (size_t i = 0; i < run->regions_len; i++) {
        const struct result_region *reg = &run->regions[i];

        if (reg->server_end < 0 || (size_t)reg->server_end >= run->servers_len)
            return fail(f, "a region without a server");
        if (reg->parent >= 0 && isnan(run->regions[reg->parent].death_s))
            return fail(f, "a parent lives beside its daughters");
        if (reg->parent >= 0 && reg->birth_s < run->regions[reg->parent].birth_s)
            return fail(f, "a daughter is older than its parent");
    }
    return 0;
}

/* How often the rules were reached by all runs: a check that reaches none would prove nothing. */
static const char *const reached_kinds[] = {"flush", "split", "compaction", "balancer", "move", "refusal",
                                            "flush postponed"};
#define REACHED (sizeof reached_kinds / sizeof reached_kinds[0])
static size_t reached[REACHED];
static size_t levels; /* runs of the coarser levels that could be compared */

static int check_events(const struct result_run *run, struct failure *f)
{
    char text[200], what[300];

    for (size_t i = 0; i < run->events_len; i++) {
        for (size_t k = 0; k < REACHED; k++)
            reached[k] += strcmp(run->events[i].kind, reached_kinds[k]) == 0;
    }

    for (size_t i = 0; i < run->events_len; i++) {
        const struct result_event *ev = &run->events[i];

        if (why_ask(ev, text, sizeof text) == WHY_DIFFERENT) {
            snprintf(what, sizeof what, "event %d (%s, %s) asked again: %.150s", ev->id, ev->kind, ev->rule, text);
            return fail(f, what);
        }
        if (strcmp(ev->kind, "split") != 0 || ev->daughter_a < 0 || ev->daughter_b < 0)
            continue;
        const struct result_region *p = &run->regions[ev->region], *a = &run->regions[ev->daughter_a],
                                   *b = &run->regions[ev->daughter_b];

        if (strcmp(text_of(a->start), text_of(p->start)) != 0 || strcmp(text_of(b->end), text_of(p->end)) != 0 ||
            strcmp(text_of(a->end), text_of(b->start)) != 0 || !text_of(a->end)[0])
            return fail(f, "daughters don't cut their parent in two");
    }
    return 0;
}

/* Sums of what lies in files and memstores: a table's is that of its living regions. */
static int check_bytes(const struct result_run *run, struct failure *f)
{
    for (size_t t = 0; t < run->tables_len; t++) {
        double files = 0, memstores = 0;

        for (size_t i = 0; i < run->regions_len; i++) {
            if (run->regions[i].table != (int)t || !isnan(run->regions[i].death_s))
                continue;
            files += run->regions[i].store_bytes;
            memstores += run->regions[i].memstore_bytes;
        }
        if (files != run->tables[t].store_bytes || memstores != run->tables[t].memstore_bytes)
            return fail(f, "bytes of a table are not those of its living regions");
    }
    return 0;
}

static int check_run(const struct result_run *run, struct failure *f)
{
    int rc = check_sums(run, f);

    for (size_t t = 0; rc == 0 && t < run->tables_len; t++)
        rc = check_tiles(run, (int)t, f);
    if (rc == 0)
        rc = check_births(run, f);
    if (rc == 0)
        rc = check_bytes(run, f);
    return rc == 0 ? check_events(run, f) : rc;
}

/* The result as a text; NULL without memory. The caller frees it. */
static char *json_of(const struct result *res, size_t *len)
{
    char *text = NULL;
    FILE *to = open_memstream(&text, len);

    if (!to)
        return NULL;
    result_write_json(res, to);
    fclose(to);
    return text;
}

static int check_threads(const struct spec *sp, const struct result *one, struct failure *f)
{
    struct result two;
    struct sim_end end;
    size_t len_one = 0, len_two = 0;
    char *a, *b;
    bool same;

    result_init(&two);
    if (sim_all(sp, 2, NULL, &two, &end) != 0) {
        result_free(&two);
        return fail(f, "fails on two threads");
    }
    a = json_of(one, &len_one);
    b = json_of(&two, &len_two);
    same = a && b && len_one == len_two && memcmp(a, b, len_one) == 0;
    free(a);
    free(b);
    result_free(&two);
    return same ? 0 : fail(f, "two threads give other bytes than one");
}

/* What was seen of the keys of the scenario's own run (keys.h). */
static int check_keys(const struct key_watch *watch, const struct result *res, struct failure *f)
{
    if (watch->wrong[0])
        return fail(f, watch->wrong);
    if (res->run.summary.writes_done > 0 && watch->rows == 0)
        return fail(f, "no key was looked at");
    return 0;
}

/* The coarser levels keep what must hold, offer the same rows, and, where every row of the exact run was done
   at once, nothing split and nothing failed, do as many on servers as unequal. */
static int check_levels(const struct spec *sp, const struct result *exact, struct failure *f)
{
    const struct result_summary *e = &exact->run.summary;
    const bool calm = e->write_refusals == 0 && e->splits == 0 && e->moves == 0 && e->connection_losses == 0 &&
                      e->writes_queued <= 0.05 * e->writes_offered;
    struct spec other = *sp; /* shares what |sp| owns */
    char what[200];
    int rc = 0;

    for (int k = 0; k < 2 && rc == 0; k++) {
        struct result_run run;
        struct sim_end end;
        const char *name = k == 0 ? "tick" : "flow";

        other.detail = k == 0 ? SPEC_DETAIL_TICK : SPEC_DETAIL_FLOW;
        result_run_init(&run);
        rc = sim_run(&other, NULL, &run, &end);
        if (rc != 0)
            rc = fail(f, end.message[0] ? end.message : "the run failed");
        if (rc == 0)
            rc = check_run(&run, f);
        if (rc == 0 && fabs(run.summary.writes_offered - e->writes_offered) > 1 + 1e-6 * e->writes_offered)
            rc = fail(f, "another number of rows is offered");
        if (rc == 0 && calm && fabs(run.summary.writes_done - e->writes_done) > 0.06 * e->writes_offered)
            rc = fail(f, "another number of rows is done");
        if (rc == 0 && calm && fabs(run.summary.hot_server_ratio / e->hot_server_ratio - 1) > 0.1) {
            snprintf(what, sizeof what, "hot server ratio %.3f, in write %.3f", run.summary.hot_server_ratio,
                     e->hot_server_ratio);
            rc = fail(f, what);
        }
        if (rc != 0) {
            snprintf(what, sizeof what, "%.20s: %.150s", name, f->what);
            fail(f, what);
        }
        levels += calm && rc == 0;
        result_run_free(&run);
    }
    return rc;
}

/* 0 held, -1 failed, 1 the scenario is refused (which is no failure of a run). */
static int try_text(const char *text, size_t len, struct failure *f)
{
    const struct scenario_text source = {"random.ini", text, len};
    struct scenario_diags dgs = {0};
    struct key_watch watch;
    const struct sim_control control = {.built = key_watch_built, .context = &watch};
    struct scenario sc;
    struct result res;
    struct sim_end end;
    int rc;

    if (scenario_parse(&source, NULL, 0, &sc, &dgs) != SCENARIO_OK) {
        snprintf(f->what, sizeof f->what, "refused: %s", dgs.len > 0 ? dgs.items[0].message : "no memory");
        diags_free(&dgs);
        return 1;
    }
    diags_free(&dgs);
    result_init(&res);
    key_watch_init(&watch);
    rc = sim_all(&sc.spec, 1, &control, &res, &end);
    if (rc != 0)
        rc = fail(f, end.message[0] ? end.message : "the run failed");
    if (rc == 0)
        rc = check_run(&res.run, f);
    for (size_t i = 0; rc == 0 && i < res.comparisons_len; i++)
        rc = check_run(&res.comparisons[i], f);
    if (rc == 0)
        rc = check_threads(&sc.spec, &res, f);
    if (rc == 0)
        rc = check_keys(&watch, &res, f);
    if (rc == 0)
        rc = check_levels(&sc.spec, &res, f);
    result_free(&res);
    scenario_free(&sc);
    return rc;
}

static int try_one(const struct drawn *d, struct failure *f)
{
    char text[TEXT_CAP];

    return try_text(text, draw_text(d, text, sizeof text), f);
}

/* A scenario that was printed before. */
static int try_file(const char *path)
{
    static char text[1 << 16];
    struct failure f = {""};
    FILE *from = fopen(path, "r");
    size_t len;
    int rc;

    if (!from) {
        perror(path);
        return 1;
    }
    len = fread(text, 1, sizeof text, from);
    fclose(from);
    rc = try_text(text, len, &f);
    printf("%s: %s\n", path, rc == 0 ? "holds" : f.what);
    return rc != 0;
}

/* Takes each plainer choice that still fails, until none does. */
static void shrink(struct drawn *d, struct failure *f)
{
    int rounds = 0;
    bool plainer = true;

    while (plainer && rounds < SHRINK_ROUNDS) {
        struct drawn next;
        int way;

        plainer = false;
        for (size_t k = 0; (way = draw_plainer(d, k, &next)) != 0 && rounds < SHRINK_ROUNDS; k++) {
            struct failure why;

            if (way < 0)
                continue;
            rounds++;
            if (try_one(&next, &why) != -1)
                continue;
            *d = next;
            *f = why;
            plainer = true;
        }
    }
}

static int try_seeds(int argc, char **argv)
{
    const uint64_t first = argc > 1 ? strtoull(argv[1], NULL, 10) : 1;
    const uint64_t count = argc > 2 ? strtoull(argv[2], NULL, 10) : 12;
    uint64_t refused = 0, failed = 0;
    bool missing = false;

    for (uint64_t seed = first; seed < first + count; seed++) {
        struct drawn d;
        struct failure f = {""};
        char text[TEXT_CAP];
        int rc;

        draw_scenario(seed, &d);
        rc = try_one(&d, &f);
        refused += rc > 0;
        if (rc > 0)
            fprintf(stderr, "seed %" PRIu64 ": %s\n", seed, f.what);
        if (rc >= 0)
            continue;
        failed++;
        fprintf(stderr, "seed %" PRIu64 " fails: %s\n", seed, f.what);
        shrink(&d, &f);
        draw_text(&d, text, sizeof text);
        printf("; %s\n%s", f.what, text);
        if (failed >= 3)
            break;
    }
    for (size_t k = 0; k < REACHED; k++) {
        printf("%s%s %zu", k ? ", " : "reached: ", reached_kinds[k], reached[k]);
        missing |= count >= 12 && reached[k] == 0;
    }
    missing |= count >= 12 && levels == 0;
    printf(", levels compared %zu", levels);
    printf("%s\n", missing ? ": a rule was never reached" : "");
    printf("check-random: seeds %" PRIu64 " to %" PRIu64 ": %" PRIu64 " failed, %" PRIu64 " refused\n", first,
           first + count - 1, failed, refused);
    return failed > 0 || refused > 0 || missing;
}

int main(int argc, char **argv)
{
    if (argc == 2 && !strchr("0123456789", argv[1][0]))
        return try_file(argv[1]);
    return try_seeds(argc, argv);
}
