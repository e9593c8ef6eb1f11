/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "client/scan_salted.h"
#include "des/stream.h"

/* A table of |n| salted time keys: rows sorted, found by bisection. */
struct fixture {
    struct saltkey_scheme scheme;
    struct saltkey_keys splits, rows;
    struct scan_cell cells[6];
    struct scan_shape shape;
    uint64_t asked;           /* calls of shape_of */
};

static uint64_t rank_of(void *context, struct saltkey_slice key)
{
    const struct fixture *f = context;
    size_t low = 0, high = f->rows.count;

    while (low < high) {
        const size_t mid = low + (high - low) / 2;

        if (saltkey_compare(f->rows.at[mid], key) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static struct saltkey_slice key_of(void *context, uint64_t row, size_t slot)
{
    const struct fixture *f = context;

    (void)slot;
    return f->rows.at[row];
}

static const struct scan_shape *shape_of(void *context, uint64_t row)
{
    struct fixture *f = context;

    (void)row;
    f->asked++;
    return &f->shape;
}

static struct scan_table table_of(struct fixture *f, bool one_shape)
{
    return (struct scan_table){&f->splits, rank_of, key_of, f->rows.count,
                               {one_shape ? &f->shape : NULL, shape_of, NULL, f}, f};
}

static void set_cells(struct fixture *f, size_t cells, uint32_t families, uint32_t value_bytes)
{
    for (size_t i = 0; i < cells; i++) {
        f->cells[i].bytes = scan_key_value_bytes(13, 1, 1, value_bytes + (uint32_t)i);
        f->cells[i].heap_bytes = scan_heap_bytes(SCAN_FROM_HFILE, f->cells[i].bytes);
        f->cells[i].family = (uint32_t)(i * families / cells);
    }
    f->shape = (struct scan_shape){f->cells, cells};
}

static void make(struct fixture *f, uint32_t buckets, uint32_t rows)
{
    struct saltkey_layout layout;
    struct saltkey_salt salt;

    memset(f, 0, sizeof *f);
    assert_int_equal(saltkey_layout_parse("ts:be64 device:be32", &layout, NULL), 0);
    assert_int_equal(saltkey_salt_parse(buckets ? "arrays-hash floorMod" : "none", buckets, &salt, NULL), 0);
    assert_int_equal(saltkey_scheme_init(&f->scheme, &layout, &salt, NULL, NULL), 0);
    saltkey_keys_init(&f->splits, NULL);
    saltkey_keys_init(&f->rows, NULL);
    if (buckets)
        assert_int_equal(saltkey_split_buckets(&salt, 1, &f->splits, NULL), 0);
    for (uint32_t i = 0; i < rows; i++) {
        const struct saltkey_value v[2] = {saltkey_uint(1700000000000 + (uint64_t)i * 1000), saltkey_uint(i % 97)};
        uint8_t bytes[32];
        struct saltkey_buf row = {bytes, sizeof bytes, 0};

        assert_int_equal(saltkey_salted(&f->scheme, v, &row, NULL), 0);
        saltkey_keys_add(&f->rows, (struct saltkey_slice){bytes, row.len});
    }
    saltkey_keys_finish(&f->rows, NULL);
    set_cells(f, 1, 1, 20);
}

static void end(struct fixture *f)
{
    saltkey_keys_free(&f->splits);
    saltkey_keys_free(&f->rows);
}

struct window_keys {
    uint8_t start[64], stop[64];
    struct saltkey_window window;
};

static void window_of(const struct fixture *f, uint64_t from, uint64_t to, struct window_keys *w)
{
    const struct saltkey_value a = saltkey_uint(1700000000000 + from * 1000);
    const struct saltkey_value b = saltkey_uint(1700000000000 + to * 1000);

    memset(w, 0, sizeof *w);
    w->window.start = (struct saltkey_buf){w->start, sizeof w->start, 0};
    w->window.stop = (struct saltkey_buf){w->stop, sizeof w->stop, 0};
    assert_int_equal(saltkey_window_leading(&f->scheme, &a, to ? &b : NULL, &w->window, NULL), 0);
}

struct order {
    const struct fixture *f;
    uint64_t rows;
    uint64_t last;
    bool reversed;
};

/* Merged rows come with falling (rising) times, each exactly once. */
static void check_order(void *context, uint64_t row, size_t scan)
{
    struct order *o = context;
    const struct saltkey_slice key = o->f->rows.at[row];
    uint64_t ts = 0;

    for (size_t i = 0; i < 8; i++)
        ts = ts << 8 | key.bytes[o->f->scheme.salt.width + i];
    if (o->rows > 0)
        assert_true(o->reversed ? ts < o->last : ts > o->last);
    if (o->f->scheme.salt.width > 0)
        assert_int_equal(key.bytes[0], scan);
    o->last = ts;
    o->rows++;
}

static void one_region_and_a_short_range_is_one_rpc(void **state)
{
    struct fixture f;
    struct window_keys w;
    struct scan_options o;
    struct scan_cost cost = {0};

    (void)state;
    make(&f, 0, 5000);
    window_of(&f, 1000, 1300, &w);
    scan_options_init(&o, 65536);
    {
        const struct scan_table t = table_of(&f, true);
        const struct scan_salted q = {.scheme = &f.scheme, .window = &w.window, .table = &t, .options = &o};

        assert_int_equal(scan_salted_count(&q, &cost), 0);
    }
    assert_int_equal(cost.scans, 1);
    assert_int_equal(cost.rpcs, 1);
    assert_int_equal(cost.close_rpcs, 0);
    assert_int_equal(cost.rows_returned, 300);
    assert_int_equal(cost.read_requests, 300);
    end(&f);
}

static void a_window_on_n_buckets_is_n_scans(void **state)
{
    (void)state;
    for (uint32_t n = 1; n <= 32; n *= 2) {
        struct fixture f;
        struct window_keys w;
        struct scan_options o;
        struct scan_cost count = {0}, merged = {0};
        struct order order = {&f, 0, 0, false};

        make(&f, n, 4000);
        window_of(&f, 500, 1500, &w);
        scan_options_init(&o, 65536);
        {
            const struct scan_table t = table_of(&f, true);
            const struct scan_salted q = {.scheme = &f.scheme, .window = &w.window, .table = &t, .options = &o};

            assert_int_equal(scan_salted_count(&q, &count), 0);
            assert_int_equal(scan_salted_merge(&q, check_order, &order, &merged), 0);
        }
        assert_int_equal(count.scans, n);
        assert_int_equal(count.rpcs, n);
        assert_int_equal(count.regions, n);
        assert_int_equal(count.rows_returned, 1000);
        assert_int_equal(order.rows, 1000);
        assert_memory_equal(&count, &merged, sizeof count);
        end(&f);
    }
}

/* At most N x K rows are read and K returned; without the limit each bucket sends a full reply and is
   closed. */
static void newest_k_reads_at_most_n_times_k(void **state)
{
    const uint64_t cut = scan_pread_cut_rows(4 * 65536, scan_key_value_bytes(13, 1, 1, 20));

    (void)state;
    for (uint32_t n = 1; n <= 16; n *= 4) {
        struct fixture f;
        struct window_keys w;
        struct scan_options o;
        struct scan_cost limited = {0}, stopped = {0};
        struct order order = {&f, 0, 0, true}, again = {&f, 0, 0, true};

        make(&f, n, 48000);
        window_of(&f, 0, 0, &w);
        scan_options_init(&o, 65536);
        {
            const struct scan_table t = table_of(&f, true);
            struct scan_salted q = {.scheme = &f.scheme, .window = &w.window, .table = &t, .options = &o,
                                    .reversed = true, .limit = 100, .limit_per_scan = 100};

            assert_int_equal(scan_salted_merge(&q, check_order, &order, &limited), 0);
            q.limit_per_scan = 0;
            assert_int_equal(scan_salted_merge(&q, check_order, &again, &stopped), 0);
        }
        assert_int_equal(limited.rows_returned, 100);
        assert_int_equal(order.rows, 100);
        assert_int_equal(limited.rows_scanned, 100 * n);
        assert_int_equal(limited.rpcs, n);
        assert_int_equal(limited.close_rpcs, 0);
        assert_int_equal(again.rows, 100);
        assert_int_equal(stopped.rows_scanned, cut * n);
        assert_int_equal(stopped.rpcs, 2 * n);
        assert_int_equal(stopped.close_rpcs, n);
        end(&f);
    }
}

static void an_empty_range_costs_an_rpc_for_each_bucket(void **state)
{
    struct fixture f;
    struct window_keys w;
    struct scan_options o;
    struct scan_cost cost = {0};

    (void)state;
    make(&f, 8, 1000);
    window_of(&f, 5000, 6000, &w);
    scan_options_init(&o, 65536);
    {
        const struct scan_table t = table_of(&f, true);
        const struct scan_salted q = {.scheme = &f.scheme, .window = &w.window, .table = &t, .options = &o};

        assert_int_equal(scan_salted_count(&q, &cost), 0);
    }
    assert_int_equal(cost.rpcs, 8);
    assert_int_equal(cost.read_requests, 8);
    assert_int_equal(cost.rows_returned, 0);
    end(&f);
}

/* A size limit that falls on the last row can't know that it was the last: one more RPC. A caching
   limit does. */
static void the_end_is_known_but_for_the_size_limit(void **state)
{
    struct fixture f;
    struct scan_options o;
    struct scan_client c;
    const struct scan_ends all = {{NULL, 0}, {NULL, 0}, true, false, false};

    (void)state;
    make(&f, 0, 1000);
    {
        const struct scan_table t = table_of(&f, true);

        scan_options_init(&o, 65536);
        o.caching = 100;
        scan_client_open(&c, &t, &all, &o, 0);
        scan_client_run(&c);
        assert_int_equal(c.cost.rpcs, 10);
        assert_int_equal(c.cost.read_requests, 1000);
        o.caching = 0;
        o.max_result_bytes = 1000 * f.cells[0].heap_bytes;
        scan_client_open(&c, &t, &all, &o, 0);
        scan_client_run(&c);
        assert_int_equal(c.cost.rpcs, 2);
        assert_int_equal(c.cost.read_requests, 1001);
    }
    end(&f);
}

/* hbase.client.scanner.max.result.size: the reply that reaches 2,097,152 bytes of heap ends, after 22,551 rows of 93
   bytes; two full ones leave a row for a third. */
static void a_reply_ends_at_two_mebibytes(void **state)
{
    struct fixture f;
    struct scan_options o;
    struct scan_client c;
    const struct scan_ends all = {{NULL, 0}, {NULL, 0}, true, false, false};

    (void)state;
    make(&f, 0, 2 * 22551 + 1);
    assert_int_equal(f.cells[0].heap_bytes, 93);
    {
        const struct scan_table t = table_of(&f, true);

        scan_options_init(&o, 65536);
        o.read_type = SCAN_READ_PREAD;
        scan_client_open(&c, &t, &all, &o, 0);
        assert_int_equal(scan_client_fill(&c), 22551);
        scan_client_run(&c);
        assert_int_equal(c.cost.rpcs, 3);
        assert_int_equal(c.cost.rows_returned, 45103);
    }
    end(&f);
}

/* An inclusive stop on a boundary opens one region more, an exclusive one doesn't; a reversed scan
   that excludes its start begins in the region before. */
static void boundaries(void **state)
{
    struct fixture f;
    uint8_t one = 1, two = 2;
    struct scan_ends e = {{&one, 1}, {&two, 1}, true, false, false};

    (void)state;
    make(&f, 4, 10);
    assert_int_equal(scan_region_count(&f.splits, &e), 1);
    e.stop_inclusive = true;
    assert_int_equal(scan_region_count(&f.splits, &e), 2);
    e = (struct scan_ends){{&two, 1}, {&one, 1}, false, true, true};
    assert_int_equal(scan_first_region(&f.splits, &e), 1);
    assert_int_equal(scan_region_count(&f.splits, &e), 1);
    e.start_inclusive = true;
    assert_int_equal(scan_first_region(&f.splits, &e), 2);
    assert_int_equal(scan_region_count(&f.splits, &e), 2);
    e = (struct scan_ends){{NULL, 0}, {NULL, 0}, true, false, true};
    assert_int_equal(scan_first_region(&f.splits, &e), 3);
    assert_int_equal(scan_region_count(&f.splits, &e), 4);
    end(&f);
}

static void slow_rows_bring_heartbeats(void **state)
{
    struct fixture f;
    struct scan_options o;
    struct scan_client c;
    const struct scan_ends all = {{NULL, 0}, {NULL, 0}, true, false, false};

    (void)state;
    make(&f, 0, 35000);
    {
        const struct scan_table t = table_of(&f, true);

        scan_options_init(&o, 65536);
        o.read_type = SCAN_READ_PREAD;
        o.max_result_bytes = 1 << 30;
        o.heartbeat_cells = 10000;
        scan_client_open(&c, &t, &all, &o, 0);
        scan_client_run(&c);
    }
    assert_int_equal(c.cost.rows_returned, 35000);
    assert_int_equal(c.cost.rpcs, 4);
    assert_int_equal(c.cost.heartbeats, 3);
    end(&f);
}

struct log {
    uint64_t hash, rpcs;
};

static void log_rpc(void *context, const struct scan_rpc *rpc)
{
    struct log *l = context;
    const struct scan_reply *r = rpc->reply;
    const uint64_t figures[] = {rpc->region, r->rows, r->results, r->cells, r->bytes, r->heap_bytes, r->looked_at,
                                r->client_heap_bytes, r->rows_scanned, r->read_requests, r->heartbeat,
                                r->more_in_region, r->more_results, rpc->closes};

    for (size_t i = 0; i < sizeof figures / sizeof *figures; i++)
        l->hash = (l->hash ^ figures[i]) * UINT64_C(1099511628211);
    l->rpcs++;
}

/* Arithmetic over rows of one shape and the machine row by row give the same replies, one by one. */
static void counting_equals_row_by_row(void **state)
{
    struct des_stream s;
    struct fixture f;

    (void)state;
    des_stream_init(&s, 7, "scan");
    make(&f, 4, 20000);
    for (int round = 0; round < 600; round++) {
        struct log fast = {0, 0}, slow = {0, 0};
        struct scan_options o;
        struct scan_client c;
        const uint64_t limit = des_uniform_u64(&s, 3) == 0 ? 1 + des_uniform_u64(&s, 9000) : 0;
        const struct scan_ends e = {{NULL, 0}, {NULL, 0}, true, false, des_uniform_u64(&s, 2) == 1};
        const size_t cells = 1 + des_uniform_u64(&s, 6);
        uint64_t asked;

        set_cells(&f, cells, 1 + (uint32_t)des_uniform_u64(&s, cells < 3 ? cells : 3), (uint32_t)des_uniform_u64(&s, 400));
        scan_options_init(&o, 1024u << des_uniform_u64(&s, 8));
        o.read_type = (enum scan_read_type)des_uniform_u64(&s, 3);
        o.caching = des_uniform_u64(&s, 2) ? 1 + des_uniform_u64(&s, 3000) : 0;
        o.batch = des_uniform_u64(&s, 4) == 0 ? 1 + des_uniform_u64(&s, cells + 1) : 0;
        o.max_result_bytes = 1000u << des_uniform_u64(&s, 14);
        o.heartbeat_check_cells = 1 + des_uniform_u64(&s, 500);
        o.heartbeat_cells = des_uniform_u64(&s, 3) == 0 ? 1 + des_uniform_u64(&s, 9000) : 0;
        for (int way = 0; way < 2; way++) {
            const struct scan_table t = table_of(&f, way == 0);

            f.asked = 0;
            scan_client_open(&c, &t, &e, &o, limit);
            c.on_rpc = log_rpc;
            c.on_rpc_context = way == 0 ? &fast : &slow;
            scan_client_run(&c);
            asked = f.asked;
            assert_true(way == 0 ? asked == 0 : asked > 0);
            assert_int_equal(c.cost.rows_returned, limit > 0 && limit < 20000 ? limit : 20000);
        }
        assert_int_equal(fast.rpcs, slow.rpcs);
        assert_true(fast.hash == slow.hash);
    }
    end(&f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_region_and_a_short_range_is_one_rpc),
        cmocka_unit_test(a_window_on_n_buckets_is_n_scans),
        cmocka_unit_test(newest_k_reads_at_most_n_times_k),
        cmocka_unit_test(an_empty_range_costs_an_rpc_for_each_bucket),
        cmocka_unit_test(the_end_is_known_but_for_the_size_limit),
        cmocka_unit_test(a_reply_ends_at_two_mebibytes),
        cmocka_unit_test(boundaries),
        cmocka_unit_test(slow_rows_bring_heartbeats),
        cmocka_unit_test(counting_equals_row_by_row),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
