/* SPDX-License-Identifier: Apache-2.0 */
/* Salts: which hash, which remainder, which bytes in front. */
#include "internal.h"

#include <md5.h>

#define MD5_DIGITS_MAX 8

static int byte_salt(enum saltkey_remainder remainder, uint32_t buckets, struct saltkey_salt *salt,
                     struct saltkey_error *err)
{
    if (buckets == 0 || buckets > 256)
        return saltkey__fail(err, SALTKEY_EBUCKETS, 0,
                             "%lu buckets: one salt byte holds 1 to 256", (unsigned long)buckets);
    salt->hash = SALTKEY_HASH_ARRAYS;
    salt->prefix = SALTKEY_PREFIX_BYTES;
    salt->width = 1;
    salt->buckets = buckets;
    return saltkey_mod_init(&salt->mod, remainder, buckets);
}

static int md5_salt(struct saltkey_scan *scan, struct saltkey_salt *salt, struct saltkey_error *err)
{
    struct saltkey_slice word = saltkey__word(scan);
    uint64_t digits = 0;

    if (!saltkey__number(word, MD5_DIGITS_MAX, &digits) || digits == 0)
        return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word),
                             "md5hex needs a number of digits from 1 to %d", MD5_DIGITS_MAX);
    salt->hash = SALTKEY_HASH_MD5;
    salt->prefix = SALTKEY_PREFIX_HEX;
    salt->width = (uint32_t)digits + 1;
    salt->buckets = UINT64_C(1) << (4 * digits);
    return 0;
}

static int read_remainder(struct saltkey_scan *scan, enum saltkey_remainder *remainder,
                          struct saltkey_error *err)
{
    struct saltkey_slice word = saltkey__word(scan);

    if (saltkey__is(word, "floorMod"))
        *remainder = SALTKEY_FLOOR;
    else if (saltkey__is(word, "abs"))
        *remainder = SALTKEY_ABS;
    else if (saltkey__is(word, "absFirst"))
        *remainder = SALTKEY_ABS_FIRST;
    else if (saltkey__is(word, "unsigned"))
        *remainder = SALTKEY_UNSIGNED;
    else
        return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word),
                             "a hash needs its remainder: floorMod, abs, absFirst or unsigned");
    return 0;
}

int saltkey_salt_parse(const char *text, uint32_t buckets, struct saltkey_salt *salt,
                       struct saltkey_error *err)
{
    struct saltkey_scan scan = {text, text};
    struct saltkey_slice word = saltkey__word(&scan);
    struct saltkey_salt made;
    enum saltkey_remainder remainder = SALTKEY_FLOOR;
    int rc = 0;

    memset(&made, 0, sizeof(made));
    made.buckets = 1;
    if (saltkey__is(word, "none")) {
        rc = saltkey_mod_init(&made.mod, SALTKEY_FLOOR, 1);
    } else if (saltkey__is(word, "phoenix")) {
        rc = byte_salt(SALTKEY_ABS, buckets, &made, err);
    } else if (saltkey__is(word, "md5hex")) {
        rc = md5_salt(&scan, &made, err);
    } else if (saltkey__is(word, "arrays-hash")) {
        rc = read_remainder(&scan, &remainder, err);
        if (rc == 0)
            rc = byte_salt(remainder, buckets, &made, err);
    } else {
        rc = saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(&scan, word),
                           "unknown salt '%.*s'", (int)word.len, (const char *)word.bytes);
    }
    if (rc < 0)
        return rc;
    word = saltkey__word(&scan);
    if (word.len)
        return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(&scan, word),
                             "unexpected '%.*s'", (int)word.len, (const char *)word.bytes);
    *salt = made;
    return 0;
}

int saltkey_salt_prefix(const struct saltkey_salt *salt, uint64_t bucket, struct saltkey_buf *out)
{
    static const char digits[] = "0123456789abcdef";
    uint32_t i;

    /* HBaseWD's formula leaves 0..N-1 for one hash; such rows must still be found */
    if (bucket >= salt->buckets && !(salt->mod.remainder == SALTKEY_ABS_FIRST && bucket < 256))
        return SALTKEY_ERANGE;
    if (out->cap < salt->width)
        return SALTKEY_ESPACE;
    if (salt->prefix == SALTKEY_PREFIX_BYTES) {
        saltkey__store(out->bytes, bucket, salt->width);
    } else if (salt->prefix == SALTKEY_PREFIX_HEX) {
        for (i = salt->width - 1; i-- > 0; bucket >>= 4)
            out->bytes[i] = (uint8_t)digits[bucket & 15];
        out->bytes[salt->width - 1] = '_';
    }
    out->len = salt->width;
    return 0;
}

static int32_t arrays_hash(const struct saltkey_slice *pieces, size_t n)
{
    struct saltkey_part p = {0, 1};
    size_t i;

    for (i = 0; i < n; i++)
        p = saltkey_part_join(p, saltkey_part_of(pieces[i].bytes, pieces[i].len));
    return saltkey_part_hash(p);
}

static uint64_t md5_prefix(const struct saltkey_slice *pieces, size_t n, uint32_t digits)
{
    uint8_t digest[MD5_DIGEST_LENGTH];
    uint64_t v = 0;
    MD5_CTX context;
    size_t i;

    MD5Init(&context);
    for (i = 0; i < n; i++)
        MD5Update(&context, pieces[i].bytes, pieces[i].len);
    MD5Final(digest, &context);
    for (i = 0; i < 8; i++)
        v = v << 8 | digest[i];
    return v >> (64 - 4 * digits);
}

int saltkey__bucket_of(const struct saltkey_salt *salt, const struct saltkey_slice *pieces,
                       size_t n, uint64_t *bucket)
{
    switch (salt->hash) {
    case SALTKEY_HASH_ARRAYS:
        *bucket = saltkey_mod_bucket(&salt->mod, n == 1 ? saltkey_hash31(pieces->bytes, pieces->len)
                                                        : arrays_hash(pieces, n));
        return 0;
    case SALTKEY_HASH_MD5:
        *bucket = md5_prefix(pieces, n, salt->width - 1);
        return 0;
    default:
        *bucket = 0;
        return 0;
    }
}
