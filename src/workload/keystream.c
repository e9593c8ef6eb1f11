/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "workload/keystream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "spec/scheme.h"

/* Tables by entity are kept up to this many (16 MiB); beyond it each row is built. */
#define ENTITY_TABLE_MAX 4000000u

static bool is_text(enum saltkey_kind kind)
{
    return kind == SALTKEY_FIXED || kind == SALTKEY_TEXT;
}

static enum key_role role_of(const struct saltkey_field *f)
{
    if (spec_field_is_time(f))
        return KEY_ROLE_TIME;
    return strcmp(f->name, "seq") == 0 ? KEY_ROLE_SEQUENCE : KEY_ROLE_ENTITY;
}

/* "dev-" and twelve digits, or the digits alone. */
static size_t number_text(uint64_t n, const char *lead, char *text)
{
    size_t len = strlen(lead), digits = 12;

    for (uint64_t rest = n; rest >= UINT64_C(1000000000000); rest /= 10)
        digits++;
    memcpy(text, lead, len);
    for (size_t k = digits; k-- > 0; n /= 10)
        text[len + k] = (char)('0' + n % 10);
    return len + digits;
}

/* What a field's value is made of. */
struct value_source {
    uint64_t number;          /* the entity, or the row's number */
    int64_t ms;
};

static void value_of(const struct keystream *ks, size_t field, struct value_source from,
                     struct saltkey_value *v, char *text)
{
    const bool words = is_text(ks->scheme.layout.fields[field].kind);

    switch (ks->role[field]) {
    case KEY_ROLE_TIME:
        if (words)
            *v = saltkey_bytes(text, number_text((uint64_t)from.ms, "", text));
        else
            *v = saltkey_int(from.ms);
        break;
    case KEY_ROLE_SEQUENCE:
        *v = words ? saltkey_bytes(text, number_text(from.number, "", text)) : saltkey_uint(from.number);
        break;
    default:
        *v = words ? saltkey_bytes(text, number_text(from.number, "dev-", text)) : saltkey_uint(from.number);
    }
}

void keystream_values(const struct keystream *ks, uint64_t i, struct saltkey_value *values,
                      char text[][64])
{
    const int64_t ms = arrivals_event_ms(ks->arrivals, i);
    const uint32_t entity = arrivals_entity(ks->arrivals, i);

    for (size_t f = 0; f < ks->scheme.layout.n_fields; f++)
        value_of(ks, f, (struct value_source){ks->role[f] == KEY_ROLE_ENTITY ? entity : i, ms}, &values[f],
                 text[f]);
}

void keystream_report_values(const struct keystream *ks, const struct keystream_report *report,
                             struct saltkey_value *values, char text[][64])
{
    for (size_t f = 0; f < ks->scheme.layout.n_fields; f++) {
        const uint64_t number = ks->role[f] == KEY_ROLE_ENTITY ? report->entity : report->number;

        value_of(ks, f, (struct value_source){number, report->ms}, &values[f], text[f]);
    }
}

/* The bucket that a writer with a random or a round-robin salt gives row |i|. */
uint32_t keystream_given_bucket(const struct keystream *ks, uint64_t i)
{
    const uint64_t word = ks->given_key ? arrivals_mix(ks->given_key, i) : i;

    return (uint32_t)(word % ks->scheme.salt.buckets);
}

int keystream_key(const struct keystream *ks, uint64_t i, struct saltkey_buf *row)
{
    struct saltkey_value values[SALTKEY_FIELDS_MAX];
    char text[SALTKEY_FIELDS_MAX][64];

    if (ks->file)
        return saltkey_salt_natural(&ks->scheme, keyfile_key(ks->file, i), row);
    keystream_values(ks, i, values, text);
    if (ks->bucket_by == KEY_BUCKET_GIVEN)
        return saltkey_salted_as(&ks->scheme, keystream_given_bucket(ks, i), values, row, NULL);
    return saltkey_salted(&ks->scheme, values, row, NULL);
}

