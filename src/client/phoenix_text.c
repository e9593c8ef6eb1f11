/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "client/phoenix.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

struct text {
    char bytes[1024];
    size_t len;
};

static void put(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void put(struct text *t, const char *format, ...)
{
    va_list ap;
    int n;

    va_start(ap, format);
    n = vsnprintf(t->bytes + t->len, sizeof t->bytes - t->len, format, ap);
    va_end(ap);
    if (n > 0)
        t->len += (size_t)n < sizeof t->bytes - t->len ? (size_t)n : sizeof t->bytes - t->len - 1;
}

static void put_value(struct text *t, const struct saltkey_value *v)
{
    if (!v)
        put(t, "*");
    else if (v->kind == SALTKEY_VALUE_UINT)
        put(t, "%" PRIu64, v->number);
    else if (v->kind == SALTKEY_VALUE_INT)
        put(t, "%" PRId64, (int64_t)v->number);
    else
        put(t, "'%.*s'", (int)v->bytes.len, (const char *)v->bytes.bytes);
}

/* One end of the scanned range: the salt, then the bound columns' values. */
static void put_end(const struct phoenix_table *table, const struct phoenix_query *q, bool upper, struct text *t)
{
    const uint32_t buckets = phoenix_buckets(table);
    const char *comma = "";

    put(t, "[");
    if (buckets > 0) {
        put(t, "X'%02x'", upper ? (unsigned)buckets - 1 : 0u);
        comma = ",";
    }
    for (uint32_t f = 0; q->conditions && f < table->scheme->layout.n_fields; f++) {
        const struct phoenix_condition *c = &q->conditions[f];

        if (c->bound == PHOENIX_ANY)
            break;
        put(t, "%s", comma);
        comma = ",";
        if (c->bound == PHOENIX_VALUES)
            put_value(t, &c->values[upper ? c->values_len - 1 : 0]);
        else
            put_value(t, upper ? c->upper : c->lower);
    }
    put(t, "]");
}

static void put_scan(const struct phoenix_table *table, const struct phoenix_query *q, const struct phoenix_plan *p,
                     struct text *t)
{
    struct text lower = {.len = 0}, upper = {.len = 0};

    if (p->reverse)
        put(t, "REVERSE ");
    if (p->point_lookup) {
        put(t, "POINT LOOKUP ON %" PRIu64 " KEY%s OVER %s", p->point_keys, p->point_keys > 1 ? "S" : "",
            table->name);
        return;
    }
    if (p->full_scan) {
        put(t, "FULL SCAN OVER %s", table->name);
        return;
    }
    if (p->skip_scan)
        put(t, "SKIP SCAN ON %" PRIu64 " %s%s OVER %s ", p->skip_ranges, p->skip_keys ? "KEY" : "RANGE",
            p->skip_ranges > 1 ? "S" : "", table->name);
    else
        put(t, "RANGE SCAN OVER %s ", table->name);
    put_end(table, q, false, &lower);
    put_end(table, q, true, &upper);
    put(t, "%s", lower.bytes);
    if (strcmp(lower.bytes, upper.bytes) != 0)
        put(t, " - %s", upper.bytes);
}

static void first_line(const struct phoenix_table *table, const struct phoenix_query *q,
                       const struct phoenix_plan *p, struct text *t)
{
    put(t, "CLIENT %zu-CHUNK ", p->chunks);
    if (p->estimated_rows > 0)
        put(t, "%" PRIu64 " ROWS %" PRIu64 " BYTES ", p->estimated_rows,
            p->estimated_rows * table->row_estimate_bytes);
    put(t, "%s %zu-WAY ", p->serial ? "SERIAL" : "PARALLEL", p->ways);
    if (p->round_robin)
        put(t, "ROUND ROBIN ");
    put_scan(table, q, p, t);
}

struct sink {
    phoenix_line_fn *line;
    void *context;
};

static void say(const struct sink *s, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void say(const struct sink *s, const char *format, ...)
{
    char bytes[1024];
    va_list ap;

    va_start(ap, format);
    vsnprintf(bytes, sizeof bytes, format, ap);
    va_end(ap);
    s->line(s->context, bytes);
}

static const char *plural(uint64_t n)
{
    return n == 1 ? "" : "S";
}

static void server_lines(const struct phoenix_query *q, const struct phoenix_plan *p, const struct sink *s)
{
    if (q->first_key_only && q->filter)
        say(s, "  SERVER FILTER BY FIRST KEY ONLY AND %s", q->filter);
    else if (q->first_key_only)
        say(s, "  SERVER FILTER BY FIRST KEY ONLY");
    else if (q->filter)
        say(s, "  SERVER FILTER BY %s", q->filter);
    if (q->aggregate == PHOENIX_ROWS && q->order == PHOENIX_BY_OTHER) {
        if (q->limit > 0)
            say(s, "  SERVER TOP %" PRIu64 " ROW%s SORTED BY [%s]", q->limit + q->offset,
                plural(q->limit + q->offset), q->order_text);
        else
            say(s, "  SERVER SORTED BY [%s]", q->order_text);
    }
    if (p->offset_on_server)
        say(s, "  SERVER OFFSET %" PRIu64, q->offset);
    if (p->page_rows > 0)
        say(s, "  SERVER %" PRIu64 " ROW LIMIT", p->page_rows);
    if (q->aggregate == PHOENIX_ONE_ROW)
        say(s, "  SERVER AGGREGATE INTO SINGLE ROW");
    if (q->aggregate == PHOENIX_GROUPS)
        say(s, "  SERVER AGGREGATE INTO DISTINCT ROWS BY [%s]", q->group_text);
    if (q->aggregate == PHOENIX_GROUPS_BY_KEY)
        say(s, "  SERVER AGGREGATE INTO ORDERED DISTINCT ROWS BY [%s]", q->group_text);
}

void phoenix_plan_text(const struct phoenix_table *table, const struct phoenix_query *query,
                       const struct phoenix_plan *plan, phoenix_line_fn *line, void *context)
{
    const struct sink s = {line, context};
    struct text t = {.len = 0};

    first_line(table, query, plan, &t);
    line(context, t.bytes);
    server_lines(query, plan, &s);
    if (plan->merge_sort)
        say(&s, "CLIENT MERGE SORT");
    if (query->offset > 0 && !plan->offset_on_server)
        say(&s, "CLIENT OFFSET %" PRIu64, query->offset);
    if (query->limit > 0 && query->order == PHOENIX_BY_OTHER)
        say(&s, "CLIENT LIMIT %" PRIu64, query->limit);
    else if (query->limit > 0)
        say(&s, "CLIENT %" PRIu64 " ROW LIMIT", query->limit);
}
