/* SPDX-License-Identifier: Apache-2.0 */
/* A stored row in words, and what is known to be bad about a scheme. */
#include <stdio.h>

#include "internal.h"

/* Text that grows up to its capacity and goes on counting. */
struct text {
    char *at;
    size_t cap, len;
};

static void add(struct text *t, const char *s)
{
    size_t n = strlen(s);

    if (t->len + n < t->cap)
        memcpy(t->at + t->len, s, n + 1);
    else if (t->len < t->cap)
        t->cap = t->len + 1; /* whole pieces only */
    t->len += n;
}

static void add_bytes(struct text *t, struct saltkey_slice s)
{
    size_t i;

    for (i = 0; i < s.len; i++) {
        char one[5];

        saltkey_to_string_binary(saltkey__slice(s.bytes + i, 1), one, sizeof(one));
        add(t, one);
    }
}

static void add_uuid(struct text *t, struct saltkey_slice s)
{
    char two[4];
    size_t i;

    for (i = 0; i < s.len; i++) {
        snprintf(two, sizeof(two), "%02x", s.bytes[i]);
        add(t, two);
        if (i == 3 || i == 5 || i == 7 || i == 9)
            add(t, "-");
    }
}

static void add_value(struct text *t, const struct saltkey_field *f, const struct saltkey_value *v)
{
    char number[40];
    double real;

    switch (v->kind) {
    case SALTKEY_VALUE_UINT:
        snprintf(number, sizeof(number), "%llu", (unsigned long long)v->number);
        break;
    case SALTKEY_VALUE_INT:
        snprintf(number, sizeof(number), "%lld", (long long)v->number);
        break;
    case SALTKEY_VALUE_REAL:
        memcpy(&real, &v->number, sizeof(real));
        snprintf(number, sizeof(number), "%.17g", real);
        break;
    default:
        number[0] = '\0';
        if (f->kind == SALTKEY_UUID)
            add_uuid(t, v->bytes);
        else
            add_bytes(t, v->bytes);
        break;
    }
    add(t, number);
}

static void add_bucket(struct text *t, const char *what, uint64_t bucket)
{
    char number[64];

    snprintf(number, sizeof(number), "%s %llu", what, (unsigned long long)bucket);
    add(t, number);
}

/* `salt \x0A bucket 10 of 16`, and what a recomputation says. */
static int explain_salt(const struct saltkey_scheme *scheme, struct saltkey_slice row, size_t *skip,
                        struct text *t)
{
    uint64_t bucket = 0, again = 0;
    int rc = saltkey_row_bucket(scheme, row, &bucket);

    if (rc == 0)
        rc = saltkey_row_skip(scheme, row, skip);
    if (rc < 0 || scheme->salt.hash == SALTKEY_HASH_NONE)
        return rc;
    add(t, "salt ");
    add_bytes(t, saltkey__slice(row.bytes, *skip));
    add_bucket(t, " bucket", bucket);
    add_bucket(t, " of", scheme->salt.buckets);
    if (scheme->salt.hash == SALTKEY_HASH_GIVEN)
        add(t, ", the writer's choice");
    else if (saltkey_bucket(scheme, saltkey__slice(row.bytes + *skip, row.len - *skip), &again) < 0)
        add(t, ", the key doesn't give one");
    else if (again != bucket)
        add_bucket(t, ", WRONG: the key gives", again);
    add(t, "\n");
    return 0;
}

int saltkey_explain(const struct saltkey_scheme *scheme, struct saltkey_slice row, char *text, size_t cap,
                    struct saltkey_error *err)
{
    struct text t = {text, cap, 0};
    struct saltkey_value values[SALTKEY_FIELDS_MAX];
    uint8_t room[2048];
    struct saltkey_buf scratch = {room, sizeof(room), 0};
    size_t skip = 0;
    uint32_t i;
    int rc;

    if (cap)
        text[0] = '\0';
    if (explain_salt(scheme, row, &skip, &t) < 0)
        return saltkey__fail(err, SALTKEY_EKEY, 1, "the row doesn't begin with a salt below N");
    rc = saltkey_natural_parse(&scheme->layout, saltkey__slice(row.bytes + skip, row.len - skip), values,
                               &scratch, err);
    if (rc < 0) {
        if (err && err->column)
            err->column += skip;
        return rc;
    }
    for (i = 0; i < scheme->layout.n_fields; i++) {
        const struct saltkey_field *f = &scheme->layout.fields[i];

        add(&t, f->name);
        add(&t, " ");
        add(&t, saltkey_kind_name(f->kind));
        add(&t, f->desc ? " desc = " : " = ");
        add_value(&t, f, &values[i]);
        add(&t, "\n");
    }
    return t.len < cap ? 0 : SALTKEY_ESPACE;
}

