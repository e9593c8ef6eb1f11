/* SPDX-License-Identifier: Apache-2.0 */
/* Split points: where a table's regions begin. */
#include "internal.h"

int saltkey__regions_fit(uint64_t regions, struct saltkey_error *err)
{
    if (regions >= 1 && regions <= SALTKEY_REGIONS_MAX)
        return 0;
    return saltkey__fail(err, SALTKEY_ERANGE, 0, "%llu regions: a table is cut into 1 to %d",
                         (unsigned long long)regions, SALTKEY_REGIONS_MAX);
}

static void clear(struct saltkey_keys *keys)
{
    keys->count = 0;
    keys->store_len = 0;
}

static int no_memory(struct saltkey_keys *keys, struct saltkey_error *err)
{
    clear(keys);
    return saltkey__fail(err, SALTKEY_ENOMEM, 0, "%s", saltkey_status_text(SALTKEY_ENOMEM));
}

static int finish(struct saltkey_keys *keys, struct saltkey_error *err)
{
    int rc = saltkey__regions_fit((uint64_t)keys->count + 1, err);

    if (rc == 0)
        rc = saltkey_keys_finish(keys, err);
    if (rc < 0)
        clear(keys);
    return rc;
}

/* Cuts |i| of |ranges| in the first two bytes that follow a bucket's prefix. */
static size_t inner_cut(uint32_t i, uint32_t ranges, uint8_t *at)
{
    uint32_t v = (uint32_t)(((uint64_t)i << 16) / ranges);

    saltkey__store(at, v, 2);
    return v & 0xff ? 2 : 1;
}

int saltkey_split_buckets(const struct saltkey_salt *salt, uint32_t ranges, struct saltkey_keys *keys,
                          struct saltkey_error *err)
{
    uint8_t bytes[SALTKEY__PREFIX_MAX + 2];
    struct saltkey_buf point = {bytes, sizeof(bytes), 0};
    /* a text salt's bucket begins at its digits, before the underscore */
    size_t mark = salt->prefix >= SALTKEY_PREFIX_HEX;
    uint64_t b;
    uint32_t i;

    clear(keys);
    if (salt->buckets > 65536)
        return saltkey__fail(err, SALTKEY_EBUCKETS, 0, "a region for each of %llu prefixes is too many",
                             (unsigned long long)salt->buckets);
    if (ranges == 0 || ranges > 65536)
        return saltkey__fail(err, SALTKEY_ERANGE, 0, "ranges in a bucket: 1 to 65536");
    if (saltkey__regions_fit(salt->buckets * ranges, err) < 0)
        return SALTKEY_ERANGE;
    for (b = 0; b < salt->buckets; b++) {
        if (saltkey_salt_prefix(salt, b, &point) < 0)
            return saltkey__fail(err, SALTKEY_ESPACE, 0, "the salt is too wide");
        if (b > 0 && saltkey_keys_add(keys, saltkey__slice(bytes, point.len - mark)) < 0)
            return no_memory(keys, err);
        for (i = 1; i < ranges; i++) {
            size_t len = point.len + inner_cut(i, ranges, bytes + point.len);

            if (saltkey_keys_add(keys, saltkey__slice(bytes, len)) < 0)
                return no_memory(keys, err);
        }
    }
    return finish(keys, err);
}

/* Points i x step in |width| digits of |base| (16, 10; 256 for raw bytes). */
static int add_steps(struct saltkey_keys *keys, uint32_t regions, uint64_t step, uint32_t base)
{
    static const char digits[] = "0123456789abcdef";
    uint8_t point[8];
    uint32_t i, k;

    for (i = 1; i < regions; i++) {
        uint64_t v = i * step;

        for (k = 8; k-- > 0; v /= base)
            point[k] = base == 256 ? (uint8_t)v : (uint8_t)digits[v % base];
        if (saltkey_keys_add(keys, saltkey__slice(point, 8)) < 0)
            return SALTKEY_ENOMEM;
    }
    return 0;
}

