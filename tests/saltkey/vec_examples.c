/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The seeds' worked examples, recomputed: column |actual| must be what the library gives. Rows about
   arithmetic, Java's locales or a data set that isn't recorded say nothing about it and wait. */
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

/* Distinct regions that the texts of a salt, 0 .. n - 1, fall into. */
static long long regions_hit(struct saltkey_keys *splits, const char *format, unsigned n)
{
    char seen[4096] = "", key[32];
    long long hit = 0;
    unsigned i;

    for (i = 0; i < n; i++) {
        size_t r;

        snprintf(key, sizeof(key), format[1] == 'd' ? "%04u_x" : "%04x_x", i);
        r = saltkey_split_region(splits, text_slice(key));
        hit += r < sizeof(seen) && !seen[r];
        if (r < sizeof(seen))
            seen[r] = 1;
    }
    return hit;
}

static enum verdict check_split_example(const char *where, const char *actual)
{
    struct saltkey_keys keys;
    const char *number = strchr(where, '(');
    long long hit = -1;

    saltkey_keys_init(&keys, NULL);
    if (starts(where, "5.1 list") && saltkey_split_list("10,20,30,40,50,60,70,80,90,a0,b0,c0,d0,e0,f0", &keys, NULL) == 0)
        hit = regions_hit(&keys, strstr(where, "md5") ? "%x" : "%d", strstr(where, "md5") ? 65536 : 1000);
    else if (starts(where, "5.1 UniformSplit") && number &&
             saltkey_split_uniform((uint32_t)strtoul(number + 1, NULL, 10), &keys, NULL) == 0)
        hit = regions_hit(&keys, strstr(where, "md5") ? "%x" : "%d", strstr(where, "md5") ? 65536 : 1000);
    else if (starts(where, "5.1 HexStringSplit") && number &&
             saltkey_split_hex_string((uint32_t)strtoul(number + 1, NULL, 10), &keys, NULL) == 0)
        hit = regions_hit(&keys, strstr(where, "md5") ? "%x" : "%d", strstr(where, "md5") ? 65536 : 1000);
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
        in = between("us_", "us_~", text_slice(input));
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
    long long n;

    if (starts(where, "3.2"))
        return verdict_of(salted_text("md5hex 4", 0, input, row, sizeof(row)) && strcmp(row, actual) == 0);
    if (starts(where, "3.5 same,N=32"))
        n = 32, snprintf(key, sizeof(key), "%s", input);
    else
        n = number_behind(input, starts(where, "3.5 good") ? " ts=" : " N=", key, sizeof(key));
    if (starts(where, "3.5 good")) {
        long long ts = n;

        if (!salted_text("text02x", 16, key, row, sizeof(row) - 32))
            return ROW_FAIL;
        snprintf(row + strlen(row), 32, "_%019lld", INT64_MAX - ts);
        return verdict_of(strcmp(row, actual) == 0);
    }
    if (!salted_text("text02x", (uint32_t)n, key, row, sizeof(row)))
        return ROW_FAIL;
    snprintf(two, sizeof(two), "%.2s", row);
    if (starts(where, "3.1"))
        return verdict_of(strcmp(row, actual) == 0);
    /* only the salt is claimed, or the salt and a row that begins with the key */
    return verdict_of(strncmp(actual, two, 2) == 0 && (!actual[2] || starts(actual, row)));
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

enum verdict check_seed_examples(const struct tsv *t, size_t row)
{
    const char *where = tsv_cell(t, row, "where"), *input = tsv_cell(t, row, "input");
    const char *actual = tsv_cell(t, row, "actual");
    char sign[16];

    if (starts(where, "unsigned order")) {
        snprintf(sign, sizeof(sign), "sign=%d", saltkey_compare(text_slice("\xc8"), text_slice("\x64")));
        return verdict_of(strcmp(sign, actual) == 0);
    }
    if (starts(where, "3.3 decode") || starts(where, "2 table"))
        return check_times(where, input, actual);
    if (starts(where, "3.1 comment") || starts(where, "3.2 usage") || starts(where, "3.5 same,N=32") ||
        starts(where, "3.5 good design") || starts(where, "AP1"))
        return check_salted_example(where, input, actual);
    if (starts(where, "AP3"))
        return verdict_of(strcmp(actual, is_sorted_list(input) ? "true" : "false") == 0);
    if (starts(where, "AP4") && starts(input, "sha256("))
        return check_sha_example(input, actual);
    if (starts(where, "5.1 "))
        return check_split_example(where, actual);
    return check_scan_example(where, input, actual);
}
