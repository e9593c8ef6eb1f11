/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/layouts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "lint/lint.h"

#define KEY_WORDS 16
#define LAYOUTS 5
#define SECOND "_second"

/* The words of a layout line: the event time, and all others in their order. */
struct key_words {
    char text[400];
    char *time;               /* NULL: the key has none */
    char *other[KEY_WORDS];
    size_t others;
    char entity[64];          /* field name of the first of the others that isn't the running number */
};

static bool is_time(const char *word)
{
    const char *kind = strchr(word, ':');

    return strncmp(word, "ts:", 3) == 0 || strncmp(word, "time:", 5) == 0 || strncmp(word, "timestamp:", 10) == 0 ||
           (kind && strncmp(kind, ":rts", 4) == 0);
}

static bool split_words(const char *key, struct key_words *w)
{
    memset(w, 0, sizeof *w);
    if (strlen(key) >= sizeof w->text)
        return false;
    strcpy(w->text, key);
    for (char *at = w->text, *end; *at; at = end) {
        at += strspn(at, " ");
        end = at + strcspn(at, " ");
        if (*end)
            *end++ = '\0';
        if (*at == '\0')
            break;
        if (!w->time && is_time(at))
            w->time = at;
        else if (w->others < KEY_WORDS)
            w->other[w->others++] = at;
        else
            return false;
    }
    for (size_t i = 0; i < w->others && !w->entity[0]; i++)
        if (strncmp(w->other[i], "seq:", 4) != 0)
            snprintf(w->entity, sizeof w->entity, "%.*s", (int)strcspn(w->other[i], ":"), w->other[i]);
    return true;
}

/* The line with the time before or behind the other fields. */
static void join(const struct key_words *w, const char *time, bool first, char *line, size_t cap)
{
    size_t len = first ? (size_t)snprintf(line, cap, "%s", time) : 0;

    for (size_t i = 0; i < w->others; i++)
        len += (size_t)snprintf(line + len, cap - len, "%s%s", len ? " " : "", w->other[i]);
    if (!first)
        len += (size_t)snprintf(line + len, cap - len, "%s%s", len ? " " : "", time);
    /* The last field has no end mark. */
    for (size_t at = len; at-- > 0 && line[at] != ' ';)
        if (line[at] == '+')
            line[at] = '\0';
}

struct layout_case {
    const char *name;
    char key[512];
    const char *salt, *over;
};

static bool is_hexed(const char *salt)
{
    return salt && strncmp(salt, "md5hex", 6) == 0;
}

/* Layouts other than the scenario's own. */
static size_t cases_of(const struct spec_table *t, const struct key_words *w, struct layout_case *cases)
{
    const char *salt = t->salt && strcmp(t->salt, "none") != 0 && !is_hexed(t->salt) ? t->salt : "arrays-hash floorMod";
    char newest[80];
    size_t n = 0;

    if (!w->time || !w->entity[0])
        return 0;
    snprintf(newest, sizeof newest, "%.*s:rts", (int)strcspn(w->time, ":"), w->time);
    join(w, w->time, true, cases[n].key, sizeof cases[n].key);
    cases[n].name = "time first";
    cases[n].salt = salt;
    cases[n++].over = "key";
    join(w, w->time, false, cases[n].key, sizeof cases[n].key);
    cases[n].name = "entity first";
    cases[n].salt = salt;
    cases[n++].over = w->entity;
    join(w, newest, false, cases[n].key, sizeof cases[n].key);
    cases[n].name = "entity, newest first";
    cases[n].salt = salt;
    cases[n++].over = w->entity;
    join(w, w->time, false, cases[n].key, sizeof cases[n].key);
    cases[n].name = "hashed entity";
    cases[n].salt = "md5hex 4";
    cases[n++].over = w->entity;
    return n;
}

static bool replace(char **text, const char *with)
{
    char *copy = plan_copy_text(with);

    if (!copy)
        return false;
    free(*text);
    *text = copy;
    return true;
}

/* Into how many parts a layout is cut: as many as the table has, else one a server. */
static int parts_of(const struct spec *sp, const struct spec_table *t)
{
    return t->buckets > 0 ? t->buckets : t->splits_regions > 1 ? t->splits_regions : sp->cluster.servers;
}

/* Gives the table the case's key, salted into as many buckets, or cut by its hashed prefix. */
static int lay_out(struct spec_table *t, const struct layout_case *c, int n)
{
    const bool hexed = is_hexed(c->salt);

    if (!replace(&t->key, c->key) || !replace(&t->salt, c->salt) || !replace(&t->salt_over, c->over))
        return SIM_NO_MEMORY;
    t->buckets = hexed ? 0 : n;
    t->splits = hexed ? SPEC_SPLITS_HEX : SPEC_SPLITS_BUCKETS;
    t->splits_regions = hexed ? n : 1;
    return 0;
}

