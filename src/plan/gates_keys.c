/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gates of the key, of Phoenix and of the clients. */
#include <math.h>
#include <string.h>

#include "echo/query.h"
#include "hbase/rules/mutator.h"
#include "plan/conclude.h"
#include "result/format.h"
#include "saltkey.h"
#include "spec/scheme.h"

#define PHOENIX_BATCH 100
#define ROW_BYTES_UNKNOWN 40

/* Buckets that a batch of |rows| rows touches: 1 - (1 - 1/N)^rows of them. */
static double touched(double n, double rows)
{
    return n * (1 - pow(1 - 1 / n, rows));
}

/* Whether a split key that is cut as the table's policy cuts it can be the salt alone. */
static bool cut_to_salt(const struct spec_table *table, enum spec_split_policy policy)
{
    const struct spec_bytes *mark = &table->split_delimiter;
    struct saltkey_scheme scheme;

    if (spec_table_scheme(table, &scheme, NULL) != 0 || scheme.salt.width == 0)
        return false;
    if (policy == SPEC_SPLIT_KEY_PREFIX)
        return table->split_prefix_bytes > 0 && (uint32_t)table->split_prefix_bytes <= scheme.salt.width;
    /* The salts that are text end with an underscore. */
    return scheme.salt.prefix != SALTKEY_PREFIX_BYTES && mark->len == 1 && mark->bytes[0] == '_';
}

static int key_prefix_gate(struct plan_end *pe, const struct spec_table *table)
{
    const enum spec_split_policy p = spec_table_split_policy(&pe->shown->spec, table);
    const bool stop = (p == SPEC_SPLIT_KEY_PREFIX || p == SPEC_SPLIT_DELIMITED_KEY_PREFIX) && cut_to_salt(table, p);
    struct plan_text t = {"", 0};

    if (p != SPEC_SPLIT_KEY_PREFIX && p != SPEC_SPLIT_DELIMITED_KEY_PREFIX)
        plan_say(&t, "the split policy does not cut keys");
    else if (stop && p == SPEC_SPLIT_KEY_PREFIX)
        plan_say(&t, "a split key cut to %d byte%s is the salt alone, the start of its own region in table %s: HBase neither "
                 "splits nor compacts it, its files pile up", table->split_prefix_bytes,
                 table->split_prefix_bytes == 1 ? "" : "s", table->name);
    else if (stop)
        plan_say(&t, "a split key cut behind the first '_' is the salt alone, the start of its own region in table %s: HBase "
                 "neither splits nor compacts it, its files pile up", table->name);
    else
        plan_say(&t, "split keys are cut behind the salt and more: a region whose rows share that prefix can't split");
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"key-prefix", stop ? "stop" : "ok",
                         "KeyPrefixRegionSplitPolicy 2.6, recorded",
                         stop ? "prefix_length = the salt's width and that of the field behind it, or another policy" : NULL},
                         &t);
}

static int phoenix_bug_gate(struct plan_end *pe, const struct spec_table *table)
{
    const struct spec *sp = &pe->shown->spec;
    const int version = sp->plan.phoenix_version ? sp->plan.phoenix_version : SPEC_PHOENIX(5, 2, 1);
    const bool phoenix = strncmp(table->salt, "phoenix", 7) == 0 && table->buckets > 1;
    const bool fixed = version > SPEC_PHOENIX(5, 2, 1), hit = phoenix && !fixed;
    const bool splits = spec_table_split_policy(sp, table) != SPEC_SPLIT_DISABLED;
    struct plan_text t = {"", 0};

    if (!phoenix)
        plan_say(&t, "table %s is not a salted Phoenix table", table->name);
    else if (fixed)
        plan_say(&t, "Phoenix %d.%d.%d is later than 5.2.1, the last one that lost rows by PHOENIX-7580", version / 10000,
                 version / 100 % 100, version % 100);
    else
        plan_say(&t, "PHOENIX-7580, in Phoenix %d.%d.%d: a range bounded on both sides silently loses the rows of "
                 "the last bucket (1/%d of them) once bucket %d has %s", version / 10000, version / 100 % 100, version % 100,
                 table->buckets, table->buckets - 2, splits ? "split, as it will in this table" : "two regions");
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"phoenix-7580", !hit ? "ok" : splits ? "stop" : "warn",
                         "PHOENIX-7580; recorded with 5.2.1",
                         hit ? "a Phoenix with the fix (after 5.2.1; then [plan] phoenix = its version), or leave the range "
                               "open at its end and filter" : NULL}, &t);
}

