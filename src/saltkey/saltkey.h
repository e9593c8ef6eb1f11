/* SPDX-License-Identifier: Apache-2.0 */
/* libsaltkey: salted row keys for HBase.

   A table whose keys grow with time sends all writes to one region. A deterministic salt in
   front of the key, hash(key) mod N, spreads them over N. This library builds such keys byte
   for byte as the Java writers do, finds them again (scan ranges for each bucket), reads them
   in natural order (an N-way merge that skips the salt) and computes a table's split points.

   A scheme is a layout (the natural key, field by field) and a salt:

       struct saltkey_layout layout;
       struct saltkey_salt salt;
       struct saltkey_scheme scheme;
       uint8_t bytes[64];
       struct saltkey_buf row = {bytes, sizeof(bytes), 0};
       struct saltkey_value v[2] = {saltkey_uint(1700000000000), saltkey_text("dev-000000000007")};

       saltkey_layout_parse("ts:be64 device:fixed(16)", &layout, NULL);
       saltkey_salt_parse("arrays-hash floorMod", 16, &salt, NULL);
       saltkey_scheme_init(&scheme, &layout, &salt, NULL, NULL);
       saltkey_salted(&scheme, v, &row, NULL);

   Errors: functions return 0 or a negative enum saltkey_status; out-parameters come last and
   are untouched on failure (save |err|). Each |err| may be NULL. Nothing is printed, there is
   no global state, no key build allocates. Threads: const objects may be shared, others not. */
#ifndef SALTKEY_H
#define SALTKEY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Version of the library, as text. */
const char *saltkey_version(void);

/* ---- errors, bytes, buffers ---- */

enum saltkey_status {
    SALTKEY_OK = 0,
    SALTKEY_ETEXT = -1,      /* a text (layout, salt, escape, split) can't be read */
    SALTKEY_EKIND = -2,      /* value of the wrong kind for its field */
    SALTKEY_ETOOLONG = -3,   /* value longer than its field */
    SALTKEY_ENEGATIVE = -4,  /* negative value in an unsigned field or a text timestamp */
    SALTKEY_ERANGE = -5,     /* number outside its field's range */
    SALTKEY_EDELIMITER = -6, /* value holds the byte that ends its field */
    SALTKEY_ESPACE = -7,     /* caller's buffer is too small */
    SALTKEY_ENOMEM = -8,     /* the allocator returned NULL */
    SALTKEY_EBUCKETS = -9,   /* N is 0, or more than the salt's width can hold */
    SALTKEY_EFIELD = -10,    /* no such field */
    SALTKEY_EDUPLICATE = -11,/* a split point twice */
    SALTKEY_EEMPTY = -12,    /* an empty split point, or an empty list where one is needed */
    SALTKEY_EORDER = -13,    /* merge input is not sorted */
    SALTKEY_EKEY = -14,      /* a key's bytes don't fit the layout or the salt */
    SALTKEY_EUTF8 = -15,     /* text isn't UTF-8 */
    SALTKEY_EUNSUPPORTED = -16, /* the combination has no meaning (say, ranges of a random salt) */
    SALTKEY_ESOURCE = -17    /* a merge source reported a failure */
};

/* The reason of a failure. |column| counts from 1 in the text that was read; it is the field's
   number (from 1) for values, the byte's (from 1) for keys, the line's for files; 0 if none. */
struct saltkey_error {
    int status;
    size_t column;
    char reason[160];
};

/* A status in words ("buffer too small"); never NULL. */
const char *saltkey_status_text(int status);

/* Bytes owned by someone else. */
struct saltkey_slice {
    const uint8_t *bytes;
    size_t len;
};

/* A caller's buffer: |len| of |cap| bytes are used. Functions that fill one replace its content. */
struct saltkey_buf {
    uint8_t *bytes;
    size_t cap;
    size_t len;
};

/* Bytes.compareTo of HBase: unsigned, shorter first on a common prefix. -1, 0 or 1. */
int saltkey_compare(struct saltkey_slice a, struct saltkey_slice b);

/* Where memory comes from for what isn't a key: |resize| is realloc (size 0 frees and returns
   NULL). A NULL pointer to this struct means realloc and free. */
struct saltkey_allocator {
    void *(*resize)(void *context, void *old, size_t size);
    void *context;
};

/* ---- layout: the natural key, field by field ---- */

