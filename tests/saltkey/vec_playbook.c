/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of whole schemes: text salts, composite keys, reversals, OpenTSDB, OrderedBytes. Rows
   marked as traps are checked twice: the library refuses them in its ordered form, and rebuilds
   them byte for byte in the loose form that finds old rows. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

static bool scheme_for(const char *layout_text, const char *salt_text, uint32_t n, const char *over,
                       struct saltkey_scheme *scheme)
{
    struct saltkey_layout layout;
    struct saltkey_salt salt;

    return saltkey_layout_parse(layout_text, &layout, NULL) == 0 &&
           saltkey_salt_parse(salt_text, n, &salt, NULL) == 0 &&
           saltkey_scheme_init(scheme, &layout, &salt, over, NULL) == 0;
}

struct row_out {
    uint8_t bytes[8192];
    struct saltkey_buf buf;
};

/* The salted row; false where anything is refused. */
static bool build(const struct saltkey_scheme *scheme, const struct saltkey_value *v, struct row_out *out)
{
    out->buf = (struct saltkey_buf){out->bytes, sizeof(out->bytes), 0};
    return saltkey_salted(scheme, v, &out->buf, NULL) == 0;
}

static bool row_is(const struct tsv *t, size_t row, const struct row_out *out)
{
    return tsv_equal(tsv_cell(t, row, "rowkey_hex"), (struct saltkey_slice){out->bytes, out->buf.len});
}

/* A row built and taken apart again gives its values. */
static bool reads_back(const struct saltkey_scheme *scheme, const struct row_out *out,
                       const struct saltkey_value *v)
{
    struct saltkey_value back[SALTKEY_FIELDS_MAX];
    uint8_t room[16384];
    struct saltkey_buf scratch = {room, sizeof(room), 0};
    struct saltkey_slice stored = {out->bytes, out->buf.len};
    size_t skip = 0;
    uint32_t i;

    if (saltkey_row_skip(scheme, stored, &skip) < 0)
        return false;
    stored.bytes += skip;
    stored.len -= skip;
    if (saltkey_natural_parse(&scheme->layout, stored, back, &scratch, NULL) < 0)
        return false;
    for (i = 0; i < scheme->layout.n_fields; i++)
        if (v[i].kind == SALTKEY_VALUE_BYTES ? saltkey_compare(v[i].bytes, back[i].bytes) != 0
                                             : v[i].number != back[i].number)
            return false;
    return true;
}

static struct saltkey_value text_at(const struct tsv *t, size_t row, const char *column, uint8_t *bytes)
{
    struct saltkey_slice s = tsv_hex(tsv_cell(t, row, column), bytes, 4096);

    return saltkey_bytes(s.bytes, s.len);
}

enum verdict check_salt_02x(const struct tsv *t, size_t row)
{
    uint8_t bytes[TSV_CELL];
    struct saltkey_value v = text_at(t, row, "input_utf8_hex", bytes);
    uint32_t n = (uint32_t)tsv_int(t, row, "N");
    struct saltkey_scheme scheme;
    struct row_out out;
    uint64_t bucket = 0;
    int64_t h = 0;

    if ((saltkey_preset("text02x", n, &scheme, NULL) == 0) != (n <= 256))
        return ROW_FAIL; /* wider than two digits: refused */
    return verdict_of(saltkey_hash_of(SALTKEY_HASH_STRING, 0, v.bytes, &h) == 0 &&
                      h == tsv_int(t, row, "string_hash_i32") &&
                      scheme_for("s:text", "text02x loose", n, NULL, &scheme) &&
                      saltkey_bucket(&scheme, v.bytes, &bucket) == 0 &&
                      (long long)bucket == tsv_int(t, row, "bucket") && build(&scheme, &v, &out) &&
                      row_is(t, row, &out) && reads_back(&scheme, &out, &v));
}

enum verdict check_bucket_04d(const struct tsv *t, size_t row)
{
    uint8_t bytes[TSV_CELL];
    uint32_t n = (uint32_t)tsv_int(t, row, "N");
    struct saltkey_value v[2];
    struct saltkey_scheme scheme;
    struct row_out out;
    bool collides, ok;

