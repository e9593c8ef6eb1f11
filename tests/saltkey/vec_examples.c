/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The seeds' worked examples, recomputed: column |actual| must be what the library gives (or, where a
   row is about a product or a number of days, what arithmetic gives). Rows about a data set that isn't
   recorded wait. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

static bool starts(const char *s, const char *with)
{
    return strncmp(s, with, strlen(with)) == 0;
}

static struct saltkey_slice text_slice(const char *s)
{
    return (struct saltkey_slice){(const uint8_t *)s, strlen(s)};
}

/* The salted text of |key|, or only its first |digits| characters. */
static bool salted_text(const char *salt, uint32_t n, const char *key, char *out, size_t cap)
{
    struct saltkey_layout layout;
    struct saltkey_salt s;
    struct saltkey_scheme scheme;
    struct saltkey_buf row = {(uint8_t *)out, cap - 1, 0};

    if (saltkey_layout_parse("k:text", &layout, NULL) < 0 || saltkey_salt_parse(salt, n, &s, NULL) < 0 ||
        saltkey_scheme_init(&scheme, &layout, &s, NULL, NULL) < 0 ||
        saltkey_salt_natural(&scheme, text_slice(key), &row) < 0)
        return false;
    out[row.len] = '\0';
    return true;
}

static uint64_t salt_buckets(const char *text)
{
    struct saltkey_salt salt;

    return saltkey_salt_parse(text, 0, &salt, NULL) == 0 ? salt.buckets : 0;
}

/* Splits "KEY N=16" or "KEY ts=1"; the number behind the '='. */
static long long number_behind(const char *input, const char *mark, char *key, size_t cap)
{
    const char *at = strstr(input, mark);

    snprintf(key, cap, "%.*s", at ? (int)(at - input) : (int)strlen(input), input);
    return at ? strtoll(at + strlen(mark), NULL, 10) : 0;
}

static void iso_time(long long ms, char *out, size_t cap)
{
    long long s = ms / 1000, days = s / 86400;
    int y = 1970, m = 0;
    static const int lengths[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};

    s %= 86400;
    for (;; y++) {
        int leap = (y % 4 == 0 && y % 100 != 0) || y % 400 == 0;

        if (days < 365 + leap)
            break;
        days -= 365 + leap;
    }
    for (;; m++) {
        int len = lengths[m] + (m == 1 && ((y % 4 == 0 && y % 100 != 0) || y % 400 == 0));

        if (days < len)
            break;
        days -= len;
    }
    snprintf(out, cap, "%04d-%02d-%02dT%02d:%02d:%02dZ", y, m + 1, (int)days + 1, (int)(s / 3600),
             (int)(s / 60 % 60), (int)(s % 60));
}

static bool between(const char *start, const char *stop, struct saltkey_slice row)
{
    return saltkey_compare(row, text_slice(start)) >= 0 && saltkey_compare(row, text_slice(stop)) < 0;
}

/* Which row prefixes an example speaks of: `md5-hex keys`, `keys(%02x,N=32)`, `3.1 keys`, `keys(%04d,N<=1000)`. */
struct prefixes {
    const char *format;
    unsigned n;
};

static struct prefixes prefixes_of(const char *where)
{
    struct prefixes p = {"%04u_x", 1000};
    const char *n = strstr(where, "N=") ? strstr(where, "N=") + 2 : strstr(where, "N<=") ? strstr(where, "N<=") + 3 : NULL;

    if (strstr(where, "md5") || strstr(where, "3.2 keys")) {
        p.format = "%04x_x";
        p.n = 65536;
    } else if (strstr(where, "%02x") || strstr(where, "3.1 keys") || strstr(where, "3.5 keys")) {
        p.format = "%02x_x";
        p.n = strstr(where, "3.5 keys") ? 32 : 16;
    }
    if (n && p.n != 65536)
        p.n = (unsigned)strtoul(n, NULL, 10);
    return p;
}