static char *salt_words(const struct spec_table *t)
{
    char text[200];

    if (is_hexed(t->salt))
        snprintf(text, sizeof text, "%s over %s, %d regions", t->salt, t->salt_over, t->splits_regions);
    else if (t->buckets > 0)
        snprintf(text, sizeof text, "%s over %s, %d buckets", t->salt, t->salt_over ? t->salt_over : "key", t->buckets);
    else
        snprintf(text, sizeof text, "none");
    return plan_copy_text(text);
}

/* Queries of other tables say nothing about this one's layout; |second| is its second table, NULL = none. */
static void drop_other_queries(struct result_run *run, const char *table, const char *second)
{
    size_t kept = 0;

    for (size_t i = 0; i < run->queries_len; i++) {
        if (strcmp(run->queries[i].table, table) == 0 || (second && strcmp(run->queries[i].table, second) == 0)) {
            const struct result_query swap = run->queries[kept];

            run->queries[kept++] = run->queries[i];
            run->queries[i] = swap;
        }
    }
    for (size_t i = kept; i < run->queries_len; i++)
        result_query_free(&run->queries[i]);
    run->queries_len = kept;
}

static int run_layout(const struct spec *sp, const struct layout_case *c, const struct sim_control *control,
                      struct result_layouts *out, struct sim_end *end)
{
    struct result_layout *l = &out->all[out->len++];
    const struct sim_control quiet = {.stop = control ? control->stop : NULL};
    struct spec copy;
    struct spec_table *t;
    int rc = plan_timing_spec(sp, &copy);

    result_run_init(&l->run);
    if (rc != 0)
        return rc;
    l->name = c ? c->name : "as given";
    copy.compare = SPEC_COMPARE_NO;
    t = &copy.tables[spec_table_by_name(&copy, out->table) - copy.tables];
    if (c)
        rc = lay_out(t, c, parts_of(sp, t));
    if (rc == 0 && (!(l->key = plan_copy_text(t->key)) || !(l->salt = salt_words(t))))
        rc = SIM_NO_MEMORY;
    if (rc == 0 && lint_table(&copy, t, &l->lint) != 0)
        rc = SIM_NO_MEMORY;
    if (rc == 0)
        rc = sim_run(&copy, &quiet, &l->run, end);
    if (rc == 0)
        drop_other_queries(&l->run, out->table, NULL);
    spec_free(&copy);
    return rc;
}

/* Whether the case is what the scenario has. */
static bool is_given(const struct spec_table *t, const struct layout_case *c)
{
    return (t->buckets > 0 || is_hexed(t->salt)) && strcmp(t->key, c->key) == 0 && t->salt &&
           strcmp(t->salt, c->salt) == 0 && t->salt_over && strcmp(t->salt_over, c->over) == 0;
}

/* ---- two tables, each with an order of its own ---- */

/* The layout that serves most of the queries that the own one doesn't; 0: none serves any, or one serves all queries
   alone. */
static size_t best_beside(const struct result_layouts *out)
{
    size_t best = 0, most = 0;

    for (size_t i = 0; i < out->len; i++) {
        size_t gained = 0, served = 0;

        for (size_t k = 0; k < out->all[0].run.queries_len; k++) {
            const struct result_query *own = &out->all[0].run.queries[k], *q = result_layout_query(&out->all[i], own->name);

            served += q && result_query_is_range(q);
            gained += q && !result_query_is_range(own) && result_query_is_range(q);
        }
        if (served == out->all[0].run.queries_len)
            return 0;
        if (gained > most) {
            most = gained;
            best = i;
        }
    }
    return best;
}

/* Every stream that writes |table| writes |second| too. */
static bool write_both(struct spec *sp, const char *table, const char *second)
{
    for (size_t i = 0; i < sp->streams_len; i++) {
        struct spec_stream *st = &sp->streams[i];
        const size_t n = st->tables_len;

        for (size_t k = 0; k < n; k++) {
            char **all;

            if (strcmp(st->tables[k], table) != 0)
                continue;
            all = realloc(st->tables, (n + 1) * sizeof *all);
            if (!all)
                return false;
            st->tables = all;
            if (!(all[n] = plan_copy_text(second)))
                return false;
            st->tables_len = n + 1;
        }
    }
    return true;
}