#define SALTKEY_FIELDS_MAX 16
#define SALTKEY_NAME_MAX 31

enum saltkey_kind {
    SALTKEY_BE8, SALTKEY_BE16, SALTKEY_BE32, SALTKEY_BE64, /* unsigned, big-endian */
    SALTKEY_I8, SALTKEY_I16, SALTKEY_I32, SALTKEY_I64,     /* big-endian, sign bit flipped */
    SALTKEY_FIXED,  /* fixed(n): text padded on the right with \x00 to n bytes */
    SALTKEY_TEXT,   /* text: as it is; before another field it ends with \x00, which it may not hold */
    SALTKEY_DEC,    /* dec(n): n decimal digits */
    SALTKEY_REVDEC, /* revdec(n): n decimal digits, last digit first */
    SALTKEY_HEX,    /* hex(n): n lower-case hexadecimal digits */
    SALTKEY_RTS,    /* rts: 2^63 - 1 - ts in 8 bytes, newest first */
    SALTKEY_RTS19   /* rts19: the same in 19 decimal digits, ts >= 0 */
};

struct saltkey_field {
    char name[SALTKEY_NAME_MAX + 1];
    enum saltkey_kind kind;
    uint32_t width;       /* bytes in the key; 0 where it varies */
    uint32_t offset;      /* bytes from the natural key's start; valid while fixed_offset */
    bool fixed_offset;    /* all fields before this one have a fixed width */
};

/* A plain value: copy it freely. Read its members, let the functions write them. */
struct saltkey_layout {
    uint32_t n_fields;
    uint32_t width;       /* of the natural key, in bytes; 0 where it varies */
    struct saltkey_field fields[SALTKEY_FIELDS_MAX];
};

/* Reads `name:kind name:kind ...`, kinds as listed above (`be32 be64 i32 i64 fixed(n) text dec(n)
   revdec(n) hex(n) rts rts19`). On failure |err| has the column and why. */
int saltkey_layout_parse(const char *text, struct saltkey_layout *layout, struct saltkey_error *err);

/* Index of a field by name, or SALTKEY_EFIELD. */
int saltkey_layout_find(const struct saltkey_layout *layout, const char *name);

/* Kind's word as a layout line has it ("be64"). */
const char *saltkey_kind_name(enum saltkey_kind kind);

enum saltkey_value_kind { SALTKEY_VALUE_UINT, SALTKEY_VALUE_INT, SALTKEY_VALUE_BYTES };

/* A field's value: a number or borrowed bytes. */
struct saltkey_value {
    enum saltkey_value_kind kind;
    uint64_t number;              /* of an INT: its two's complement */
    struct saltkey_slice bytes;
};

static inline struct saltkey_value saltkey_uint(uint64_t number)
{
    struct saltkey_value v = {SALTKEY_VALUE_UINT, number, {NULL, 0}};
    return v;
}

static inline struct saltkey_value saltkey_int(int64_t number)
{
    struct saltkey_value v = {SALTKEY_VALUE_INT, (uint64_t)number, {NULL, 0}};
    return v;
}

static inline struct saltkey_value saltkey_bytes(const void *bytes, size_t len)
{
    struct saltkey_value v = {SALTKEY_VALUE_BYTES, 0, {(const uint8_t *)bytes, len}};
    return v;
}

static inline struct saltkey_value saltkey_text(const char *text)
{
    return saltkey_bytes(text, strlen(text));
}

/* The natural key of |values| (one for each field, in the layout's order). Fails on a value that
   doesn't fit: too long, negative where unsigned, of the wrong kind, with a delimiter inside. */
int saltkey_natural(const struct saltkey_layout *layout, const struct saltkey_value *values,
                    struct saltkey_buf *key, struct saltkey_error *err);

/* Encodes one field alone, as it stands in the key (with its end mark, if it has one). */
int saltkey_field_encode(const struct saltkey_layout *layout, uint32_t field,
                         const struct saltkey_value *value, struct saltkey_buf *out,
                         struct saltkey_error *err);

/* ---- hash by parts ----

   Java's Arrays.hashCode is linear: h(A then B) = 31^len(B) x h(A) + v(B). A part keeps what a
   byte range adds, so that a hash comes from stored parts without building bytes. */
struct saltkey_part {
    uint32_t value; /* Horner's sum of the signed bytes, begun at 0 */
    uint32_t scale; /* 31^len, mod 2^32 */
};

