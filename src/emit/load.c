/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Load tests for a real cluster, with the scenario's rates and sizes. */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "emit/parts.h"
#include "emit/quote.h"

/* Ten minutes of the scenario's rate: long enough for flushes and compactions. */
#define TEST_S 600
/* YCSB's own advice (HBASE-4163). */
#define SPLITS_PER_SERVER 10

struct load {
    double rate_per_s;   /* rows to the table */
    int clients;
    int64_t rows;        /* of the test */
    int64_t value_bytes; /* of a row */
    int columns;         /* of a row */
    double reads_per_s, scans_per_s;
    int64_t scan_rows;
    bool zipf;
};

static bool writes_to(const struct spec_stream *st, const char *table)
{
    for (size_t i = 0; i < st->tables_len; i++) {
        if (strcmp(st->tables[i], table) == 0)
            return true;
    }
    return false;
}

static int64_t rows_of_query(const struct spec_query *q, double rate_per_s)
{
    if (q->kind == SPEC_QUERY_NEWEST)
        return q->newest;
    if (q->kind == SPEC_QUERY_RANGE || q->kind == SPEC_QUERY_HISTORY)
        return (int64_t)llround(rate_per_s * (double)q->window_ns / (double)SPEC_NS_PER_S);
    return 1;
}

static void load_of(const struct emit *em, struct load *ld)
{
    const struct spec *sp = em->spec;

    memset(ld, 0, sizeof *ld);
    for (size_t i = 0; i < sp->streams_len; i++) {
        if (!writes_to(&sp->streams[i], em->table->name))
            continue;
        ld->rate_per_s += sp->streams[i].rate_per_s;
        ld->clients += sp->streams[i].clients > 0 ? sp->streams[i].clients : 1;
        ld->zipf = ld->zipf || sp->streams[i].popularity == SPEC_POPULARITY_ZIPF;
    }
    for (size_t i = 0; i < em->table->families_len; i++) {
        for (size_t k = 0; k < em->table->families[i].columns_len; k++) {
            ld->value_bytes += em->table->families[i].columns[k].value_bytes;
            ld->columns++;
        }
    }
    for (size_t i = 0; i < sp->queries_len; i++) {
        const struct spec_query *q = &sp->queries[i];

        if (strcmp(q->table, em->table->name) != 0)
            continue;
        if (q->kind == SPEC_QUERY_GET)
            ld->reads_per_s += q->rate_per_s;
        else
            ld->scans_per_s += q->rate_per_s;
        if (rows_of_query(q, ld->rate_per_s) > ld->scan_rows)
            ld->scan_rows = rows_of_query(q, ld->rate_per_s);
    }
    ld->clients = ld->clients ? ld->clients : 10;
    ld->columns = ld->columns ? ld->columns : 1;
    ld->value_bytes = ld->value_bytes ? ld->value_bytes : 100;
    ld->rows = ld->rate_per_s > 0 ? (int64_t)llround(ld->rate_per_s * TEST_S) : 1000000;
    if (ld->rows < ld->clients)
        ld->rows = ld->clients;
}

static void write_side_table(struct emit *em, const char *end, FILE *out)
{
    char name[300];

    snprintf(name, sizeof name, "%s%s", em->table->name, end);
    quote_sh(name, out);
}

static void write_rate(const struct load *ld, FILE *out)
{
    if (ld->rate_per_s > 0)
        fprintf(out, "# %" PRId64 " rows: %d s at the scenario's %.6g rows/s\n", ld->rows, TEST_S, ld->rate_per_s);
}

