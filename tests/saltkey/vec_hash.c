/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Vectors of the named hashes and of their remainders. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "vectors.h"

static struct saltkey_slice input(const struct tsv *t, size_t row, const char *column)
{
    static uint8_t bytes[8192];

    return tsv_hex(tsv_cell(t, row, column), bytes, sizeof(bytes));
}

/* The bucket by a salt's text over one field that is the whole key. */
static long long bucket_by(const char *salt_text, uint32_t n, struct saltkey_slice key)
{
    struct saltkey_layout layout;
    struct saltkey_salt salt;
    struct saltkey_scheme scheme;
    uint64_t bucket = 0;

    if (saltkey_layout_parse("k:text", &layout, NULL) < 0 || saltkey_salt_parse(salt_text, n, &salt, NULL) < 0 ||
        saltkey_scheme_init(&scheme, &layout, &salt, NULL, NULL) < 0 ||
        saltkey_bucket(&scheme, key, &bucket) < 0)
        return -1;
    return (long long)bucket;
}

static bool hash_is(enum saltkey_hash hash, int64_t seed, struct saltkey_slice in, const char *hex)
{
    size_t digits = strlen(hex);
    char made[17];
    int64_t h = 0;

    if (saltkey_hash_of(hash, seed, in, &h) < 0)
        return false;
    snprintf(made, sizeof(made), "%0*llx", (int)digits,
             (unsigned long long)(digits == 8 ? (uint64_t)h & 0xffffffffU : (uint64_t)h));
    return strcmp(made, hex) == 0;
}

/* Seeded 32-bit hashes: the value in hex and, by two remainders, the bucket. */
static enum verdict seeded(const struct tsv *t, size_t row, enum saltkey_hash hash, const char *word)
{
    struct saltkey_slice in = input(t, row, "input_hex");
    const char *seed = tsv_has(t, "seed_i32") ? tsv_cell(t, row, "seed_i32")
                                                    : tsv_cell(t, row, "initval_i32");
    uint32_t n = (uint32_t)tsv_int(t, row, "N");
    char text[64];
    int64_t h = 0;

    if (!hash_is(hash, strtoll(seed, NULL, 10), in, tsv_cell(t, row, "hash_u32_hex")) ||
        saltkey_hash_of(hash, strtoll(seed, NULL, 10), in, &h) < 0 || h != tsv_int(t, row, "hash_i32"))
        return ROW_FAIL;
    snprintf(text, sizeof(text), "%s floorMod seed %s", word, seed);
    if (bucket_by(text, n, in) != tsv_int(t, row, "salt_floormod_i32"))
        return ROW_FAIL;
    snprintf(text, sizeof(text), "%s unsigned seed %s", word, seed);
    return verdict_of(bucket_by(text, n, in) == tsv_int(t, row, "salt_unsigned_u32"));
}

enum verdict check_murmur3(const struct tsv *t, size_t row)
{
    return seeded(t, row, SALTKEY_HASH_MURMUR3, "murmur3");
}

enum verdict check_jenkins(const struct tsv *t, size_t row)
{
    return seeded(t, row, SALTKEY_HASH_JENKINS, "jenkins");
}

enum verdict check_murmur2(const struct tsv *t, size_t row)
{
    struct saltkey_slice in = input(t, row, "input_hex");
    long long seed = tsv_int(t, row, "seed_i32");
    char text[64];

    snprintf(text, sizeof(text), "murmur floorMod seed %lld", seed);
    return verdict_of(hash_is(SALTKEY_HASH_MURMUR, seed, in, tsv_cell(t, row, "hbase_hash_u32_hex")) &&
                      hash_is(SALTKEY_HASH_MURMUR2, seed, in, tsv_cell(t, row, "canonical_hash_u32_hex")) &&
                      bucket_by(text, (uint32_t)tsv_int(t, row, "N"), in) ==
                          tsv_int(t, row, "salt_floormod_hbase"));
}