/* True where the salt is hashed over entity fields only. */
static bool salt_over_entity(const struct keystream *ks)
{
    for (size_t f = 0; f < ks->scheme.layout.n_fields; f++)
        if ((ks->scheme.over >> f & 1) && ks->role[f] != KEY_ROLE_ENTITY)
            return false;
    return true;
}

/* Bucket of each entity, by building one key of it. */
static int fill_entity_buckets(struct keystream *ks, struct saltkey_error *err)
{
    struct saltkey_value values[SALTKEY_FIELDS_MAX];
    char text[SALTKEY_FIELDS_MAX][64];
    uint8_t *bytes = malloc(ks->row_max);
    struct saltkey_buf row = {bytes, ks->row_max, 0};
    int rc = bytes ? 0 : KEYSTREAM_NO_MEMORY;

    for (uint32_t e = 0; rc == 0 && e < ks->arrivals->entities; e++) {
        uint64_t bucket = 0;
        struct saltkey_slice s;

        for (size_t f = 0; f < ks->scheme.layout.n_fields; f++)
            value_of(ks, f, (struct value_source){ks->role[f] == KEY_ROLE_ENTITY ? e : 0, ks->arrivals->start_ms},
                     &values[f], text[f]);
        rc = saltkey_salted(&ks->scheme, values, &row, err);
        s.bytes = bytes;
        s.len = row.len;
        if (rc == 0)
            rc = saltkey_row_bucket(&ks->scheme, s, &bucket);
        if (rc != 0)
            rc = KEYSTREAM_BAD_KEY;
        ks->entity_bucket[e] = (uint32_t)bucket;
    }
    free(bytes);
    return rc;
}

/* Sum of the shares of all entity fields, for each entity. */
static int fill_entity_shares(struct keystream *ks, struct saltkey_error *err)
{
    char text[64];

    for (uint32_t e = 0; e < ks->arrivals->entities; e++) {
        uint32_t sum = 0;

        for (uint32_t f = 0; f < ks->scheme.layout.n_fields; f++) {
            struct saltkey_value v;
            uint32_t share;

            if (ks->role[f] != KEY_ROLE_ENTITY)
                continue;
            value_of(ks, f, (struct value_source){e, 0}, &v, text);
            if (saltkey_hash_share(&ks->scheme, f, &v, &share, err) != 0)
                return KEYSTREAM_BAD_KEY;
            sum += share;
        }
        ks->entity_share[e] = sum;
    }
    return 0;
}

/* Whole numbers of fixed width: consecutive ones differ in their last byte alone, up to a carry. */
static bool is_number(enum saltkey_kind kind)
{
    return kind == SALTKEY_BE32 || kind == SALTKEY_BE64 || kind == SALTKEY_I32 || kind == SALTKEY_I64 ||
           kind == SALTKEY_RTS;
}

/* The share of a millisecond is that of its block of 256 and of its place in the block. */
static void fill_time_shares(struct keystream *ks)
{
    const int64_t block = ks->arrivals->start_ms & ~(int64_t)255;

    for (size_t f = 0; f < ks->scheme.layout.n_fields; f++)
        if (ks->role[f] != KEY_ROLE_ENTITY &&
            (ks->role[f] != KEY_ROLE_TIME || !is_number(ks->scheme.layout.fields[f].kind)))
            return;
    for (int k = 0; k < 256; k++)
        ks->time_share[k] = keystream_other_shares(ks, 0, block + k) - keystream_other_shares(ks, 0, block);
    ks->time_by_blocks = true;
}