    v[0] = text_at(t, row, "entity_utf8_hex", bytes);
    v[1] = saltkey_int(tsv_int(t, row, "timestamp"));
    collides = v[0].bytes.len && memchr(v[0].bytes.bytes, '_', v[0].bytes.len);
    if ((saltkey_preset("bucket04d", n, &scheme, NULL) == 0) != (n <= 10000))
        return ROW_FAIL;
    if (n <= 10000) {
        ok = build(&scheme, v, &out);
        if (ok == collides || (ok && (!row_is(t, row, &out) || !reads_back(&scheme, &out, v))))
            return ROW_FAIL;
    }
    return verdict_of(scheme_for("entity:rawtext+_ ts:num", "text04d loose", n, "entity", &scheme) &&
                      build(&scheme, v, &out) && row_is(t, row, &out));
}

enum verdict check_timeseries(const struct tsv *t, size_t row)
{
    uint8_t metric[TSV_CELL], device[TSV_CELL];
    uint32_t n = (uint32_t)tsv_int(t, row, "N");
    long long ts = tsv_int(t, row, "timestamp");
    struct saltkey_value v[3];
    struct saltkey_scheme scheme;
    struct row_out out;
    bool refused, wide = n > 256; /* two digits no longer hold the salt */

    v[0] = text_at(t, row, "metric_utf8_hex", metric);
    v[1] = text_at(t, row, "device_utf8_hex", device);
    v[2] = saltkey_int(ts);
    refused = ts < 0 || (v[0].bytes.len && memchr(v[0].bytes.bytes, '_', v[0].bytes.len)) ||
              (v[1].bytes.len && memchr(v[1].bytes.bytes, '_', v[1].bytes.len));
    if ((saltkey_preset("timeseries", n, &scheme, NULL) == 0) == wide)
        return ROW_FAIL;
    if (!wide && (build(&scheme, v, &out) == refused ||
                  (!refused && (!row_is(t, row, &out) || !reads_back(&scheme, &out, v)))))
        return ROW_FAIL;
    v[2] = saltkey_int(tsv_int(t, row, "reversed_ts"));
    return verdict_of(v[2].number == ((uint64_t)ts ^ INT64_MAX) &&
                      scheme_for(ts < 0 ? "metric:rawtext+_ device:rawtext+_ ts:num(19)"
                                        : "metric:rawtext+_ device:rawtext+_ ts:dec(19)",
                                 wide ? "text02x loose" : "text02x", n, "metric..device", &scheme) &&
                      build(&scheme, v, &out) && row_is(t, row, &out));
}

/* iot: region, device, time; message: user, time, message id; useractivity: user, time. */
enum verdict check_composite(const struct tsv *t, size_t row)
{
    const char *scheme_name = tsv_cell(t, row, "scheme");
    uint8_t first[TSV_CELL], second[TSV_CELL];
    long long ts = tsv_int(t, row, "timestamp");
    const char *time = ts < 0 ? "ts:num(19)" : "ts:dec(19)";
    struct saltkey_value f1 = text_at(t, row, "f1_utf8_hex", first);
    struct saltkey_value f2 = text_at(t, row, "f2_utf8_hex", second);
    struct saltkey_value reversed = saltkey_int(tsv_int(t, row, "reversed_ts")), v[3];
    struct saltkey_scheme scheme;
    struct row_out out;
    char layout[96];

    if (reversed.number != ((uint64_t)ts ^ INT64_MAX))
        return ROW_FAIL;
    v[0] = f1;
    if (strcmp(scheme_name, "playbook-iot") == 0) {
        snprintf(layout, sizeof(layout), "a:rawtext+_ b:rawtext+_ %s", time);
        v[1] = f2;
        v[2] = reversed;
    } else if (strcmp(scheme_name, "playbook-message") == 0) {
        snprintf(layout, sizeof(layout), "a:rawtext+_ %s+_ b:text", time);
        v[1] = reversed;
        v[2] = f2;
    } else {
        snprintf(layout, sizeof(layout), "a:rawtext+_ %s", time);
        v[1] = reversed;
    }
    return verdict_of(scheme_for(layout, "none", 0, NULL, &scheme) && build(&scheme, v, &out) &&
                      row_is(t, row, &out));
}

