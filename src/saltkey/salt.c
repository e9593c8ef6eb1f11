/* SPDX-License-Identifier: Apache-2.0 */
/* Salts: which hash, which remainder, which bytes in front. */
#include "internal.h"

#define HEX_DIGITS_MAX 8

/* Words of a salt's text. */
static const struct {
    const char *name;
    enum saltkey_hash hash;
    int64_t seed; /* HBase's hashes default to -1 */
} hashes[] = {
    {"arrays-hash", SALTKEY_HASH_ARRAYS, 0},    {"string-hash", SALTKEY_HASH_STRING, 0},
    {"murmur3", SALTKEY_HASH_MURMUR3, -1},      {"murmur", SALTKEY_HASH_MURMUR, -1},
    {"murmur2", SALTKEY_HASH_MURMUR2, -1},      {"jenkins", SALTKEY_HASH_JENKINS, -1},
    {"crc32", SALTKEY_HASH_CRC32, 0},           {"crc32c", SALTKEY_HASH_CRC32C, 0},
    {"md5", SALTKEY_HASH_MD5, 0},               {"sha256", SALTKEY_HASH_SHA256, 0},
    {"xxh32", SALTKEY_HASH_XXH32, 0},           {"xxh64", SALTKEY_HASH_XXH64, 0},
    {"xxh3", SALTKEY_HASH_XXH3, 0},             {"fold", SALTKEY_HASH_FOLD, 0},
};

static const struct {
    const char *name, *text; /* the same in full */
} presets[] = {
    {"phoenix", "arrays-hash abs"},
    {"hbasewd", "arrays-hash absFirst"},
    {"hbasewd-2011", "fold truncated"}, /* before the fix of 2011-10-04 */
    {"text02x", "string-hash abs hex 2"},
    {"text04d", "string-hash abs dec 4"},
};

static const char *const remainders[] = {
    [SALTKEY_FLOOR] = "floorMod",
    [SALTKEY_ABS] = "abs",
    [SALTKEY_ABS_FIRST] = "absFirst",
    [SALTKEY_UNSIGNED] = "unsigned",
    [SALTKEY_TRUNCATED] = "truncated",
};

static int unexpected(const struct saltkey_scan *scan, struct saltkey_slice word, struct saltkey_error *err)
{
    return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word), "unexpected '%.*s'",
                         (int)word.len, (const char *)word.bytes);
}

static int read_count(struct saltkey_scan *scan, const char *what, uint64_t max, uint64_t *n,
                      struct saltkey_error *err)
{
    struct saltkey_slice word = saltkey__word(scan);

    if (!saltkey__number(word, max, n) || *n == 0)
        return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word),
                             "%s needs a number from 1 to %lu", what, (unsigned long)max);
    return 0;
}

/* How many buckets the prefix can tell apart. */
static uint64_t prefix_holds(const struct saltkey_salt *salt)
{
    uint64_t base = salt->prefix == SALTKEY_PREFIX_BYTES ? 256
                    : salt->prefix == SALTKEY_PREFIX_HEX ? 16 : 10;
    uint32_t digits = salt->prefix != SALTKEY_PREFIX_BYTES ? salt->width - 1
                      : salt->width > 4 ? salt->width - 4 /* else repeated bytes would come first */
                                        : salt->width;
    uint64_t n = 1;

    if (salt->loose)
        return INT32_MAX;
    while (digits-- && n <= INT32_MAX)
        n *= base;
    return n < INT32_MAX ? n : INT32_MAX;
}

static int set_buckets(struct saltkey_salt *salt, enum saltkey_remainder remainder, uint32_t buckets,
                       struct saltkey_error *err)
{
    uint64_t most = prefix_holds(salt);

    if (buckets == 0 || buckets > most)
        return saltkey__fail(err, SALTKEY_EBUCKETS, 0, "%lu buckets: this salt holds 1 to %lu",
                             (unsigned long)buckets, (unsigned long)most);
    salt->buckets = buckets;
    return saltkey_mod_init(&salt->mod, remainder, buckets);
}

