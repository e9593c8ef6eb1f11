/* SPDX-License-Identifier: Apache-2.0 */
/* A layout and its salt together: rows, buckets, shares of the hash. */
#include "internal.h"

static uint32_t all_fields(const struct saltkey_layout *layout)
{
    return (UINT32_C(1) << layout->n_fields) - 1;
}

/* Whether the natural key is hashed in one piece. */
static bool hashes_whole(const struct saltkey_scheme *scheme)
{
    return scheme->over_marks == all_fields(&scheme->layout) && !scheme->salt.zero_unsalted;
}

static int field_named(const struct saltkey_layout *layout, struct saltkey_slice name)
{
    uint32_t i;

    for (i = 0; i < layout->n_fields; i++)
        if (saltkey__is(name, layout->fields[i].name))
            return (int)i;
    return -1;
}

static int no_field(const struct saltkey_scan *scan, struct saltkey_slice word, struct saltkey_error *err)
{
    return saltkey__fail(err, SALTKEY_EFIELD, saltkey__column(scan, word), "the key has no field '%.*s'",
                         (int)word.len, (const char *)word.bytes);
}

/* `name`, or `from..to` with the marks between. */
static int read_span(const struct saltkey_scan *scan, struct saltkey_slice word,
                     struct saltkey_scheme *scheme, struct saltkey_error *err)
{
    struct saltkey_slice from = word, to = word;
    size_t i;
    int a, b;

    for (i = 0; i + 1 < word.len; i++)
        if (word.bytes[i] == '.' && word.bytes[i + 1] == '.') {
            from.len = i;
            to = saltkey__slice(word.bytes + i + 2, word.len - i - 2);
            break;
        }
    a = field_named(&scheme->layout, from);
    if (a < 0)
        return no_field(scan, from, err);
    b = field_named(&scheme->layout, to);
    if (b < 0)
        return no_field(scan, to, err);
    if (b < a)
        return saltkey__fail(err, SALTKEY_EFIELD, saltkey__column(scan, word),
                             "'%.*s' comes before '%.*s' in the key", (int)to.len,
                             (const char *)to.bytes, (int)from.len, (const char *)from.bytes);
    for (; a <= b; a++) {
        scheme->over |= UINT32_C(1) << a;
        if (a < b)
            scheme->over_marks |= UINT32_C(1) << a;
    }
    return 0;
}

static int read_over(const char *text, struct saltkey_scheme *scheme, struct saltkey_error *err)
{
    struct saltkey_scan scan = {text, text};
    struct saltkey_slice word = saltkey__word(&scan);

    if (saltkey__is(word, "key") && saltkey_layout_find(&scheme->layout, "key") < 0) {
        scheme->over = scheme->over_marks = all_fields(&scheme->layout);
        word = saltkey__word(&scan);
        if (word.len)
            return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(&scan, word), "'key' stands alone");
        return 0;
    }
    for (; word.len; word = saltkey__word(&scan)) {
        int rc = read_span(&scan, word, scheme, err);

        if (rc < 0)
            return rc;
    }
    if (scheme->over == 0)
        return saltkey__fail(err, SALTKEY_ETEXT, 1, "name what the salt is over: key or fields");
    return 0;
}

/* Hash of an input whose fields are all zero bytes: only the marks count. */
static uint32_t hash_base(const struct saltkey_scheme *scheme)
{
    uint32_t base = 1, i, k;

    for (i = 0; i < scheme->layout.n_fields; i++) {
        const struct saltkey_field *f = &scheme->layout.fields[i];

        for (k = 0; (scheme->over >> i & 1) && k < f->width; k++)
            base *= 31;
        if (f->marked && (scheme->over_marks >> i & 1))
            base = base * 31 + (uint32_t)(int32_t)(int8_t)f->mark;
    }
    return base;
}

int saltkey_scheme_init(struct saltkey_scheme *scheme, const struct saltkey_layout *layout,
                        const struct saltkey_salt *salt, const char *over, struct saltkey_error *err)
{
    struct saltkey_scheme made;
    int rc;

    memset(&made, 0, sizeof(made));
    made.layout = *layout;
    made.salt = *salt;
    if (over) {
        rc = read_over(over, &made, err);
        if (rc < 0)
            return rc;
    } else {
        made.over = made.over_marks = all_fields(layout);
    }
    made.hash_base = hash_base(&made);
    *scheme = made;
    return 0;
}

size_t saltkey__salted_pieces(const struct saltkey_scheme *scheme, struct saltkey_slice *fields)
{
    size_t n = 0;
    uint32_t i;

    for (i = 0; i < scheme->layout.n_fields; i++) {
        if (!(scheme->over >> i & 1))
            continue;
        fields[n] = fields[i];
        fields[n].len += scheme->layout.fields[i].marked && (scheme->over_marks >> i & 1);
        n++;
    }
    return n;
}

