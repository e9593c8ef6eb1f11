/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/balance/assign.h"

#include <stdlib.h>

static bool sorts_after(const uint64_t *hash, uint32_t a, uint32_t b)
{
    return hash[a] > hash[b] || (hash[a] == hash[b] && a > b);
}

void assign_sort_servers(const uint64_t *hash, uint32_t *id, size_t n)
{
    /* shell sort: a few thousand servers at most, and nothing that can fail */
    for (size_t gap = n / 2; gap > 0; gap /= 2)
        for (size_t i = gap; i < n; i++) {
            uint32_t server = id[i];
            size_t at = i;
            for (; at >= gap && sorts_after(hash, id[at - gap], server); at -= gap)
                id[at] = id[at - gap];
            id[at] = server;
        }
}

int assign_round_robin(const struct assign_servers *servers, const struct balance_draw *draw,
                       size_t n, uint32_t *server)
{
    if (servers->count == 0)
        return BALANCE_BAD_SERVER;
    uint32_t at = balance_draw_below(draw, servers->count);
    for (size_t p = 0; p < n; p++) {
        server[p] = servers->id[at];
        at = at + 1 < servers->count ? at + 1 : 0;
    }
    return BALANCE_OK;
}

int assign_create_table(const struct assign_servers *servers, const struct balance_draw *draw,
                        size_t n, uint32_t pool, uint32_t *server)
{
    if (servers->count == 0)
        return BALANCE_BAD_SERVER;
    uint32_t *order = malloc((n + 1) * sizeof(*order));
    if (!order)
        return BALANCE_NO_MEMORY;
    int error = assign_creation_order(draw, n, pool, order);
    if (!error) {
        uint32_t at = balance_draw_below(draw, servers->count);
        for (size_t p = 0; p < n; p++) {
            server[order[p]] = servers->id[at];
            at = at + 1 < servers->count ? at + 1 : 0;
        }
    }
    free(order);
    return error;
}

/* Uniform among the servers but |except| that report no region, or, where all report some, among
   all but |except|. */
static int pick(const struct assign_servers *servers, const struct balance_draw *draw,
                const uint32_t *except, uint32_t *server)
{
    uint32_t idle = 0, all = 0;

    for (uint32_t i = 0; i < servers->count; i++) {
        if (except && servers->id[i] == *except)
            continue;
        all++;
        idle += servers->reported_regions && servers->reported_regions[i] == 0;
    }
    if (all == 0)
        return BALANCE_BAD_SERVER;
    uint32_t left = idle == 1 ? 0 : balance_draw_below(draw, idle ? idle : all);
    for (uint32_t i = 0; i < servers->count; i++) {
        if ((except && servers->id[i] == *except) || (idle && servers->reported_regions[i] != 0))
            continue;
        if (left-- == 0) {
            *server = servers->id[i];
            break;
        }
    }
    return BALANCE_OK;
}

int assign_random(const struct assign_servers *servers, const struct balance_draw *draw,
                  uint32_t *server)
{
    return pick(servers, draw, NULL, server);
}

int assign_move(const struct assign_servers *servers, const struct balance_draw *draw,
                uint32_t from, uint32_t *server)
{
    return pick(servers, draw, &from, server);
}

static bool in_list(const struct assign_servers *servers, uint32_t id)
{
    for (uint32_t i = 0; i < servers->count; i++)
        if (servers->id[i] == id)
            return true;
    return false;
}

int assign_retain(const struct assign_servers *servers, const struct balance_draw *draw, size_t n,
                  uint32_t *server)
{
    if (servers->count == 0)
        return BALANCE_BAD_SERVER;
    for (size_t i = 0; i < n; i++)
        /* the list is searched once for a run of regions that were on one server */
        if (!(i && server[i] == server[i - 1]) && !in_list(servers, server[i])) {
            uint32_t lost = server[i];
            for (; i < n && server[i] == lost; i++)
                pick(servers, draw, NULL, &server[i]);
            i--;
        }
    return BALANCE_OK;
}

void assign_queue_init(struct assign_queue *queue)
{
    queue->wait_us = 150000;
    queue->max_size = 100;
}

size_t assign_queue_batch(const struct assign_queue *queue, const struct assign_request *requests,
                          size_t n, int64_t *dealt_us)
{
    int64_t dealt = requests[0].queued_us + queue->wait_us;
    size_t end;

    for (end = 0; end < n && requests[end].queued_us <= dealt; end++)
        if (end + 1 >= queue->max_size || (requests[end].flags & BALANCER_REGION_SYSTEM))
            dealt = requests[end].queued_us;
    *dealt_us = dealt;
    return end;
}

struct ranked {
    uint32_t key_order;
    uint32_t at;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->key_order != y->key_order)
        return x->key_order < y->key_order ? -1 : 1;
    return (x->at > y->at) - (x->at < y->at);
}

int assign_batch(const struct assign_servers *servers, const struct balance_draw *draw,
                 const struct assign_request *requests, size_t n, uint32_t *server)
{
    if (servers->count == 0)
        return BALANCE_BAD_SERVER;
    struct ranked *list = malloc((n + 1) * sizeof(*list));
    if (!list)
        return BALANCE_NO_MEMORY;
    for (size_t i = 0; i < n; i++)
        list[i] = (struct ranked){requests[i].key_order, (uint32_t)i};
    qsort(list, n, sizeof(*list), compare_ranked);
    uint32_t at = balance_draw_below(draw, servers->count);
    for (size_t p = 0; p < n; p++) {
        server[list[p].at] = servers->id[at];
        at = at + 1 < servers->count ? at + 1 : 0;
    }
    free(list);
    return BALANCE_OK;
}

int assign_crash(const struct assign_servers *servers, const struct balance_draw *draw,
                 const struct assign_queue *queue, const struct assign_crash_set *set,
                 uint32_t *server)
{
    int error = servers->count ? BALANCE_OK : BALANCE_BAD_SERVER;
    for (size_t first = 0; first < set->n && !error;) {
        int64_t dealt_us;
        size_t n = assign_queue_batch(queue, set->requests + first, set->n - first, &dealt_us);
        error = assign_batch(servers, draw, set->requests + first, n, server + first);
        first += n;
    }
    return error;
}

int assign_split_daughters(const struct assign_servers *servers, const struct balance_draw *draw,
                           uint32_t parent_server, bool separate, uint32_t daughter_server[2])
{
    daughter_server[0] = daughter_server[1] = parent_server;
    if (!separate)
        return BALANCE_OK;
    struct assign_servers any = {servers->id, servers->count, NULL};
    pick(&any, draw, &parent_server, &daughter_server[1]); /* stays where there is no other */
    return BALANCE_OK;
}

uint32_t assign_merged(const uint32_t *parent_servers, size_t n)
{
    (void)n;
    return parent_servers[0];
}
