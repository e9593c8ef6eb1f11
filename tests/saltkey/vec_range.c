/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of scan ranges. Where a row records a seed's wrong range, it is rebuilt from the right one
   and must differ from it as the note says. */
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

struct room {
    uint8_t start[TSV_CELL], stop[TSV_CELL], range_start[TSV_CELL], range_stop[TSV_CELL];
    struct saltkey_window window;
    struct saltkey_range range;
};

static void open_room(struct room *r)
{
    memset(&r->window, 0, sizeof(r->window));
    memset(&r->range, 0, sizeof(r->range));
    r->window.start = (struct saltkey_buf){r->start, sizeof(r->start), 0};
    r->window.stop = (struct saltkey_buf){r->stop, sizeof(r->stop), 0};
    r->range.start = (struct saltkey_buf){r->range_start, sizeof(r->range_start), 0};
    r->range.stop = (struct saltkey_buf){r->range_stop, sizeof(r->range_stop), 0};
}

static struct saltkey_slice used(struct saltkey_buf b)
{
    return (struct saltkey_slice){b.bytes, b.len};
}

static bool scheme_for(const char *layout_text, const char *salt_text, uint32_t n, const char *over,
                       struct saltkey_scheme *scheme)
{
    struct saltkey_layout layout;
    struct saltkey_salt salt;

    return saltkey_layout_parse(layout_text, &layout, NULL) == 0 &&
           saltkey_salt_parse(salt_text, n, &salt, NULL) == 0 &&
           saltkey_scheme_init(scheme, &layout, &salt, over, NULL) == 0;
}

/* The range of the row's bucket; one scan alone must be that bucket's. */
static bool take_range(const struct tsv *t, size_t row, const struct saltkey_scheme *scheme, struct room *r)
{
    uint64_t bucket = tsv_is(t, row, "bucket", "-") ? 0 : (uint64_t)tsv_int(t, row, "bucket");

    if (r->window.one_bucket && r->window.bucket != bucket)
        return false;
    return saltkey_window_range(scheme, &r->window, r->window.one_bucket ? 0 : bucket, &r->range) == 0;
}

static bool start_is(const struct tsv *t, size_t row, const struct room *r)
{
    return tsv_equal(tsv_cell(t, row, "start_hex"), used(r->range.start));
}

static bool stop_is(const struct tsv *t, size_t row, const struct room *r)
{
    return tsv_equal(tsv_cell(t, row, "stop_hex"), used(r->range.stop));
}

/* The recorded stop is the start and a "~". */
static bool stop_is_tilde(const struct tsv *t, size_t row, struct room *r)
{
    r->range.start.bytes[r->range.start.len++] = '~';
    return tsv_equal(tsv_cell(t, row, "stop_hex"), used(r->range.start)) &&
           saltkey_compare(used(r->range.start), used(r->range.stop)) < 0;
}

/* The salt's byte and eight of the time. */
static bool bound_is(const struct tsv *t, size_t row, const char *column, long long time)
{
    uint8_t bytes[9];
    size_t i;

    bytes[0] = (uint8_t)tsv_int(t, row, "bucket");
    for (i = 0; i < 8; i++)
        bytes[1 + i] = (uint8_t)((uint64_t)time >> (56 - 8 * i));
    return tsv_equal(tsv_cell(t, row, column), (struct saltkey_slice){bytes, 9});
}

/* The seed writes the bounds as they are; the library refuses a negative time, which sorts behind all
   others, and scans nothing where the start lies behind the stop. */
static enum verdict check_seed1(const struct tsv *t, size_t row, struct room *r)
{
    long long bounds[2] = {tsv_int(t, row, "from"), tsv_int(t, row, "to")};
    struct saltkey_value from = saltkey_int(bounds[0]), to = saltkey_int(bounds[1]);
    bool negative = bounds[0] < 0 || bounds[1] < 0;
    struct saltkey_scheme scheme;
    int rc;

    if (!scheme_for("ts:be64 device:fixed(16)", "arrays-hash floorMod", (uint32_t)tsv_int(t, row, "N"), NULL, &scheme))
        return ROW_FAIL;
    rc = saltkey_window_leading(&scheme, &from, &to, &r->window, NULL);
    if (!negative && bounds[0] < bounds[1])
        return verdict_of(rc == 0 && take_range(t, row, &scheme, r) && start_is(t, row, r) && stop_is(t, row, r));
    if (negative ? rc != SALTKEY_ENEGATIVE : rc != 0 || !r->window.empty)
        return ROW_FAIL;
    return verdict_of(bound_is(t, row, "start_hex", bounds[0]) && bound_is(t, row, "stop_hex", bounds[1]));
}

static enum verdict check_hbasewd_interval(const struct tsv *t, size_t row, struct room *r)
{
    uint8_t from_bytes[TSV_CELL], to_bytes[TSV_CELL];
    struct saltkey_slice from = tsv_hex(tsv_cell(t, row, "from"), from_bytes, sizeof(from_bytes));
    struct saltkey_slice to = tsv_hex(tsv_cell(t, row, "to"), to_bytes, sizeof(to_bytes));
    struct saltkey_scheme scheme;

