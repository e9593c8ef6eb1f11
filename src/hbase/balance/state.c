/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/balance/state.h"

#include <stdlib.h>
#include <string.h>

static void fill_region(struct state_region *r, const struct balancer_region *from, uint32_t id,
                        uint32_t server)
{
    r->load[STATE_READ] = from->read_rate;
    r->load[STATE_WRITE] = from->write_rate;
    r->load[STATE_MEMSTORE] = from->memstore_rate;
    r->load[STATE_STOREFILE] = from->storefile_mb;
    r->id = id;
    r->server = r->initial = server;
}

static int list_reserve(struct state_list *list, uint32_t cap)
{
    if (cap <= list->cap)
        return BALANCE_OK;
    if (cap < 2 * list->cap)
        cap = 2 * list->cap;
    void *more = realloc(list->region, cap * sizeof(*list->region));
    if (!more)
        return BALANCE_NO_MEMORY;
    list->region = more;
    list->cap = cap;
    return BALANCE_OK;
}

static int fill_lists(struct balance_state *st)
{
    for (uint32_t r = 0; r < st->n_regions; r++)
        st->counts[st->regions[r].server]++;
    for (uint32_t s = 0; s < st->n_servers; s++)
        if (list_reserve(&st->lists[s], st->counts[s] + 4))
            return BALANCE_NO_MEMORY;
    for (uint32_t r = 0; r < st->n_regions; r++) {
        struct state_list *list = &st->lists[st->regions[r].server];
        list->region[list->count++] = r;
        st->table_counts[(size_t)st->regions[r].table * st->n_servers + st->regions[r].server]++;
    }
    return BALANCE_OK;
}

/* First entry of |cluster|'s block shares for a region, by bisection: they are in region order. */
static size_t first_share(const struct balancer_cluster *cluster, uint32_t region)
{
    size_t low = 0, high = cluster->n_block_shares;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (cluster->block_shares[mid].region < region)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* Share of |region| on each live server, and the server that holds most of it. */
static void region_shares(struct balance_state *st, const struct balancer_cluster *cluster,
                          const struct balance_view *view, uint32_t r)
{
    uint32_t id = st->regions[r].id, n = st->share_first[r], best = 0;
    float best_share = 0;

    for (size_t i = first_share(cluster, id);
         i < cluster->n_block_shares && cluster->block_shares[i].region == id; i++) {
        const struct balancer_block_share *b = &cluster->block_shares[i];
        uint32_t server = view->position[b->server];
        float share = (float)b->share;
        if (server == VIEW_NONE)
            continue;
        float mb = (float)cluster->regions[id].storefile_last_mb * share;
        st->shares[n].server = server;
        st->shares[n++].weighted_mb = (double)mb;
        if (share > best_share || (share == best_share && share > 0 && server < best)) {
            best_share = share;
            best = server;
        }
    }
    st->share_first[r + 1] = n;
    st->most_local[r] = best;
    st->best_mb += state_local_mb(st, r, best);
}

static int fill_shares(struct balance_state *st, const struct balancer_cluster *cluster,
                       const struct balance_view *view)
{
    if (!cluster->block_shares || cluster->n_block_shares == 0)
        return BALANCE_OK;
    size_t n = 0;
    for (uint32_t r = 0; r < st->n_regions; r++) {
        uint32_t id = st->regions[r].id;
        n += first_share(cluster, id + 1) - first_share(cluster, id);
    }
    st->shares = calloc(n + 1, sizeof(*st->shares));
    st->share_first = calloc((size_t)st->n_regions + 1, sizeof(*st->share_first));
    st->most_local = calloc((size_t)st->n_regions + 1, sizeof(*st->most_local));
    if (!st->shares || !st->share_first || !st->most_local)
        return BALANCE_NO_MEMORY;
    for (uint32_t r = 0; r < st->n_regions; r++)
        region_shares(st, cluster, view, r);
    return BALANCE_OK;
}

int balance_state_init(struct balance_state *st, const struct balancer_cluster *cluster,
                       const struct balance_view *view, size_t slice)
{
    size_t first = view->first[slice], n = view->first[slice + 1] - first;

    *st = (struct balance_state){0};
    st->n_servers = view->n_servers;
    st->n_regions = (uint32_t)n;
    st->n_tables = view->by_table ? 1 : cluster->n_tables;
    st->regions = malloc((n + 1) * sizeof(*st->regions));
    st->lists = calloc((size_t)st->n_servers + 1, sizeof(*st->lists));
    st->counts = calloc((size_t)st->n_servers + 1, sizeof(*st->counts));
    st->table_counts =
        calloc((size_t)st->n_tables * st->n_servers + 1, sizeof(*st->table_counts));
    int error = BALANCE_NO_MEMORY;
    if (st->regions && st->lists && st->counts && st->table_counts) {
        for (size_t i = 0; i < n; i++) {
            uint32_t id = view->region[first + i];
            const struct balancer_region *from = &cluster->regions[id];
            fill_region(&st->regions[i], from, id, view->position[from->server]);
            st->regions[i].table = view->by_table ? 0 : from->table;
        }
        error = fill_lists(st);
    }
    if (!error)
        error = fill_shares(st, cluster, view);
    if (error)
        balance_state_free(st);
    return error;
}

void balance_state_free(struct balance_state *st)
{
    for (uint32_t s = 0; st->lists && s < st->n_servers; s++)
        free(st->lists[s].region);
    free(st->lists);
    free(st->regions);
    free(st->counts);
    free(st->table_counts);
    free(st->shares);
    free(st->share_first);
    free(st->most_local);
    *st = (struct balance_state){0};
}

double state_local_mb(const struct balance_state *st, uint32_t region, uint32_t server)
{
    if (!st->shares)
        return 0;
    for (uint32_t i = st->share_first[region]; i < st->share_first[region + 1]; i++)
        if (st->shares[i].server == server)
            return st->shares[i].weighted_mb;
    return 0;
}

static uint32_t list_find(const struct state_list *list, uint32_t region)
{
    uint32_t i = 0;
    while (list->region[i] != region)
        i++;
    return i;
}

static void region_moved(struct balance_state *st, uint32_t region, uint32_t from, uint32_t to)
{
    struct state_region *r = &st->regions[region];
    uint32_t *counts = &st->table_counts[(size_t)r->table * st->n_servers];

    st->moved = (uint32_t)((int64_t)st->moved + state_moved_delta(r, from, to));
    counts[from]--;
    counts[to]++;
    r->server = to;
}

int state_apply(struct balance_state *st, const struct balance_action *a)
{
    struct state_list *from = &st->lists[a->from], *to = &st->lists[a->to];

    if (a->back == STATE_NONE) {
        if (list_reserve(to, to->count + 1))
            return BALANCE_NO_MEMORY;
        uint32_t at = list_find(from, a->region);
        from->count--;
        memmove(&from->region[at], &from->region[at + 1],
                (from->count - at) * sizeof(*from->region));
        to->region[to->count++] = a->region;
        st->counts[a->from]--;
        st->counts[a->to]++;
    } else {
        from->region[list_find(from, a->region)] = a->back;
        to->region[list_find(to, a->back)] = a->region;
        region_moved(st, a->back, a->to, a->from);
    }
    region_moved(st, a->region, a->from, a->to);
    return BALANCE_OK;
}
