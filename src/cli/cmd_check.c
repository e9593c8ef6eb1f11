/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/commands.h"
#include "cli/cost.h"
#include "cli/first.h"
#include "echo/echo.h"
#include "echo/query.h"
#include "lint/lint.h"
#include "plan/shares.h"
#include "result/format.h"
#include "scenario/key.h"
#include "scenario/unit.h"

static const struct cli_option options[] = {
    {'q', "quiet", NULL, "say nothing about a good scenario"},
    {0, "strict", NULL, "exit with 1 when there are warnings"},
    {0, NULL, NULL, NULL},
};

/* One line that shows what was understood. */
static void print_good(const char *operand, const struct spec *sp)
{
    char duration[UNIT_TEXT_CAP], rate[UNIT_TEXT_CAP], rows[UNIT_TEXT_CAP];
    double per_s = 0, all;

    for (size_t i = 0; i < sp->streams_len; i++)
        per_s += sp->streams[i].rate_per_s;
    unit_write_whole(UNIT_DURATION, sp->duration_ns, duration);
    unit_write_real(UNIT_RATE, per_s, rate);
    all = per_s * (double)sp->duration_ns / (double)SPEC_NS_PER_S;
    unit_write_whole(UNIT_COUNT, all < 9e18 ? (int64_t)(all + 0.5) : INT64_MAX, rows);
    printf("%s: good; servers %d, tables %zu, streams %zu, queries %zu; %s rows in %s, %s\n", operand,
           sp->cluster.servers, sp->tables_len, sp->streams_len, sp->queries_len, rows, duration, rate);
}

/* Of each table the share of its rows that go to its hottest region, NaN where its keys tell nothing. NULL without
   memory or without keys; the caller frees it. */
static double *hottest_shares(const struct spec *sp)
{
    double *share = calloc(sp->tables_len + 1, sizeof *share);
    struct plan_keys keys = {0};
    struct plan_load load = {0};
    size_t at = 0;
    bool known;

    if (!share)
        return NULL;
    known = plan_keys_open(sp, ECHO_SAMPLED_ROWS, 1, &keys) == 0 && plan_load_open(&keys, sp, &load) == 0;
    for (size_t t = 0; known && t < sp->tables_len; t++) {
        double sum = 0, most = 0;

        for (size_t r = 0; r < load.regions[t]; r++, at++) {
            sum += load.rate[at];
            most = fmax(most, load.rate[at]);
        }
        share[t] = sum > 0 ? most / sum : (double)NAN;
    }
    plan_load_free(&load);
    plan_keys_close(&keys);
    if (known)
        return share;
    free(share);
    return NULL;
}

/* The load that was understood, and which rules it can reach. */
static void print_echo(const struct spec *sp, const struct echo *e)
{
    const double run_s = (double)sp->duration_ns / 1e9;
    char a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP];

    printf("  a server   %s and %s/s in the mean; the busiest is %s used by writes, %s write tail%s in all\n",
           format_rate(e->per_server_rows_per_s, a), format_bytes(e->per_server_bytes_per_s, b),
           format_percent(e->busiest, c), format_count(e->tails, (char[FORMAT_CAP]){0}), e->tails > 1 ? "s" : "");
    if (e->hottest > 0)
        printf("  hottest    one region takes %s of its table's rows\n", format_percent(e->hottest, a));
    if (sp->cluster.state_len > 0)
        printf("  state      servers are counted as if regions were dealt out evenly; where they lie, the state file says\n");
    if (isfinite(e->first_flush_s))
        format_time(e->first_flush_s, a);
    if (isfinite(e->first_split_s))
        format_time(e->first_split_s, b);
    printf("  reaches    flush after about %s%s%s, split %s%s%s\n", isfinite(e->first_flush_s) ? a : "no time",
           e->by_age ? ", by age" : "", e->first_flush_s > run_s ? " (not in this run)" : "", isfinite(e->first_split_s) ? "after about " : "never",
           isfinite(e->first_split_s) ? b : "",
           isfinite(e->first_split_s) && e->first_split_s > run_s ? " (not in this run)" : "");
    printf("  memstores  want up to %s on a server; its limit is %s%s\n", format_bytes(e->memstore_bytes, a),
           format_bytes(e->memstore_limit_bytes, b),
           e->memstore_bytes > e->memstore_limit_bytes ? ": global pressure will flush before the flush size" : "");
}

/* Queries that the key doesn't serve as a range, and those that want more than there is. */
static void print_queries(const struct spec *sp)
{
    for (size_t i = 0; i < sp->queries_len; i++) {
        const struct spec_query *q = &sp->queries[i];
        char rows[FORMAT_CAP];
        struct echo_query e;

        if (echo_query_fill(sp, q, &e) != 0)
            continue;
        if (!e.is_range)
            printf("  query      %s is no range of the key: about %s rows are read each time, and filtered\n", q->name,
                   format_count(e.rows, rows));
        if (e.servers > sp->cluster.servers)
            printf("  query      %s alone wants %.3g servers' processors and there are %d: at most %.3g/s\n", q->name,
                   e.servers, sp->cluster.servers, q->rate_per_s * sp->cluster.servers / e.servers);
    }
}