static int phoenix_batch_gate(struct plan_end *pe, const struct spec_table *table)
{
    const bool phoenix = strncmp(table->salt, "phoenix", 7) == 0 && table->buckets > 0;
    const double n = table->buckets > 0 ? table->buckets : 1, hits = touched(n, PHOENIX_BATCH);
    struct plan_text t = {"", 0};

    if (!phoenix)
        plan_say(&t, "table %s is not a salted Phoenix table", table->name);
    else
        plan_say(&t, "Phoenix cuts a commit into batches of %d rows: each reaches %.4g of %.0f buckets, so that a region "
                 "call carries %.3g rows; a mutable global index multiplies this by its own buckets and by 2",
                 PHOENIX_BATCH, hits, n, PHOENIX_BATCH / hits);
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"phoenix-batches",
                         phoenix && PHOENIX_BATCH / hits < 5 ? "warn" : "ok", "MutationState of Phoenix 5.2.1, recorded",
                         phoenix && PHOENIX_BATCH / hits < 5 ? "phoenix.mutate.batchSize = 1000" : NULL}, &t);
}

static int normalizer_gate(struct plan_end *pe, const struct spec_table *table)
{
    const bool merges = table->normalizer && !table->normalizer_no_merge && pe->shown->spec.hbase.normalizer.merge;
    const bool phoenix = strncmp(table->salt, "phoenix", 7) == 0;
    const char *level = table->buckets < 2 || !merges ? "ok" : phoenix ? "stop" : "warn";
    struct plan_text t = {"", 0};

    if (table->buckets < 2)
        plan_say(&t, "one bucket has no border to merge across");
    else if (!merges)
        plan_say(&t, "the normalizer merges nothing in table %s; it knows no bucket and would merge across the borders of "
                 "its %d", table->name, table->buckets);
    else
        plan_say(&t, "SimpleRegionNormalizer knows no bucket: it merges neighbours across the borders of the %d buckets of "
                 "%s%s", table->buckets, table->name, phoenix ? ", and Phoenix then reads wrong rows" : "");
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"normalizer", level, "SimpleRegionNormalizer 2.6, recorded",
                         strcmp(level, "ok") == 0 ? NULL : "normalizer = off, or split: hbase.normalizer.merge.enabled = false "
                         "for the table"}, &t);
}

/* What the library knows to be bad about the scheme: multiples of 31, random salts, odd layouts. */
static int scheme_gate(struct plan_end *pe, const struct spec_table *table)
{
    struct saltkey_scheme scheme;
    struct plan_text t = {"", 0};
    const char *level = "ok", *text;

    memset(&scheme, 0, sizeof scheme);
    if (spec_table_scheme(table, &scheme, NULL) == 0)
        for (size_t i = 0; (text = saltkey_scheme_warning(&scheme, i)) != NULL; i++) {
            plan_say(&t, "%s%s", t.len ? "; " : "", text);
            level = "warn";
        }
    if (scheme.salt.hash == SALTKEY_HASH_ARRAYS && table->buckets > 0 && table->buckets % 31 == 0)
        level = "stop"; /* only the hash's last byte counts then */
    if (t.len == 0)
        plan_say(&t, "N = %d suits the salt '%s'", table->buckets, table->salt);
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"scheme", level, "libsaltkey",
                         strcmp(level, "stop") == 0 ? "an N that is no multiple of 31"
                         : strcmp(level, "warn") == 0 ? "another salt or N, or a layout without this trait" : NULL}, &t);
}

static int edge_gate(struct plan_end *pe, const struct spec_table *table)
{
    struct plan_text t = {"", 0};
    const char *level = "ok", *hint = NULL;

    if (table->buckets == 1) {
        plan_say(&t, "N = 1 adds a byte to each key and spreads nothing");
        level = "warn";
        hint = "none, or 2 and more";
    } else if (table->buckets == 256) {
        plan_say(&t, "N = 256 uses the salt byte up: the last bucket's scan has no stop row, and a reader that builds 256 "
                 "as a byte wraps to 0");
        level = "warn";
        hint = "255 or fewer";
    } else {
        plan_say(&t, "N = %d is neither 1 nor 256", table->buckets);
    }
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"edges", level, "Phoenix and HBaseWD, their edges recorded",
                         hint}, &t);
}

/* A buffer of the client is cut into a call a server, and in it a batch a region. */
static int batch_gate(struct plan_end *pe, const struct spec_table *table)
{
    const struct spec *sp = &pe->shown->spec;
    const double n = table->buckets > 1 ? table->buckets : 1;
    struct mutator_limits lim;
    struct saltkey_scheme scheme;
    struct plan_text t = {"", 0};
    uint64_t row = ROW_BYTES_UNKNOWN, heap;
    double rows, per_region;
    bool small;

    if (spec_table_scheme(table, &scheme, NULL) == 0 && scheme.layout.width > 0)
        row = scheme.layout.width + scheme.salt.width;
    heap = put_heap_bytes(row, strlen(table->families[0].name), strlen(table->families[0].columns[0].qualifier),
                          (uint64_t)table->families[0].columns[0].value_bytes);
    mutator_limits_default(&lim);
    lim.write_buffer_bytes = sp->streams_len > 0 ? (uint64_t)sp->streams[0].buffer_bytes : 0;
    rows = lim.write_buffer_bytes > 0 ? (double)mutator_rows_to_submit(&lim, heap) : 1;
    per_region = rows / touched(n, rows);
    small = lim.write_buffer_bytes > 0 && per_region < 10;
    if (lim.write_buffer_bytes == 0)
        plan_say(&t, "unbuffered clients: each row is a call of its own at any N");
    else
        plan_say(&t, "a buffer of %.4g MiB sends %.0f rows of %.0f B heap at once: %.4g region batches of %.4g rows, in "
                 "%.0f calls; unsalted it is 1 of %.0f", (double)lim.write_buffer_bytes / 1048576, rows, (double)heap,
                 touched(n, rows), per_region, fmin(touched(n, rows), sp->cluster.servers), rows);
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"client-batches", small ? "warn" : "ok",
                         "BufferedMutatorImpl, SimpleRequestController 2.6",
                         small ? "a larger hbase.client.write.buffer, in step with N" : NULL}, &t);
}

