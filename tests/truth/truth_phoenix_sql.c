/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_phoenix.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the next word, number or sign; quoted text keeps its quotes. */
static bool token(const char **at, char *out, size_t cap)
{
    const char *p = *at;
    size_t n = 0;

    while (isspace((unsigned char)*p))
        p++;
    if (*p == '\0')
        return false;
    if (*p == '\'') {
        do
            out[n++] = *p++;
        while (*p && *p != '\'' && n + 2 < cap);
        if (*p)
            out[n++] = *p++;
    } else if (isalnum((unsigned char)*p) || *p == '$') {
        while ((isalnum((unsigned char)*p) || *p == '$' || *p == '_') && n + 1 < cap)
            out[n++] = *p++;
    } else {
        out[n++] = *p++;
        if ((out[0] == '<' || out[0] == '>') && *p == '=')
            out[n++] = *p++;
    }
    out[n] = '\0';
    *at = p;
    return true;
}

static bool peek(const char *at, const char *word)
{
    char t[64];

    return token(&at, t, sizeof t) && strcmp(t, word) == 0;
}

static int column(const char *word)
{
    return strcmp(word, "ts") == 0 ? SQL_TS : strcmp(word, "dev") == 0 ? SQL_DEV : strcmp(word, "v") == 0 ? SQL_V : -1;
}

static void skip(const char **at, int n)
{
    char t[64];

    while (n-- > 0)
        token(at, t, sizeof t);
}

/* Numbers of a list, brackets and commas aside. */
static void list(const char **at, struct sql_condition *c)
{
    char t[64];
    int depth = 0;

    while (token(at, t, sizeof t)) {
        depth += (t[0] == '(') - (t[0] == ')');
        if (isdigit((unsigned char)t[0]) && c->numbers < SQL_VALUES_MAX)
            c->number[c->numbers++] = strtoull(t, NULL, 10);
        if (depth == 0)
            break;
    }
}

static int condition(const char **at, struct sql_condition *c)
{
    char t[64];

    memset(c, 0, sizeof *c);
    if (peek(*at, "(")) {
        skip(at, 5); /* (ts,dev) */
        c->column = SQL_ROW;
    } else {
        int col;

        token(at, t, sizeof t);
        col = column(t);
        if (col < 0)
            return -1;
        c->column = (enum sql_column)col;
    }
    token(at, t, sizeof t);
    snprintf(c->op, sizeof c->op, "%.3s", t);
    if (strcmp(t, "IN") == 0) {
        list(at, c);
        return 0;
    }
    token(at, t, sizeof t);
    if (c->column == SQL_V) {
        snprintf(c->text, sizeof c->text, "%.*s", (int)strlen(t) - 2, t + 1);
    } else {
        c->number[0] = strtoull(t, NULL, 10);
        c->numbers = 1;
    }
    return 0;
}

static void upper_name(enum sql_column c, char *out, size_t cap)
{
    snprintf(out, cap, "%s", c == SQL_TS ? "TS" : c == SQL_DEV ? "DEV" : "V");
}

static void order_by(const char **at, struct sql *s)
{
    bool descending = false, by_key = true;
    char t[64], name[8];

    while (token(at, t, sizeof t)) {
        if (column(t) >= 0) {
            by_key &= column(t) == (int)s->orders;
            upper_name((enum sql_column)column(t), name, sizeof name);
            if (s->orders < 4)
                s->order[s->orders++] = (enum sql_column)column(t);
            snprintf(s->order_text + strlen(s->order_text), sizeof s->order_text - strlen(s->order_text), "%s%s",
                     s->order_text[0] ? ", " : "", name);
        } else if (strcmp(t, "DESC") == 0) {
            descending = true;
        }
        if (!peek(*at, ",") && !peek(*at, "DESC") && strcmp(t, ",") != 0)
            break;
    }
    if (s->query.aggregate == PHOENIX_ROWS)
        s->query.order = !by_key ? PHOENIX_BY_OTHER : descending ? PHOENIX_BY_KEY_DESC : PHOENIX_BY_KEY;
}

/* Puts the conditions on the key's leading columns into the query, the others into its filter. */
static void bind(struct sql *s)
{
    bool leading = true;

    for (int col = 0; col < 2; col++) {
        struct phoenix_condition *b = &s->bound[col];

        for (size_t i = 0; i < s->conditions; i++) {
            struct sql_condition *c = &s->condition[i];
            struct saltkey_value *v = s->values[col];

            if ((int)c->column != col || !leading)
                continue;
            s->filters[i] = false;
            if (c->op[0] == '=' || c->op[0] == 'I') {
                b->bound = PHOENIX_VALUES;
                for (size_t k = 0; k < c->numbers; k++)
                    v[k] = saltkey_int((int64_t)c->number[k]);
                b->values = v;
                b->values_len = c->numbers;
            } else {
                const bool is_lower = c->op[0] == '>';
                struct saltkey_value *end = &v[is_lower ? 0 : 1];

                b->bound = PHOENIX_RANGE;
                *end = saltkey_int((int64_t)c->number[0]);
                *(is_lower ? &b->lower : &b->upper) = end;
                *(is_lower ? &b->lower_inclusive : &b->upper_inclusive) = c->op[1] == '=';
            }
        }
        leading &= b->bound != PHOENIX_ANY;
    }
}