    return verdict_of(scheme_for("key:text", "hbasewd", (uint32_t)tsv_int(t, row, "N"), NULL, &scheme) &&
                      saltkey_window_keys(&scheme, from, to, &r->window) == 0 &&
                      take_range(t, row, &scheme, r) && start_is(t, row, r) && stop_is(t, row, r));
}

/* The seed's range covers (from, to], which is [from + 1, to + 1). */
static enum verdict check_timeseries_range(const struct tsv *t, size_t row, struct room *r, int shift)
{
    uint8_t bytes[TSV_CELL], scratch_bytes[TSV_CELL];
    struct saltkey_slice start = tsv_hex(tsv_cell(t, row, "start_hex"), bytes, sizeof(bytes));
    struct saltkey_buf scratch = {scratch_bytes, sizeof(scratch_bytes), 0};
    struct saltkey_value v[3], from = saltkey_int(tsv_int(t, row, "from") + shift);
    struct saltkey_value to = saltkey_int(tsv_int(t, row, "to") + shift);
    struct saltkey_query q = {v, 3, 2, &from, &to};
    struct saltkey_scheme scheme;

    if (!scheme_for("metric:text+_ device:text+_ ts:rts19", "text02x", (uint32_t)tsv_int(t, row, "N"),
                    "metric..device", &scheme) ||
        start.len < 3)
        return ROW_FAIL;
    start.bytes += 3;
    start.len -= 3;
    return verdict_of(saltkey_natural_parse(&scheme.layout, start, v, &scratch, NULL) == 0 &&
                      saltkey_window_query(&scheme, &q, &r->window, NULL) == 0 && !r->window.filtered &&
                      r->window.scans == 1 && take_range(t, row, &scheme, r) && start_is(t, row, r) &&
                      stop_is(t, row, r));
}

/* Everything of one entity; |tilde|: the seed's stop instead of the prefix's successor. */
static enum verdict check_entity(const struct tsv *t, size_t row, struct room *r, bool tilde)
{
    uint8_t bytes[TSV_CELL];
    struct saltkey_slice entity;
    struct saltkey_value v[2];
    struct saltkey_query q = {v, 1, -1, NULL, NULL};
    struct saltkey_scheme scheme;
    uint32_t n = (uint32_t)tsv_int(t, row, "N");

    if (n == 0) { /* unsalted: the entity stands as text */
        const char *text = tsv_cell(t, row, "from");
        entity = (struct saltkey_slice){(const uint8_t *)text, strlen(text)};
    } else {
        entity = tsv_hex(tsv_cell(t, row, "from"), bytes, sizeof(bytes));
    }
    v[0] = v[1] = saltkey_bytes(entity.bytes, entity.len);
    if (!scheme_for("entity:text+_ ts:num", n ? "text04d" : "none", n, "entity", &scheme) ||
        saltkey_window_query(&scheme, &q, &r->window, NULL) < 0 || r->window.scans != 1 ||
        !take_range(t, row, &scheme, r) || !start_is(t, row, r))
        return ROW_FAIL;
    return verdict_of(tilde ? stop_is_tilde(t, row, r) : stop_is(t, row, r));
}

static enum verdict check_full(const struct tsv *t, size_t row, struct room *r, const char *salt)
{
    struct saltkey_slice none = {NULL, 0};
    struct saltkey_scheme scheme;

    if (!scheme_for("key:text", salt, (uint32_t)tsv_int(t, row, "N"), NULL, &scheme) ||
        saltkey_window_prefix(&scheme, none, &r->window) < 0 || !take_range(t, row, &scheme, r) ||
        !start_is(t, row, r))
        return ROW_FAIL;
    if (strcmp(salt, "text04d") == 0)
        return verdict_of(stop_is_tilde(t, row, r));
    /* empty bounds give start = stop, which holds no row: the right stop is another */
    return verdict_of(tsv_equal(tsv_cell(t, row, "stop_hex"), used(r->range.start)) &&
                      saltkey_compare(used(r->range.start), used(r->range.stop)) < 0);
}

enum verdict check_scan_ranges(const struct tsv *t, size_t row)
{
    const char *name = tsv_cell(t, row, "scheme");
    static struct room r;

    open_room(&r);
    if (strcmp(name, "seed1-scanRange") == 0)
        return check_seed1(t, row, &r);
    if (strcmp(name, "hbasewd-intervals") == 0)
        return check_hbasewd_interval(t, row, &r);
    if (strcmp(name, "fixed-timeseries-range") == 0)
        return check_timeseries_range(t, row, &r, 0);
    if (strcmp(name, "playbook-timeseries-range") == 0)
        return check_timeseries_range(t, row, &r, 1);
    if (strcmp(name, "fixed-04d-entity") == 0 || strcmp(name, "fixed-useractivity") == 0)
        return check_entity(t, row, &r, false);
    if (strcmp(name, "playbook-04d-entity") == 0)
        return check_entity(t, row, &r, true);
    if (strcmp(name, "playbook-04d-full") == 0)
        return check_full(t, row, &r, "text04d");
    if (strcmp(name, "playbook-02x-parallel") == 0)
        return check_full(t, row, &r, "text02x");
    return ROW_UNKNOWN;
}