static int skew_gate(struct plan_end *pe, const struct spec_table *table)
{
    const double share = pe->shown->load.hot_bucket_share, ratio = share * table->buckets;
    const char *level = ratio > 2 ? "stop" : ratio > 1.1 ? "warn" : "ok";
    struct plan_text t = {"", 0};

    if (table->buckets < 2 || isnan(share)) {
        plan_say(&t, "no buckets to compare");
        return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"bucket-skew", "ok", "exact counts of sampled keys",
                             NULL}, &t);
    }
    plan_say(&t, "the largest of %d buckets takes %.4g %% of the writes, %.3f times its share", table->buckets, 100 * share,
             ratio);
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"bucket-skew", level, "exact counts of sampled keys",
                         ratio > 1.1 ? "salt over the whole key, or another N or hash" : NULL}, &t);
}

/* Queries that are no range of the key, as `check` tells them: how many, the one that costs most, and what all of
   them would keep busy. */
struct filtered {
    size_t asked, found;
    const struct spec_query *worst;
    struct echo_query cost;
    double servers;
};

static void find_filtered(const struct spec *sp, struct filtered *out)
{
    *out = (struct filtered){.found = 0};
    for (size_t i = 0; i < sp->queries_len; i++) {
        struct echo_query e;

        if (echo_query_fill(sp, &sp->queries[i], &e) != 0)
            continue;
        out->asked++;
        if (e.is_range)
            continue;
        out->found++;
        out->servers += e.servers;
        if (!out->worst || e.servers > out->cost.servers) {
            out->worst = &sp->queries[i];
            out->cost = e;
        }
    }
}

static void say_filtered(struct plan_text *t, const struct filtered *f, int servers)
{
    char rows[FORMAT_CAP], wanted[FORMAT_CAP];

    plan_say(t, "query %s", f->worst->name);
    if (f->found > 1)
        plan_say(t, " and %zu more", f->found - 1);
    plan_say(t, " of %zu %s no range of the key at any N: about %s rows are read %s and filtered", f->asked,
             f->found > 1 ? "are" : "is", format_count(f->cost.rows, rows), f->found > 1 ? "for the first" : "each time");
    if (f->servers > servers)
        plan_say(t, ", which wants the processors of %s servers and there are %d", format_count(ceil(f->servers), wanted),
                 servers);
    else if (f->servers >= 0.01)
        plan_say(t, ", the work of %.2g of %d servers", f->servers, servers);
}

static int layout_gate(struct plan_end *pe, const struct spec_table *table)
{
    const struct spec *sp = &pe->shown->spec;
    const char *query = NULL, *level = "ok";
    const bool all = plan_layout_scans_all(sp, &query);
    struct plan_text t = {"", 0};
    struct filtered f;

    find_filtered(sp, &f);
    if (all)
        plan_say(&t, "query %s reads the whole of table %s whatever N is", query, table->name);
    else if (f.found > 0)
        say_filtered(&t, &f, sp->cluster.servers);
    else
        plan_say(&t, "the queries find their rows by the key's beginning");
    if (all || f.found > 0)
        level = all || f.servers > sp->cluster.servers ? "stop" : "warn";
    return plan_add_gate(&pe->res->plan, (struct plan_gate_words){"layout", level, "saltkey_window_query",
                         strcmp(level, "ok") != 0 ? "what is asked for goes to the front of the key, or into a second table"
                                                  : NULL}, &t);
}

int plan_gates_keys(struct plan_end *pe)
{
    static int (*const gates[])(struct plan_end *, const struct spec_table *) = {
        key_prefix_gate, scheme_gate, edge_gate, skew_gate, layout_gate, batch_gate, normalizer_gate,
        phoenix_bug_gate, phoenix_batch_gate,
    };
    const struct spec *sp = &pe->shown->spec;
    const struct spec_table *table = &sp->tables[0];
    int rc = 0;

    for (size_t t = sp->tables_len; t-- > 0;)
        if (sp->tables[t].buckets > 0)
            table = &sp->tables[t];
    for (size_t i = 0; i < sizeof gates / sizeof gates[0] && rc == 0; i++)
        rc = gates[i](pe, table);
    return rc;
}