enum verdict check_reverse_domain(const struct tsv *t, size_t row)
{
    uint8_t bytes[TSV_CELL];
    struct saltkey_value v = text_at(t, row, "input_utf8_hex", bytes);
    struct saltkey_scheme scheme;
    struct row_out out;

    return verdict_of(
        scheme_for("d:revtext", "none", 0, NULL, &scheme) && build(&scheme, &v, &out) &&
        tsv_equal(tsv_cell(t, row, "char_reversed_utf8_hex"), (struct saltkey_slice){out.bytes, out.buf.len}) &&
        reads_back(&scheme, &out, &v) && scheme_for("d:revlabels", "none", 0, NULL, &scheme) &&
        build(&scheme, &v, &out) &&
        tsv_equal(tsv_cell(t, row, "label_reversed_utf8_hex"), (struct saltkey_slice){out.bytes, out.buf.len}) &&
        reads_back(&scheme, &out, &v));
}

enum verdict check_roundrobin(const struct tsv *t, size_t row)
{
    uint8_t bytes[TSV_CELL];
    struct saltkey_value v = text_at(t, row, "input_hex", bytes);
    long long n = tsv_int(t, row, "N");
    struct saltkey_scheme scheme;
    struct row_out out;

    out.buf = (struct saltkey_buf){out.bytes, sizeof(out.bytes), 0};
    /* the writer's counter: the call's number modulo N */
    return verdict_of(scheme_for("k:text", "roundrobin", (uint32_t)n, NULL, &scheme) &&
                      tsv_int(t, row, "call_no") % n == tsv_int(t, row, "salt") &&
                      saltkey_salted_as(&scheme, (uint64_t)(tsv_int(t, row, "call_no") % n), &v, &out.buf, NULL) == 0 &&
                      row_is(t, row, &out));
}

/* The same row by a plain layout and salt: only for what those accept. */
static bool opentsdb_by_scheme(const struct tsv *t, size_t row, const struct saltkey_opentsdb *c,
                               const struct saltkey_opentsdb_point *p)
{
    struct saltkey_value v[3];
    struct saltkey_scheme scheme;
    struct row_out out;
    char salt[32];
    int64_t ts = p->time;

    if ((uint64_t)ts >> 32)
        ts /= 1000;
    ts -= ts % 3600;
    v[0] = saltkey_bytes(p->metric.bytes, p->metric.len);
    v[1] = saltkey_uint((uint32_t)(uint64_t)ts);
    v[2] = saltkey_bytes(p->tags.bytes, p->tags.len);
    snprintf(salt, sizeof(salt), "opentsdb %u", (unsigned)c->width);
    return scheme_for("metric:bytes(3) base:be32 tags:text", salt, c->buckets, "metric tags", &scheme) &&
           build(&scheme, v, &out) && row_is(t, row, &out) && reads_back(&scheme, &out, v);
}

enum verdict check_opentsdb(const struct tsv *t, size_t row)
{
    uint8_t metric[64], tags[TSV_CELL], bytes[TSV_CELL];
    struct saltkey_opentsdb c = {(uint32_t)tsv_int(t, row, "salt_width"), (uint32_t)tsv_int(t, row, "N")};
    struct saltkey_opentsdb_point p;
    struct saltkey_buf out = {bytes, sizeof(bytes), 0};
    struct saltkey_part part;
    uint32_t told_apart;
    bool zero;

    p.metric = tsv_hex(tsv_cell(t, row, "metric_uid_hex"), metric, sizeof(metric));
    p.tags = tsv_hex(tsv_cell(t, row, "tag_uids_hex"), tags, sizeof(tags));
    p.time = tsv_int(t, row, "unix_ts");
    part = saltkey_part_join(saltkey_part_of(p.metric.bytes, p.metric.len), saltkey_part_of(p.tags.bytes, p.tags.len));
    zero = p.metric.len == 3 && memcmp(p.metric.bytes, "\0\0\0", 3) == 0;
    if (saltkey_part_hash(part) != tsv_int(t, row, "hash_i32") || saltkey_opentsdb_row(&c, &p, &out) < 0 ||
        !tsv_equal(tsv_cell(t, row, "rowkey_hex"), (struct saltkey_slice){bytes, out.len}))
        return ROW_FAIL;
    told_apart = c.width > 4 ? c.width - 4 : c.width; /* bytes */
    if (c.width == 0 || zero || (told_apart == 1 && c.buckets > 256) || (told_apart == 2 && c.buckets > 65536))
        return ROW_PASS; /* what the library's salts refuse */
    return verdict_of(opentsdb_by_scheme(t, row, &c, &p));
}