/* A seed of 32 bits may be written with or without a sign, and is kept as Java's int. */
static int read_seed(struct saltkey_scan *scan, enum saltkey_hash hash, int64_t *seed, struct saltkey_error *err)
{
    struct saltkey_slice word = saltkey__word(scan);
    bool minus = word.len > 0 && word.bytes[0] == '-';
    struct saltkey_slice digits = {word.bytes + minus, word.len - minus};
    uint64_t n = 0;

    if (!saltkey__number(digits, INT64_MAX, &n))
        return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word), "seed needs a number");
    *seed = minus ? -(int64_t)n : (int64_t)n;
    if (saltkey__seed_bits(hash) == 0)
        return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word), "this hash has no seed");
    if (saltkey__seed_bits(hash) == 64)
        return 0;
    if (*seed < INT32_MIN || *seed > (int64_t)UINT32_MAX)
        return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word),
                             "the seed has 32 bits: -2147483648 to 4294967295");
    *seed = (int32_t)(uint32_t)(uint64_t)*seed;
    return 0;
}

/* `bytes W`, `hex W`, `dec W`. */
static int read_prefix(struct saltkey_scan *scan, struct saltkey_slice word, struct saltkey_salt *salt,
                       struct saltkey_error *err)
{
    uint64_t width = 0;
    int rc;

    if (saltkey__is(word, "bytes"))
        salt->prefix = SALTKEY_PREFIX_BYTES;
    else if (saltkey__is(word, "hex"))
        salt->prefix = SALTKEY_PREFIX_HEX;
    else if (saltkey__is(word, "dec"))
        salt->prefix = SALTKEY_PREFIX_DEC;
    else
        return unexpected(scan, word, err);
    rc = read_count(scan, "a prefix", salt->prefix == SALTKEY_PREFIX_BYTES ? 4 : 9, &width, err);
    salt->width = (uint32_t)width + (salt->prefix != SALTKEY_PREFIX_BYTES);
    return rc;
}

/* What follows the hash: its remainder, then options. */
static int read_rest(struct saltkey_scan *scan, uint32_t buckets, struct saltkey_salt *salt,
                     struct saltkey_error *err)
{
    struct saltkey_slice word = saltkey__word(scan);
    size_t r = 0;
    int rc = 0;

    while (r < sizeof(remainders) / sizeof(remainders[0]) && !saltkey__is(word, remainders[r]))
        r++;
    if (r == sizeof(remainders) / sizeof(remainders[0]))
        return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word),
                             "a hash needs its remainder: floorMod, abs, absFirst, unsigned or truncated");
    salt->prefix = SALTKEY_PREFIX_BYTES;
    salt->width = 1;
    for (word = saltkey__word(scan); rc == 0 && word.len; word = saltkey__word(scan)) {
        if (saltkey__is(word, "seed"))
            rc = read_seed(scan, salt->hash, &salt->seed, err);
        else if (saltkey__is(word, "loose") && salt->prefix != SALTKEY_PREFIX_BYTES)
            salt->loose = true;
        else
            rc = read_prefix(scan, word, salt, err);
    }
    return rc < 0 ? rc : set_buckets(salt, (enum saltkey_remainder)r, buckets, err);
}

static int read_hex_prefix(struct saltkey_scan *scan, enum saltkey_hash hash, struct saltkey_salt *salt,
                           struct saltkey_error *err)
{
    uint64_t digits = 0;
    int rc = read_count(scan, "a hexadecimal prefix", HEX_DIGITS_MAX, &digits, err);

    if (rc < 0)
        return rc;
    salt->hash = hash;
    salt->prefix = SALTKEY_PREFIX_HEX;
    salt->width = (uint32_t)digits + 1;
    salt->buckets = UINT64_C(1) << (4 * digits);
    return saltkey_mod_init(&salt->mod, SALTKEY_FLOOR, 1);
}

static int read_opentsdb(struct saltkey_scan *scan, uint32_t buckets, struct saltkey_salt *salt,
                         struct saltkey_error *err)
{
    struct saltkey_scan ahead = *scan;
    uint64_t width = 1;

    if (saltkey__word(&ahead).len) {
        int rc = read_count(scan, "opentsdb's width", 8, &width, err);
        if (rc < 0)
            return rc;
    }
    salt->hash = SALTKEY_HASH_ARRAYS;
    salt->prefix = SALTKEY_PREFIX_BYTES;
    salt->width = (uint32_t)width;
    salt->zero_unsalted = true;
    return set_buckets(salt, SALTKEY_ABS, buckets, err);
}

