/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "emit/emit.h"
#include "emit/quote.h"
#include "plan/migrate.h"
#include "result/format.h"
#include "result/number.h"
#include "scenario/unit.h"
#include "sim/sim.h"

#define DAY_S 86400.0
#define AGE_DEFAULT_S (30 * DAY_S)
#define LIST_BUCKETS 8

static const struct cli_option options[] = {
    {0, "table", "NAME", "the table; the first one that has a salt with buckets, if not given"},
    {0, "from", "N|none", "bucket count that the table has; the scenario's, if not given"},
    {0, "to", "N|none", "bucket count that it shall have"},
    {0, "size", "BYTES", "the table's size on disk, one copy, as 10TiB"},
    {0, "age", "TIME", "how long it has been written, where the size is not given; 30d"},
    {0, "retention", "TIME", "rows older than this have expired, as 90d; the families' TTL, if not given"},
    {0, "rewrite-rate", "RATE", "what one server may rewrite beside its work, as 25MB/s; a quarter of its disk"},
    {0, "json", NULL, "print the figures as JSON"},
    {0, NULL, NULL, NULL},
};

static enum cli_exit bad_option(const char *name, const char *text, const char *why)
{
    cli_error("--%s %s: %s", name, text, why);
    return CLI_USAGE;
}

static enum cli_exit read_buckets(const struct cli_args *args, const char *name, int *out)
{
    const char *text = cli_option_text(args, name);
    char *end;
    long n;

    if (!text)
        return CLI_DONE;
    if (strcmp(text, "none") == 0) {
        *out = 0;
        return CLI_DONE;
    }
    errno = 0;
    n = strtol(text, &end, 10);
    if (errno != 0 || end == text || *end != '\0' || n < 1 || n > 256)
        return bad_option(name, text, "not a bucket count: none, or 1 to 256");
    *out = (int)n;
    return CLI_DONE;
}

static enum cli_exit read_amount(const struct cli_args *args, const char *name, enum unit_family family, double *out)
{
    const char *text = cli_option_text(args, name);
    struct unit_problem why;
    int64_t whole;
    double real;

    if (!text)
        return CLI_DONE;
    if (family == UNIT_BYTE_RATE) {
        if (unit_read_real(family, text, strlen(text), &real, &why) != 0)
            return bad_option(name, text, why.message);
    } else {
        if (unit_read_whole(family, text, strlen(text), &whole, &why) != 0)
            return bad_option(name, text, why.message);
        real = family == UNIT_DURATION ? (double)whole / 1e9 : (double)whole;
    }
    if (!(real > 0))
        return bad_option(name, text, "must be above 0");
    *out = real;
    return CLI_DONE;
}

/* A bucket count that the table's salt has no room for. */
static enum cli_exit check_width(const struct spec_table *table, const char *name, int n)
{
    struct saltkey_error err = {0, 0, ""};
    struct saltkey_salt salt;

    if (n == 0 || saltkey_salt_parse(table->salt, (uint32_t)n, &salt, &err) == 0)
        return CLI_DONE;
    cli_error("--%s %d: %d buckets don't fit the salt of table %s: %s", name, n, n, table->name, err.reason);
    return CLI_USAGE;
}

static enum cli_exit read_table(const struct cli_args *args, const struct spec *sp, size_t *table)
{
    const char *name = cli_option_text(args, "table");

    *table = 0;
    while (*table < sp->tables_len && (name ? strcmp(sp->tables[*table].name, name) != 0
                                            : !spec_salt_takes_buckets(sp->tables[*table].salt)))
        ++*table;
    if (*table == sp->tables_len) {
        if (name) {
            cli_error("--table %s: the scenario has no such table", name);
            return CLI_USAGE;
        }
        cli_error("%s: no table has a salt with buckets", args->operands[0]);
        cli_hint("for a table without a salt: --set '[table NAME] salt=arrays-hash floorMod' --set '[table NAME] buckets=none'");
        return CLI_USAGE;
    }
    if (spec_salt_takes_buckets(sp->tables[*table].salt))
        return CLI_DONE;
    cli_error("--table %s: its salt has no buckets", name);
    return CLI_USAGE;
}

static enum cli_exit read_ask(const struct cli_args *args, const struct spec *sp, struct plan_migrate_ask *ask)
{
    const struct spec_table *table;
    enum cli_exit code = read_table(args, sp, &ask->table);