int saltkey_bucket(const struct saltkey_scheme *scheme, struct saltkey_slice natural, uint64_t *bucket)
{
    struct saltkey_slice fields[SALTKEY_FIELDS_MAX];
    int rc;

    if (hashes_whole(scheme))
        return saltkey__bucket_of(&scheme->salt, &natural, 1, bucket);
    rc = saltkey__locate(&scheme->layout, natural, fields, NULL);
    if (rc < 0)
        return rc;
    return saltkey__bucket_of(&scheme->salt, fields, saltkey__salted_pieces(scheme, fields), bucket);
}

/* Moves |natural| behind the prefix of |bucket|; they may overlap. */
static int put_row(const struct saltkey_salt *salt, uint64_t bucket, struct saltkey_slice natural,
                   struct saltkey_buf *row)
{
    uint8_t prefix[SALTKEY__PREFIX_MAX];
    size_t n = saltkey__prefix_bytes(salt, bucket, prefix);

    if (row->cap < n || row->cap - n < natural.len)
        return SALTKEY_ESPACE;
    if (natural.len)
        memmove(row->bytes + n, natural.bytes, natural.len);
    memcpy(row->bytes, prefix, n);
    row->len = n + natural.len;
    return 0;
}

int saltkey_salt_natural(const struct saltkey_scheme *scheme, struct saltkey_slice natural,
                         struct saltkey_buf *row)
{
    uint64_t bucket = 0;
    int rc = saltkey_bucket(scheme, natural, &bucket);

    return rc < 0 ? rc : put_row(&scheme->salt, bucket, natural, row);
}

/* The natural key at the place where it stays, behind a prefix of the usual width. */
static int natural_in_row(const struct saltkey_scheme *scheme, const struct saltkey_value *values,
                          const struct saltkey_buf *row, struct saltkey_slice *fields,
                          struct saltkey_error *err)
{
    uint32_t width = scheme->salt.width;
    struct saltkey_buf natural = {NULL, 0, 0};

    if (row->cap < width)
        return saltkey__fail(err, SALTKEY_ESPACE, 0, "the salt alone takes %u bytes", (unsigned)width);
    natural.bytes = width ? row->bytes + width : row->bytes;
    natural.cap = row->cap - width;
    return saltkey__natural(&scheme->layout, values, &natural, fields, err);
}

/* All of the key from its located fields. */
static struct saltkey_slice whole_key(const struct saltkey_scheme *scheme, const struct saltkey_slice *fields)
{
    const struct saltkey_slice *last = &fields[scheme->layout.n_fields - 1];

    return saltkey__slice(fields[0].bytes, (size_t)(last->bytes - fields[0].bytes) + last->len);
}

static bool is_utf8(struct saltkey_slice s)
{
    uint32_t cp;
    size_t n;

    for (; s.len; s.bytes += n, s.len -= n) {
        n = saltkey__utf8(s, &cp);
        if (n == 0)
            return false;
    }
    return true;
}

/* Why a row's salt failed, with the field where it is one's fault: a text hash over what isn't text. */
static int salt_fault(const struct saltkey_scheme *scheme, const struct saltkey_value *values,
                      const struct saltkey_buf *row, int status, struct saltkey_error *err)
{
    struct saltkey_slice fields[SALTKEY_FIELDS_MAX];
    uint32_t i;

    if (status == SALTKEY_EUTF8 && natural_in_row(scheme, values, row, fields, NULL) == 0)
        for (i = 0; i < scheme->layout.n_fields; i++)
            if (scheme->over >> i & 1 && !is_utf8(fields[i]))
                return saltkey__fail(err, status, i + 1, "field '%s': %s, which this salt hashes",
                                     scheme->layout.fields[i].name, saltkey_status_text(status));
    return saltkey__fail(err, status, 0, "%s", saltkey_status_text(status));
}

int saltkey_salted(const struct saltkey_scheme *scheme, const struct saltkey_value *values,
                   struct saltkey_buf *row, struct saltkey_error *err)
{
    struct saltkey_slice fields[SALTKEY_FIELDS_MAX], key;
    uint64_t bucket = 0;
    int rc = natural_in_row(scheme, values, row, fields, err);

    if (rc < 0)
        return rc;
    key = whole_key(scheme, fields);
    if (hashes_whole(scheme))
        rc = saltkey__bucket_of(&scheme->salt, &key, 1, &bucket);
    else
        rc = saltkey__bucket_of(&scheme->salt, fields, saltkey__salted_pieces(scheme, fields), &bucket);
    if (rc == 0)
        rc = put_row(&scheme->salt, bucket, key, row);
    return rc < 0 ? salt_fault(scheme, values, row, rc, err) : 0;
}