static bool has_text(const struct saltkey_scheme *scheme)
{
    uint32_t i;

    for (i = 0; i < scheme->layout.n_fields; i++) {
        enum saltkey_kind k = scheme->layout.fields[i].kind;

        if ((scheme->over >> i & 1) && (k == SALTKEY_FIXED || k == SALTKEY_DEC || k == SALTKEY_REVDEC ||
                                        k == SALTKEY_HEX || saltkey__needs_mark(k)))
            return true;
    }
    return false;
}

static bool joins_text(const struct saltkey_layout *layout)
{
    uint32_t i;

    for (i = 0; i < layout->n_fields; i++)
        if (layout->fields[i].kind == SALTKEY_RAWTEXT && layout->fields[i].marked)
            return true;
    return false;
}

const char *saltkey_scheme_warning(const struct saltkey_scheme *scheme, size_t i)
{
    const struct saltkey_salt *salt = &scheme->salt;
    bool java = salt->hash == SALTKEY_HASH_ARRAYS || salt->hash == SALTKEY_HASH_STRING;
    uint64_t n = salt->buckets;
    const char *found[10];
    size_t k = 0;

    if (java && n % 31 == 0)
        found[k++] = "N is a multiple of 31: Java's hash then depends on little more than the last byte";
    if (java && n >= 64 && (n & (n - 1)) == 0 && has_text(scheme))
        found[k++] = "N is a power of two and the hash runs over text: buckets will be uneven (31 is -1 "
                     "mod 32); murmur3 or crc32 spread better";
    if (salt->mod.remainder == SALTKEY_ABS_FIRST && n > 1)
        found[k++] = "abs before the remainder: a key with hash -2147483648 lands outside the buckets";
    if (salt->mod.remainder == SALTKEY_TRUNCATED && n > 1)
        found[k++] = "the remainder keeps its sign: keys with a negative hash land outside the buckets";
    if (salt->loose)
        found[k++] = "the salt's width varies, so prefixes don't sort as buckets do";
    if (salt->hash == SALTKEY_HASH_GIVEN)
        found[k++] = "the salt isn't a function of the key: a get must try every bucket, and a key can be "
                     "in several";
    if ((salt->hash == SALTKEY_HASH_MD5HEX || salt->hash == SALTKEY_HASH_SHA256HEX) && n > 256)
        found[k++] = "so many prefixes can't be scanned one by one: only keys known in full are found";
    if (joins_text(&scheme->layout))
        found[k++] = "a field may hold its own end mark: two keys can be the same row";
    if (java && salt->mod.remainder == SALTKEY_UNSIGNED && (n & (n - 1)))
        found[k++] = "unsigned remainder of Java's hash: Java writers take floorMod or abs, which differ "
                     "for negative hashes";
    return i < k ? found[i] : NULL;
}

int saltkey_schemes_agree(const struct saltkey_scheme *writer, const struct saltkey_scheme *reader,
                          struct saltkey_error *err)
{
    const struct saltkey_salt *a = &writer->salt, *b = &reader->salt;

    if (a->prefix != b->prefix || a->width != b->width || a->loose != b->loose)
        return saltkey__fail(err, SALTKEY_EUNSUPPORTED, 0, "the salts have another width or form");
    if (a->buckets != b->buckets)
        return saltkey__fail(err, SALTKEY_EBUCKETS, 0, "N differs: %llu and %llu",
                             (unsigned long long)a->buckets, (unsigned long long)b->buckets);
    if (a->hash != b->hash || a->seed != b->seed)
        return saltkey__fail(err, SALTKEY_EUNSUPPORTED, 0, "the hashes or their seeds differ");
    if (a->mod.remainder != b->mod.remainder && a->buckets > 2)
        return saltkey__fail(err, SALTKEY_EUNSUPPORTED, 0,
                             "the remainders differ: about half of all keys land elsewhere");
    if (a->zero_unsalted != b->zero_unsalted)
        return saltkey__fail(err, SALTKEY_EUNSUPPORTED, 0, "one of them, as OpenTSDB, doesn't salt a metric of zeros");
    if (writer->over != reader->over || writer->over_marks != reader->over_marks)
        return saltkey__fail(err, SALTKEY_EFIELD, 0, "the salts are over other fields");
    if (writer->layout.n_fields != reader->layout.n_fields)
        return saltkey__fail(err, SALTKEY_EFIELD, 0, "the layouts have another number of fields");
    return saltkey__layouts_agree(&writer->layout, &reader->layout, err);
}