static int fill_salt_prefixes(struct keystream *ks)
{
    const uint64_t n = ks->scheme.salt.buckets;

    if (ks->scheme.salt.width == 0 || ks->scheme.salt.width > 8 || n > 65536)
        return 0;
    ks->salt_prefix = calloc(n, sizeof *ks->salt_prefix);
    if (!ks->salt_prefix)
        return KEYSTREAM_NO_MEMORY;
    ks->salt_prefixes = (uint32_t)n;
    for (uint64_t b = 0; b < n; b++) {
        uint8_t bytes[8] = {0};
        struct saltkey_buf out = {bytes, sizeof bytes, 0};

        saltkey_salt_prefix(&ks->scheme.salt, b, &out);
        for (size_t k = 0; k < 8; k++)
            ks->salt_prefix[b] = ks->salt_prefix[b] << 8 | bytes[k];
    }
    return 0;
}

/* How buckets are found, and the tables for it. */
static int choose_bucket_way(struct keystream *ks, struct saltkey_error *err)
{
    const uint64_t entities = ks->arrivals->entities;

    if (ks->scheme.salt.hash == SALTKEY_HASH_NONE) {
        ks->bucket_by = KEY_BUCKET_ONE;
    } else if (ks->scheme.salt.hash == SALTKEY_HASH_GIVEN) {
        ks->bucket_by = KEY_BUCKET_GIVEN;
        if (ks->file) {
            snprintf(err->reason, sizeof err->reason, "a random or round-robin salt can't be replayed over a key file");
            return KEYSTREAM_BAD_KEY;
        }
    } else if (ks->file || entities > ENTITY_TABLE_MAX) {
        ks->bucket_by = KEY_BUCKET_BUILD;
    } else if (salt_over_entity(ks)) {
        ks->bucket_by = KEY_BUCKET_ENTITY;
        ks->entity_bucket = malloc(entities * sizeof *ks->entity_bucket);
        return ks->entity_bucket ? fill_entity_buckets(ks, err) : KEYSTREAM_NO_MEMORY;
    } else if (saltkey_has_shares(&ks->scheme)) {
        ks->bucket_by = KEY_BUCKET_SHARES;
        ks->entity_share = malloc(entities * sizeof *ks->entity_share);
        fill_time_shares(ks);
        return ks->entity_share ? fill_entity_shares(ks, err) : KEYSTREAM_NO_MEMORY;
    } else {
        ks->bucket_by = KEY_BUCKET_BUILD;
    }
    return 0;
}

static uint64_t prefix_of(const uint8_t *bytes, size_t len)
{
    uint64_t p = 0;

    for (size_t k = 0; k < 8; k++)
        p = p << 8 | (k < len ? bytes[k] : 0);
    return p;
}

/* What the first field puts into the first 8 bytes of the row, behind the salt. */
static uint64_t first_word(const struct keystream *ks, uint64_t number, int64_t ms)
{
    uint8_t bytes[512];
    char text[64];
    struct saltkey_buf out = {bytes, sizeof bytes, 0};
    struct saltkey_value v;

    value_of(ks, 0, (struct value_source){number, ms}, &v, text);
    if (saltkey_field_encode(&ks->scheme.layout, 0, &v, &out, NULL) != 0)
        return 0;
    return prefix_of(bytes, out.len) >> (8 * ks->scheme.salt.width);
}

/* The first bytes of each entity's rows, where the key begins with it. */
static int fill_entity_words(struct keystream *ks)
{
    const uint64_t entities = ks->arrivals->entities;

    if (!ks->first_known || ks->first_by != KEY_ROLE_ENTITY || entities > ENTITY_TABLE_MAX)
        return 0;
    ks->entity_word = malloc(entities * sizeof *ks->entity_word);
    if (!ks->entity_word)
        return KEYSTREAM_NO_MEMORY;
    for (uint64_t e = 0; e < entities; e++)
        ks->entity_word[e] = first_word(ks, e, ks->arrivals->start_ms);
    return 0;
}

int keystream_init(struct keystream *ks, const struct spec_table *table,
                   const struct arrivals *arrivals, const struct keyfile *file,
                   struct saltkey_error *err)
{
    const struct saltkey_layout *layout = &ks->scheme.layout;
    int rc;