/* Distinct regions that rows with these prefixes fall into. */
static long long regions_hit(struct saltkey_keys *splits, struct prefixes p)
{
    char seen[TSV_CELL] = "", key[32];
    long long hit = 0;
    unsigned i;

    for (i = 0; i < p.n; i++) {
        size_t r;

        if (p.format[3] == 'u')
            snprintf(key, sizeof(key), "%04u_x", i);
        else
            snprintf(key, sizeof(key), p.format[2] == '2' ? "%02x_x" : "%04x_x", i);
        r = saltkey_split_region(splits, text_slice(key));
        hit += r < sizeof(seen) && !seen[r];
        if (r < sizeof(seen))
            seen[r] = 1;
    }
    return hit;
}

static enum verdict check_split_example(const char *where, const char *actual)
{
    const char *number = strchr(where, '(');
    uint32_t regions = number ? (uint32_t)strtoul(number + 1, NULL, 10) : 0;
    struct saltkey_keys keys;
    long long hit = -1;
    int rc = -1;

    saltkey_keys_init(&keys, NULL);
    if (starts(where, "5.1 list"))
        rc = saltkey_split_list("10,20,30,40,50,60,70,80,90,a0,b0,c0,d0,e0,f0", &keys, NULL);
    else if (starts(where, "5.1 UniformSplit") && regions)
        rc = saltkey_split_uniform(regions, &keys, NULL);
    else if (starts(where, "5.1 HexStringSplit") && regions)
        rc = saltkey_split_hex_string(regions, &keys, NULL);
    if (rc == 0)
        hit = regions_hit(&keys, prefixes_of(where));
    saltkey_keys_free(&keys);
    return hit < 0 ? ROW_WAIT : verdict_of(hit == strtoll(actual, NULL, 10));
}

/* Whether a row lies in the range that a seed's code makes: "included=true". */
static enum verdict check_scan_example(const char *where, const char *input, const char *actual)
{
    uint8_t bytes[256];
    char start[64], stop[64];
    bool in;

    if (starts(where, "5.2 createEntityScan(")) {
        const char *open = strchr(where, '('), *close = open ? strchr(open, ')') : NULL;
        char entity[32], prefix[64];

        if (!close)
            return ROW_WAIT;
        snprintf(entity, sizeof(entity), "%.*s", (int)(close - open - 1), open + 1);
        if (!salted_text("text04d", 16, entity, prefix, sizeof(prefix) - 2))
            return ROW_FAIL;
        snprintf(start, sizeof(start), "%.60s_", prefix);
        snprintf(stop, sizeof(stop), "%.60s_~", prefix);
        in = between(start, stop, text_slice(input));
    } else if (starts(where, "5.2 createFullScans bucket ")) {
        snprintf(start, sizeof(start), "%04d_", (int)strtol(where + 27, NULL, 10) % 10000);
        snprintf(stop, sizeof(stop), "%.8s~", start);
        in = between(start, stop, tsv_hex(input, bytes, sizeof(bytes)));
    } else if (starts(where, "3.3 Scan(user001_,user002)")) {
        in = between("user001_", "user002", text_slice(input));
    } else if (starts(where, "6.2 getUsersByRegion(us)")) {
        /* not ASCII: in hexadecimal */
        in = between("us_", "us_~", starts(input, "75735f") ? tsv_hex(input, bytes, sizeof(bytes)) : text_slice(input));
    } else {
        return ROW_WAIT;
    }
    return verdict_of(strcmp(actual, in ? "included=true" : "included=false") == 0);
}

static enum verdict check_times(const char *where, const char *input, const char *actual)
{
    struct saltkey_layout layout;
    struct saltkey_value v;
    uint8_t room[64];
    struct saltkey_buf scratch = {room, sizeof(room), 0};
    char time[48], text[96];

