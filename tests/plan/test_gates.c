/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Every gate of the plan at each of its levels, with the numbers that it must name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "iot_plan.h"

static void set_text(char **to, const char *text)
{
    free(*to);
    *to = iot_copy(text);
}

static void set_salt(struct spec *sp, const char *salt)
{
    set_text(&sp->tables->salt, salt);
}

static void set_policy(struct spec *sp, enum spec_split_policy policy, int prefix, const char *delimiter)
{
    sp->tables->own_split_policy = true;
    sp->tables->split_policy = policy;
    sp->tables->split_prefix_bytes = prefix;
    if (delimiter) {
        sp->tables->split_delimiter.bytes = (uint8_t *)iot_copy(delimiter);
        sp->tables->split_delimiter.len = strlen(delimiter);
    }
}

static void as_is(struct spec *sp) { (void)sp; }
static void grows(struct spec *sp) { iot_grow(sp, 16, 2); }

/* Expired regions are empty and stay: the count grows all the same. */
static void grows_and_expires(struct spec *sp)
{
    grows(sp);
    sp->tables->families->ttl_ns = 7 * INT64_C(86400) * SPEC_NS_PER_S;
}

static void heap_1g(struct spec *sp) { sp->cluster.heap_bytes = INT64_C(1) << 30; }
static void crowded(struct spec *sp) { sp->cluster.background_regions_per_server = 250; }
static void overfull(struct spec *sp) { sp->cluster.background_regions_per_server = 1001; }
static void cut_in_four(struct spec *sp) { sp->tables->splits_regions = 4; }
static void disk_1m(struct spec *sp) { sp->server.disk_bytes_per_s = 1e6; }
static void disk_half(struct spec *sp) { sp->server.disk_bytes_per_s = 0.5e6; }
static void no_jitter(struct spec *sp) { sp->hbase.max_filesize_jitter = 0; }
static void constant(struct spec *sp) { set_policy(sp, SPEC_SPLIT_CONSTANT, 0, NULL); }
static void prefix_1(struct spec *sp) { set_policy(sp, SPEC_SPLIT_KEY_PREFIX, 1, NULL); }
static void prefix_9(struct spec *sp) { set_policy(sp, SPEC_SPLIT_KEY_PREFIX, 9, NULL); }
static void random_salt(struct spec *sp) { set_salt(sp, "random"); }
static void phoenix(struct spec *sp) { set_salt(sp, "phoenix"); }
static void normalized(struct spec *sp) { sp->tables->normalizer = true; }

static void large_flushes(struct spec *sp)
{
    heap_1g(sp);
    sp->hbase.memstore_flush_size_bytes = INT64_C(1) << 30;
}

static void delimited(struct spec *sp)
{
    set_salt(sp, "text02x");
    set_text(&sp->tables->key, "ts:dec(13) device:text"); /* its hash is one of text */
    sp->tables->splits = SPEC_SPLITS_NONE;
    set_policy(sp, SPEC_SPLIT_DELIMITED_KEY_PREFIX, 0, "_");
}

static void hot_device(struct spec *sp, double share)
{
    set_text(&sp->tables->salt_over, "device");
    sp->streams->popularity = SPEC_POPULARITY_HOT;
    sp->streams->hot_entities = 1;
    sp->streams->hot_share = share;
}

static void hot_5(struct spec *sp) { hot_device(sp, 0.05); }
static void hot_30(struct spec *sp) { hot_device(sp, 0.3); }

static void entity_first(struct spec *sp)
{
    set_text(&sp->tables->key, "device:fixed(16) ts:be64");
    iot_query(sp, "window", SPEC_QUERY_RANGE, 60 * SPEC_NS_PER_S);
}

/* Behind the time an entity's rows are no range. */
static void history_behind_time(struct spec *sp)
{
    iot_query(sp, "window", SPEC_QUERY_RANGE, 60 * SPEC_NS_PER_S);
    iot_query(sp, "host", SPEC_QUERY_HISTORY, 3600 * SPEC_NS_PER_S);
    set_text(&sp->queries[1].field, "device");
}