int emit_pe(struct emit *em, FILE *out)
{
    struct load ld;

    load_of(em, &ld);
    fputs("# What the cluster carries when writes are spread over all regions. PE's own keys are not salted:\n"
          "# compare its rows/s with the scenario's write_capacity x servers, not its balance with the plan's.\n",
          out);
    write_rate(&ld, out);
    fputs("hbase pe --nomapred --table=", out);
    write_side_table(em, "_pe", out);
    fprintf(out, " --presplit=%zu --rows=%" PRId64 " --columns=%d --valueSize=%" PRId64 " randomWrite %d\n",
            emit_regions(em), (ld.rows + ld.clients - 1) / ld.clients, ld.columns, ld.value_bytes / ld.columns,
            ld.clients);
    return 0;
}

int emit_ltt(struct emit *em, FILE *out)
{
    struct load ld;
    const int servers = em->spec->cluster.servers > 0 ? em->spec->cluster.servers : 1;

    load_of(em, &ld);
    fputs("# Writes rows whose keys begin with an MD5 prefix (spread, but not by this table's salt), then reads\n"
          "# them back and checks each.\n",
          out);
    write_rate(&ld, out);
    fputs("hbase ltt -tn ", out);
    write_side_table(em, "_ltt", out);
    fprintf(out, " -write %d:%" PRId64 ":%d -read 100:%d -num_keys %" PRId64 " -num_regions_per_server %zu\n",
            ld.columns, ld.value_bytes / ld.columns, ld.clients, ld.clients, ld.rows,
            (emit_regions(em) + (size_t)servers - 1) / (size_t)servers);
    return 0;
}

int emit_ycsb(struct emit *em, FILE *out)
{
    struct load ld;
    const int servers = em->spec->cluster.servers > 0 ? em->spec->cluster.servers : 1;
    double all;

    load_of(em, &ld);
    all = ld.rate_per_s + ld.reads_per_s + ld.scans_per_s;
    if (all <= 0)
        all = ld.rate_per_s = 1;
    fputs("# YCSB's keys are \"user\" and digits: spread by insertorder=hashed, not by this table's salt.\n", out);
    if (all > 1)
        fprintf(out, "# bin/ycsb load hbase20 -P FILE -threads %d; bin/ycsb run hbase20 -P FILE -threads %d -target %.0f\n",
                ld.clients, ld.clients, ceil(all));
    fprintf(out, "# First, in the hbase shell: n = %d; create '%s_ycsb', {NAME => ", SPLITS_PER_SERVER * servers,
            em->table->name);
    if (quote_ruby(em->table->families[0].name, out) < 0)
        return emit_fail(em, EMIT_INVALID, "a family's name isn't UTF-8");
    fputs("}, {SPLITS => (1..n).map {|i| \"user#{1000 + i * 8999 / n}\"}}\n", out);
    fputs("workload=site.ycsb.workloads.CoreWorkload\ntable=", out);
    if (quote_property(em->table->name, out) < 0)
        return emit_fail(em, EMIT_INVALID, "the table's name isn't UTF-8");
    fputs("_ycsb\ncolumnfamily=", out);
    if (quote_property(em->table->families[0].name, out) < 0)
        return emit_fail(em, EMIT_INVALID, "a family's name isn't UTF-8");
    fprintf(out, "\nrecordcount=%" PRId64 "\noperationcount=%" PRId64 "\n", ld.rows,
            all > 1 ? (int64_t)llround(all * TEST_S) : ld.rows);
    fprintf(out, "insertproportion=%.6f\nreadproportion=%.6f\nscanproportion=%.6f\nupdateproportion=0\n",
            ld.rate_per_s / all, ld.reads_per_s / all, ld.scans_per_s / all);
    fprintf(out, "fieldcount=%d\nfieldlength=%" PRId64 "\nreadallfields=true\n", ld.columns, ld.value_bytes / ld.columns);
    if (ld.scans_per_s > 0)
        fprintf(out, "maxscanlength=%" PRId64 "\nscanlengthdistribution=uniform\n", ld.scan_rows > 0 ? ld.scan_rows : 1);
    fprintf(out, "requestdistribution=%s\ninsertorder=hashed\n", ld.zipf ? "zipfian" : "uniform");
    return 0;
}