static void make_filter(struct sql *s)
{
    for (size_t i = 0; i < s->conditions; i++) {
        const struct sql_condition *c = &s->condition[i];
        const size_t n = strlen(s->filter);
        char name[8];

        if (c->column == SQL_ROW) {
            for (size_t k = 0; k < c->numbers; k++)
                s->values[2][k] = saltkey_int((int64_t)c->number[k]);
            s->query.keys = s->values[2];
            s->query.keys_len = c->numbers / 2;
            s->filters[i] = false;
        }
        if (!s->filters[i])
            continue;
        upper_name(c->column, name, sizeof name);
        if (c->column == SQL_V)
            snprintf(s->filter + n, sizeof s->filter - n, "%s%s %s '%s'", n ? " AND " : "", name, c->op, c->text);
        else
            snprintf(s->filter + n, sizeof s->filter - n, "%s%s %s %llu", n ? " AND " : "", name, c->op,
                     (unsigned long long)c->number[0]);
        s->query.filter = s->filter;
        s->query.filter_on_key |= c->column != SQL_V;
    }
    s->query.conditions = s->bound;
}

static void select_list(const char **at, struct sql *s)
{
    char t[64];

    s->query.first_key_only = true;
    while (token(at, t, sizeof t) && strcmp(t, "FROM") != 0) {
        if (strcmp(t, "COUNT") == 0 || strcmp(t, "MAX") == 0 || strcmp(t, "MIN") == 0 || strcmp(t, "SUM") == 0)
            s->query.aggregate = PHOENIX_ONE_ROW;
        if (strcmp(t, "v") == 0)
            s->query.first_key_only = false;
    }
    s->query.first_key_only &= s->query.aggregate != PHOENIX_ROWS;
    skip(at, 1); /* the table */
}

int sql_parse(const char *text, struct sql *s)
{
    char t[64];

    memset(s, 0, sizeof *s);
    skip(&text, 1);
    select_list(&text, s);
    while (token(&text, t, sizeof t)) {
        if (strcmp(t, "WHERE") == 0 || strcmp(t, "AND") == 0) {
            if (s->conditions == SQL_CONDITIONS_MAX || condition(&text, &s->condition[s->conditions]) != 0)
                return -1;
            s->query.first_key_only &= s->condition[s->conditions].column != SQL_V;
            s->filters[s->conditions++] = true;
        } else if (strcmp(t, "GROUP") == 0) {
            skip(&text, 1);
            token(&text, t, sizeof t);
            if (column(t) < 0)
                return -1;
            s->query.aggregate = column(t) == SQL_TS ? PHOENIX_GROUPS_BY_KEY : PHOENIX_GROUPS;
            upper_name((enum sql_column)column(t), s->group_text, sizeof s->group_text);
            s->query.group_text = s->group_text;
        } else if (strcmp(t, "ORDER") == 0) {
            skip(&text, 1);
            order_by(&text, s);
            s->query.order_text = s->order_text;
        } else if (strcmp(t, "LIMIT") == 0) {
            token(&text, t, sizeof t);
            s->query.limit = strtoull(t, NULL, 10);
        } else if (strcmp(t, "OFFSET") == 0) {
            token(&text, t, sizeof t);
            s->query.offset = strtoull(t, NULL, 10);
        } else {
            return -1;
        }
    }
    bind(s);
    make_filter(s);
    return 0;
}

static bool holds(const struct sql_condition *c, const struct phoenix_data *d, uint64_t event)
{
    const uint64_t ts = phoenix_data_ts(d, event), dev = phoenix_data_dev(d, event);
    const uint64_t x = c->column == SQL_TS ? ts : dev;
    char v[64];

    if (c->column == SQL_V) {
        phoenix_data_value(d, event, v, sizeof v);
        return strcmp(v, c->text) == 0;
    }
    if (c->column == SQL_ROW) {
        for (size_t i = 0; i + 1 < c->numbers; i += 2)
            if (c->number[i] == ts && c->number[i + 1] == dev)
                return true;
        return false;
    }
    if (strcmp(c->op, "IN") == 0 || strcmp(c->op, "=") == 0) {
        for (size_t i = 0; i < c->numbers; i++)
            if (c->number[i] == x)
                return true;
        return false;
    }
    if (c->op[0] == '>')
        return c->op[1] == '=' ? x >= c->number[0] : x > c->number[0];
    return c->op[1] == '=' ? x <= c->number[0] : x < c->number[0];
}

bool sql_matches(const struct sql *s, const struct phoenix_data *d, uint64_t event, bool all)
{
    for (size_t i = 0; i < s->conditions; i++)
        if ((all || s->filters[i]) && !holds(&s->condition[i], d, event))
            return false;
    return true;
}

int sql_compare(const struct sql *s, const struct phoenix_data *d, uint64_t a, uint64_t b)
{
    for (size_t i = 0; i < s->orders; i++) {
        char x[64], y[64];
        int c;

        if (s->order[i] == SQL_V) {
            phoenix_data_value(d, a, x, sizeof x);
            phoenix_data_value(d, b, y, sizeof y);
            c = strcmp(x, y);
        } else {
            const uint64_t p = s->order[i] == SQL_TS ? phoenix_data_ts(d, a) : phoenix_data_dev(d, a);
            const uint64_t q = s->order[i] == SQL_TS ? phoenix_data_ts(d, b) : phoenix_data_dev(d, b);

            c = p < q ? -1 : p > q;
        }
        if (c != 0)
            return c;
    }
    return 0;
}