static void histories_too_many(struct spec *sp)
{
    history_behind_time(sp);
    sp->duration_ns = 600 * SPEC_NS_PER_S;
    sp->queries[1].rate_per_s = 50;
}

static void small_buffer(struct spec *sp) { sp->streams->buffer_bytes = 16 << 10; }
static void no_buffer(struct spec *sp) { sp->streams->buffer_bytes = 0; }

static void phoenix_normalized(struct spec *sp)
{
    phoenix(sp);
    normalized(sp);
}

static void normalized_splits_only(struct spec *sp)
{
    normalized(sp);
    sp->tables->normalizer_no_merge = true;
}

static void phoenix_without_splits(struct spec *sp)
{
    phoenix(sp);
    set_policy(sp, SPEC_SPLIT_DISABLED, 0, NULL);
}

static void phoenix_mended(struct spec *sp)
{
    phoenix(sp);
    sp->plan.phoenix_version = SPEC_PHOENIX(5, 3, 0);
}

/* A tail of 16 on 12 servers takes 2,500 rows/s of 148 B (20 + 25 + 1 + 1 + 100 as written) at most. */
static const struct {
    const char *id, *level;
    int n;
    void (*change)(struct spec *sp);
    const char *words;
} cases[] = {
    {"memstore", "ok", 16, as_is, "holds 48 full memstores of 128 MiB; 2 write tails on one server"}, /* 16 x 0.4 x 0.95 / 0.125 */
    {"memstore", "warn", 48, heap_1g, "holds 3 full memstores of 128 MiB; 4 write tails on one server: flushes at 97.28 MiB"},
    {"memstore", "stop", 192, heap_1g, "16 write tails on one server: flushes at 24.32 MiB"},
    {"regions", "ok", 16, as_is, "16 regions at creation on 12 servers: 2 a server"},
    {"regions", "warn", 16, crowded, "252 a server with the background"},
    {"regions", "stop", 16, overfull, "1003 a server with the background; splits stop at 1000"},
    /* 40,000 x 147 B fill 5 GiB in 913 s; (1000 x 12 - 16) x 913 s are 4.16 months, 16 servers take 5.55 */
    {"regions", "ok", 16, as_is, "the limit is reached after 4.16 months"},
    {"regions", "warn", 16, grows, "16 regions at creation on 12 servers: 2 a server"},
    {"regions", "warn", 16, grows, "the limit is reached after 5.55 months"},
    {"regions", "warn", 16, grows_and_expires, "after 5.55 months, expired regions stay and count"},
    {"playbook", "ok", 16, as_is, "12 servers x 10 to 30 regions are 120 to 360; in multiples of N = 16: splits = buckets x 8 gives 128"},
    {"playbook", "warn", 16, cut_in_four, "Of the 64 regions here 16 take writes"},
    {"flush-storm", "ok", 16, as_is, "2 tails of one server write"},
    {"flush-storm", "warn", 16, disk_1m, "2.50 k rows/s a tail"},
    {"flush-storm", "stop", 16, disk_half, "of its disk"},
    {"split-storm", "ok", 16, as_is, "jitter 0.25 spreads the 16 splits"},
    {"split-storm", "warn", 16, no_jitter, "jitter 0 spreads the 16 splits over 0 h"},
    {"stepping-split", "ok", 24, as_is, "every server holds two or more"},
    {"stepping-split", "warn", 12, as_is, "a lone one splits above 2 x flush size = 256 MiB"},
    {"stepping-split", "ok", 12, constant, "not SteppingSplitPolicy"},
    {"wal", "ok", 16, as_is, "hold the"},
    {"wal", "warn", 96, large_flushes, "32 logs x 128 MiB = 4 GiB hold the"},
    {"key-prefix", "ok", 16, as_is, "does not cut keys"},
    {"key-prefix", "ok", 16, prefix_9, "behind the salt and more"},
    {"key-prefix", "stop", 16, prefix_1, "cut to 1 byte is the salt alone"},
    {"key-prefix", "stop", 16, delimited, "behind the first '_'"},
    {"scheme", "ok", 16, as_is, "N = 16 suits"},
    {"scheme", "warn", 16, random_salt, ""},
    {"scheme", "stop", 62, as_is, "31"},
    {"edges", "ok", 16, as_is, "neither 1 nor 256"},
    {"edges", "warn", 1, as_is, "N = 1 adds a byte"},
    {"edges", "warn", 256, as_is, "N = 256 uses the salt byte up"},
    {"bucket-skew", "ok", 16, as_is, "6.25"},
    {"bucket-skew", "warn", 16, hot_5, "the largest of 16 buckets takes 11"}, /* 5 + 95 / 16 % */
    {"bucket-skew", "stop", 16, hot_30, "the largest of 16 buckets takes 34"},
    {"layout", "ok", 16, as_is, "by the key's beginning"},
    {"layout", "stop", 16, entity_first, "query window reads the whole of table telemetry"},
    {"layout", "warn", 16, history_behind_time, "query host of 2 is no range of the key at any N"},
    {"layout", "stop", 16, histories_too_many, "servers and there are 12"},
    {"client-batches", "ok", 16, as_is, "a buffer of 2 MiB"},
    {"client-batches", "ok", 16, no_buffer, "each row is a call of its own"},
    {"client-batches", "warn", 16, small_buffer, "a buffer of 0.01562 MiB"},
    {"normalizer", "ok", 16, as_is, "merges nothing"},
    {"normalizer", "ok", 16, normalized_splits_only, "merges nothing"},
    {"normalizer", "warn", 16, normalized, "across the borders of the 16 buckets of telemetry"},
    {"normalizer", "stop", 16, phoenix_normalized, "Phoenix then reads wrong rows"},
    {"phoenix-7580", "ok", 16, as_is, "not a salted Phoenix table"},
    {"phoenix-7580", "ok", 16, phoenix_mended, "Phoenix 5.3.0 is later than 5.2.1"},
    {"phoenix-7580", "warn", 16, phoenix_without_splits, "(1/16 of them) once bucket 14 has two regions"},
    {"phoenix-7580", "stop", 16, phoenix, "(1/16 of them) once bucket 14 has split"},
    {"phoenix-batches", "ok", 8, phoenix, "each reaches 8 of 8 buckets"},
    {"phoenix-batches", "warn", 48, phoenix, "each reaches 42.15 of 48 buckets"}, /* 48 x (1 - (47/48)^100) */
};