/* Queries that the own layout doesn't serve and |beside| does read the second table. */
static bool share_queries(struct spec *sp, const struct result_layouts *out, size_t beside, const char *second)
{
    for (size_t i = 0; i < sp->queries_len; i++) {
        const struct result_query *own = result_layout_query(&out->all[0], sp->queries[i].name);
        const struct result_query *other = own ? result_layout_query(&out->all[beside], sp->queries[i].name) : NULL;

        if (own && other && !result_query_is_range(own) && result_query_is_range(other) &&
            !replace(&sp->queries[i].table, second))
            return false;
    }
    return true;
}

static char *both_words(const char *first, const char *second)
{
    char text[1200];

    snprintf(text, sizeof text, "%.590s + %.590s", first, second);
    return plan_copy_text(text);
}

/* The copy with a second table, a copy of the first in the case's layout. */
static int add_second(struct spec *sp, const struct result_layouts *out, const struct layout_case *c, size_t beside, const char *second)
{
    struct spec_table *all = realloc(sp->tables, (sp->tables_len + 1) * sizeof *all), *made;
    const struct spec_table *t;
    int rc;

    if (!all)
        return SIM_NO_MEMORY;
    sp->tables = all;
    made = &all[sp->tables_len];
    t = spec_table_by_name(sp, out->table);
    if (spec_table_copy(t, made) != 0)
        return SIM_NO_MEMORY;
    sp->tables_len++;
    rc = lay_out(made, c, parts_of(sp, t));
    if (rc == 0 && (!replace(&made->name, second) || !write_both(sp, out->table, second) ||
                    !share_queries(sp, out, beside, second)))
        rc = SIM_NO_MEMORY;
    return rc;
}

/* Whether a run takes another table for each stream. */
static bool has_room(const struct spec *sp)
{
    size_t writers = sp->streams_len;

    for (size_t i = 0; i < sp->streams_len; i++)
        writers += sp->streams[i].tables_len;
    return writers <= SPEC_WRITERS_MAX;
}

static int run_two(const struct spec *sp, const struct layout_case *c, const struct sim_control *control,
                   struct result_layouts *out, struct sim_end *end)
{
    const size_t beside = has_room(sp) ? best_beside(out) : 0;
    const struct sim_control quiet = {.stop = control ? control->stop : NULL};
    struct result_layout *l;
    struct spec copy;
    char second[300];
    int rc;

    while (beside > 0 && c->name && strcmp(c->name, out->all[beside].name) != 0)
        c++;
    if (beside == 0 || !c->name)
        return 0;
    if ((rc = plan_timing_spec(sp, &copy)) != 0)
        return rc;
    l = &out->all[out->len++];
    result_run_init(&l->run);
    l->name = "two tables";
    copy.compare = SPEC_COMPARE_NO;
    snprintf(second, sizeof second, "%.250s%s", out->table, SECOND);
    rc = add_second(&copy, out, c, beside, second);
    if (rc == 0 && (!(l->key = both_words(out->all[0].key, out->all[beside].key)) ||
                    !(l->salt = both_words(out->all[0].salt, out->all[beside].salt)) ||
                    lint_table(&copy, spec_table_by_name(&copy, out->table), &l->lint) != 0 ||
                    lint_table(&copy, spec_table_by_name(&copy, second), &l->lint) != 0))
        rc = SIM_NO_MEMORY;
    if (rc == 0)
        rc = sim_run(&copy, &quiet, &l->run, end);
    if (rc == 0)
        drop_other_queries(&l->run, out->table, second);
    spec_free(&copy);
    return rc;
}

int plan_layouts(const struct spec *sp, const struct sim_control *control, struct result_layouts *out,
                 struct sim_end *end)
{
    const struct spec_table *t = spec_table_by_name(sp, sp->queries[0].table);
    struct layout_case cases[LAYOUTS] = {{0}}; /* ends with one without a name */
    struct key_words words;
    size_t n;
    int rc;

    memset(out, 0, sizeof *out);
    out->scenario = plan_copy_text(sp->base_name ? sp->base_name : "");
    out->table = plan_copy_text(t->name);
    out->all = calloc(LAYOUTS + 2, sizeof *out->all);
    if (!out->scenario || !out->table || !out->all)
        return SIM_NO_MEMORY;
    n = split_words(t->key, &words) ? cases_of(t, &words, cases) : 0;
    rc = run_layout(sp, NULL, control, out, end);
    for (size_t i = 0; rc == 0 && i < n; i++)
        if (!is_given(t, &cases[i]))
            rc = run_layout(sp, &cases[i], control, out, end);
    return rc == 0 && n > 0 ? run_two(sp, cases, control, out, end) : rc;
}