    memset(ks, 0, sizeof *ks);
    ks->arrivals = arrivals;
    ks->file = file;
    ks->time_field = -1;
    if (spec_table_scheme(table, &ks->scheme, err) != 0)
        return KEYSTREAM_BAD_KEY;
    if (strncmp(table->salt, "random", 6) == 0)
        ks->given_key = arrivals_mix(arrivals->key, UINT64_MAX) | 1;
    ks->row_max = ks->scheme.salt.width;
    ks->row_fixed = layout->width != 0;
    for (uint32_t f = 0; f < layout->n_fields; f++) {
        ks->role[f] = role_of(&layout->fields[f]);
        if (ks->role[f] == KEY_ROLE_TIME && ks->time_field < 0)
            ks->time_field = (int)f;
        ks->row_max += layout->fields[f].width ? layout->fields[f].width : 64;
    }
    if (file) {
        ks->row_max = ks->scheme.salt.width + file->longest;
        ks->row_fixed = file->offset == NULL;
    }
    ks->first_by = ks->role[0];
    ks->first_known = !file && ks->scheme.salt.width < 8 &&
                      layout->fields[0].width + ks->scheme.salt.width >= 8;
    rc = fill_salt_prefixes(ks);
    if (rc == 0)
        rc = choose_bucket_way(ks, err);
    if (rc == 0)
        rc = fill_entity_words(ks);
    ks->by_parts = ks->first_known && ks->bucket_by != KEY_BUCKET_BUILD && !keystream_hashes_sequence(ks) &&
                   (ks->first_by != KEY_ROLE_ENTITY || ks->entity_word) &&
                   (ks->bucket_by == KEY_BUCKET_ONE || ks->salt_prefix);
    if (rc != 0)
        keystream_free(ks);
    return rc;
}

void keystream_free(struct keystream *ks)
{
    free(ks->entity_share);
    free(ks->entity_bucket);
    free(ks->entity_word);
    free(ks->salt_prefix);
    ks->entity_share = NULL;
    ks->entity_bucket = NULL;
    ks->entity_word = NULL;
    ks->salt_prefix = NULL;
}

/* From the built row: any layout, any salt. */
static void route_built(const struct keystream *ks, uint64_t i, struct key_route *out)
{
    uint8_t bytes[512];
    struct saltkey_buf row = {bytes, sizeof bytes, 0};
    struct saltkey_slice s;
    uint64_t bucket = 0;

    if (ks->row_max > sizeof bytes || keystream_key(ks, i, &row) != 0)
        row.len = 0;
    s.bytes = bytes;
    s.len = row.len;
    if (ks->bucket_by != KEY_BUCKET_ONE)
        saltkey_row_bucket(&ks->scheme, s, &bucket);
    out->bucket = (uint32_t)bucket;
    out->prefix = prefix_of(bytes, row.len);
}

uint32_t keystream_other_shares(const struct keystream *ks, uint64_t i, int64_t ms)
{
    uint32_t sum = 0;
    char text[64];

    for (uint32_t f = 0; f < ks->scheme.layout.n_fields; f++) {
        struct saltkey_value v;
        uint32_t share = 0;

        if (ks->role[f] == KEY_ROLE_ENTITY)
            continue;
        value_of(ks, f, (struct value_source){i, ms}, &v, text);
        saltkey_hash_share(&ks->scheme, f, &v, &share, NULL);
        sum += share;
    }
    return sum;
}

/* Behind a salt the first 8 bytes of the row lack the time's last byte: they are those of its block. */
static bool word_by_blocks(const struct keystream *ks)
{
    const enum saltkey_kind kind = ks->scheme.layout.fields[0].kind;

    return ks->scheme.salt.width > 0 && (kind == SALTKEY_BE64 || kind == SALTKEY_I64 || kind == SALTKEY_RTS);
}

/* Rows whose bucket and first bytes need no whole key: the common case, and the loop that a run
   lives on. What follows from the time is computed once a millisecond, or once a block of 256. */