/* java.util.Arrays.hashCode(byte[]): begun at 1, bytes signed, wraps at 32 bits. */
int32_t saltkey_hash31(const void *bytes, size_t len);

struct saltkey_part saltkey_part_of(const void *bytes, size_t len);

/* The part of A followed by B. */
static inline struct saltkey_part saltkey_part_join(struct saltkey_part a, struct saltkey_part b)
{
    struct saltkey_part p;
    p.value = a.value * b.scale + b.value;
    p.scale = a.scale * b.scale;
    return p;
}

/* Equals saltkey_hash31 of the bytes that the part stands for. */
static inline int32_t saltkey_part_hash(struct saltkey_part p)
{
    return (int32_t)(p.scale + p.value);
}

/* ---- remainder: from a 32-bit hash to a bucket ---- */

enum saltkey_remainder {
    SALTKEY_FLOOR,     /* Math.floorMod(h, N) */
    SALTKEY_ABS,       /* Math.abs(h % N): Phoenix, OpenTSDB */
    SALTKEY_ABS_FIRST, /* Math.abs(h) % N, then a byte: HBaseWD; outside 0..N-1 for MIN_VALUE */
    SALTKEY_UNSIGNED   /* (h & 0xffffffffL) % N */
};

/* Division by a fixed N without a division; exact for every 32-bit hash and N in 1..2^31-1. */
struct saltkey_mod {
    uint32_t n;
    uint32_t magic; /* ceil(2^shift / n) */
    uint32_t half;  /* 2^31 mod n */
    uint8_t shift;
    uint8_t remainder;
};

/* |n| in 1..2^31-1, else SALTKEY_EBUCKETS. */
int saltkey_mod_init(struct saltkey_mod *mod, enum saltkey_remainder remainder, uint32_t n);

/* a mod n for a <= 2^31. With k = shift = 31 + ceil(log2 n) and e = magic x n - 2^k <= n - 1,
   a x e < 2^k, so that the quotient is exact. */
static inline uint32_t saltkey_mod_small(const struct saltkey_mod *mod, uint32_t a)
{
    uint32_t q = (uint32_t)(((uint64_t)a * mod->magic) >> mod->shift);
    return a - q * mod->n;
}

static inline uint32_t saltkey_mod_floor(const struct saltkey_mod *mod, int32_t hash)
{
    uint32_t sign = 0U - ((uint32_t)hash >> 31);
    uint32_t r = saltkey_mod_small(mod, (uint32_t)hash ^ sign);
    return (r ^ sign) + (mod->n & sign);
}

static inline uint32_t saltkey_mod_abs(const struct saltkey_mod *mod, int32_t hash)
{
    uint32_t sign = 0U - ((uint32_t)hash >> 31);
    return saltkey_mod_small(mod, ((uint32_t)hash ^ sign) - sign);
}

static inline uint32_t saltkey_mod_unsigned(const struct saltkey_mod *mod, int32_t hash)
{
    uint32_t r = saltkey_mod_small(mod, (uint32_t)hash & 0x7fffffffU);
    r += mod->half & (0U - ((uint32_t)hash >> 31));
    return r - (mod->n & (0U - (uint32_t)(r >= mod->n)));
}

/* The bucket of a hash. For SALTKEY_ABS_FIRST and MIN_VALUE the byte that HBaseWD writes. */
static inline uint32_t saltkey_mod_bucket(const struct saltkey_mod *mod, int32_t hash)
{
    switch (mod->remainder) {
    case SALTKEY_FLOOR:
        return saltkey_mod_floor(mod, hash);
    case SALTKEY_UNSIGNED:
        return saltkey_mod_unsigned(mod, hash);
    case SALTKEY_ABS_FIRST:
        if (hash == INT32_MIN)
            return (0U - mod->half) & 0xffU;
        return saltkey_mod_abs(mod, hash);
    default:
        return saltkey_mod_abs(mod, hash);
    }
}

/* ---- salt ---- */

enum saltkey_hash {
    SALTKEY_HASH_NONE,   /* unsalted */
    SALTKEY_HASH_ARRAYS, /* java.util.Arrays.hashCode(byte[]) */
    SALTKEY_HASH_MD5     /* first hexadecimal digits of md5 */
};

