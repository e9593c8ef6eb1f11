/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_RULES_MUTATOR_H
#define HBASE_RULES_MUTATOR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The client's side of a write (HBase 2.6: Mutation.heapSize, BufferedMutatorImpl,
   SimpleRequestController, ConnectionUtils). */

struct mutator_column {
    uint32_t qualifier_bytes;
    uint32_t value_bytes;
    uint32_t family;             /* index of the family within the row, from 0 */
};

/* Put.heapSize of a row with one cell. */
uint64_t put_heap_bytes(uint64_t row, uint64_t family, uint64_t qualifier, uint64_t value);

/* The same of a row with several cells; family_bytes[f] is the length of family f's name, families
   are those that occur in |cols|. */
uint64_t put_heap_bytes_columns(uint64_t row, const uint32_t *family_bytes,
                                const struct mutator_column *cols, size_t n);

struct mutator_limits {
    uint64_t write_buffer_bytes;       /* hbase.client.write.buffer: 2 MiB of Put.heapSize */
    uint32_t max_total_tasks;          /* 100 */
    uint32_t max_perserver_tasks;      /* 2 */
    uint32_t max_perregion_tasks;      /* 1 */
    uint64_t max_perrequest_bytes;     /* hbase.client.max.perrequest.heapsize: 4 MiB */
    uint32_t max_perrequest_rows;      /* 2,048 */
    uint64_t max_submit_bytes;         /* hbase.client.max.submit.heapsize: 4 MiB */
};
void mutator_limits_default(struct mutator_limits *l);

/* The buffer is submitted while its heap exceeds the limit (strict). */
bool mutator_must_submit(const struct mutator_limits *l, uint64_t buffered_bytes);
/* Rows of one heap size that are buffered when that first happens: floor(limit / heap) + 1. */
uint64_t mutator_rows_to_submit(const struct mutator_limits *l, uint64_t put_heap_bytes);

/* Rows and tasks of the pass so far and of earlier passes that are still in flight. */
struct mutator_pass {
    uint64_t pass_bytes;               /* taken in this pass, all servers */
    uint32_t tasks_in_flight;          /* all servers, earlier passes */
    uint32_t servers_in_pass;          /* distinct servers taken so far */
};
struct mutator_target {
    bool server_in_pass;               /* this pass already has rows for the row's server */
    bool region_in_pass;               /* ... for its region */
    uint64_t server_bytes;             /* taken for that server in this pass */
    uint32_t server_rows;
    uint32_t server_tasks_in_flight;
    uint32_t region_tasks_in_flight;
};
enum mutator_check { MUTATOR_INCLUDE, MUTATOR_SKIP, MUTATOR_END };
/* SimpleRequestController.Checker: may the next row, of |row_bytes| heap, go with this pass? */
enum mutator_check mutator_check_row(const struct mutator_limits *l, const struct mutator_pass *p,
                                     const struct mutator_target *t, uint64_t row_bytes);
/* Before a pass: wait until at most max_total_tasks - 1 tasks are in flight. */
bool mutator_must_wait(const struct mutator_limits *l, uint32_t tasks_in_flight);

/* HConstants.RETRY_BACKOFF x pause, with up to 1 % more by a uniform |u| in [0, 1).
   |errors| counts the failures on that server within this submission: 1 for the first. */
uint64_t mutator_retry_pause_us(uint32_t errors, uint64_t pause_us, double u);
uint32_t mutator_backoff_multiplier(uint32_t index);
/* Gives up only when both the tries (retries + 1) and the time that they pause in sum are used up. */
bool mutator_gives_up(uint32_t tries, uint32_t retries, uint64_t elapsed_us, uint64_t pause_us);

#endif