    if (starts(where, "2 table")) {
        iso_time(strtoll(input, NULL, 10), time, sizeof(time));
        return verdict_of(strcmp(time, actual) == 0);
    }
    if (saltkey_layout_parse("ts:rts19", &layout, NULL) < 0 ||
        saltkey_natural_parse(&layout, text_slice(input), &v, &scratch, NULL) < 0)
        return ROW_FAIL;
    iso_time((long long)v.number, time, sizeof(time));
    snprintf(text, sizeof(text), "%lld=%s", (long long)v.number, time);
    return verdict_of(strcmp(text, actual) == 0);
}

static enum verdict check_salted_example(const char *where, const char *input, const char *actual)
{
    char key[128], row[256], two[3];
    const char *n_in_where = strstr(where, ",N=");
    long long n;

    if (starts(where, "3.2"))
        return verdict_of(salted_text("md5hex 4", 0, input, row, sizeof(row)) && strcmp(row, actual) == 0);
    n = number_behind(input, strstr(input, " ts=") ? " ts=" : " N=", key, sizeof(key));
    if (strstr(input, " ts=")) {
        long long ts = n;

        if (!salted_text("text02x", n_in_where ? (uint32_t)strtoul(n_in_where + 3, NULL, 10) : 16, key, row, sizeof(row) - 32))
            return ROW_FAIL;
        snprintf(row + strlen(row), 32, "_%019lld", INT64_MAX - ts);
        return verdict_of(strcmp(row, actual) == 0);
    }
    if (n == 0 && n_in_where)
        n = strtoll(n_in_where + 3, NULL, 10);
    if (n == 0)
        return ROW_WAIT;
    if (!salted_text("text02x", (uint32_t)n, key, row, sizeof(row)))
        return ROW_FAIL;
    snprintf(two, sizeof(two), "%.2s", row);
    if (starts(where, "3.1"))
        return verdict_of(strcmp(row, actual) == 0);
    /* only the salt is claimed, or the salt and a row that begins with the key */
    return verdict_of(strncmp(actual, two, 2) == 0 && (!actual[2] || starts(actual, row)));
}

/* The one field of a layout, as text. */
static bool field_text(const char *layout_text, struct saltkey_value v, char *out, size_t cap)
{
    struct saltkey_buf key = {(uint8_t *)out, cap - 1, 0};
    struct saltkey_layout layout;

    if (saltkey_layout_parse(layout_text, &layout, NULL) < 0 || saltkey_natural(&layout, &v, &key, NULL) < 0)
        return false;
    out[key.len] = '\0';
    return true;
}

/* A name reversed, or `NAME_` and a reversed time. */
static enum verdict check_reversed_example(const char *input, const char *actual)
{
    const char *digits = strrchr(actual, '_');
    char text[256], time[32], name[128];

    if (digits && strlen(digits) == 20) {
        snprintf(time, sizeof(time), "%lld", INT64_MAX - strtoll(digits + 1, NULL, 10));
        snprintf(name, sizeof(name), "%.*s", (int)(digits - actual), actual);
        if (!strstr(input, time))
            return strpbrk(input, "0123456789") ? ROW_FAIL : ROW_WAIT;
        return verdict_of(starts(input, name) &&
                          field_text("t:rts19", saltkey_int(strtoll(time, NULL, 10)), text, sizeof(text)) &&
                          strcmp(text, digits + 1) == 0);
    }
    if (strlen(input) != strlen(actual) || !strchr(input, '.'))
        return ROW_WAIT;
    return verdict_of(field_text("d:revtext", saltkey_text(input), text, sizeof(text)) && strcmp(text, actual) == 0);
}

/* `fa-IR %04d of 12`: what the default locale makes of digits. The library writes ASCII's, and doesn't
   take the others for a number. */