static int split_steps(uint32_t regions, uint64_t step, uint32_t base, struct saltkey_keys *keys,
                       struct saltkey_error *err)
{
    clear(keys);
    if (saltkey__regions_fit(regions, err) < 0)
        return SALTKEY_ERANGE;
    if (add_steps(keys, regions, step, base) < 0)
        return no_memory(keys, err);
    return finish(keys, err);
}

int saltkey_split_hex_string(uint32_t regions, struct saltkey_keys *keys, struct saltkey_error *err)
{
    return split_steps(regions, regions ? (UINT64_C(1) << 32) / regions : 0, 16, keys, err);
}

int saltkey_split_decimal_string(uint32_t regions, struct saltkey_keys *keys, struct saltkey_error *err)
{
    return split_steps(regions, regions ? UINT64_C(100000000) / regions : 0, 10, keys, err);
}

int saltkey_split_uniform(uint32_t regions, struct saltkey_keys *keys, struct saltkey_error *err)
{
    uint64_t step = regions ? UINT64_MAX / regions : 0;

    if (regions && (regions & (regions - 1)) == 0)
        step++; /* 2^64 / regions has no remainder */
    return split_steps(regions, regions == 1 ? 1 : step, 256, keys, err);
}

int saltkey_split_hex_prefix(uint32_t regions, uint32_t digits, struct saltkey_keys *keys,
                             struct saltkey_error *err)
{
    static const char hex[] = "0123456789abcdef";
    uint8_t point[8];
    uint32_t i, k, len;

    clear(keys);
    if (digits == 0 || digits > 8 || regions == 0 || regions > (UINT64_C(1) << (4 * digits)))
        return saltkey__fail(err, SALTKEY_ERANGE, 0, "%lu regions don't fit %lu hexadecimal digits",
                             (unsigned long)regions, (unsigned long)digits);
    if (saltkey__regions_fit(regions, err) < 0)
        return SALTKEY_ERANGE;
    for (i = 1; i < regions; i++) {
        uint64_t v = ((uint64_t)i << (4 * digits)) / regions;

        for (k = digits; k-- > 0; v >>= 4)
            point[k] = (uint8_t)hex[v & 15];
        for (len = digits; len > 1 && point[len - 1] == '0'; len--)
            continue;
        if (saltkey_keys_add(keys, saltkey__slice(point, len)) < 0)
            return no_memory(keys, err);
    }
    return finish(keys, err);
}

/* Reads one point in escape notation; |base| is added to its columns. */
static int add_point(struct saltkey_keys *keys, struct saltkey_slice text, bool strict,
                     struct saltkey_error *err)
{
    struct saltkey_buf room = {saltkey__keys_room(keys, text.len), text.len, 0};
    int rc;

    if (!room.bytes)
        return no_memory(keys, err);
    rc = strict ? saltkey_to_bytes_binary_strict(text, &room, err)
                : saltkey_to_bytes_binary(text, &room, err);
    if (rc < 0)
        return rc;
    if (room.len == 0)
        return saltkey__fail(err, SALTKEY_EEMPTY, 1, "an empty split point");
    return saltkey__keys_take(keys, room.len) < 0 ? no_memory(keys, err) : 0;
}

static int split_list(const char *text, size_t column, struct saltkey_keys *keys,
                      struct saltkey_error *err)
{
    const char *at = text;

    clear(keys);
    for (;;) {
        const char *from = at, *end;
        int rc;

        while (*at && *at != ',')
            at++;
        end = at;
        while (from < end && (*from == ' ' || *from == '\t'))
            from++;
        while (end > from && (end[-1] == ' ' || end[-1] == '\t'))
            end--;
        rc = add_point(keys, saltkey__slice(from, (size_t)(end - from)), true, err);
        if (rc < 0) {
            if (err)
                err->column += column + (size_t)(from - text);
            clear(keys);
            return rc;
        }
        if (!*at++)
            break;
    }
    return finish(keys, err);
}

int saltkey_split_list(const char *text, struct saltkey_keys *keys, struct saltkey_error *err)
{
    return split_list(text, 0, keys, err);
}

