/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What stands in front, or what the salt is computed over: that decides how many regions take the writes. */
#include <math.h>
#include <string.h>

#include "lint/subject.h"
#include "spec/scheme.h"

#define HOT_FACTOR 1.5                /* times a server's share in one region */

static bool is_salted(const struct lint_subject *s)
{
    return s->scheme.salt.hash != SALTKEY_HASH_NONE && s->scheme.salt.buckets != 1;
}

/* The field that alone decides where a row goes; NULL: several do, or the writer's choice. */
static const struct saltkey_field *deciding(const struct lint_subject *s, bool *several)
{
    const struct saltkey_layout *l = &s->scheme.layout;
    const struct saltkey_field *found = NULL;

    *several = false;
    if (!is_salted(s))
        return &l->fields[0];
    if (s->scheme.salt.hash == SALTKEY_HASH_GIVEN)
        return NULL;
    for (uint32_t i = 0; i < l->n_fields; i++) {
        if (!(s->scheme.over >> i & 1))
            continue;
        if (spec_field_counts(&l->fields[i]))
            return NULL;
        *several |= found != NULL;
        found = found ? found : &l->fields[i];
    }
    return found;
}

static void monotone(struct lint_subject *s, const struct saltkey_field *f)
{
    const bool falls = f->kind == SALTKEY_RTS || f->kind == SALTKEY_RTS19 || f->desc;

    lint_add(s, (struct lint_words){"leading-monotone", f->name,
             "salt the table (salt = arrays-hash floorMod, buckets = 16), or put a field with many "
             "values before it"},
             "it leads the key and %s with time, and there is no salt: the %s region takes all writes, so one server of %d works",
             falls ? "falls" : "grows", falls ? "first" : "last", s->sp->cluster.servers);
}

static void few(struct lint_subject *s, const struct saltkey_field *f, bool several)
{
    const double n = is_salted(s) && !spec_scheme_hashed_prefix(&s->scheme) ? s->scheme.salt.buckets : 0;
    const double servers = s->sp->cluster.servers;
    const bool whole = s->scheme.layout.n_fields == 1 || (is_salted(s) && s->scheme.over == (1u << s->scheme.layout.n_fields) - 1);
    const char *put = whole ? "more in the key: the time, or a part number that readers add up (a counter in eight rows)"
                      : is_salted(s) ? "salt over the key (salt_over = key) instead: a query of one value then costs N scans"
                      : "salt over the key (salt_over = key), or put a field with many values before it";

    if (s->entities > 0 && s->entities < fmax(n, servers)) {
        if (n > servers)
            lint_add(s, (struct lint_words){"leading-few-values", f->name, put},
                     "it has %.0f values for %.0f buckets: at most so many of them get rows",
                     s->entities, n);
        else
            lint_add(s, (struct lint_words){"leading-few-values", f->name, put},
                     "it %s and has %.0f values: at most so many of %.0f servers take writes",
                     is_salted(s) ? "decides the bucket" : "leads the key", s->entities, servers);
    } else if (!several && lint_named_few(f->name)) {
        lint_add(s, (struct lint_words){"leading-few-values", f->name, put},
                 "it %s and is named as one with few values: a table has as many write tails "
                 "as it has values (this run gives it %.6g)", is_salted(s) ? "alone decides the bucket" : "leads the key",
                 s->entities);
    } else if (s->hot_share * servers > HOT_FACTOR) {
        lint_add(s, (struct lint_words){"leading-hot-value", f->name, put},
                 "its most frequent value brings %.3g %% of the rows, and they go to one "
                 "region: %.3g times what each of %.0f servers should carry", 100 * s->hot_share, s->hot_share * servers, servers);
    }
}

void lint_leading(struct lint_subject *s)
{
    bool several;
    const struct saltkey_field *f = deciding(s, &several);

    if (!f)
        return;
    if (!is_salted(s) && spec_field_counts(f)) {
        if (f->kind != SALTKEY_REVDEC)
            monotone(s, f);
    } else {
        few(s, f, several);
    }
}
