/* SPDX-License-Identifier: Apache-2.0 */
/* The named hashes: what HBase, its clients and their users have put in front of keys. */
#include "internal.h"

#include <md5.h>
#include <sha2.h>
#include <xxhash.h>
#include <zlib.h>

static uint32_t rotl(uint32_t x, int r)
{
    return x << r | x >> (32 - r);
}

static uint32_t load_le32(const uint8_t *p)
{
    return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

/* String.hashCode: begun at 0, over UTF-16 code units. */
static int string_hash(struct saltkey_slice s, int64_t *value)
{
    uint32_t h = 0;

    while (s.len) {
        uint32_t cp = 0;
        size_t n = saltkey__utf8(s, &cp);

        if (n == 0)
            return SALTKEY_EUTF8;
        if (cp >= 0x10000) {
            h = h * 31 + (0xd800 + ((cp - 0x10000) >> 10));
            h = h * 31 + (0xdc00 + ((cp - 0x10000) & 0x3ff));
        } else {
            h = h * 31 + cp;
        }
        s.bytes += n;
        s.len -= n;
    }
    *value = (int32_t)h;
    return 0;
}

static uint32_t murmur3(struct saltkey_slice s, uint32_t h)
{
    size_t i, blocks = s.len / 4;
    const uint8_t *tail = s.bytes + blocks * 4;
    uint32_t k = 0;

    for (i = 0; i < blocks; i++) {
        k = load_le32(s.bytes + i * 4) * 0xcc9e2d51U;
        h ^= rotl(k, 15) * 0x1b873593U;
        h = rotl(h, 13) * 5 + 0xe6546b64U;
    }
    k = 0;
    for (i = s.len & 3; i > 0; i--)
        k = k << 8 | tail[i - 1];
    if (s.len & 3)
        h ^= rotl(k * 0xcc9e2d51U, 15) * 0x1b873593U;
    h ^= (uint32_t)s.len;
    h = (h ^ h >> 16) * 0x85ebca6bU;
    h = (h ^ h >> 13) * 0xc2b2ae35U;
    return h ^ h >> 16;
}

/* MurmurHash 2. HBase's MurmurHash reads the last one to three bytes as signed, which changes the
   value for bytes from 0x80 on. */
static uint32_t murmur2(struct saltkey_slice s, uint32_t seed, bool signed_tail)
{
    const uint32_t m = 0x5bd1e995U;
    uint32_t h = seed ^ (uint32_t)s.len;
    size_t i, blocks = s.len / 4, left = s.len & 3;
    const uint8_t *tail = s.bytes + blocks * 4;

    for (i = 0; i < blocks; i++) {
        uint32_t k = load_le32(s.bytes + i * 4) * m;

        h = h * m ^ (k ^ k >> 24) * m;
    }
    for (i = left; i > 0; i--) {
        uint32_t b = signed_tail ? (uint32_t)(int32_t)(int8_t)tail[i - 1] : tail[i - 1];

        h ^= b << (8 * (i - 1));
    }
    if (left)
        h *= m;
    h = (h ^ h >> 13) * m;
    return h ^ h >> 15;
}

struct lookup3 {
    uint32_t a, b, c;
};

static void lookup3_mix(struct lookup3 *s)
{
    static const int turns[] = {4, 6, 8, 16, 19, 4};
    int i;

    for (i = 0; i < 6; i++) {
        uint32_t a = s->a, b = s->b, c = s->c;

        /* one round of mix(): a -= c; a ^= rot(c, k); c += b; then the names move on */
        a -= c;
        a ^= rotl(c, turns[i]);
        c += b;
        s->a = b;
        s->b = c;
        s->c = a;
    }
}

static uint32_t lookup3_final(struct lookup3 s)
{
    s.c ^= s.b;
    s.c -= rotl(s.b, 14);
    s.a ^= s.c;
    s.a -= rotl(s.c, 11);
    s.b ^= s.a;
    s.b -= rotl(s.a, 25);
    s.c ^= s.b;
    s.c -= rotl(s.b, 16);
    s.a ^= s.c;
    s.a -= rotl(s.c, 4);
    s.b ^= s.a;
    s.b -= rotl(s.a, 14);
    s.c ^= s.b;
    s.c -= rotl(s.b, 24);
    return s.c;
}

/* Bob Jenkins's lookup3, hashlittle. */
static uint32_t jenkins(struct saltkey_slice in, uint32_t seed)
{
    struct lookup3 s;
    uint8_t last[12] = {0};
    const uint8_t *p = in.bytes;
    size_t left = in.len;

    s.a = s.b = s.c = 0xdeadbeefU + (uint32_t)in.len + seed;
    if (left == 0)
        return s.c;
    for (; left > 12; left -= 12, p += 12) {
        s.a += load_le32(p);
        s.b += load_le32(p + 4);
        s.c += load_le32(p + 8);
        lookup3_mix(&s);
    }
    memcpy(last, p, left);
    s.a += load_le32(last);
    s.b += load_le32(last + 4);
    s.c += load_le32(last + 8);
    return lookup3_final(s);
}

/* Castagnoli's polynomial, four bits at a time. */
static const uint32_t crc32c_nibbles[16] = {
    0x00000000, 0x105ec76f, 0x20bd8ede, 0x30e349b1, 0x417b1dbc, 0x5125dad3,
    0x61c69362, 0x7198540d, 0x82f63b78, 0x92a8fc17, 0xa24bb5a6, 0xb21572c9,
    0xc38d26c4, 0xd3d3e1ab, 0xe330a81a, 0xf36e6f75,
};

static uint32_t crc32c(struct saltkey_slice s)
{
    uint32_t c = 0xffffffffU;
    size_t i;

    for (i = 0; i < s.len; i++) {
        c ^= s.bytes[i];
        c = c >> 4 ^ crc32c_nibbles[c & 15];
        c = c >> 4 ^ crc32c_nibbles[c & 15];
    }
    return ~c;
}

static uint32_t crc32_of(struct saltkey_slice s)
{
    uLong c = crc32(0, NULL, 0);

    while (s.len) {
        uInt n = s.len > 1U << 30 ? 1U << 30 : (uInt)s.len;

        c = crc32(c, s.bytes, n);
        s.bytes += n;
        s.len -= n;
    }
    return (uint32_t)c;
}

static int64_t first_bytes(const uint8_t *digest, int n)
{
    uint64_t v = 0;
    int i;

    for (i = 0; i < n; i++)
        v = v << 8 | digest[i];
    return (int64_t)v;
}

static int64_t md5_first(struct saltkey_slice s, int bytes)
{
    uint8_t digest[MD5_DIGEST_LENGTH];
    MD5_CTX context;

    MD5Init(&context);
    MD5Update(&context, s.bytes, s.len);
    MD5Final(digest, &context);
    return first_bytes(digest, bytes);
}

static int64_t sha256_first(struct saltkey_slice s, int bytes)
{
    uint8_t digest[SHA256_DIGEST_LENGTH];
    SHA2_CTX context;

    SHA256Init(&context);
    SHA256Update(&context, s.bytes, s.len);
    SHA256Final(digest, &context);
    return first_bytes(digest, bytes);
}

/* The key's bytes as one number in base 256, as far as a long holds them. */
static int64_t fold(struct saltkey_slice s)
{
    size_t n = s.len < 8 ? s.len : 8;

    return first_bytes(s.bytes + (s.len - n), (int)n);
}

/* 32-bit hashes are read as Java's int. */
static int64_t as_int(int64_t h)
{
    return (int32_t)(uint32_t)(uint64_t)h;
}

uint32_t saltkey__seed_bits(enum saltkey_hash hash)
{
    switch (hash) {
    case SALTKEY_HASH_MURMUR3: case SALTKEY_HASH_MURMUR: case SALTKEY_HASH_MURMUR2: case SALTKEY_HASH_JENKINS:
    case SALTKEY_HASH_XXH32:
        return 32;
    case SALTKEY_HASH_XXH64: case SALTKEY_HASH_XXH3:
        return 64;
    default:
        return 0;
    }
}

int saltkey_hash_of(enum saltkey_hash hash, int64_t seed, struct saltkey_slice s, int64_t *value)
{
    static const uint8_t nothing[1];
    uint32_t seed32 = (uint32_t)(uint64_t)seed;

    if (!s.bytes)
        s.bytes = nothing;
    if ((seed < INT32_MIN || seed > (int64_t)UINT32_MAX) && saltkey__seed_bits(hash) == 32)
        return SALTKEY_ERANGE;
    switch (hash) {
    case SALTKEY_HASH_ARRAYS: *value = saltkey_hash31(s.bytes, s.len); return 0;
    case SALTKEY_HASH_STRING: return string_hash(s, value);
    case SALTKEY_HASH_MURMUR3: *value = as_int(murmur3(s, seed32)); return 0;
    case SALTKEY_HASH_MURMUR: *value = as_int(murmur2(s, seed32, true)); return 0;
    case SALTKEY_HASH_MURMUR2: *value = as_int(murmur2(s, seed32, false)); return 0;
    case SALTKEY_HASH_JENKINS: *value = as_int(jenkins(s, seed32)); return 0;
    case SALTKEY_HASH_CRC32: *value = as_int(crc32_of(s)); return 0;
    case SALTKEY_HASH_CRC32C: *value = as_int(crc32c(s)); return 0;
    case SALTKEY_HASH_MD5: *value = as_int(md5_first(s, 4)); return 0;
    case SALTKEY_HASH_SHA256: *value = as_int(sha256_first(s, 4)); return 0;
    case SALTKEY_HASH_MD5HEX: *value = md5_first(s, 8); return 0;
    case SALTKEY_HASH_SHA256HEX: *value = sha256_first(s, 8); return 0;
    case SALTKEY_HASH_XXH32: *value = as_int(XXH32(s.bytes, s.len, seed32)); return 0;
    case SALTKEY_HASH_XXH64: *value = (int64_t)XXH64(s.bytes, s.len, (uint64_t)seed); return 0;
    case SALTKEY_HASH_XXH3: *value = (int64_t)XXH3_64bits_withSeed(s.bytes, s.len, (uint64_t)seed); return 0;
    case SALTKEY_HASH_FOLD: *value = fold(s); return 0;
    default: return SALTKEY_EUNSUPPORTED;
    }
}