int saltkey_split_file(struct saltkey_slice content, bool strict, struct saltkey_keys *keys,
                       struct saltkey_error *err)
{
    size_t at = 0, line = 0;

    clear(keys);
    while (at < content.len) {
        const uint8_t *from = content.bytes + at;
        const uint8_t *end = memchr(from, '\n', content.len - at);
        size_t len = end ? (size_t)(end - from) : content.len - at;
        int rc;

        line++;
        at += len + 1;
        if (len && from[len - 1] == '\r')
            len--;
        rc = add_point(keys, saltkey__slice(from, len), strict, err);
        if (rc < 0) {
            if (err)
                err->column = line;
            clear(keys);
            return rc;
        }
    }
    if (line == 0)
        return saltkey__fail(err, SALTKEY_EEMPTY, 0, "the split file is empty");
    return finish(keys, err);
}

static int wants_number(struct saltkey_scan *scan, const char *what, uint32_t *number,
                        struct saltkey_error *err)
{
    struct saltkey_slice word = saltkey__word(scan);
    uint64_t n = 0;

    if (!saltkey__number(word, UINT32_MAX, &n) || n == 0)
        return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word), "%s needs a number",
                             what);
    *number = (uint32_t)n;
    word = saltkey__word(scan);
    if (word.len)
        return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word), "unexpected '%.*s'",
                             (int)word.len, (const char *)word.bytes);
    return 0;
}

static int parse_buckets(struct saltkey_scan *scan, const struct saltkey_salt *salt,
                         struct saltkey_keys *keys, struct saltkey_error *err)
{
    struct saltkey_slice word = saltkey__word(scan);
    uint32_t ranges = 1;

    if (word.len && !saltkey__is(word, "x"))
        return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(scan, word),
                             "after 'buckets' comes nothing or 'x RANGES'");
    if (word.len) {
        int rc = wants_number(scan, "'buckets x'", &ranges, err);
        if (rc < 0)
            return rc;
    }
    return saltkey_split_buckets(salt, ranges, keys, err);
}

int saltkey_split_parse(const char *text, const struct saltkey_salt *salt, struct saltkey_keys *keys,
                        struct saltkey_error *err)
{
    static const struct {
        const char *name;
        int (*split)(uint32_t, struct saltkey_keys *, struct saltkey_error *);
    } algorithms[] = {
        {"HexStringSplit", saltkey_split_hex_string},
        {"DecimalStringSplit", saltkey_split_decimal_string},
        {"UniformSplit", saltkey_split_uniform},
    };
    struct saltkey_scan scan = {text, text};
    struct saltkey_slice word = saltkey__word(&scan);
    uint32_t regions = 0;
    size_t i;
    int rc;

    clear(keys);
    if (saltkey__is(word, "none") && saltkey__word(&scan).len == 0)
        return 0;
    if (saltkey__is(word, "buckets"))
        return parse_buckets(&scan, salt, keys, err);
    if (saltkey__is(word, "keys"))
        return split_list(scan.at, (size_t)(scan.at - text), keys, err);
    if (saltkey__is(word, "md5hex")) {
        rc = wants_number(&scan, "md5hex", &regions, err);
        if (rc == 0 && salt->prefix != SALTKEY_PREFIX_HEX)
            rc = saltkey__fail(err, SALTKEY_EUNSUPPORTED, 1, "the salt isn't hexadecimal text");
        return rc < 0 ? rc : saltkey_split_hex_prefix(regions, salt->width - 1, keys, err);
    }
    for (i = 0; i < sizeof(algorithms) / sizeof(algorithms[0]); i++) {
        if (!saltkey__is(word, algorithms[i].name))
            continue;
        rc = wants_number(&scan, algorithms[i].name, &regions, err);
        return rc < 0 ? rc : algorithms[i].split(regions, keys, err);
    }
    return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(&scan, word), "unknown split '%.*s'",
                         (int)word.len, (const char *)word.bytes);
}