static int read_given(uint32_t most, uint32_t buckets, struct saltkey_salt *salt, struct saltkey_error *err)
{
    salt->hash = SALTKEY_HASH_GIVEN;
    salt->prefix = SALTKEY_PREFIX_BYTES;
    salt->width = 1;
    if (buckets > most)
        return saltkey__fail(err, SALTKEY_EBUCKETS, 0, "%lu buckets: this salt holds 1 to %lu",
                             (unsigned long)buckets, (unsigned long)most);
    return set_buckets(salt, SALTKEY_FLOOR, buckets, err);
}

static int read_salt(struct saltkey_scan *scan, uint32_t buckets, struct saltkey_salt *salt,
                     struct saltkey_error *err)
{
    struct saltkey_slice word = saltkey__word(scan);
    size_t i;

    if (saltkey__is(word, "none"))
        return saltkey_mod_init(&salt->mod, SALTKEY_FLOOR, 1);
    if (saltkey__is(word, "md5hex"))
        return read_hex_prefix(scan, SALTKEY_HASH_MD5HEX, salt, err);
    if (saltkey__is(word, "sha256hex"))
        return read_hex_prefix(scan, SALTKEY_HASH_SHA256HEX, salt, err);
    if (saltkey__is(word, "opentsdb"))
        return read_opentsdb(scan, buckets, salt, err);
    if (saltkey__is(word, "random"))
        return read_given(256, buckets, salt, err);
    if (saltkey__is(word, "roundrobin")) /* HBaseWD counts in a Java byte */
        return read_given(127, buckets, salt, err);
    for (i = 0; i < sizeof(hashes) / sizeof(hashes[0]); i++)
        if (saltkey__is(word, hashes[i].name)) {
            salt->hash = hashes[i].hash;
            salt->seed = hashes[i].seed;
            return read_rest(scan, buckets, salt, err);
        }
    return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word), "unknown salt '%.*s'",
                         (int)word.len, (const char *)word.bytes);
}

/* A preset's text in full, with `loose` taken over: 1; 0 where |text| isn't a preset. */
static int expand_preset(const char *text, char *full, size_t cap, struct saltkey_error *err)
{
    struct saltkey_scan scan = {text, text};
    struct saltkey_slice word = saltkey__word(&scan), next = saltkey__word(&scan);
    size_t i, n;

    for (i = 0; i < sizeof(presets) / sizeof(presets[0]); i++) {
        bool loose = saltkey__is(next, "loose") && presets[i].name[0] == 't';

        n = strlen(presets[i].text);
        if (!saltkey__is(word, presets[i].name) || n + 7 > cap)
            continue;
        if (loose)
            next = saltkey__word(&scan);
        if (next.len)
            return unexpected(&scan, next, err);
        memcpy(full, presets[i].text, n + 1);
        if (loose)
            memcpy(full + n, " loose", 7);
        return 1;
    }
    return 0;
}

int saltkey_salt_parse(const char *text, uint32_t buckets, struct saltkey_salt *salt,
                       struct saltkey_error *err)
{
    struct saltkey_scan scan = {text, text};
    struct saltkey_salt made;
    struct saltkey_slice word;
    char full[64];
    int rc = expand_preset(text, full, sizeof(full), err);

    if (rc < 0)
        return rc;
    if (rc == 1)
        scan.text = scan.at = full;
    memset(&made, 0, sizeof(made));
    made.buckets = 1;
    rc = read_salt(&scan, buckets, &made, err);
    if (rc < 0)
        return rc;
    word = saltkey__word(&scan);
    if (word.len)
        return unexpected(&scan, word, err);
    *salt = made;
    return 0;
}

/* Writes |v| in |base|, with |digits| or, if loose, more of them. */
static size_t put_digits(uint64_t v, uint32_t base, uint32_t digits, uint8_t *at)
{
    static const char chars[] = "0123456789abcdef";
    uint8_t reversed[20];
    size_t n = 0, i;

    for (; v || n < digits; v /= base)
        reversed[n++] = (uint8_t)chars[v % base];
    for (i = 0; i < n; i++)
        at[i] = reversed[n - 1 - i];
    return n;
}

size_t saltkey__prefix_bytes(const struct saltkey_salt *salt, uint64_t bucket, uint8_t *bytes)
{
    size_t n;

    if (salt->prefix == SALTKEY_PREFIX_NONE)
        return 0;
    if (salt->prefix == SALTKEY_PREFIX_BYTES) {
        /* OpenTSDB's shift of a Java int counts modulo 32: beyond 4 bytes the low ones repeat */
        for (n = 0; n < salt->width; n++)
            bytes[n] = (uint8_t)(bucket >> (8 * (salt->width - 1 - n) & 31));
        return n;
    }
    n = put_digits(bucket, salt->prefix == SALTKEY_PREFIX_HEX ? 16 : 10, salt->width - 1, bytes);
    bytes[n] = '_';
    return n + 1;
}