int saltkey_salted_as(const struct saltkey_scheme *scheme, uint64_t bucket,
                      const struct saltkey_value *values, struct saltkey_buf *row, struct saltkey_error *err)
{
    struct saltkey_slice fields[SALTKEY_FIELDS_MAX];
    int rc;

    if (scheme->salt.hash != SALTKEY_HASH_GIVEN)
        return saltkey__fail(err, SALTKEY_EUNSUPPORTED, 0, "this salt is a function of the key: its writer can't choose");
    if (bucket >= scheme->salt.buckets)
        return saltkey__fail(err, SALTKEY_ERANGE, 0, "bucket beyond the last");
    rc = natural_in_row(scheme, values, row, fields, err);
    if (rc < 0)
        return rc;
    rc = put_row(&scheme->salt, bucket, whole_key(scheme, fields), row);
    return rc < 0 ? saltkey__fail(err, rc, 0, "%s", saltkey_status_text(rc)) : 0;
}

int saltkey_row_skip(const struct saltkey_scheme *scheme, struct saltkey_slice row, size_t *skip)
{
    uint64_t bucket;
    const uint8_t *mark;

    if (saltkey_row_bucket(scheme, row, &bucket) < 0)
        return SALTKEY_EKEY;
    if (scheme->salt.loose) {
        mark = memchr(row.bytes, '_', row.len);
        *skip = mark ? (size_t)(mark - row.bytes) + 1 : 0;
    } else {
        *skip = scheme->salt.width;
    }
    return 0;
}

/* Digits up to the underscore, written as the prefix writes them. */
static int text_bucket(const struct saltkey_salt *salt, struct saltkey_slice row, uint64_t *bucket)
{
    uint32_t base = salt->prefix == SALTKEY_PREFIX_HEX ? 16 : 10;
    uint8_t again[SALTKEY__PREFIX_MAX];
    uint64_t b = 0;
    size_t n = 0;

    for (; n < row.len && row.bytes[n] != '_'; n++) {
        uint8_t c = row.bytes[n];
        uint32_t d = c >= '0' && c <= '9' ? c - 48U : c >= 'a' && c <= 'f' ? c - 87U : 99;

        if (d >= base || n >= 10)
            return SALTKEY_EKEY;
        b = b * base + d;
    }
    if (n == row.len || saltkey__prefix_bytes(salt, b, again) != n + 1)
        return SALTKEY_EKEY;
    *bucket = b;
    return 0;
}

int saltkey_row_bucket(const struct saltkey_scheme *scheme, struct saltkey_slice row, uint64_t *bucket)
{
    const struct saltkey_salt *salt = &scheme->salt;
    uint8_t again[SALTKEY__PREFIX_MAX];
    uint64_t b = 0;
    uint32_t i;

    if (row.len < salt->width)
        return SALTKEY_EKEY;
    if (salt->prefix == SALTKEY_PREFIX_HEX || salt->prefix == SALTKEY_PREFIX_DEC) {
        if (text_bucket(salt, row, &b) < 0)
            return SALTKEY_EKEY;
    } else {
        for (i = salt->width > 4 ? salt->width - 4 : 0; i < salt->width; i++)
            b = b << 8 | row.bytes[i];
        if (saltkey__prefix_bytes(salt, b, again) && memcmp(again, row.bytes, salt->width) != 0)
            return SALTKEY_EKEY;
    }
    if (b >= salt->buckets)
        return SALTKEY_EKEY;
    *bucket = b;
    return 0;
}

bool saltkey_has_shares(const struct saltkey_scheme *scheme)
{
    return scheme->layout.width > 0 && scheme->salt.hash == SALTKEY_HASH_ARRAYS && !scheme->salt.zero_unsalted;
}

int saltkey_hash_share(const struct saltkey_scheme *scheme, uint32_t field,
                       const struct saltkey_value *value, uint32_t *share, struct saltkey_error *err)
{
    const struct saltkey_layout *layout = &scheme->layout;
    uint8_t bytes[SALTKEY_OVER_MAX];
    struct saltkey_buf out = {bytes, sizeof(bytes), 0};
    struct saltkey_part part;
    uint32_t behind = 0, i;
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
    part = saltkey_part_of(bytes, layout->fields[field].width);
    for (i = field; i < layout->n_fields; i++) {
        if (i > field && (scheme->over >> i & 1))
            behind += layout->fields[i].width;
        behind += layout->fields[i].marked && (scheme->over_marks >> i & 1);
    }
    while (behind--)
        part.value *= 31;
    *share = part.value;
    return 0;
}