static void route_by_parts(const struct keystream *ks, struct keystream_clock *clock, const uint64_t *rows,
                           size_t n, struct key_route *out)
{
    const struct arrivals *a = ks->arrivals;
    const bool by_shares = ks->bucket_by == KEY_BUCKET_SHARES, time_first = ks->first_by == KEY_ROLE_TIME;
    const bool blocks = ks->time_by_blocks && time_first && word_by_blocks(ks);
    int64_t last_ms = INT64_MIN;
    const bool together = a->shape && n >= ARRIVALS_TOGETHER / 4 && rows[n - 1] - rows[0] < 2 * n;
    struct arrivals_cursor at;
    uint64_t word = 0;
    uint32_t share = 0;

    at.known = false;
    at.piece = 0;
    for (size_t k = 0; k < n; k++) {
        const int64_t ms = together ? arrivals_event_ms_of(a, rows[k], arrivals_time_on(a, &at, rows[k]))
                                    : arrivals_event_ms(a, rows[k]);
        const uint32_t entity = arrivals_entity(a, rows[k]);
        uint32_t bucket = 0;

        if (blocks && ms != last_ms) {
            last_ms = ms;
            if (!clock->known || (ms & ~(int64_t)255) != clock->block) {
                clock->known = true;
                clock->block = ms & ~(int64_t)255;
                clock->word = first_word(ks, rows[k], clock->block);
                clock->share = keystream_other_shares(ks, rows[k], clock->block);
            }
            word = clock->word;
            share = clock->share + ks->time_share[ms & 255];
        } else if (ms != last_ms) {
            last_ms = ms;
            if (time_first)
                word = first_word(ks, rows[k], ms);
            if (by_shares)
                share = keystream_other_shares(ks, rows[k], ms);
        }
        if (ks->entity_word)
            word = ks->entity_word[entity];
        else if (!time_first)
            word = first_word(ks, rows[k], ms);
        if (by_shares)
            bucket = saltkey_shares_bucket(&ks->scheme, ks->entity_share[entity], share);
        else if (ks->bucket_by == KEY_BUCKET_ENTITY)
            bucket = ks->entity_bucket[entity];
        else if (ks->bucket_by == KEY_BUCKET_GIVEN)
            bucket = keystream_given_bucket(ks, rows[k]);
        out[k].bucket = bucket;
        out[k].prefix = word | (ks->salt_prefix ? ks->salt_prefix[bucket] : 0);
    }
}

/* Shares that follow from the row's number would have to be computed for each row. */
bool keystream_hashes_sequence(const struct keystream *ks)
{
    for (size_t f = 0; f < ks->scheme.layout.n_fields; f++)
        if (ks->role[f] == KEY_ROLE_SEQUENCE && (ks->scheme.over == 0 || (ks->scheme.over >> f & 1)))
            return ks->bucket_by == KEY_BUCKET_SHARES;
    return false;
}

void keystream_route(const struct keystream *ks, const uint64_t *rows, size_t n,
                     struct key_route *out)
{
    struct keystream_clock clock = {.known = false};

    keystream_route_on(ks, &clock, rows, n, out);
}

bool keystream_by_entity(const struct keystream *ks)
{
    return !ks->file && ks->arrivals->in_turn && ks->entity_word && ks->first_known &&
           (ks->bucket_by == KEY_BUCKET_ONE || (ks->bucket_by == KEY_BUCKET_ENTITY && ks->salt_prefix));
}

void keystream_route_on(const struct keystream *ks, struct keystream_clock *clock, const uint64_t *rows, size_t n,
                        struct key_route *out)
{
    if (ks->by_parts) {
        route_by_parts(ks, clock, rows, n, out);
        return;
    }
    for (size_t k = 0; k < n; k++)
        route_built(ks, rows[k], &out[k]);
}

uint64_t keystream_prefix_at(const struct keystream *ks, uint64_t i, uint32_t b)
{
    return first_word(ks, i, arrivals_event_ms(ks->arrivals, i)) | (ks->salt_prefix ? ks->salt_prefix[b] : 0);
}