enum verdict check_crc32(const struct tsv *t, size_t row)
{
    struct saltkey_slice in = input(t, row, "input_hex");
    uint32_t n = (uint32_t)tsv_int(t, row, "N");
    const char *key = tsv_cell(t, row, "rowkey_crc32_hex");
    char salt[3];

    snprintf(salt, sizeof(salt), "%02llx", (unsigned long long)tsv_int(t, row, "salt_crc32") & 0xff);
    return verdict_of(hash_is(SALTKEY_HASH_CRC32, 0, in, tsv_cell(t, row, "crc32_hex")) &&
                      hash_is(SALTKEY_HASH_CRC32C, 0, in, tsv_cell(t, row, "crc32c_hex")) &&
                      bucket_by("crc32 unsigned bytes 2", n, in) == tsv_int(t, row, "salt_crc32") &&
                      bucket_by("crc32c unsigned bytes 2", n, in) == tsv_int(t, row, "salt_crc32c") &&
                      memcmp(key, salt, 2) == 0 &&
                      tsv_equal(key[2] ? key + 2 : "-", in));
}

enum verdict check_digests(const struct tsv *t, size_t row)
{
    struct saltkey_slice in = input(t, row, "input_hex");
    const char *md5 = tsv_cell(t, row, "md5_hex"), *sha = tsv_cell(t, row, "sha256_hex");
    char first[17], digits[5];

    snprintf(first, sizeof(first), "%.16s", md5);
    if (!hash_is(SALTKEY_HASH_MD5HEX, 0, in, first))
        return ROW_FAIL;
    snprintf(first, sizeof(first), "%.16s", sha);
    if (!hash_is(SALTKEY_HASH_SHA256HEX, 0, in, first))
        return ROW_FAIL;
    snprintf(digits, sizeof(digits), "%04llx", (unsigned long long)bucket_by("md5hex 4", 0, in));
    return verdict_of(tsv_is(t, row, "md5_first4hex", digits) &&
                      bucket_by("md5 unsigned bytes 2", (uint32_t)tsv_int(t, row, "N"), in) ==
                          tsv_int(t, row, "md5_be32_mod_N"));
}

enum verdict check_xxh(const struct tsv *t, size_t row)
{
    struct saltkey_slice in = input(t, row, "input_hex");
    uint32_t n = (uint32_t)tsv_int(t, row, "N");

    return verdict_of(hash_is(SALTKEY_HASH_XXH32, 0, in, tsv_cell(t, row, "xxh32_seed0_hex")) &&
                      hash_is(SALTKEY_HASH_XXH64, 0, in, tsv_cell(t, row, "xxh64_seed0_hex")) &&
                      hash_is(SALTKEY_HASH_XXH3, 0, in, tsv_cell(t, row, "xxh3_64_seed0_hex")) &&
                      hash_is(SALTKEY_HASH_XXH3, 42, in, tsv_cell(t, row, "xxh3_64_seed42_hex")) &&
                      bucket_by("xxh32 unsigned bytes 2", n, in) == tsv_int(t, row, "salt_xxh32") &&
                      bucket_by("xxh64 unsigned bytes 2", n, in) == tsv_int(t, row, "salt_xxh64") &&
                      bucket_by("xxh3 unsigned bytes 2", n, in) == tsv_int(t, row, "salt_xxh3_64"));
}

enum verdict check_string_hash(const struct tsv *t, size_t row)
{
    struct saltkey_slice in = input(t, row, "utf8_hex");
    uint32_t p = saltkey_part_of(in.bytes, in.len).scale;
    int64_t s = 0, a = 0;

    if (saltkey_hash_of(SALTKEY_HASH_STRING, 0, in, &s) < 0 ||
        saltkey_hash_of(SALTKEY_HASH_ARRAYS, 0, in, &a) < 0)
        return ROW_FAIL;
    if (tsv_is(t, row, "note", "bytes=string+31^len") && (int32_t)((uint32_t)s + p) != a)
        return ROW_FAIL;
    return verdict_of((long long)in.len == tsv_int(t, row, "utf8_len") &&
                      s == tsv_int(t, row, "string_hashcode") &&
                      a == tsv_int(t, row, "arrays_hashcode_utf8"));
}
