/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "keys.h"

#include <stdio.h>
#include <string.h>

#include "hbase/model/storefile.h"

static int compare(const uint8_t *a, size_t a_len, const uint8_t *b, size_t b_len)
{
    const size_t n = a_len < b_len ? a_len : b_len;
    const int c = n > 0 ? memcmp(a, b, n) : 0;

    return c != 0 ? c : (a_len > b_len) - (a_len < b_len);
}

static void look(struct key_watch *w, const struct region *r, const uint8_t *key, size_t len, const char *where)
{
    const bool below = compare(key, len, r->start.bytes, r->start.len) < 0;
    const bool above = r->end.len > 0 && compare(key, len, r->end.bytes, r->end.len) >= 0;

    if ((below || above) && !w->wrong[0])
        snprintf(w->wrong, sizeof w->wrong, "a key of %s region %d lies %s its boundaries", where, r->id,
                 below ? "below" : "above");
}

static void written(void *context, const struct call *call, const struct region_action *action)
{
    struct key_watch *w = context;
    const struct region *r = w->model->regions[action->region];

    for (uint64_t i = action->first; i < action->first + action->rows; i++) {
        if (call->source.key(call->source.context, call_row(call, i), &w->key) != 0)
            continue;
        look(w, r, w->key.bytes, w->key.len, "a call to");
        w->rows++;
    }
    if (w->before.written)
        w->before.written(w->before.context, call, action);
}

static void observed(void *context, const struct model_observation *o)
{
    struct key_watch *w = context;

    if ((o->what != OBSERVED_FLUSH && o->what != OBSERVED_COMPACT) || !o->file || !o->file->part.sample)
        return;
    for (size_t i = o->file->part.lo; i < o->file->part.hi; i++) {
        size_t len;
        const uint8_t *key = sample_key(o->file->part.sample, i, &len);

        look(w, o->region, key, len, "a file of");
        w->file_keys++;
    }
}

void key_watch_init(struct key_watch *w)
{
    memset(w, 0, sizeof *w);
    w->key = (struct saltkey_buf){w->bytes, sizeof w->bytes, 0};
}

void key_watch_built(void *context, struct model *m)
{
    struct key_watch *w = context;

    w->model = m;
    w->before = (struct model_tap){m->tap_written, m->tap_context};
    model_set_tap(m, (struct model_tap){written, w});
    m->observer.observe = observed;
    m->observer.context = w;
}
