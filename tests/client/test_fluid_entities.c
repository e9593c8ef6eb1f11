/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The look-up of a region's rows by their entities against a search row by row, while regions split. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "../sim/iot.h"
#include "client/fluid_parts.h"
#include "result/result.h"

#define ENTITIES 1000
#define PREFIX 17                     /* the salt and the entity: no border inside an entity's rows */

static void entity_spec(struct spec *sp)
{
    iot_spec(sp, 4, 3600, 1000);
    free(sp->tables->key);
    sp->tables->key = iot_copy("device:fixed(16) ts:be64");
    free(sp->tables->salt_over);
    sp->tables->salt_over = iot_copy("device");
    sp->tables->own_split_policy = true;
    sp->tables->split_policy = SPEC_SPLIT_KEY_PREFIX;
    sp->tables->split_prefix_bytes = PREFIX;
    sp->tables->max_filesize_bytes = 32 << 20;
    sp->tables->memstore_flush_size_bytes = 16 << 20;
    sp->streams->entities = ENTITIES;
    sp->streams->every_ns = SPEC_NS_PER_S / 10;
    sp->streams->rate_per_s = 10.0 * ENTITIES;
}

static bool lies_in(struct fluid *f, uint64_t row, int id)
{
    struct fluid_source *s = &f->sources[0];
    struct key_route route;

    keystream_route(s->in.keys, &row, 1, &route);
    return fluid_find_region(f, s, row, &route) == id;
}

/* The chunk's next row of the region at or behind |row|, else its first. */
static bool search(struct fluid *f, const struct chunk *c, int id, uint64_t *row)
{
    for (uint64_t i = *row; i < c->to; i++) {
        if (lies_in(f, i, id)) {
            *row = i;
            return true;
        }
    }
    for (uint64_t i = c->from; i < *row; i++) {
        if (lies_in(f, i, id)) {
            *row = i;
            return true;
        }
    }
    return false;
}

/* Look-ups at random places of random chunks in all regions that there are. Returns how many found a row. */
static size_t compare(struct fluid *f, uint64_t round)
{
    const struct table *t = &f->model->tables[0];
    size_t found = 0;

    for (uint64_t k = 0; k < 100; k++) {
        const uint64_t word = arrivals_mix(round, k), from = word % (40 * ENTITIES), len = 1 + (word >> 32) % (2 * ENTITIES);
        const struct chunk c = {from, from + len, len, 0};
        const int id = t->regions[arrivals_mix(round + 1, k) % t->regions_len];
        uint64_t fast = from + arrivals_mix(round + 2, k) % len, slow = fast;
        const bool has = search(f, &c, id, &slow);

        assert_int_equal(fluid_row_of_region(f, &c, id, &fast), has);
        assert_int_equal(fast, slow);
        found += has;
    }
    return found;
}

static void a_regions_rows_are_those_of_its_entities(void **state)
{
    struct spec sp;
    struct arrivals arrivals;
    struct keystream keys;
    struct saltkey_error err;
    struct result_run run;
    struct model *m = NULL;
    struct des_calendar *cal = des_calendar_new();
    struct fluid f;
    size_t found = 0;

    (void)state;
    entity_spec(&sp);
    assert_int_equal(arrivals_init(&arrivals, sp.streams, sp.seed), 0);
    assert_int_equal(keystream_init(&keys, sp.tables, &arrivals, NULL, &err), 0);
    assert_true(keystream_by_entity(&keys));
    result_run_init(&run);
    assert_int_equal(model_new(&sp, &keys.row_max, cal, &run, &m), 0);
    assert_int_equal(fluid_init(&f, m, &(struct fluid_input){&arrivals, &keys, sp.streams, 0}, 1, DES_MINUTE), 0);
    fluid_start(&f, sp.duration_ns, true);
    for (uint64_t round = 0; round < 24; round++) {
        assert_int_equal(des_run(cal, (des_time)(round + 1) * 20 * DES_S), DES_OK);
        fluid_settle(&f, (des_time)(round + 1) * 20 * DES_S);
        found += compare(&f, 3 * round);
    }
    assert_true(found > 1000);
    assert_true(m->splits >= 8);
    fluid_free(&f);
    model_free(m);
    des_calendar_free(cal);
    result_run_free(&run);
    keystream_free(&keys);
    arrivals_free(&arrivals);
    spec_free(&sp);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_regions_rows_are_those_of_its_entities),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