static enum verdict check_locale(const char *input, const char *claimed, const char *actual)
{
    static const struct {
        const char *locale, *lead; /* UTF-8 of its digits: what all have in front, then the digit 0's last byte */
        unsigned zero;
    } native[] = {{"ar-EG", "d9", 0xa0}, {"fa-IR", "db", 0xb0}, {"bn-BD", "e0a7", 0xa6}, {"ne-NP", "e0a5", 0xa6}};
    const char *format = strchr(input, '%'), *number = strstr(input, " of ");
    char layout_text[32], digits[32], plain[64] = "", other[256] = "";
    struct saltkey_layout layout;
    struct saltkey_value back;
    uint8_t bytes[128], room[128];
    struct saltkey_buf scratch = {room, sizeof(room), 0};
    size_t i, k;

    for (i = 0; i < 4 && !starts(input, native[i].locale); i++)
        continue;
    if (i == 4 || !format || !number || !strchr("dx", number[-1]))
        return ROW_WAIT;
    snprintf(layout_text, sizeof(layout_text), "n:%s(%d)", number[-1] == 'x' ? "hex" : "dec", atoi(format + 2));
    if (saltkey_layout_parse(layout_text, &layout, NULL) < 0 ||
        !field_text(layout_text, saltkey_uint(strtoull(number + 4, NULL, 10)), digits, sizeof(digits)))
        return ROW_FAIL;
    for (k = 0; digits[k]; k++) {
        snprintf(plain + 2 * k, 3, "%02x", (unsigned)(uint8_t)digits[k]);
        snprintf(other + strlen(other), 7, "%s%02x", native[i].lead, (native[i].zero + (unsigned)(digits[k] - '0')) & 0xff);
    }
    if (strcmp(claimed, "-") != 0 && strcmp(plain, claimed) != 0)
        return ROW_FAIL;
    if (number[-1] == 'x')
        return verdict_of(strcmp(actual, plain) == 0);
    return verdict_of(strcmp(actual, other) == 0 &&
                      saltkey_natural_parse(&layout, tsv_hex(actual, bytes, sizeof(bytes)), &back, &scratch, NULL) < 0);
}

static bool is_sorted_list(const char *input)
{
    char before[64] = "", one[64];

    while (*input) {
        size_t n = strcspn(input, ",");

        snprintf(one, sizeof(one), "%.*s", (int)n, input);
        if (saltkey_compare(text_slice(before), text_slice(one)) > 0)
            return false;
        memcpy(before, one, sizeof(one));
        input += n + (input[n] == ',');
    }
    return true;
}

static enum verdict check_sha_example(const char *input, const char *actual)
{
    char inside[128], digits[17];
    int64_t h = 0;

    snprintf(inside, sizeof(inside), "%.*s", (int)strcspn(input + 7, ")"), input + 7);
    if (saltkey_hash_of(SALTKEY_HASH_SHA256HEX, 0, text_slice(inside), &h) < 0)
        return ROW_FAIL;
    snprintf(digits, sizeof(digits), "%016llx", (unsigned long long)h);
    return verdict_of(strncmp(actual, digits, 16) == 0);
}

/* `10*20`, `90 d`. */
static enum verdict check_arithmetic(const char *where, const char *input, const char *actual)
{
    const char *by = strchr(input, '*');
    long long n = strtoll(input, NULL, 10);

    if (starts(where, "TTL") && strstr(input, " d"))
        return verdict_of(n * 86400 == strtoll(actual, NULL, 10));
    return by ? verdict_of(n * strtoll(by + 1, NULL, 10) == strtoll(actual, NULL, 10)) : ROW_WAIT;
}

/* Rows of the salted table between start and stop rows that lack the salt: none, whatever the data, as
   long as times take six bytes: `0 rows`. How many there are without a stop row, or in one bucket, depends
   on the data. */