    if (code != CLI_DONE)
        return code;
    table = &sp->tables[ask->table];
    ask->from = table->buckets;
    ask->to = -1;
    ask->age_s = AGE_DEFAULT_S;
    code = read_buckets(args, "from", &ask->from);
    if (code == CLI_DONE)
        code = read_buckets(args, "to", &ask->to);
    if (code == CLI_DONE && ask->to < 0) {
        cli_error("--to is missing: which bucket count shall table %s have?", table->name);
        code = CLI_USAGE;
    }
    if (code == CLI_DONE)
        code = check_width(table, "from", ask->from);
    if (code == CLI_DONE)
        code = check_width(table, "to", ask->to);
    if (code == CLI_DONE)
        code = read_amount(args, "size", UNIT_BYTES, &ask->size_bytes);
    if (code == CLI_DONE)
        code = read_amount(args, "age", UNIT_DURATION, &ask->age_s);
    if (code == CLI_DONE)
        code = read_amount(args, "retention", UNIT_DURATION, &ask->retention_s);
    if (code == CLI_DONE)
        code = read_amount(args, "rewrite-rate", UNIT_BYTE_RATE, &ask->rewrite_per_s);
    if (code == CLI_DONE && 2 * ask->rewrite_per_s > sp->server.disk_bytes_per_s) {
        char half[FORMAT_CAP];

        cli_error("--rewrite-rate %s: each byte is read and written, and a server's disk has no more than %s/s for both",
                  cli_option_text(args, "rewrite-rate"), format_bytes(sp->server.disk_bytes_per_s, half));
        code = CLI_USAGE;
    }
    return code;
}

static const char *n_text(int n, char text[FORMAT_CAP])
{
    if (n > 0)
        snprintf(text, FORMAT_CAP, "%d buckets", n);
    else
        strcpy(text, "no salt");
    return text;
}

static void print_rows(const struct plan_migration *m)
{
    char a[FORMAT_CAP], b[FORMAT_CAP];

    if (m->from == 0 || m->to == 0) {
        puts("rows      all rows change their key: the salt in front of them comes or goes");
        if (m->to == 0)
            printf("buckets   the rows of all %d buckets come together in one order of keys\n", m->from);
        else
            printf("buckets   each of the %d new buckets takes rows from the whole old table\n", m->to);
        return;
    }
    printf("rows      %s of the rows change their key (of %llu sampled ones; by the formula 1 - gcd / max %s)\n",
           format_percent(m->moved, a), (unsigned long long)m->sampled, format_percent(m->moved_formula, b));
    if (m->splits_into == 0) {
        printf("buckets   every new bucket takes rows from several old ones: all are read before one is complete\n");
        return;
    }
    printf("buckets   each old bucket feeds %d new ones and no other%s: bucket by bucket, each can be checked and switched "
           "for itself\n", m->splits_into, m->splits_hold ? " (true for every sampled row)" : " but for stray rows");
    for (int b0 = 0; b0 < m->from && b0 < LIST_BUCKETS; b0++) {
        printf("          %d ->", b0);
        for (int k = 0; k < m->splits_into; k++)
            printf("%s %d", k ? "," : "", b0 + k * m->from);
        putchar('\n');
    }
    if (m->from > LIST_BUCKETS)
        printf("          ... and so on to %d\n", m->from - 1);
}

static void print_work(const struct plan_migration *m)
{
    char a[FORMAT_CAP], b[FORMAT_CAP], c[FORMAT_CAP], d[FORMAT_CAP];

    printf("volume    %s, %s rows of %.0f bytes; all of it is read and written%s\n", format_bytes(m->size_bytes, a),
           format_count(m->rows, b), m->row_bytes, m->from > 0 && m->to > 0 ? ", also the rows that keep their bucket" : "");
    format_count(m->hfiles, a);
    if (m->regions > 1)
        printf("files     a bulk load cuts it at the %.0f border%s of the new table: %s HFiles\n", m->regions - 1,
               m->regions > 2 ? "s" : "", a);
    else
        printf("files     a bulk load brings %s HFiles into the one region of the new table\n", a);
    printf("time      %s with %d servers at %s/s each\n", format_time(m->copy_s, a), m->servers,
           format_bytes(m->rewrite_per_s, b));
    printf("load      %s of each disk while it runs; both tables together take %s at the peak, the hottest server is then %s busy\n",
           format_percent(m->disk_share, a), format_rate(m->dual_rate_per_s, c), format_percent(m->dual_load, d));
    printf("window    write to both tables from before the copy begins until the counts agree: %s and the checks\n",
           format_time(m->copy_s, a));
    printf("evenness  hot server ratio %s now, %s after; at today's size: [plan] and its growth are plan's to judge\n",
           format_ratio(m->ratio_from, a), format_ratio(m->ratio_to, b));
}