enum saltkey_prefix {
    SALTKEY_PREFIX_NONE,
    SALTKEY_PREFIX_BYTES, /* |width| bytes, big-endian */
    SALTKEY_PREFIX_HEX    /* |width| - 1 lower-case hexadecimal digits and '_' */
};

/* A plain value: copy it freely. */
struct saltkey_salt {
    enum saltkey_hash hash;
    enum saltkey_prefix prefix;
    uint32_t width;         /* bytes in front of the natural key; 0 if unsalted */
    uint64_t buckets;       /* N; 1 if unsalted, 16^digits for md5hex */
    struct saltkey_mod mod;
};

/* Reads `none`, `arrays-hash floorMod`, `phoenix`, `md5hex 4`. |buckets| is N: 1..256 for a byte
   salt; not looked at for `none` and `md5hex`. */
int saltkey_salt_parse(const char *text, uint32_t buckets, struct saltkey_salt *salt,
                       struct saltkey_error *err);

/* A layout with its salt and what the salt is computed over. A plain value. */
struct saltkey_scheme {
    struct saltkey_layout layout;
    struct saltkey_salt salt;
    uint32_t over;       /* one bit a field whose bytes are hashed, in the key's order */
    uint32_t hash_base;  /* see saltkey_hash_share */
};

/* |over| is NULL or "key" for the whole natural key, else names of fields, parted by blanks. */
int saltkey_scheme_init(struct saltkey_scheme *scheme, const struct saltkey_layout *layout,
                        const struct saltkey_salt *salt, const char *over,
                        struct saltkey_error *err);

/* The stored row: the salt's bytes, then the natural key. */
int saltkey_salted(const struct saltkey_scheme *scheme, const struct saltkey_value *values,
                   struct saltkey_buf *row, struct saltkey_error *err);

/* Bucket, 0..N-1, of an existing natural key (for md5hex the number that its digits make). Fails
   with SALTKEY_EKEY where the salt is over a field and the key doesn't hold it. */
int saltkey_bucket(const struct saltkey_scheme *scheme, struct saltkey_slice natural,
                   uint64_t *bucket);

/* Salts an existing natural key. */
int saltkey_salt_natural(const struct saltkey_scheme *scheme, struct saltkey_slice natural,
                         struct saltkey_buf *row);

/* The bucket that a stored row says it is in (read from its prefix, not recomputed). */
int saltkey_row_bucket(const struct saltkey_scheme *scheme, struct saltkey_slice row,
                       uint64_t *bucket);

/* The salt's bytes for a bucket; the buffer needs salt.width bytes. */
int saltkey_salt_prefix(const struct saltkey_salt *salt, uint64_t bucket, struct saltkey_buf *out);

/* A field's share of the hash, for a fixed-width layout under arrays-hash:

       hash = hash_base + the sum of the shares of all fields (mod 2^32)
       bucket = saltkey_mod_bucket(&scheme->salt.mod, (int32_t)hash)

   so a simulator keeps one share for each entity and one for each time stamp. A field outside
   salt_over has the share 0. SALTKEY_EUNSUPPORTED for other hashes or a varying width. */
int saltkey_hash_share(const struct saltkey_scheme *scheme, uint32_t field,
                       const struct saltkey_value *value, uint32_t *share,
                       struct saltkey_error *err);

/* True where saltkey_hash_share works. */
bool saltkey_has_shares(const struct saltkey_scheme *scheme);

/* The hot path: two shares to a bucket. */
static inline uint32_t saltkey_shares_bucket(const struct saltkey_scheme *scheme, uint32_t a,
                                             uint32_t b)
{
    return saltkey_mod_bucket(&scheme->salt.mod, (int32_t)(scheme->hash_base + a + b));
}

/* ---- lists of keys and split points ---- */

/* A growing list of keys, owned. Once finished (sorted), don't add. Init with saltkey_keys_init, end with saltkey_keys_free. */
struct saltkey_keys {
    size_t count;
    struct saltkey_slice *at;  /* at[0..count-1]; valid until the list changes */
    uint8_t *store;
    size_t store_len, store_cap, at_cap;
    const struct saltkey_allocator *allocator;
};

void saltkey_keys_init(struct saltkey_keys *keys, const struct saltkey_allocator *allocator);
int saltkey_keys_add(struct saltkey_keys *keys, struct saltkey_slice key);
void saltkey_keys_free(struct saltkey_keys *keys);