/* Expectations on what this load can't show. Returns how many were said. */
static size_t warn_unreachable(const char *operand, const struct spec *sp, const struct echo *e)
{
    const double run_s = (double)sp->duration_ns / 1e9;
    size_t warned = 0;

    for (size_t i = 0; i < sp->expects_len; i++) {
        const struct spec_expect *exp = &sp->expects[i];
        const bool splits = strcmp(exp->metric, "splits") == 0;
        const double at_s = splits ? e->first_split_s : e->first_flush_s;
        char text[FORMAT_CAP];

        if (exp->at_most && exp->bound == 0)
            continue; /* that there is none is what it says */
        if ((!splits && strcmp(exp->metric, "flushes") != 0 && strcmp(exp->metric, "compactions") != 0) || at_s <= run_s)
            continue;
        if (isfinite(at_s))
            cli_error("%s: warning: [expect %s] names %s, but there is no %s before %s", operand, exp->name, exp->metric,
                      splits ? "split" : "flush", format_time(at_s, text));
        else
            cli_error("%s: warning: [expect %s] names %s, but this load brings none", operand, exp->name, exp->metric);
        warned++;
    }
    return warned;
}

/* The first value of a section's key. */
static const struct scenario_value *value_in(const struct scenario *sc, const char *section, const char *key)
{
    for (size_t i = 0; i < sc->values_len; i++)
        if (strcmp(sc->values[i].section, section) == 0 && strcmp(sc->values[i].key->name, key) == 0)
            return &sc->values[i];
    return NULL;
}

/* Where a field of the table's key stands, or a family that begins the text |field|. */
static struct scenario_place place_of_field(const struct scenario *sc, const struct spec_table *t, const char *field)
{
    const size_t len = strlen(field);
    const struct scenario_value *v;
    struct scenario_place at = {NULL, 0, 0};
    char section[400];

    snprintf(section, sizeof section, "family %.200s/%.*s", t->name, (int)strcspn(field, ",:"), field);
    if ((v = value_in(sc, section, "column")) != NULL)
        return v->place;
    snprintf(section, sizeof section, "table %.200s", t->name);
    if ((v = value_in(sc, section, "key")) == NULL)
        return at;
    at = v->place;
    for (const char *word = v->text; at.line > 0 && (word = strstr(word, field)) != NULL; word += len) {
        if ((word == v->text || word[-1] == ' ') && word[len] == ':') {
            at.column += (int)(word - v->text);
            break;
        }
    }
    return at;
}

/* Keys and families that are known to end badly, as warnings with what to do. 0, or -1 without memory. */
static int lint(const struct scenario *sc, struct scenario_diags *dgs)
{
    int rc = 0;

    for (size_t t = 0; t < sc->spec.tables_len && rc == 0; t++) {
        const struct spec_table *table = &sc->spec.tables[t];
        struct result_findings all = {0};

        rc = lint_table(&sc->spec, table, &all);
        for (size_t i = 0; i < all.len && rc == 0; i++) {
            const struct result_finding *f = &all.all[i];

            diags_warning(dgs, place_of_field(sc, table, f->field), "%s of table %s: %s [%s]", f->field, table->name, f->why, f->rule);
            diags_hint(dgs, "%s", f->todo);
        }
        result_findings_free(&all);
    }
    return rc;
}

static enum cli_exit run(const struct cli_args *args)
{
    enum cli_exit worst = CLI_DONE;

    for (size_t i = 0; i < args->operands_len || (i == 0 && cli_first_asked(args)); i++) {
        struct scenario_diags dgs = {0};
        struct scenario_diags advice = {0};
        struct scenario sc;
        enum cli_exit code = cli_load_scenario(args, i, &sc, &dgs);

        double *hottest = code == CLI_DONE ? hottest_shares(&sc.spec) : NULL;
        struct echo echo;
        bool echoed = code == CLI_DONE && echo_fill(&sc.spec, hottest, &echo) == 0;
        size_t warned = echoed ? warn_unreachable(cli_scenario_name(args, i), &sc.spec, &echo) +
                                     cli_cost_warn(cli_scenario_name(args, i), &sc.spec, &echo) : 0;

        if (code == CLI_DONE && lint(&sc, &advice) != 0) {
            cli_error("out of memory");
            code = CLI_INTERNAL;
        }
        cli_print_diags(&advice);
        if (code == CLI_DONE && !cli_option_given(args, "quiet"))
            print_good(cli_scenario_name(args, i), &sc.spec);
        if (echoed && !cli_option_given(args, "quiet")) {
            print_echo(&sc.spec, &echo);
            cli_cost_print(&sc.spec, &echo);
        }
        if (code == CLI_DONE && !cli_option_given(args, "quiet"))
            print_queries(&sc.spec);
        if (code == CLI_DONE && dgs.len + advice.len + warned > 0 && cli_option_given(args, "strict"))
            worst = worst > CLI_NEGATIVE ? worst : CLI_NEGATIVE;
        if (code == CLI_DONE)
            scenario_free(&sc);
        free(hottest);
        diags_free(&advice);
        worst = worst > code ? worst : code;
        diags_free(&dgs);
    }
    return worst;
}

const struct cli_command cli_cmd_check = {
    .name = "check",
    .summary = "Read a scenario and say all that is wrong with it; nothing is simulated",
    .operands = "[SCENARIO...]",
    .examples = "  saltplan check scenario.ini\n"
                "  saltplan check scenario.ini --set '[table telemetry] buckets=24'\n",
    .details = "Keys and families are linted: numbers of varying width, a first field that grows with time, has few\n"
               "values or a hot one, personal data, more than three families, rows too wide to split, end marks\n"
               "that a value may hold. These are warnings, each with its reason and what to do.\n"
               "Exit status: 0 good, 1 warnings with --strict, 2 errors, 3 a file can't be read.\n",
    .options = options,
    .takes_scenario = true,
    .operands_min = 0,
    .operands_max = -1,
    .run = run,
};