/* Copying and comparing where HBase's own tools do it. */
static void print_hbase_steps(const char *old_name, const char *new_name)
{
    printf("2. write every row to both tables, each with its own salt; note the time T.\n"
           "3. copy what is older than T: a job reads ");
    quote_sh(old_name, stdout);
    printf(", builds each key anew (saltplan key, libsaltkey) and writes HFiles; CopyTable keeps keys as they are and "
           "can't do it. Load them:\n   hbase completebulkload OUTPUT ");
    quote_sh(new_name, stdout);
    printf("\n4. compare counts by time range, day by day, on both:\n   hbase rowcounter ");
    quote_sh(old_name, stdout);
    printf(" --starttime=FROM_MS --endtime=TO_MS\n   hbase rowcounter ");
    quote_sh(new_name, stdout);
    printf(" --starttime=FROM_MS --endtime=TO_MS\n"
           "5. switch the readers, watch, stop writing to the old table, snapshot and drop it.\n");
}

static void print_copy(const struct emit *em, const char *old_name, const char *new_name)
{
    printf("   UPSERT INTO ");
    emit_sql_table(new_name, stdout);
    printf(" SELECT * FROM ");
    emit_sql_table(old_name, stdout);
    emit_sql_older(em, "T", stdout);
    puts(";");
}

/* The same in Phoenix, which computes each table's salt itself. Ranges of time have one bound: with two, 5.2.1 may
   leave a bucket out (PHOENIX-7580). */
static void print_phoenix_steps(const struct emit *em, const char *old_name, const char *new_name)
{
    const char *const tables[] = {old_name, new_name};

    printf("2. UPSERT every row into both tables, Phoenix salts each with its own N; note the time T.\n");
    if (emit_sql_tells_older(em)) {
        printf("3. copy what is older than T; it goes through this client in batches (autocommit on):\n");
        print_copy(em, old_name, new_name);
        printf("4. compare counts on both, with one bound of time alone (PHOENIX-7580 may lose a bucket between two):\n");
    } else {
        printf("3. the key has no time as a number, so SQL can't tell what is older than T: with both tables written, a copy\n"
               "   of all rows would put old values over new ones. Stop the writers of step 2 for the copy, or copy by ranges\n"
               "   of the key that are written no more:\n");
        print_copy(em, old_name, new_name);
        printf("4. compare counts on both:\n");
    }
    for (size_t i = 0; i < 2; i++) {
        printf("   SELECT COUNT(*) FROM ");
        emit_sql_table(tables[i], stdout);
        emit_sql_older(em, "T", stdout);
        puts(";");
    }
    printf("5. switch the readers, watch, stop writing to the old table, snapshot it, then\n   DROP TABLE ");
    emit_sql_table(old_name, stdout);
    puts(";");
}

/* The steps in the order of their doing. */
static enum cli_exit print_commands(const struct spec *sp, const struct plan_migration *m)
{
    struct spec_table table = *m->table;
    char name[512];
    struct emit em;
    int rc;

    if (m->to > 0)
        snprintf(name, sizeof name, "%s_%d", table.name, m->to);
    else
        snprintf(name, sizeof name, "%s_unsalted", table.name);
    table.name = name;
    table.buckets = m->to;
    rc = emit_open(&em, sp, &table);
    if (rc == 0) {
        const bool phoenix = emit_is_phoenix(&em);

        printf("1. create the new table (%s):\n", phoenix ? "Phoenix" : "hbase shell");
        rc = emit_own(&em, stdout);
        if (rc == 0 && phoenix)
            print_phoenix_steps(&em, m->table->name, name);
        else if (rc == 0)
            print_hbase_steps(m->table->name, name);
        emit_close(&em);
    }
    if (rc == 0)
        return CLI_DONE;
    cli_error("table %s: %s", name, em.reason);
    return rc == EMIT_NO_MEMORY ? CLI_INTERNAL : CLI_USAGE;
}