bool saltkey__strays(const struct saltkey_salt *salt)
{
    return salt->mod.remainder == SALTKEY_ABS_FIRST || salt->mod.remainder == SALTKEY_TRUNCATED;
}

int saltkey_salt_prefix(const struct saltkey_salt *salt, uint64_t bucket, struct saltkey_buf *out)
{
    uint8_t bytes[SALTKEY__PREFIX_MAX];
    size_t n;

    /* HBaseWD's formulas leave 0..N-1; such rows must still be found */
    if (bucket >= salt->buckets && !(saltkey__strays(salt) && bucket < 256))
        return SALTKEY_ERANGE;
    n = saltkey__prefix_bytes(salt, bucket, bytes);
    if (out->cap < n)
        return SALTKEY_ESPACE;
    memcpy(out->bytes, bytes, n);
    out->len = n;
    return 0;
}

static bool is_wide(enum saltkey_hash hash)
{
    return hash == SALTKEY_HASH_XXH64 || hash == SALTKEY_HASH_XXH3 || hash == SALTKEY_HASH_FOLD;
}

/* The remainders over a long. */
static uint64_t wide_bucket(const struct saltkey_mod *mod, int64_t h)
{
    int64_t n = mod->n, r = h % n;

    if (mod->remainder == SALTKEY_UNSIGNED)
        return (uint64_t)h % mod->n;
    if (mod->remainder == SALTKEY_FLOOR)
        return (uint64_t)(r < 0 ? r + n : r);
    if (mod->remainder == SALTKEY_TRUNCATED)
        return (uint64_t)r & 0xff;
    return (uint64_t)(r < 0 ? -r : r);
}

static int32_t arrays_hash(const struct saltkey_slice *pieces, size_t n)
{
    struct saltkey_part p = {0, 1};
    size_t i;

    for (i = 0; i < n; i++)
        p = saltkey_part_join(p, saltkey_part_of(pieces[i].bytes, pieces[i].len));
    return saltkey_part_hash(p);
}

/* The pieces one behind the other in |room|. */
static int gather(const struct saltkey_slice *pieces, size_t n, struct saltkey_buf *room)
{
    size_t i;

    room->len = 0;
    for (i = 0; i < n; i++) {
        if (room->cap - room->len < pieces[i].len)
            return SALTKEY_ESPACE;
        if (pieces[i].len)
            memcpy(room->bytes + room->len, pieces[i].bytes, pieces[i].len);
        room->len += pieces[i].len;
    }
    return 0;
}

int saltkey__bucket_of(const struct saltkey_salt *salt, const struct saltkey_slice *pieces, size_t n,
                       uint64_t *bucket)
{
    uint8_t bytes[SALTKEY_OVER_MAX];
    struct saltkey_buf room = {bytes, sizeof(bytes), 0};
    struct saltkey_slice input = pieces[0];
    int64_t h = 0;
    int rc = 0;

    if (salt->hash == SALTKEY_HASH_NONE) {
        *bucket = 0;
        return 0;
    }
    if (salt->zero_unsalted && saltkey__all_zero(pieces[0])) {
        *bucket = 0;
        return 0;
    }
    if (n > 1 && salt->hash == SALTKEY_HASH_ARRAYS) {
        *bucket = saltkey_mod_bucket(&salt->mod, arrays_hash(pieces, n));
        return 0;
    }
    if (n > 1) {
        rc = gather(pieces, n, &room);
        input = saltkey__used(&room);
    }
    if (rc == 0)
        rc = saltkey_hash_of(salt->hash, salt->seed, input, &h);
    if (rc < 0)
        return rc;
    if (salt->hash == SALTKEY_HASH_MD5HEX || salt->hash == SALTKEY_HASH_SHA256HEX)
        *bucket = (uint64_t)h >> (64 - 4 * (salt->width - 1));
    else if (is_wide(salt->hash))
        *bucket = wide_bucket(&salt->mod, h);
    else
        *bucket = saltkey_mod_bucket(&salt->mod, (int32_t)h);
    return 0;
}
