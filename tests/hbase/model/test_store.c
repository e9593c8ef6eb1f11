/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "hbase/model/store.h"
#include "hbase/rules/memstore.h"

static struct hfile_column column = {1, 100, 1, 0};
static const char *qualifier = "v";

static void shape_init(struct family_shape *sh)
{
    memset(sh, 0, sizeof *sh);
    sh->name_bytes = 1;
    sh->columns = 1;
    sh->column = &column;
    sh->qualifier = &qualifier;
    sh->table_name_bytes = 2;
    sh->fixed_data_bytes = memstore_cell_data_bytes(0, 1, 1, 100);
    hfile_options_default(&sh->options);
    retention_config_default(&sh->retention);
}

/* |n| rows "00000001" ... of one batch. */
static void fill(struct store *st, unsigned first, unsigned n, uint64_t seqid)
{
    for (unsigned i = first; i < first + n; i++) {
        const struct sample_note note = {seqid, 1000 + i, 0, 1, HFILE_TYPE_PUT};
        char row[16];

        snprintf(row, sizeof row, "%08u", i);
        store_add_rows(st, 1, 8, seqid);
        assert_int_equal(sample_builder_add(&st->active.sample, (const uint8_t *)row, 8, &note), 0);
    }
}

static void flush(struct store *st, uint64_t seqid)
{
    struct hfile *f;

    assert_true(store_snapshot(st));
    f = store_write_snapshot(st, seqid, 5000, 0);
    assert_non_null(f);
    assert_int_equal(store_commit(st, f), 0);
}

static void test_memstore_sizes(void **state)
{
    struct sample_budget budget;
    struct family_shape sh;
    struct store st;

    (void)state;
    shape_init(&sh);
    sample_budget_init(&budget, 1024);
    store_init(&st, &sh, 8, &budget);
    assert_int_equal(store_heap_bytes(&st), 256);
    fill(&st, 0, 10, 4);
    assert_int_equal(store_data_bytes(&st), 10 * 130); /* 20 + 8 + 1 + 1 + 100 */
    assert_int_equal(store_heap_bytes(&st), 256 + 10 * (72 + 136));
    assert_true(store_snapshot(&st));
    assert_int_equal(store_heap_bytes(&st), 256 + 10 * (72 + 136) + 240);
    assert_false(store_snapshot(&st)); /* one at a time */
    store_free(&st);
    assert_int_equal(budget.keys, 0);
}

static void test_flush_compact_and_wait(void **state)
{
    struct sample_budget budget;
    struct family_shape sh;
    struct store st;
    struct hfile *out;
    uint64_t before;

    (void)state;
    shape_init(&sh);
    sample_budget_init(&budget, 1024);
    store_init(&st, &sh, 8, &budget);
    for (unsigned k = 0; k < 3; k++) {
        fill(&st, k * 500, 500, 4 + k);
        flush(&st, 10 + k);
    }
    assert_int_equal(st.files_len, 3);
    assert_int_equal(store_heap_bytes(&st), 256);
    before = store_bytes(&st);
    out = store_write_compacted(&st, &(struct store_span){0, 3}, 5000, 0);
    assert_non_null(out);
    assert_int_equal(out->cells, 1500);
    assert_int_equal(out->inputs_len, 3);
    assert_int_equal(out->max_seqid, 12);
    assert_int_equal(store_replace(&st, &(struct store_span){0, 3}, out), 0);
    assert_int_equal(st.files_len, 1);
    assert_int_equal(st.waiting_len, 3);
    assert_true(store_bytes(&st) < before);
    assert_false(store_has_references(&st));
    store_discharge(&st);
    assert_int_equal(st.waiting_len, 0);
    store_free(&st);
    assert_int_equal(budget.keys, 0);
}

