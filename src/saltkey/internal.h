/* SPDX-License-Identifier: Apache-2.0 */
/* What the library's files share. Names begin with saltkey__ so that a static link shows
   saltkey_ names only; the shared library doesn't export them. */
#ifndef SALTKEY_INTERNAL_H
#define SALTKEY_INTERNAL_H

#include "saltkey.h"

#if defined(__GNUC__)
#define SALTKEY_PRINTF(text, first) __attribute__((format(printf, text, first)))
#define SALTKEY_UNLIKELY(x) __builtin_expect(!!(x), 0)
#define SALTKEY_PREFETCH(p) __builtin_prefetch(p)
#else
#define SALTKEY_PRINTF(text, first)
#define SALTKEY_UNLIKELY(x) (x)
#define SALTKEY_PREFETCH(p) ((void)(p))
#endif

/* Fills |err| (may be NULL) and returns |status|. */
int saltkey__fail(struct saltkey_error *err, int status, size_t column, const char *format, ...)
    SALTKEY_PRINTF(4, 5);

/* Resizes as realloc does, through |a| or the C library; size 0 frees. */
void *saltkey__resize(const struct saltkey_allocator *a, void *old, size_t size);

/* A cursor over text: words are parted by blanks. */
struct saltkey_scan {
    const char *text;
    const char *at;
};

/* Next word; length 0 at the end. */
struct saltkey_slice saltkey__word(struct saltkey_scan *scan);
bool saltkey__is(struct saltkey_slice word, const char *text);
/* Decimal number without sign, whole word; false where it isn't one or exceeds |max|. */
bool saltkey__number(struct saltkey_slice word, uint64_t max, uint64_t *number);
size_t saltkey__column(const struct saltkey_scan *scan, struct saltkey_slice word);

static inline struct saltkey_slice saltkey__slice(const void *bytes, size_t len)
{
    struct saltkey_slice s = {(const uint8_t *)bytes, len};
    return s;
}

static inline struct saltkey_slice saltkey__used(const struct saltkey_buf *buf)
{
    return saltkey__slice(buf->bytes, buf->len);
}

static inline void saltkey__store(uint8_t *at, uint64_t v, uint32_t width)
{
    while (width--) {
        at[width] = (uint8_t)v;
        v >>= 8;
    }
}

/* Length of the UTF-8 sequence at s.bytes[0] and its code point; 0 where it is broken (surrogates,
   overlong forms, beyond U+10FFFF). |s| isn't empty. */
size_t saltkey__utf8(struct saltkey_slice s, uint32_t *code_point);

/* Appends a field's bytes (end mark included where it has one) at out->bytes + out->len. */
int saltkey__append_field(const struct saltkey_layout *layout, uint32_t field,
                          const struct saltkey_value *value, struct saltkey_buf *out,
                          struct saltkey_error *err);

/* The natural key, and where each field lies in it (end marks left out). |key| counts as scratch. */
int saltkey__natural(const struct saltkey_layout *layout, const struct saltkey_value *values,
                     struct saltkey_buf *key, struct saltkey_slice *fields, struct saltkey_error *err);

/* Numbers of a value: below 2^bits; or signed in |bits| bits with the sign bit flipped. */
int saltkey__unsigned(const struct saltkey_value *v, uint32_t bits, uint64_t *out);
int saltkey__flipped(const struct saltkey_value *v, uint32_t bits, uint64_t *out);

/* Whether two layouts of the same number of fields give the same bytes; names don't count. */
int saltkey__layouts_agree(const struct saltkey_layout *a, const struct saltkey_layout *b,
                           struct saltkey_error *err);

/* Kinds whose length only an end mark or the key's end tells. */
bool saltkey__needs_mark(enum saltkey_kind kind);

/* Reverses code points or labels in place; an involution. SALTKEY_EUTF8 leaves rubbish. */
int saltkey__reverse_text(enum saltkey_kind kind, uint8_t *at, size_t n);

/* OrderedBytes, all before inversion for DESC: append a value; the bytes of a field at the start
   of |rest| (as stored), 0 where it isn't whole; the value of such bytes. */
int saltkey__ordered_append(const struct saltkey_field *f, const struct saltkey_value *v,
                            struct saltkey_buf *out);
size_t saltkey__ordered_length(const struct saltkey_field *f, struct saltkey_slice rest);
int saltkey__ordered_parse(const struct saltkey_field *f, struct saltkey_slice in,
                           struct saltkey_buf *scratch, struct saltkey_value *v);

/* Where each field lies in a natural key, end marks left out. SALTKEY_EKEY where the key doesn't
   have the layout's shape. */
int saltkey__locate(const struct saltkey_layout *layout, struct saltkey_slice natural,
                    struct saltkey_slice *fields, struct saltkey_error *err);

/* Room for |n| more bytes behind the keys' bytes (NULL without memory), and making the first |len|
   of them the next key. */
uint8_t *saltkey__keys_room(struct saltkey_keys *keys, size_t n);
int saltkey__keys_take(struct saltkey_keys *keys, size_t len);
void saltkey__sort(struct saltkey_keys *keys);

/* SALTKEY_ERANGE where a table of so many regions isn't cut. */
int saltkey__regions_fit(uint64_t regions, struct saltkey_error *err);

/* Longest prefix: nine digits and the mark, with room for what a loose one grows to. */
#define SALTKEY__PREFIX_MAX 24

/* Bits of a hash's seed: 0, 32 or 64. */
uint32_t saltkey__seed_bits(enum saltkey_hash hash);

/* Whether there are bytes, and nothing but \x00: OpenTSDB's metric of a global annotation. */
bool saltkey__all_zero(struct saltkey_slice s);

/* The salt's bytes for any bucket; returns how many. */
size_t saltkey__prefix_bytes(const struct saltkey_salt *salt, uint64_t bucket, uint8_t *bytes);

/* Whether the salt's formula can leave 0..N-1: rows beyond the last bucket must be looked for too. */
bool saltkey__strays(const struct saltkey_salt *salt);

/* Turns the located fields into the pieces that are hashed, in place; returns how many. */
size_t saltkey__salted_pieces(const struct saltkey_scheme *scheme, struct saltkey_slice *fields);

/* Bucket from the |n| pieces that make the salt's input. */
int saltkey__bucket_of(const struct saltkey_salt *salt, const struct saltkey_slice *pieces,
                       size_t n, uint64_t *bucket);

#endif