static struct saltkey_value ordered_value(const char *type, const char *value, uint8_t *bytes)
{
    if (strncmp(type, "int", 3) == 0)
        return saltkey_int(strtoll(value, NULL, 10));
    if (strncmp(type, "float", 5) == 0)
        return saltkey_real(strcmp(value, "-Infinity") == 0 ? -strtod("inf", NULL)
                            : strcmp(value, "Infinity") == 0 ? strtod("inf", NULL)
                            : strcmp(value, "NaN") == 0 ? strtod("nan", NULL) : strtod(value, NULL));
    {
        struct saltkey_slice s = tsv_hex(value, bytes, 4096);
        return saltkey_bytes(s.bytes, s.len);
    }
}

enum verdict check_orderedbytes(const struct tsv *t, size_t row)
{
    static const char *const words[][2] = {{"int8", "ob-i8"},       {"int16", "ob-i16"},  {"int32", "ob-i32"},
                                           {"int64", "ob-i64"},     {"float64", "ob-f64"}, {"string", "ob-text"},
                                           {"blobvar", "ob-blob"}};
    const char *type = tsv_cell(t, row, "type");
    static const char *const columns[] = {"asc_hex", "desc_hex"};
    uint8_t bytes[TSV_CELL];
    struct saltkey_value v = ordered_value(type, tsv_cell(t, row, "value"), bytes);
    struct saltkey_scheme scheme;
    struct row_out out;
    char layout[32];
    size_t i, desc;

    for (i = 0; i < sizeof(words) / sizeof(words[0]) && strcmp(type, words[i][0]) != 0; i++)
        continue;
    if (i == sizeof(words) / sizeof(words[0]))
        return ROW_FAIL;
    for (desc = 0; desc < 2; desc++) {
        snprintf(layout, sizeof(layout), "x:%s%s", words[i][1], desc ? ":desc" : "");
        if (!scheme_for(layout, "none", 0, NULL, &scheme) || !build(&scheme, &v, &out) ||
            !tsv_equal(tsv_cell(t, row, columns[desc]), (struct saltkey_slice){out.bytes, out.buf.len}) ||
            (strcmp(tsv_cell(t, row, "value"), "NaN") != 0 && !reads_back(&scheme, &out, &v)))
            return ROW_FAIL;
    }
    return ROW_PASS;
}

static const char *truth(bool b)
{
    return b ? "true" : "false";
}

/* The seed's rule compares names as strings; the library's wants exactly base_yyyyMM. */
enum verdict check_monthly_purge(const struct tsv *t, size_t row)
{
    const char *today = tsv_cell(t, row, "today"), *table = tsv_cell(t, row, "table_name");
    const char *base = tsv_cell(t, row, "base"), *whole = tsv_cell(t, row, "whole_month_older_than_retention");
    size_t n = strlen(base);
    uint32_t date = 0, cutoff = 0, month = 0;
    char text[16];
    bool loose, exact;

    for (; *today; today++)
        if (*today != '-')
            date = date * 10 + (uint32_t)(*today - '0');
    if (saltkey_month_cutoff(date, (uint32_t)tsv_int(t, row, "retention_days"), &cutoff) < 0)
        return ROW_FAIL;
    snprintf(text, sizeof(text), "%06u", (unsigned)cutoff);
    exact = saltkey_month_of_table(table, base, &month) == 0;
    loose = strncmp(table, base, n) == 0 && table[n] == '_' && strcmp(table + n + 1, text) < 0;
    if (!tsv_is(t, row, "cutoff_yyyymm", text) || !tsv_is(t, row, "playbook_deletes", truth(loose)))
        return ROW_FAIL;
    if (strcmp(whole, "na") == 0)
        return verdict_of(!exact && tsv_is(t, row, "agree", truth(!loose)));
    return verdict_of(exact && strcmp(whole, truth(month < cutoff)) == 0 &&
                      tsv_is(t, row, "agree", truth(loose == (month < cutoff))));
}