static void test_daughters(void **state)
{
    struct sample_budget budget;
    struct family_shape sh;
    struct store st;
    const struct split_cut inside = {(const uint8_t *)"00000400", 8, 2}, behind = {(const uint8_t *)"1", 1, 2};
    bool failed = false;
    struct hfile *low, *high;

    (void)state;
    shape_init(&sh);
    sample_budget_init(&budget, 1024);
    store_init(&st, &sh, 8, &budget);
    fill(&st, 0, 1000, 4);
    flush(&st, 10);
    low = storefile_daughter(st.files[0], &inside, false, &failed);
    high = storefile_daughter(st.files[0], &inside, true, &failed);
    assert_false(failed);
    assert_true(low->reference && high->reference);
    assert_int_equal(low->bytes, st.files[0]->bytes);
    assert_int_equal(low->reported_cells, 500);
    assert_int_equal(low->cells, 400);
    assert_int_equal(high->cells, 600);
    assert_int_equal(high->name_bytes, 65);
    hfile_free(low);
    hfile_free(high);
    low = storefile_daughter(st.files[0], &behind, false, &failed);
    assert_true(low->link && !low->reference);
    assert_int_equal(low->name_bytes, 68);
    assert_null(storefile_daughter(st.files[0], &behind, true, &failed));
    assert_false(failed);
    hfile_free(low);
    store_free(&st);
    assert_int_equal(budget.keys, 0);
}

/* A sampled file is as long as an exact one to 0.1 %; its midkey lies within a block where rows come in
   order, and within three standard errors of a median of 3,700 where they come in none. */
static void sampled_against_exact(unsigned step, long most_off)
{
    struct hfile *f[2];
    struct store st[2];
    struct sample_budget budget[2];
    struct family_shape sh;
    long mid[2];

    shape_init(&sh);
    for (int k = 0; k < 2; k++) {
        sample_budget_init(&budget[k], k == 0 ? 0 : 1024);
        store_init(&st[k], &sh, 8, &budget[k]);
        for (unsigned i = 0; i < 60000; i++) {
            const unsigned v = i * step % 60000;
            const struct sample_note note = {200, 1000, 0, 1, HFILE_TYPE_PUT};
            char row[16];

            snprintf(row, sizeof row, "%08u", v);
            store_add_rows(&st[k], 1, 8, 200);
            if (sample_builder_skip(&st[k].active.sample) > 0)
                sample_builder_pass(&st[k].active.sample, 1);
            else
                sample_builder_add(&st[k].active.sample, (const uint8_t *)row, 8, &note);
        }
        flush(&st[k], 300);
        f[k] = st[k].files[0];
        f[k]->mid_row[f[k]->mid_row_bytes] = '\0';
        {
            char digits[16] = "00000000";

            memcpy(digits, f[k]->mid_row, f[k]->mid_row_bytes);
            mid[k] = strtol(digits, NULL, 10);
        }
    }
    assert_int_equal(f[0]->cells, f[1]->cells);
    assert_int_equal(f[0]->data_blocks, f[1]->data_blocks);
    assert_true(llabs((long long)f[0]->bytes - (long long)f[1]->bytes) * 1000 < (long long)f[0]->bytes);
    assert_true(labs(mid[0] - mid[1]) <= most_off);
    for (int k = 0; k < 2; k++)
        store_free(&st[k]);
}

static void test_sampled_against_exact(void **state)
{
    (void)state;
    sampled_against_exact(1, 480);
    sampled_against_exact(7919, 1500);
    sampled_against_exact(29989, 1500);
}

/* Half of a sampled file's time is past its life: half of it stays when it is written again. */
static void test_sampled_time_to_live(void **state)
{
    struct sample_budget budget;
    struct family_shape sh;
    struct store st;
    struct hfile *out;

    (void)state;
    shape_init(&sh);
    sh.retention.ttl_ms = 10000;
    sample_budget_init(&budget, 64);
    budget.keys_most = 0;
    store_init(&st, &sh, 8, &budget);
    fill(&st, 0, 64, 4);
    store_add_times(&st, 20000, 21999);
    flush(&st, 10);
    out = store_write_compacted(&st, &(struct store_span){0, 1}, 31000, 0);
    assert_non_null(out);
    assert_in_range(out->cells, 31, 33);
    assert_int_equal(out->part.sample->rows, out->rows);
    assert_int_equal(out->min_timestamp_ms, 21000);
    hfile_free(out);
    store_free(&st);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_memstore_sizes),
        cmocka_unit_test(test_flush_compact_and_wait),
        cmocka_unit_test(test_daughters),
        cmocka_unit_test(test_sampled_against_exact),
        cmocka_unit_test(test_sampled_time_to_live),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