/* Sorts; fails on a duplicate or an empty key, as HBase's createTable does. */
int saltkey_keys_finish(struct saltkey_keys *keys, struct saltkey_error *err);

/* All saltkey_split_* append to nothing: the list is emptied first, then holds the split points,
   sorted and unique: regions - 1 of them. On failure it is empty. */

/* Where each bucket begins: N - 1 points; with |ranges| > 1 each bucket is cut into as many equal
   ranges of the natural key's first two bytes: N x ranges - 1 points. Text salts in their text. */
int saltkey_split_buckets(const struct saltkey_salt *salt, uint32_t ranges,
                          struct saltkey_keys *keys, struct saltkey_error *err);

/* RegionSplitter's HexStringSplit (8 lower-case digits), DecimalStringSplit, UniformSplit. */
int saltkey_split_hex_string(uint32_t regions, struct saltkey_keys *keys, struct saltkey_error *err);
int saltkey_split_decimal_string(uint32_t regions, struct saltkey_keys *keys, struct saltkey_error *err);
int saltkey_split_uniform(uint32_t regions, struct saltkey_keys *keys, struct saltkey_error *err);

/* |regions| equal ranges over text that begins with |digits| hexadecimal digits: what fits
   `md5hex`. Points are as short as tells them apart, at most |digits| digits. */
int saltkey_split_hex_prefix(uint32_t regions, uint32_t digits, struct saltkey_keys *keys,
                             struct saltkey_error *err);

/* Points in HBase's escape notation, parted by commas (a comma inside is \x2C). */
int saltkey_split_list(const char *text, struct saltkey_keys *keys, struct saltkey_error *err);

/* The content of a SPLITS_FILE as the HBase shell reads it: a point a line, escape notation,
   line ends cut. |err| has the line. |strict| refuses escapes that HBase reads otherwise than meant
   (see saltkey_to_bytes_binary_strict). */
int saltkey_split_file(struct saltkey_slice content, bool strict, struct saltkey_keys *keys,
                       struct saltkey_error *err);

/* A scenario's line: `none`, `buckets`, `buckets x R`, `HexStringSplit R`, `DecimalStringSplit R`,
   `UniformSplit R`, `md5hex R` (hex prefix of the salt's digits), `keys A,B`. A `file` is the
   caller's to read. */
int saltkey_split_parse(const char *text, const struct saltkey_salt *salt,
                        struct saltkey_keys *keys, struct saltkey_error *err);

/* Region (0 .. count) that a row falls into: the number of split points <= row. */
size_t saltkey_split_region(const struct saltkey_keys *splits, struct saltkey_slice row);

/* ---- scan ranges ---- */

/* What is asked: some fields equal a value, at most one lies in [from, to). */
struct saltkey_query {
    const struct saltkey_value *equal; /* one for each field; looked at where the bit is set */
    uint32_t equal_fields;             /* one bit a field */
    int range_field;                   /* index, or -1 */
    const struct saltkey_value *from;  /* NULL: open */
    const struct saltkey_value *to;    /* NULL: open */
};

/* What must be scanned for it: one interval of the natural key in some buckets. The caller gives
   the two buffers; an empty |stop| with |empty| false means to the end. */
struct saltkey_window {
    struct saltkey_buf start, stop;
    bool empty;            /* nothing can match: no scan */
    bool filtered;         /* a condition isn't a prefix of the key: rows must be filtered */
    bool one_bucket;       /* equality fixes the salt's input */
    uint64_t bucket;       /* where one_bucket */
    uint64_t scans;        /* buckets to scan: 0, 1 or N */
};

/* Equality on the leading fields and a range on the next one narrow the window; what comes after
   is left to a filter. [from, to) holds for reversed time stamps too (their bounds are turned
   round with the ends' inclusion kept). */
int saltkey_window_query(const struct saltkey_scheme *scheme, const struct saltkey_query *query,
                         struct saltkey_window *window, struct saltkey_error *err);

/* [from, to) on the leading field; NULL is open. */
int saltkey_window_leading(const struct saltkey_scheme *scheme, const struct saltkey_value *from,
                           const struct saltkey_value *to, struct saltkey_window *window,
                           struct saltkey_error *err);

