/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded runs of a whole cluster: settings from the header, the start, and the figures. */
#include "truth_end_to_end.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *copy(const char *s)
{
    char *p = malloc(strlen(s) + 1);

    if (!p)
        abort();
    return strcpy(p, s);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

double e2e_median(double *v, size_t n)
{
    if (n == 0)
        return (double)NAN;
    qsort(v, n, sizeof *v, ascending);
    return v[(n - 1) / 2];
}

/* ---- settings ---- */

/* Number behind the text in any comment line. */
static double setting(const struct truth_table *t, const char *text, double otherwise)
{
    for (size_t i = 0; i < t->comments; i++) {
        const char *at = strstr(t->comment[i], text);

        if (at)
            return strtod(at + strlen(text), NULL);
    }
    return otherwise;
}

static void word(const struct truth_table *t, const char *text, const char *until, char *out, size_t cap)
{
    out[0] = '\0';
    for (size_t i = 0; i < t->comments; i++) {
        const char *at = strstr(t->comment[i], text);

        if (!at)
            continue;
        at += strlen(text);
        snprintf(out, cap, "%.*s", (int)strcspn(at, until), at);
        return;
    }
}

static void fill_table(struct spec *sp, const struct truth_table *t, const char *stream)
{
    struct spec_table *table = calloc(1, sizeof *table);
    struct spec_family *f = calloc(1, sizeof *f);
    const bool hex = strcmp(stream, "HEX-MD5") == 0, salted = strncmp(stream, "SALT", 4) == 0;

    if (!table || !f || !(f->columns = calloc(1, sizeof *f->columns)))
        abort();
    sp->tables = table;
    sp->tables_len = 1;
    table->name = copy("t");
    table->key = copy("ts:be64 dev:be32");
    table->salt = copy(hex ? "md5hex 4" : salted ? "arrays-hash floorMod" : "none");
    table->salt_over = copy(hex || strcmp(stream, "SALT-DEV") == 0 ? "dev" : "key");
    table->buckets = salted ? (int)setting(t, " N=", 1) : 0;
    table->splits = SPEC_SPLITS_NONE;
    table->splits_regions = 1;
    table->max_filesize_bytes = (int64_t)setting(t, "table MAX_FILESIZE=", 0);
    table->families = f;
    table->families_len = 1;
    f->name = copy("d");
    f->blocksize_bytes = 65536;
    f->bloom_row = true;
    f->columns_len = 1;
    f->columns->qualifier = copy("v");
    f->columns->value_bytes = (int64_t)setting(t, "value_bytes=", 100);
}

static int64_t ns(double s)
{
    return (int64_t)llround(s * 1e9);
}

/* The machine of the recordings isn't the subject: outages are drawn from the file, the disk's speed
   is about that of the recorded compactions. */
static void fill_spec(struct e2e_record *rec, const struct truth_table *t)
{
    struct spec *sp = &rec->spec;
    char policy[80];

    spec_init(sp);
    rec->discharger_period_s = setting(t, "discharger ", 120);
    rec->balancer_period_s = setting(t, "balancer period ", 300);
    rec->status_period_s = setting(t, "statusPeriod ", 60);
    sp->compare = SPEC_COMPARE_NO;
    sp->cluster.servers = rec->servers;
    sp->duration_ns = ns(rec->end_s + E2E_REST_S);
    sp->window_ns = 5 * SPEC_NS_PER_S;
    sp->server.chore_lateness = 0.1;
    sp->server.disk_bytes_per_s = 20e6;
    sp->hbase.memstore_flush_size_bytes = (int64_t)setting(t, "flush size ", 134217728);
    sp->hbase.max_filesize_bytes = (int64_t)setting(t, "max.filesize ", 10737418240.0);
    sp->hbase.max_filesize_jitter = setting(t, "max.filesize.jitter=", setting(t, "jitter ", 0.25));
    sp->hbase.discharger_interval_ns = ns(rec->discharger_period_s);
    sp->hbase.balancer_period_ns = ns(rec->balancer_period_s);
    sp->hbase.balance.status_period_ns = ns(rec->status_period_s);
    sp->hbase.balance.msg_interval_ns = ns(setting(t, "msginterval ", 3));
    sp->hbase.client_retries = (int)setting(t, "hbase.client.retries.number=", 15);
    word(t, "split policy ", ",;\n", policy, sizeof policy);
    if (strstr(policy, "ConstantSize"))
        sp->hbase.split_policy = SPEC_SPLIT_CONSTANT;
    else if (strstr(policy, "IncreasingToUpperBound"))
        sp->hbase.split_policy = SPEC_SPLIT_INCREASING;
    word(t, "stream=", " ;", rec->stream_name, sizeof rec->stream_name);
    fill_table(sp, t, rec->stream_name);
    rec->stream = (struct truth_stream){"TIME", 1, truth_comment_number(t, " D", 1000),
                                        truth_comment_number(t, "step_ms", 1), truth_comment_number(t, " H", 0)};
}

/* ---- the start ---- */

static int server_of(const char *name)
{
    return strncmp(name, "rs", 2) == 0 ? atoi(name + 2) : -1;
}

static void start_key(const char *hex, struct spec_bytes *out)
{
    const size_t n = strcmp(hex, "-") == 0 ? 0 : strlen(hex) / 2;

    out->bytes = malloc(n + 1);
    if (!out->bytes)
        abort();
    out->len = n;
    for (size_t i = 0; i < n; i++) {
        char two[3] = {hex[2 * i], hex[2 * i + 1], '\0'};

        out->bytes[i] = (uint8_t)strtoul(two, NULL, 16);
    }
}

static void read_start(struct e2e_record *rec, const struct truth_table *t)
{
    struct spec_state_region *all = calloc(t->rows + 1, sizeof *all);
    size_t n = 0;

    if (!all)
        abort();
    for (size_t i = 0; i < t->rows; i++) {
        const char *when = truth_cell(t, i, "when"), *table = truth_cell(t, i, "table");
        const int server = server_of(truth_cell(t, i, "server"));

        if (strcmp(when, "start") == 0) {
            rec->servers = server + 1 > rec->servers ? server + 1 : rec->servers;
            if (strcmp(table, "(none)") == 0)
                continue;
            all[n].server = server;
            all[n].table = copy(table);
            start_key(truth_cell(t, i, "start_hex"), &all[n].start);
            n++;
        } else if (strcmp(when, "phase") == 0) {
            const double at = strtod(truth_cell(t, i, "start_hex"), NULL);

            if (strcmp(table, "discharger") == 0 && server >= 0 && server < E2E_SERVERS_MAX)
                rec->discharger_s[server] = at;
            else if (strcmp(table, "balancer") == 0)
                rec->balancer_s = at;
            else if (strcmp(table, "clusterstatus") == 0)
                rec->status_s = at;
        }
    }
    rec->spec.cluster.state = all;
    rec->spec.cluster.state_len = n;
}

/* ---- what happened ---- */

static double detail(const char *text, const char *name, double otherwise)
{
    const char *at = strstr(text, name);

    return at ? strtod(at + strlen(name), NULL) : otherwise;
}

static void add_outage(struct e2e_outages *o, double s)
{
    if (o->len < E2E_OUTAGES_MAX && s >= 0)
        o->s[o->len++] = s;
}

static void read_balance(struct e2e_record *rec, double at, const char *text)
{
    struct e2e_balance *b = &rec->balances[rec->balances_len];
    const char *c = strstr(text, "counts="), *trigger = strstr(text, "trigger=");

    if (rec->balances_len == E2E_BALANCES_MAX || !c || !trigger)
        return;
    *b = (struct e2e_balance){.at_s = at, .total = detail(text, "total=", (double)NAN), .needed = detail(text, "needs=", 0) > 0};
    snprintf(b->trigger, sizeof b->trigger, "%.*s", (int)strcspn(trigger + 8, ";"), trigger + 8);
    for (c = strchr(c, ':'); c && b->counts_len < E2E_SERVERS_MAX; c = strpbrk(c, ":;")) {
        if (*c == ';')
            break;
        b->counts[b->counts_len++] = (uint32_t)strtoul(c + 1, NULL, 10);
        c++;
    }
    rec->balances_len++;
}

/* The region's last event of that name before line |i|; NaN where there is none. */
static double last_at(const struct truth_table *t, size_t i, const char *event, const char *start)
{
    for (size_t k = i; k-- > 0;)
        if (strcmp(truth_cell(t, k, "event"), event) == 0 && strcmp(truth_cell(t, k, "start_hex"), start) == 0)
            return strtod(truth_cell(t, k, "t_s"), NULL);
    return (double)NAN;
}

/* The request whose split ended in line |i|: SPLIT_START tells no region but the key. */
static double asked_at(const struct truth_table *t, size_t i)
{
    const char *key = strstr(truth_cell(t, i, "detail"), "key=");
    const size_t len = key ? strcspn(key, ";") : 0;

    for (size_t k = i; key && k-- > 0;)
        if (strcmp(truth_cell(t, k, "event"), "SPLIT_START") == 0 &&
            strncmp(truth_cell(t, k, "detail"), key, len) == 0 && truth_cell(t, k, "detail")[len] == '\0')
            return strtod(truth_cell(t, k, "t_s"), NULL);
    return (double)NAN;
}

static bool of_the_start(const struct e2e_record *rec, const char *start)
{
    char hex[600];

    for (size_t i = 0; i < rec->spec.cluster.state_len; i++) {
        const struct spec_bytes *key = &rec->spec.cluster.state[i].start;

        truth_hex(key->bytes, key->len, hex, sizeof hex);
        if (strcmp(rec->spec.cluster.state[i].table, "t") == 0 && strcmp(key->len ? hex : "-", start) == 0)
            return true;
    }
    return false;
}

static void read_split(struct e2e_record *rec, const struct truth_table *t, size_t i)
{
    double *v = rec->figures.value;
    const char *start = truth_cell(t, i, "start_hex");
    const double asked = asked_at(t, i);

    v[E2E_SPLITS]++;
    add_outage(&rec->prepare, last_at(t, i, "CLOSE", start) - asked);
    v[E2E_FIRST_WAVE] += asked < v[E2E_FIRST_SPLIT_S] + 5 && of_the_start(rec, start);
}

static void read_open(struct e2e_record *rec, const struct truth_table *t, size_t i)
{
    const char *text = truth_cell(t, i, "detail");
    const double at = strtod(truth_cell(t, i, "t_s"), NULL);
    const char *start = truth_cell(t, i, "start_hex");

    if (strstr(text, "reassigned_from")) {
        add_outage(&rec->recover, at - rec->noticed_s);
        if (at - rec->killed_s < 60)
            rec->figures.value[E2E_BACK_S] = at - rec->killed_s;
    } else if (strstr(text, "moved_from")) {
        add_outage(&rec->move, at - last_at(t, i, "CLOSE", start));
        if (!isnan(rec->added_s) && server_of(truth_cell(t, i, "server")) == rec->servers &&
            isnan(rec->figures.value[E2E_FILLED_S]))
            rec->figures.value[E2E_FILLED_S] = at - rec->added_s;
        /* The scenario's table alone: hbase:meta moves too. */
        if (at <= rec->end_s && strncmp(start, "hbase", 5) != 0)
            rec->figures.value[E2E_MOVES]++;
    } else if (strstr(text, "files=r")) {
        add_outage(&rec->split, at - last_at(t, i, "CLOSE", start));
    }
}

static void read_events(struct e2e_record *rec, const struct truth_table *t)
{
    double *v = rec->figures.value, flushed[4096];
    size_t flushes = 0;

    for (size_t i = 0; i < t->rows; i++) {
        const char *event = truth_cell(t, i, "event"), *text = truth_cell(t, i, "detail");
        const double at = strtod(truth_cell(t, i, "t_s"), NULL);

        if (at > rec->end_s)
            break;
        if (strcmp(event, "FLUSH") == 0) {
            const char *out = strstr(text, "out="), *cells = out ? strchr(out, ':') : NULL;

            v[E2E_FLUSHES]++;
            if (!strstr(text, "closing") && cells && flushes < 4096)
                flushed[flushes++] = strtod(cells + 1, NULL);
        } else if (strcmp(event, "COMPACT") == 0) {
            v[E2E_COMPACTIONS]++;
        } else if (strcmp(event, "SPLIT") == 0) {
            read_split(rec, t, i);
        } else if (strcmp(event, "SPLIT_START") == 0) {
            v[E2E_FIRST_SPLIT_S] = fmin(v[E2E_FIRST_SPLIT_S], at);
        } else if (strcmp(event, "OPEN") == 0) {
            read_open(rec, t, i);
        } else if (strcmp(event, "BALANCER") == 0) {
            v[E2E_NEEDED] += strncmp(text, "needs=1", 7) == 0;
            read_balance(rec, at, text);
        } else if (strcmp(event, "BALANCER_SKIPPED") == 0) {
            v[E2E_SKIPPED]++;
        } else if (strcmp(event, "SERVER_UP") == 0) {
            rec->added_s = at;
        } else if (strcmp(event, "KILL_CALL") == 0) {
            rec->killed_s = at;
            rec->killed = server_of(truth_cell(t, i, "server"));
        } else if (strcmp(event, "SERVER_DOWN") == 0) {
            rec->noticed_s = at;
        }
    }
    v[E2E_ROWS_A_FLUSH] = e2e_median(flushed, flushes);
}

static void read_windows(struct e2e_record *rec, const struct truth_table *t)
{
    double *v = rec->figures.value, ratio = 0, tails = 0;
    size_t n = 0;

    for (size_t i = 0; i < t->rows; i++) {
        double most = 0, sum = 0, live = 0;

        if (strtod(truth_cell(t, i, "t_s"), NULL) > rec->end_s)
            break;
        for (int s = 0; s < E2E_SERVERS_MAX; s++) {
            char name[32];
            const char *cell;

            snprintf(name, sizeof name, "rs%02d_rows", s);
            cell = truth_cell(t, i, name);
            if (!cell || strcmp(cell, "-") == 0 || !cell[0])
                continue;
            live++;
            sum += strtod(cell, NULL);
            most = fmax(most, strtod(cell, NULL));
        }
        tails += strtod(truth_cell(t, i, "tails_ge_5pct"), NULL);
        v[E2E_REGIONS] = strtod(truth_cell(t, i, "regions"), NULL);
        ratio += sum > 0 ? most * live / sum : 0;
        n++;
    }
    /* All that was sent was counted in every run (README); the last window may end before the writer. */
    v[E2E_ROWS] = rec->rate_per_s * rec->end_s;
    v[E2E_HOT_RATIO] = n > 0 ? ratio / (double)n : (double)NAN;
    v[E2E_TAILS] = n > 0 ? tails / (double)n : (double)NAN;
}

static int read_table(const char *dir, const char *name, const char *ending, struct truth_table *t, char *reason,
                      size_t cap)
{
    char path[8192];

    snprintf(path, sizeof path, "%s/%s.%s.tsv", dir, name, ending);
    if (truth_table_read(path, t) == 0)
        return 0;
    snprintf(reason, cap, "%s.tsv can't be read", ending);
    return -1;
}

int e2e_read(const char *dir, const char *name, struct e2e_record *rec, char *reason, size_t cap)
{
    struct truth_table t;

    memset(rec, 0, sizeof *rec);
    snprintf(rec->name, sizeof rec->name, "%s", name);
    snprintf(rec->layout, sizeof rec->layout, "%.*s", (int)strcspn(name, "."), name);
    rec->figures.value[E2E_FILLED_S] = rec->figures.value[E2E_BACK_S] = rec->figures.value[E2E_FIRST_SPLIT_S] = (double)NAN;
    rec->added_s = rec->killed_s = rec->noticed_s = (double)NAN;
    if (read_table(dir, name, "state", &t, reason, cap) != 0)
        return -1;
    rec->batch_s = 0.1;
    rec->rate_per_s = setting(&t, "timestamp ts(i)); ", 2000);
    rec->end_s = 240;
    fill_spec(rec, &t);
    read_start(rec, &t);
    rec->spec.cluster.servers = rec->servers;
    truth_table_free(&t);
    if (read_table(dir, name, "events", &t, reason, cap) != 0)
        return -1;
    read_events(rec, &t);
    truth_table_free(&t);
    if (read_table(dir, name, "windows", &t, reason, cap) != 0)
        return -1;
    read_windows(rec, &t);
    truth_table_free(&t);
    return 0;
}

void e2e_free(struct e2e_record *rec)
{
    spec_free(&rec->spec);
}