static const struct result_gate *gate_of(const struct result *res, const char *id)
{
    for (size_t i = 0; i < res->plan.gates_len; i++)
        if (strcmp(res->plan.gates[i].id, id) == 0)
            return &res->plan.gates[i];
    fail_msg("no gate %s", id);
    abort();
}

static void levels(void **state)
{
    int wrong = 0;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct result_gate *g;
        struct result res;
        struct spec sp;

        iot_spec(&sp, cases[i].n, 1, 100);
        iot_candidates(&sp, &cases[i].n, 1);
        cases[i].change(&sp);
        if (iot_plan(&sp, 1, &res) != 0)
            fail_msg("case %zu, %s: the plan fails", i, cases[i].id);
        g = gate_of(&res, cases[i].id);
        if (strcmp(g->level, cases[i].level) != 0 || !strstr(g->text, cases[i].words)) {
            print_message("%s, case %zu, N = %d: wanted %s '%s', is %s '%s'\n", g->id, i, cases[i].n, cases[i].level,
                          cases[i].words, g->level, g->text);
            wrong++;
        }
        assert_true(g->source && g->source[0]);
        assert_true((strcmp(g->level, "ok") == 0) == !g->hint);
        result_free(&res);
        spec_free(&sp);
    }
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(levels),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