static void print_json(const struct plan_migration *m)
{
    const struct {
        const char *name;
        double value;
    } figures[] = {
        {"from", m->from}, {"to", m->to}, {"moved_share", m->moved}, {"moved_share_formula", m->moved_formula},
        {"sampled_rows", (double)m->sampled}, {"splits_into", m->splits_into}, {"size_bytes", m->size_bytes},
        {"rows", m->rows}, {"row_bytes", m->row_bytes}, {"hfiles", m->hfiles}, {"regions", m->regions},
        {"copy_s", m->copy_s}, {"rewrite_bytes_per_s", m->rewrite_per_s}, {"disk_share", m->disk_share},
        {"dual_write_rate_per_s", m->dual_rate_per_s}, {"dual_write_load", m->dual_load},
        {"hot_server_ratio_from", m->ratio_from}, {"hot_server_ratio_to", m->ratio_to},
        {"even_servers", m->even_servers},
    };
    char number[RESULT_NUMBER_CAP];

    putchar('{');
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        result_number_text(figures[i].value, number);
        printf("%s\n  \"%s\": %s", i ? "," : "", figures[i].name, number);
    }
    printf(",\n  \"bucket_by_bucket\": %s,\n  \"recommended\": %s\n}\n", m->splits_hold ? "true" : "false",
           m->dont ? "false" : "true");
}

/* The verdict, what it comes from, and then what to type. */
static enum cli_exit print_plan(const struct spec *sp, const struct plan_migration *m)
{
    char a[FORMAT_CAP], b[FORMAT_CAP];

    printf("Table %s from %s to %s on %d server%s\n", m->table->name, n_text(m->from, a), n_text(m->to, b), m->servers,
           m->servers == 1 ? "" : "s");
    printf("verdict: %s\n", m->advice);
    if (m->from == m->to)
        return CLI_DONE;
    putchar('\n');
    print_rows(m);
    print_work(m);
    printf("\n%s\n", m->dont ? "If it shall be done all the same:" : "Steps:");
    return print_commands(sp, m);
}

static enum cli_exit run(const struct cli_args *args)
{
    struct scenario sc;
    struct plan_migrate_ask ask = {0};
    struct plan_migration m = {.dont = false};
    enum cli_exit code = cli_load_scenario(args, 0, &sc, NULL);

    if (code != CLI_DONE)
        return code;
    code = read_ask(args, &sc.spec, &ask);
    if (code == CLI_DONE) {
        const int rc = plan_migrate(&sc.spec, &ask, &m);

        if (rc != 0) {
            cli_error("%s: %s", args->operands[0], rc == SIM_BAD_FILE ? "its key file can't be read" :
                      rc == SIM_BAD_SPEC ? "a stream's keys don't fit its table" : "out of memory");
            code = rc == SIM_BAD_FILE ? CLI_FILE : rc == SIM_BAD_SPEC ? CLI_USAGE : CLI_INTERNAL;
        } else if (cli_option_given(args, "json")) {
            print_json(&m);
        } else {
            code = print_plan(&sc.spec, &m);
        }
    }
    if (code == CLI_DONE && fflush(stdout) != 0 && errno != EPIPE) {
        cli_error("standard output: %s", strerror(errno));
        code = CLI_FILE;
    }
    if (code == CLI_DONE && m.dont)
        code = CLI_NEGATIVE;
    scenario_free(&sc);
    return code;
}

const struct cli_command cli_cmd_migrate = {
    .name = "migrate",
    .summary = "What another bucket count takes: rows that move, volume, time, load, steps; or what is cheaper",
    .operands = "SCENARIO",
    .examples = "  saltplan migrate preset:iot-telemetry --to 48\n"
                "  saltplan migrate scenario.ini --from 16 --to 24 --size 10TiB --rewrite-rate 20MB/s\n",
    .details = "Exit status: 0 the migration is worth its cost, 1 something cheaper does as well (the verdict says\n"
               "what), 2 wrong usage or scenario, 3 a file can't be read.\n",
    .options = options,
    .takes_scenario = true,
    .operands_min = 1,
    .operands_max = 1,
    .run = run,
};
