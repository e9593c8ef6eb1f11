/* SPDX-License-Identifier: Apache-2.0 */
/* A layout and its salt together: rows, buckets, shares of the hash. */
#include "internal.h"

static uint32_t all_fields(const struct saltkey_layout *layout)
{
    return (UINT32_C(1) << layout->n_fields) - 1;
}

static int read_over(const struct saltkey_layout *layout, const char *text, uint32_t *over,
                     struct saltkey_error *err)
{
    struct saltkey_scan scan = {text, text};
    struct saltkey_slice word = saltkey__word(&scan);
    uint32_t mask = 0;

    if (saltkey__is(word, "key") && saltkey_layout_find(layout, "key") < 0) {
        *over = all_fields(layout);
        word = saltkey__word(&scan);
        if (word.len)
            return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(&scan, word),
                                 "'key' stands alone");
        return 0;
    }
    for (; word.len; word = saltkey__word(&scan)) {
        uint32_t i = 0;

        while (i < layout->n_fields && !saltkey__is(word, layout->fields[i].name))
            i++;
        if (i == layout->n_fields)
            return saltkey__fail(err, SALTKEY_EFIELD, saltkey__column(&scan, word),
                                 "the key has no field '%.*s'", (int)word.len,
                                 (const char *)word.bytes);
        mask |= UINT32_C(1) << i;
    }
    if (mask == 0)
        return saltkey__fail(err, SALTKEY_ETEXT, 1, "name what the salt is over: key or fields");
    *over = mask;
    return 0;
}

/* 31^(bytes hashed): the hash of an input of that many zero bytes. */
static uint32_t hash_base(const struct saltkey_scheme *scheme)
{
    uint32_t base = 1, i, k;

    for (i = 0; i < scheme->layout.n_fields; i++)
        if (scheme->over >> i & 1)
            for (k = 0; k < scheme->layout.fields[i].width; k++)
                base *= 31;
    return base;
}

int saltkey_scheme_init(struct saltkey_scheme *scheme, const struct saltkey_layout *layout,
                        const struct saltkey_salt *salt, const char *over, struct saltkey_error *err)
{
    uint32_t mask = all_fields(layout);
    int rc = over ? read_over(layout, over, &mask, err) : 0;

    if (rc < 0)
        return rc;
    scheme->layout = *layout;
    scheme->salt = *salt;
    scheme->over = mask;
    scheme->hash_base = hash_base(scheme);
    return 0;
}

int saltkey_bucket(const struct saltkey_scheme *scheme, struct saltkey_slice natural, uint64_t *bucket)
{
    struct saltkey_slice fields[SALTKEY_FIELDS_MAX];
    size_t n = 0;
    uint32_t i;
    int rc;

    if (scheme->over == all_fields(&scheme->layout))
        return saltkey__bucket_of(&scheme->salt, &natural, 1, bucket);
    rc = saltkey__locate(&scheme->layout, natural, fields, NULL);
    if (rc < 0)
        return rc;
    for (i = 0; i < scheme->layout.n_fields; i++)
        if (scheme->over >> i & 1)
            fields[n++] = fields[i];
    return saltkey__bucket_of(&scheme->salt, fields, n, bucket);
}

int saltkey_salt_natural(const struct saltkey_scheme *scheme, struct saltkey_slice natural,
                         struct saltkey_buf *row)
{
    uint32_t width = scheme->salt.width;
    uint64_t bucket;
    int rc;

    if (row->cap < width || row->cap - width < natural.len)
        return SALTKEY_ESPACE;
    rc = saltkey_bucket(scheme, natural, &bucket);
    if (rc < 0)
        return rc;
    if (natural.len)
        memmove(row->bytes + width, natural.bytes, natural.len);
    rc = saltkey_salt_prefix(&scheme->salt, bucket, row);
    if (rc < 0)
        return rc;
    row->len = width + natural.len;
    return 0;
}

int saltkey_salted(const struct saltkey_scheme *scheme, const struct saltkey_value *values,
                   struct saltkey_buf *row, struct saltkey_error *err)
{
    uint32_t width = scheme->salt.width;
    struct saltkey_buf natural = {NULL, 0, 0}, made = {row->bytes, row->cap, 0};
    int rc;

    if (row->cap < width)
        return saltkey__fail(err, SALTKEY_ESPACE, 0, "the salt alone takes %u bytes", (unsigned)width);
    natural.bytes = row->bytes + width;
    natural.cap = row->cap - width;
    rc = saltkey_natural(&scheme->layout, values, &natural, err);
    if (rc < 0)
        return rc;
    rc = saltkey_salt_natural(scheme, saltkey__used(&natural), &made);
    if (rc < 0)
        return saltkey__fail(err, rc, 0, "%s", saltkey_status_text(rc));
    row->len = made.len;
    return 0;
}

static int hex_bucket(struct saltkey_slice digits, uint64_t *bucket)
{
    uint64_t b = 0;
    size_t i;

    for (i = 0; i < digits.len; i++) {
        uint8_t c = digits.bytes[i];

        if (c >= '0' && c <= '9')
            b = b << 4 | (uint64_t)(c - '0');
        else if (c >= 'a' && c <= 'f')
            b = b << 4 | (uint64_t)(c - 'a' + 10);
        else
            return SALTKEY_EKEY;
    }
    *bucket = b;
    return 0;
}

int saltkey_row_bucket(const struct saltkey_scheme *scheme, struct saltkey_slice row, uint64_t *bucket)
{
    const struct saltkey_salt *salt = &scheme->salt;
    uint64_t b = 0;
    uint32_t i;

    if (row.len < salt->width)
        return SALTKEY_EKEY;
    if (salt->prefix == SALTKEY_PREFIX_HEX) {
        if (row.bytes[salt->width - 1] != '_' ||
            hex_bucket(saltkey__slice(row.bytes, salt->width - 1), &b) < 0)
            return SALTKEY_EKEY;
    } else {
        for (i = 0; i < salt->width; i++)
            b = b << 8 | row.bytes[i];
    }
    if (b >= salt->buckets)
        return SALTKEY_EKEY;
    *bucket = b;
    return 0;
}

bool saltkey_has_shares(const struct saltkey_scheme *scheme)
{
    return scheme->layout.width > 0 && scheme->salt.hash == SALTKEY_HASH_ARRAYS;
}

int saltkey_hash_share(const struct saltkey_scheme *scheme, uint32_t field,
                       const struct saltkey_value *value, uint32_t *share, struct saltkey_error *err)
{
    const struct saltkey_layout *layout = &scheme->layout;
    uint8_t bytes[256];
    struct saltkey_buf out = {bytes, sizeof(bytes), 0};
    struct saltkey_part part;
    uint32_t i, k;
    int rc;

    if (!saltkey_has_shares(scheme))
        return saltkey__fail(err, SALTKEY_EUNSUPPORTED, 0,
                             "shares need arrays-hash and fields of fixed width");
    rc = saltkey_field_encode(layout, field, value, &out, err);
    if (rc < 0)
        return rc;
    if (!(scheme->over >> field & 1)) {
        *share = 0;
        return 0;
    }
    part = saltkey_part_of(bytes, out.len);
    for (i = field + 1; i < layout->n_fields; i++)
        if (scheme->over >> i & 1)
            for (k = 0; k < layout->fields[i].width; k++)
                part.value *= 31;
    *share = part.value;
    return 0;
}
