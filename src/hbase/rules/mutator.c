/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/mutator.h"

/* Shallow sizes of ClassSize with compressed oops. MUTATION is a Put with its empty TreeMap, as Put.heapSize
   counts it; recorded: 448 bytes for a 12-byte row with one cell of 100 bytes. */
enum {
    MUTATION_BYTES = 120,
    ARRAY_BYTES = 16,
    MAP_ENTRY_BYTES = 40,
    ARRAY_LIST_BYTES = 24,
    REFERENCE_BYTES = 4,
    KEY_VALUE_BYTES = 32,
    KEY_VALUE_FIXED = 20
};

static uint64_t align8(uint64_t n)
{
    return (n + 7) & ~UINT64_C(7);
}

static uint64_t key_value_heap(uint64_t row, uint64_t family, const struct mutator_column *c)
{
    return KEY_VALUE_BYTES + align8(ARRAY_BYTES + KEY_VALUE_FIXED + row + family + c->qualifier_bytes + c->value_bytes);
}

/* A family's key in the map, its list of cells and the cells. */
static uint64_t family_heap(uint64_t row, uint64_t family_bytes, const struct mutator_column *cols, size_t n,
                            uint32_t family)
{
    uint64_t cells = 0, heap = 0;

    for (size_t i = 0; i < n; i++)
        if (cols[i].family == family) {
            cells++;
            heap += key_value_heap(row, family_bytes, &cols[i]);
        }
    if (cells == 0)
        return 0;
    return heap + align8(ARRAY_BYTES + family_bytes) + ARRAY_LIST_BYTES + align8(ARRAY_BYTES + cells * REFERENCE_BYTES);
}

uint64_t put_heap_bytes_columns(uint64_t row, const uint32_t *family_bytes,
                                const struct mutator_column *cols, size_t n)
{
    uint64_t heap = MUTATION_BYTES + align8(ARRAY_BYTES + row), families = 0;
    uint32_t last = 0;

    for (size_t i = 0; i < n; i++)
        if (cols[i].family > last)
            last = cols[i].family;
    for (uint32_t f = 0; n > 0 && f <= last; f++) {
        uint64_t h = family_heap(row, family_bytes[f], cols, n, f);

        families += h > 0;
        heap += h;
    }
    return align8(heap + align8(families * MAP_ENTRY_BYTES));
}

uint64_t put_heap_bytes(uint64_t row, uint64_t family, uint64_t qualifier, uint64_t value)
{
    uint32_t family_bytes = (uint32_t)family;
    struct mutator_column c = {(uint32_t)qualifier, (uint32_t)value, 0};

    return put_heap_bytes_columns(row, &family_bytes, &c, 1);
}

void mutator_limits_default(struct mutator_limits *l)
{
    l->write_buffer_bytes = 2097152;
    l->max_total_tasks = 100;
    l->max_perserver_tasks = 2;
    l->max_perregion_tasks = 1;
    l->max_perrequest_bytes = 4194304;
    l->max_perrequest_rows = 2048;
    l->max_submit_bytes = 4194304;
}

bool mutator_must_submit(const struct mutator_limits *l, uint64_t buffered_bytes)
{
    return buffered_bytes > l->write_buffer_bytes;
}

uint64_t mutator_rows_to_submit(const struct mutator_limits *l, uint64_t heap_bytes)
{
    return heap_bytes > 0 ? l->write_buffer_bytes / heap_bytes + 1 : UINT64_MAX;
}

/* TaskCountChecker: a region that the pass already holds goes with it, whatever is in flight. */
static bool tasks_allow(const struct mutator_limits *l, const struct mutator_pass *p, const struct mutator_target *t)
{
    uint32_t servers = p->servers_in_pass + (t->server_in_pass ? 0 : 1);

    if (t->region_in_pass)
        return true;
    if (t->region_tasks_in_flight >= l->max_perregion_tasks)
        return false;
    if (servers + p->tasks_in_flight > l->max_total_tasks)
        return false;
    return t->server_tasks_in_flight < l->max_perserver_tasks;
}

enum mutator_check mutator_check_row(const struct mutator_limits *l, const struct mutator_pass *p,
                                     const struct mutator_target *t, uint64_t row_bytes)
{
    if (p->pass_bytes >= l->max_submit_bytes)
        return MUTATOR_END;
    if (!tasks_allow(l, p, t))
        return MUTATOR_SKIP;
    if (t->server_in_pass && t->server_bytes > 0 && t->server_bytes + row_bytes > l->max_perrequest_bytes)
        return MUTATOR_SKIP;
    if (t->server_in_pass && t->server_rows >= l->max_perrequest_rows)
        return MUTATOR_SKIP;
    return MUTATOR_INCLUDE;
}

bool mutator_must_wait(const struct mutator_limits *l, uint32_t tasks_in_flight)
{
    return tasks_in_flight >= l->max_total_tasks;
}

/* HConstants.RETRY_BACKOFF; beyond its end the last stays. */
uint32_t mutator_backoff_multiplier(uint32_t index)
{
    static const uint32_t table[] = {1, 2, 3, 5, 10, 20, 40, 100, 100, 100, 100, 200, 200};
    uint32_t n = sizeof table / sizeof *table;

    return table[index < n ? index : n - 1];
}

uint64_t mutator_retry_pause_us(uint32_t errors, uint64_t pause_us, double u)
{
    uint64_t normal = pause_us * mutator_backoff_multiplier(errors > 0 ? errors - 1 : 0);

    return normal + (uint64_t)((double)normal * u * 0.01);
}

bool mutator_gives_up(uint32_t tries, uint32_t retries, uint64_t elapsed_us, uint64_t pause_us)
{
    uint64_t budget = 0;

    /* ServerErrorTracker: the pauses of all tries are the time that a server is granted. */
    for (uint32_t i = 0; i < retries; i++)
        budget += pause_us * mutator_backoff_multiplier(i);
    return tries > retries && elapsed_us >= budget;
}