static enum verdict check_unsalted_scan(const char *input, const char *actual)
{
    long long wanted = strtoll(input, NULL, 10), i, found = 0;
    uint8_t start_bytes[8], stop_bytes[8], row_bytes[32];
    struct saltkey_buf start = {start_bytes, 8, 0}, stop = {stop_bytes, 8, 0}, row = {row_bytes, 32, 0};
    struct saltkey_scheme scheme;
    struct saltkey_layout time;
    struct saltkey_value v[2], to = saltkey_uint((uint64_t)(1709856000000 + wanted * 1000));

    v[0] = saltkey_uint(1709856000000);
    v[1] = saltkey_text("dev-000000000007");
    if (strcmp(actual, "0 rows") != 0)
        return ROW_WAIT;
    if (saltkey_preset("telemetry", 16, &scheme, NULL) < 0 || saltkey_layout_parse("ts:be64", &time, NULL) < 0 ||
        saltkey_natural(&time, &v[0], &start, NULL) < 0 || saltkey_natural(&time, &to, &stop, NULL) < 0)
        return ROW_FAIL;
    for (i = 0; i < wanted; i++) {
        v[0] = saltkey_uint((uint64_t)(1709856000000 + i * 1000));
        if (saltkey_salted(&scheme, v, &row, NULL) < 0)
            return ROW_FAIL;
        found += saltkey_compare((struct saltkey_slice){row.bytes, row.len}, (struct saltkey_slice){start.bytes, 8}) >= 0 &&
                 saltkey_compare((struct saltkey_slice){row.bytes, row.len}, (struct saltkey_slice){stop.bytes, 8}) < 0;
    }
    return verdict_of(wanted > 0 && found == 0);
}

/* `(byte)200 vs (byte)100`. */
static enum verdict check_byte_order(const char *input, const char *actual)
{
    const char *first = strchr(input, ')'), *second = first ? strchr(first + 1, ')') : NULL;
    char a[2] = {0, 0}, b[2] = {0, 0}, sign[16];

    if (!second)
        return ROW_WAIT;
    a[0] = (char)strtol(first + 1, NULL, 10);
    b[0] = (char)strtol(second + 1, NULL, 10);
    snprintf(sign, sizeof(sign), "sign=%d", saltkey_compare(text_slice(a), text_slice(b)));
    return verdict_of(strcmp(sign, actual) == 0);
}

enum verdict check_seed_examples(const struct tsv *t, size_t row)
{
    const char *where = tsv_cell(t, row, "where"), *input = tsv_cell(t, row, "input");
    const char *actual = tsv_cell(t, row, "actual");

    if (starts(where, "unsigned order"))
        return check_byte_order(input, actual);
    if (starts(where, "3.3 decode") || starts(where, "2 table"))
        return check_times(where, input, actual);
    if (starts(where, "3.3 Scan("))
        return check_scan_example(where, input, actual);
    if (starts(where, "3.3"))
        return check_reversed_example(input, actual);
    if (starts(where, "3.2") && strcmp(actual, "65536") == 0)
        return verdict_of(salt_buckets("md5hex 4") == 65536);
    if (starts(where, "3.1 comment") || starts(where, "3.2 usage") || starts(where, "3.5 same") ||
        starts(where, "3.5 good design") || starts(where, "AP1") || starts(where, "7.2"))
        return check_salted_example(where, input, actual);
    if (starts(where, "AP3"))
        return verdict_of(strcmp(actual, is_sorted_list(input) ? "true" : "false") == 0);
    if (starts(where, "AP4") && starts(input, "sha256("))
        return check_sha_example(input, actual);
    if (starts(where, "5.1 "))
        return check_split_example(where, actual);
    if (starts(where, "5.1") || starts(where, "TTL"))
        return check_arithmetic(where, input, actual);
    if (starts(where, "String.format"))
        return check_locale(input, tsv_cell(t, row, "claimed"), actual);
    if (starts(where, "Failure modes:unsalted start and stop"))
        return check_unsalted_scan(input, actual);
    return check_scan_example(where, input, actual);
}