/* All natural keys that begin with |prefix|; an empty prefix is the whole table. */
int saltkey_window_prefix(const struct saltkey_scheme *scheme, struct saltkey_slice prefix,
                          struct saltkey_window *window);

/* All natural keys in [start, stop); an empty stop is the end. */
int saltkey_window_keys(const struct saltkey_scheme *scheme, struct saltkey_slice start,
                        struct saltkey_slice stop, struct saltkey_window *window);

/* One scan: rows in [start, stop); an empty stop means the end of the table. */
struct saltkey_range {
    struct saltkey_buf start, stop; /* the caller's buffers */
    bool empty;                     /* no row can lie in it: don't scan */
};

/* Scan |i| (0 .. window->scans - 1) of a window, in bucket order. */
int saltkey_window_range(const struct saltkey_scheme *scheme, const struct saltkey_window *window,
                         uint64_t i, struct saltkey_range *range);

/* Scan.setRowPrefixFilter's stop: trailing ff bytes are dropped, the last byte grows by one; an
   empty result means the end of the table. The buffer needs prefix.len bytes. */
int saltkey_prefix_stop(struct saltkey_slice prefix, struct saltkey_buf *stop);

/* ---- merge: N sorted streams to natural-key order ---- */

struct saltkey_row {
    struct saltkey_slice key; /* the stored row, salt included */
    void *user;               /* whatever the source hangs on it */
};

/* A sorted stream. |pull| writes up to |max| rows and returns how many, 0 at the end, or a
   negative number of its own on failure. Rows stay valid until the next pull of this source. */
struct saltkey_source {
    int (*pull)(void *context, struct saltkey_row *rows, size_t max);
    void *context;
};

/* Zero means the default throughout. */
struct saltkey_merge_options {
    size_t skip;        /* salt's bytes in front of each row, not compared */
    bool skip_through;  /* instead: compare what follows the first |delimiter| of a row */
    uint8_t delimiter;
    uint64_t limit;     /* rows to hand out at most; 0: all */
    uint64_t offset;    /* rows to leave out first */
    size_t batch;       /* rows to pull at a time; 0: 64; 1: serial */
    bool reverse;       /* streams descend, output descends */
    const struct saltkey_allocator *allocator;
};

struct saltkey_merge;

/* Opens a merge of |n| sources (copied; their contexts stay the caller's). Ties between streams go
   to the lowest index: give them in bucket order. Free with saltkey_merge_close. */
int saltkey_merge_open(const struct saltkey_source *sources, size_t n,
                       const struct saltkey_merge_options *options, struct saltkey_merge **merge);

/* Next row in natural-key order and its stream: 1, 0 at the end, or negative: SALTKEY_EORDER for
   an unsorted stream, SALTKEY_ESOURCE; saltkey_merge_error tells which stream and row. The row is
   valid until the next call. A failed merge stays failed. */
int saltkey_merge_next(struct saltkey_merge *merge, struct saltkey_row *row, size_t *source);

/* Why the merge failed: |source| (from 0) and the row's number in it (from 1). */
void saltkey_merge_error(const struct saltkey_merge *merge, size_t *source, uint64_t *row);

/* Comparisons of two rows so far. */
uint64_t saltkey_merge_comparisons(const struct saltkey_merge *merge);

void saltkey_merge_close(struct saltkey_merge *merge);

/* ---- HBase's escape notation ---- */

/* Bytes.toStringBinary: printable ASCII save the backslash as it is, the rest \xHH in upper case.
   Writes at most |cap| - 1 characters and a \0; returns the length of the whole text. */
size_t saltkey_to_string_binary(struct saltkey_slice bytes, char *text, size_t cap);

/* Bytes.toBytesBinary: \xHH with upper-case digits is a byte. HBase drops the backslash of any
   other \x and keeps what follows; a cut \x at the end throws there and fails here. Characters
   beyond ASCII give the low byte of each UTF-16 unit. */
int saltkey_to_bytes_binary(struct saltkey_slice text, struct saltkey_buf *bytes,
                            struct saltkey_error *err);

/* The same, but what HBase reads otherwise than its writer meant fails with its column: lower-case
   digits, a backslash that begins no escape, characters beyond ASCII. */
int saltkey_to_bytes_binary_strict(struct saltkey_slice text, struct saltkey_buf *bytes,
                                   struct saltkey_error *err);

#ifdef __cplusplus
}
#endif
#endif
