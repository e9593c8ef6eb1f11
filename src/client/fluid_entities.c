/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which entities a region has, for streams whose entities report in turn and whose keys begin with the entity: a
   row of the region is then found at once, however many regions there are. The lists are made when the first row is
   asked for, and a split region's is divided between its daughters. */
#include <stdlib.h>
#include <string.h>

#include "client/fluid_parts.h"

struct entity_list {
    uint32_t *entity;             /* in ascending order */
    size_t len;
    bool known;
};

static void forget_all(struct fluid_source *s)
{
    for (size_t i = 0; i < s->lists_cap; i++)
        free(s->lists[i].entity);
    free(s->lists);
    s->lists = NULL;
    s->lists_cap = 0;
}

void fluid_entities_free(struct fluid_source *s)
{
    forget_all(s);
}

static int make_room(struct fluid_source *s, size_t regions)
{
    struct entity_list *more;

    if (regions <= s->lists_cap)
        return 0;
    regions *= 2;
    more = realloc(s->lists, regions * sizeof *more);
    if (!more)
        return -1;
    memset(more + s->lists_cap, 0, (regions - s->lists_cap) * sizeof *more);
    s->lists = more;
    s->lists_cap = regions;
    return 0;
}

/* Region of each of |n| entities, now; |entity| NULL: of the first |n|. */
static void find_regions(struct fluid *f, struct fluid_source *s, const uint32_t *entity, size_t n, int *region)
{
    const uint64_t entities = s->in.arrivals->entities, base = s->next / entities * entities;

    for (size_t at = 0; at < n; at += FLUID_BATCH) {
        const size_t len = n - at < FLUID_BATCH ? n - at : FLUID_BATCH;

        for (size_t k = 0; k < len; k++)
            s->numbers[k] = base + (entity ? entity[at + k] : at + k);
        keystream_route(s->in.keys, s->numbers, len, s->routes);
        for (size_t k = 0; k < len; k++)
            region[at + k] = fluid_find_region(f, s, s->numbers[k], &s->routes[k]);
    }
}

/* Gives the entities to their regions' lists; the regions' scratch counts them meanwhile. */
static int deal(struct fluid *f, struct fluid_source *s, const uint32_t *entity, size_t n)
{
    struct model *m = f->model;
    int *region = malloc((n + 1) * sizeof *region), rc = region && make_room(s, m->regions_len) == 0 ? 0 : -1;

    if (rc == 0)
        find_regions(f, s, entity, n, region);
    for (size_t i = 0; i < n && rc == 0; i++)
        m->regions[region[i]]->scratch++;
    for (size_t i = 0; i < n && rc == 0; i++) {
        struct region *r = m->regions[region[i]];
        struct entity_list *list = &s->lists[r->id];

        if (r->scratch > 0) {
            free(list->entity);
            *list = (struct entity_list){malloc(r->scratch * sizeof *list->entity), 0, true};
            r->scratch = 0;
        }
        if (list->entity)
            list->entity[list->len++] = entity ? entity[i] : (uint32_t)i;
        else
            rc = -1;
    }
    free(region);
    return rc;
}

static const struct entity_list *list_of(struct fluid *f, struct fluid_source *s, int id)
{
    const int parent = f->model->regions[id]->parent;
    int rc = 0;

    if ((size_t)id < s->lists_cap && s->lists[id].known)
        return &s->lists[id];
    if (parent >= 0 && (size_t)parent < s->lists_cap && s->lists[parent].known) {
        const struct entity_list old = s->lists[parent];

        s->lists[parent] = (struct entity_list){NULL, 0, false};
        rc = deal(f, s, old.entity, old.len);
        free(old.entity);
    } else {
        forget_all(s);
        rc = deal(f, s, NULL, (size_t)s->in.arrivals->entities);
    }
    if (rc != 0 || make_room(s, (size_t)id + 1) != 0) {
        model_fail(f->model, MODEL_NO_MEMORY);
        return NULL;
    }
    s->lists[id].known = true;
    return &s->lists[id];
}

/* The first row at or behind |row| whose entity is in the list. */
static uint64_t next_row(const struct entity_list *list, uint64_t entities, uint64_t row)
{
    const uint64_t e = row % entities;
    size_t lo = 0, hi = list->len;

    while (lo < hi) {
        const size_t mid = lo + (hi - lo) / 2;

        if (list->entity[mid] < e)
            lo = mid + 1;
        else
            hi = mid;
    }
    return row - e + (lo < list->len ? list->entity[lo] : entities + list->entity[0]);
}

bool fluid_row_of_region(struct fluid *f, const struct chunk *c, int id, uint64_t *row)
{
    struct fluid_source *s = &f->sources[c->source];
    const uint64_t entities = s->in.arrivals->entities;
    const struct entity_list *list;
    struct key_route route;
    uint64_t at;

    if (!keystream_by_entity(s->in.keys))
        return false;
    list = list_of(f, s, id);
    if (!list || list->len == 0)
        return false;
    at = next_row(list, entities, *row);
    if (at >= c->to)
        at = next_row(list, entities, c->from);
    if (at >= c->to)
        return false;
    keystream_route(s->in.keys, &at, 1, &route);
    if (fluid_find_region(f, s, at, &route) != id)
        return false; /* a border inside the entity's rows */
    *row = at;
    return true;
}
