/* SPDX-License-Identifier: Apache-2.0 */
/* libsaltkey: salted row keys for HBase. This header is the library's manual.

   PURPOSE
   A table whose keys grow with time sends all writes to one region. A deterministic salt in front
   of the key, hash(key) mod N, spreads them over N. The library builds such keys byte for byte as
   the Java writers do (plain HBase, Phoenix, OpenTSDB, HBaseWD, home-made), takes them apart again,
   gives the scan ranges of each bucket and a table's split points, and merges N sorted streams to
   natural order with the salt skipped.

   A *layout* is the natural key field by field, a *salt* says what goes in front of it, a *scheme*
   is both. All three are plain values; keep their texts and N beside the table.

   EXAMPLE: write a row, then read five minutes of the table back in time order

       struct saltkey_layout layout;
       struct saltkey_salt salt;
       struct saltkey_scheme scheme;
       uint8_t b[5][64];
       struct saltkey_buf row = {b[0], 64, 0};
       struct saltkey_window w = {{b[1], 64, 0}, {b[2], 64, 0}, false, false, false, 0, 0};
       struct saltkey_range scan = {{b[3], 64, 0}, {b[4], 64, 0}, false};
       struct saltkey_value v[2] = {saltkey_uint(1700000000000), saltkey_text("dev-000000000007")};
       struct saltkey_value from = saltkey_uint(1700000000000), to = saltkey_uint(1700000300000);
       struct saltkey_error err;

       if (saltkey_layout_parse("ts:be64 device:fixed(16)", &layout, &err) < 0 ||
           saltkey_salt_parse("arrays-hash floorMod", 16, &salt, &err) < 0 ||
           saltkey_scheme_init(&scheme, &layout, &salt, NULL, &err) < 0 ||
           saltkey_salted(&scheme, v, &row, &err) < 0 ||        // row: 25 bytes, ready for a Put
           saltkey_window_leading(&scheme, &from, &to, &w, &err) < 0)
           return complain(err.reason);
       for (uint64_t i = 0; i < w.scans && saltkey_window_range(&scheme, &w, i, &scan) == 0; i++)
           open_scanner(i, scan.start, scan.stop);              // [start, stop), one each bucket
       // then saltkey_merge_open over the scanners with skip = salt.width, saltkey_merge_next

   CONVENTIONS
   Errors: functions return 0 or a negative enum saltkey_status (some a count, or 1 and 0 as said);
   out-parameters come last and are untouched on failure, save |err| and the bytes inside a caller's
   buffer. Each |err| may be NULL. Lengths are in bytes, times in milliseconds unless said otherwise.
   Ownership: slices point into what the caller gave; buffers and plain structs are the caller's;
   only saltkey_keys and saltkey_merge own memory, from the caller's allocator.
   Threads: no global state, so any number of threads may use the library; one object must not be
   changed by one thread while another uses it. Nothing is printed, no locale is looked at, nothing
   is drawn at random. Building a key, its bucket or a range allocates nothing.

   CAVEATS
   - Hash and remainder belong together: floorMod and abs differ for about half of all keys, and
     nothing in HBase notices a wrong salt. saltkey_schemes_agree compares writer and reader.
   - N is for ever: 16 to 20 moves four rows of five. Multiples are mildest: 16 to 32 splits each
     bucket in two.
   - A salt over the whole key spreads one device's history over N buckets; a salt over the device
     keeps it together, and a hot device then stays one hot region.
   - Java's hash with N a multiple of 31 sees little more than the last byte; with 64, 128 or 256 over
     text it is uneven (saltkey_scheme_warning).
   - be8 ... be64 don't sort negative numbers (they refuse them): use i8 ... i64 or rts.
   - text isn't checked to be UTF-8 (Phoenix's CHAR to be ASCII is); fixed(n) can't tell padding from
     a value that ends in \x00: use bytes(n).
   - An empty stop row means the end of the table, never "nothing": look at |empty|.
   - A query whose conditions aren't a prefix of the key is |filtered|: the scans read more than match.
     So is a range on a field whose bytes don't sort as its values: num, revdec, revtext, revlabels,
     ob-blob, text with a mark other than \x00 or an escape, a last text that is DESC ("a" still comes
     before "ab"); and equality on a marked rawtext, whose mark may stand in other rows' text.
   - Rows that HBaseWD's formulas put outside 0..N-1 lie in no bounded range, as with HBaseWD itself.
   - Phoenix 5.2.1 itself loses the last bucket of some ranges (PHOENIX-7580); ranges here don't.
   - Struct members may be added with a new soname: set structs up by name or by memset. */
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
    SALTKEY_ESOURCE = -17,   /* a merge source reported a failure */
    SALTKEY_ENULL = -18      /* null where a value is needed */
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
#define SALTKEY_OVER_MAX 1024 /* bytes of a salt's input made of parts, for hashes that can't join */

enum saltkey_kind {
    SALTKEY_BE8, SALTKEY_BE16, SALTKEY_BE24, SALTKEY_BE32, SALTKEY_BE64, /* unsigned, big-endian */
    SALTKEY_I8, SALTKEY_I16, SALTKEY_I32, SALTKEY_I64, /* big-endian, sign bit flipped */
    SALTKEY_FIXED,     /* fixed(n): text padded on the right with \x00 to n bytes */
    SALTKEY_BYTES,     /* bytes(n): exactly n bytes */
    SALTKEY_TEXT,      /* text: as it is */
    SALTKEY_RAWTEXT,   /* text whose end mark is not looked for inside: rows that exist already */
    SALTKEY_NUM,       /* num, num(n): a number as Java's %d, %0nd print it; not in order */
    SALTKEY_DEC,       /* dec(n): n decimal digits */
    SALTKEY_REVDEC,    /* revdec(n): n decimal digits, last digit first */
    SALTKEY_HEX,       /* hex(n): n lower-case hexadecimal digits */
    SALTKEY_RTS,       /* rts: 2^63 - 1 - ts in 8 bytes, newest first */
    SALTKEY_RTS19,     /* rts19: the same in 19 decimal digits, ts >= 0 */
    SALTKEY_REVTEXT,   /* UTF-8 with its code points reversed (moc.elgoog.www) */
    SALTKEY_REVLABELS, /* the labels between dots reversed (com.google.www) */
    SALTKEY_UUID,      /* 16 bytes, given as such or as 36 characters */
    SALTKEY_OB_I8, SALTKEY_OB_I16, SALTKEY_OB_I32, SALTKEY_OB_I64, SALTKEY_OB_F64,
    SALTKEY_OB_TEXT, SALTKEY_OB_BLOB /* HBase's OrderedBytes: ob-i8 ... ob-f64 ob-text ob-blob */
};

struct saltkey_field {
    char name[SALTKEY_NAME_MAX + 1];
    enum saltkey_kind kind;
    uint32_t width;     /* bytes in the key without the mark; 0 where it varies */
    uint32_t offset;    /* bytes from the natural key's start; valid while fixed_offset */
    bool fixed_offset;  /* all fields before this one have a fixed width */
    bool desc;          /* bytes inverted, mark included: sorts downward */
    bool marked;        /* a byte follows that ends the field */
    bool escaped;       /* mark and escape inside the text are escaped instead of refused */
    uint8_t mark, escape; /* the mark as it stands in the key */
    uint8_t digits;     /* of num(n): the least width, sign included */
};

/* A plain value: copy it freely. Read its members, let the functions write them. */
struct saltkey_layout {
    uint32_t n_fields;
    uint32_t width;       /* of the natural key, in bytes; 0 where it varies */
    struct saltkey_field fields[SALTKEY_FIELDS_MAX];
};

/* Reads `name:kind[:desc][+M[~E]] ...`, the kinds' words being those above in lower case. M is the
   field's end mark, a character or \xHH; text before another field has \x00 unless told
   otherwise. E escapes M and itself inside the text. A first word `salt` says where the salt goes
   and is left out. On failure |err| has the column and why. */
int saltkey_layout_parse(const char *text, struct saltkey_layout *layout, struct saltkey_error *err);

/* Index of a field by name, or SALTKEY_EFIELD. */
int saltkey_layout_find(const struct saltkey_layout *layout, const char *name);

/* Kind's word as a layout line has it ("be64"). */
const char *saltkey_kind_name(enum saltkey_kind kind);

enum saltkey_value_kind {
    SALTKEY_VALUE_UINT, SALTKEY_VALUE_INT, SALTKEY_VALUE_REAL, SALTKEY_VALUE_BYTES, SALTKEY_VALUE_NULL
};

/* A field's value: a number or borrowed bytes. NULL is for Phoenix only. */
struct saltkey_value {
    enum saltkey_value_kind kind;
    uint64_t number;              /* of an INT its two's complement, of a REAL its IEEE bits */
    struct saltkey_slice bytes;
    uint32_t nanos;               /* of the second; for Phoenix's TIMESTAMP only */
};

static inline struct saltkey_value saltkey_uint(uint64_t number)
{
    struct saltkey_value v = {SALTKEY_VALUE_UINT, number, {NULL, 0}, 0};
    return v;
}

static inline struct saltkey_value saltkey_int(int64_t number)
{
    struct saltkey_value v = {SALTKEY_VALUE_INT, (uint64_t)number, {NULL, 0}, 0};
    return v;
}

static inline struct saltkey_value saltkey_real(double number)
{
    struct saltkey_value v = {SALTKEY_VALUE_REAL, 0, {NULL, 0}, 0};
    memcpy(&v.number, &number, sizeof(number));
    return v;
}

static inline struct saltkey_value saltkey_bytes(const void *bytes, size_t len)
{
    struct saltkey_value v = {SALTKEY_VALUE_BYTES, 0, {(const uint8_t *)bytes, len}, 0};
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

/* The way back: one value for each field. Numbers that may be negative come as INT, others as UINT,
   text as bytes inside |natural| or, where it stands changed in the key, inside |scratch|
   (2 x natural.len bytes suffice). Padding \x00 of a fixed(n) is cut. SALTKEY_EKEY, with the byte's
   number from 1 in |err|, where the key doesn't fit. */
int saltkey_natural_parse(const struct saltkey_layout *layout, struct saltkey_slice natural,
                          struct saltkey_value *values, struct saltkey_buf *scratch,
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
    SALTKEY_UNSIGNED,  /* (h & 0xffffffffL) % N */
    SALTKEY_TRUNCATED  /* (byte) (h % N): HBaseWD of September 2011; 256 - r for a negative hash */
};

/* Division by a fixed N without a division; exact for every 32-bit hash and N in 1..2^31-1. */
struct saltkey_mod {
    uint32_t n;
    uint32_t magic; /* ceil(2^shift / n) */
    uint32_t half;  /* 2^31 mod n */
    uint8_t shift;
    uint8_t remainder;
};

/* |n| in 1..2^31-1, else SALTKEY_EBUCKETS; a remainder of the list above, else SALTKEY_EUNSUPPORTED. */
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
    case SALTKEY_TRUNCATED:
        return hash < 0 ? (0U - saltkey_mod_abs(mod, hash)) & 0xffU : saltkey_mod_abs(mod, hash);
    default:
        return saltkey_mod_abs(mod, hash);
    }
}

/* ---- salt ---- */

enum saltkey_hash {
    SALTKEY_HASH_NONE,     /* unsalted */
    SALTKEY_HASH_ARRAYS,   /* arrays-hash: java.util.Arrays.hashCode(byte[]) */
    SALTKEY_HASH_STRING,   /* string-hash: String.hashCode of the UTF-8's UTF-16 units */
    SALTKEY_HASH_MURMUR3,  /* murmur3 (x86, 32 bits); HBase's seed is -1 */
    SALTKEY_HASH_MURMUR,   /* murmur: HBase's MurmurHash 2, whose tail bytes are signed */
    SALTKEY_HASH_MURMUR2,  /* murmur2: the published one */
    SALTKEY_HASH_JENKINS,  /* jenkins: lookup3 */
    SALTKEY_HASH_CRC32, SALTKEY_HASH_CRC32C,
    SALTKEY_HASH_MD5, SALTKEY_HASH_SHA256,       /* the digest's first 4 bytes, big-endian */
    SALTKEY_HASH_MD5HEX, SALTKEY_HASH_SHA256HEX, /* its first hexadecimal digits are the bucket */
    SALTKEY_HASH_XXH32, SALTKEY_HASH_XXH64, SALTKEY_HASH_XXH3, /* the last two, and fold, have 64 bits */
    SALTKEY_HASH_FOLD,     /* fold: the last 8 bytes as a long (HBaseWD of September 2011) */
    SALTKEY_HASH_GIVEN     /* random, roundrobin: the writer chooses, a reader can't know */
};

/* Hash of |bytes|. 32-bit hashes come sign-extended, as Java's int. SALTKEY_EUTF8 for string-hash
   over what isn't UTF-8; the seed counts for murmurs, jenkins and xxh, and is SALTKEY_ERANGE where it
   has more than the 32 bits that all but xxh64 and xxh3 take. */
int saltkey_hash_of(enum saltkey_hash hash, int64_t seed, struct saltkey_slice bytes, int64_t *value);

enum saltkey_prefix {
    SALTKEY_PREFIX_NONE,
    SALTKEY_PREFIX_BYTES, /* |width| bytes, big-endian */
    SALTKEY_PREFIX_HEX,   /* |width| - 1 lower-case hexadecimal digits and '_' */
    SALTKEY_PREFIX_DEC    /* |width| - 1 decimal digits and '_' */
};

/* A plain value: copy it freely. */
struct saltkey_salt {
    enum saltkey_hash hash;
    enum saltkey_prefix prefix;
    uint32_t width;         /* bytes in front of the natural key; 0 if unsalted */
    bool loose;             /* text prefix may grow beyond |width|, as %02x does: old rows only */
    bool zero_unsalted;     /* OpenTSDB: where the first hashed field is all \x00 the bucket is 0 */
    uint64_t buckets;       /* N; 1 if unsalted, 16^digits for md5hex */
    int64_t seed;
    struct saltkey_mod mod;
};

/* Reads a salt's text. By name: `none`, `phoenix`, `hbasewd`, `hbasewd-2011`, `opentsdb [W]`,
   `text02x [loose]`, `text04d [loose]`, `md5hex D`, `sha256hex D`, `random`, `roundrobin`; or in full
   `HASH REMAINDER [seed S] [bytes W | hex W | dec W [loose]]` with a hash of the list above and
   floorMod, abs, absFirst, unsigned or truncated; one salt byte unless said otherwise. |buckets| is
   N, 1..256 for a byte, more for wider prefixes; not looked at for `none`, `md5hex`, `sha256hex`.
   OpenTSDB's W is 1 to 8, but from 5 on it holds only what W - 4 bytes do; its rows of a metric that is
   all \x00 (global annotations) aren't salted: bucket 0 where the salt's first field is so. murmurs,
   jenkins and xxh32 take a seed of 32 bits: -2147483648 to 4294967295. */
int saltkey_salt_parse(const char *text, uint32_t buckets, struct saltkey_salt *salt,
                       struct saltkey_error *err);

/* A layout with its salt and what the salt is computed over. A plain value. */
struct saltkey_scheme {
    struct saltkey_layout layout;
    struct saltkey_salt salt;
    uint32_t over;       /* one bit a field whose bytes are hashed, in the key's order */
    uint32_t over_marks; /* one bit a field whose end mark is hashed with it */
    uint32_t hash_base;  /* see saltkey_hash_share */
};

/* |over| is NULL or "key" for the whole natural key, else names of fields, parted by blanks; their
   bytes are hashed without end marks, save between A and B of `A..B`. */
int saltkey_scheme_init(struct saltkey_scheme *scheme, const struct saltkey_layout *layout,
                        const struct saltkey_salt *salt, const char *over,
                        struct saltkey_error *err);

/* A whole scheme by name; the names by index, NULL after the last: telemetry, telemetry-by-device,
   text02x, bucket04d, md5-4hex, timeseries, iot, message, user-activity, opentsdb, hbasewd,
   hbasewd-2011. (Phoenix's typed keys have functions of their own, below.) */
int saltkey_preset(const char *name, uint32_t buckets, struct saltkey_scheme *scheme,
                   struct saltkey_error *err);
const char *saltkey_preset_name(size_t i);

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

/* The row of a writer that chooses the bucket itself (random, roundrobin: a reader then has to look
   in all of them, so this is the warning example). SALTKEY_EUNSUPPORTED for other salts. */
int saltkey_salted_as(const struct saltkey_scheme *scheme, uint64_t bucket,
                      const struct saltkey_value *values, struct saltkey_buf *row,
                      struct saltkey_error *err);

/* Bytes of a stored row's salt; SALTKEY_EKEY where it has none that fits. */
int saltkey_row_skip(const struct saltkey_scheme *scheme, struct saltkey_slice row, size_t *skip);

/* The bucket that a stored row says it is in (read from its prefix, not recomputed). */
int saltkey_row_bucket(const struct saltkey_scheme *scheme, struct saltkey_slice row,
                       uint64_t *bucket);

/* The salt's bytes for a bucket; the buffer needs salt.width bytes, up to 11 for a loose one. */
int saltkey_salt_prefix(const struct saltkey_salt *salt, uint64_t bucket, struct saltkey_buf *out);

/* A field's share of the hash, for a fixed-width layout under arrays-hash:

       hash = hash_base + the sum of the shares of all fields (mod 2^32)
       bucket = saltkey_mod_bucket(&scheme->salt.mod, (int32_t)hash)

   so a simulator keeps one share for each entity and one for each time stamp. A field outside
   salt_over has the share 0. SALTKEY_EUNSUPPORTED for other hashes or a varying width. */
int saltkey_hash_share(const struct saltkey_scheme *scheme, uint32_t field,
                       const struct saltkey_value *value, uint32_t *share,
                       struct saltkey_error *err);

/* True where saltkey_hash_share works (not for OpenTSDB's salt: its zero metric is no sum). */
bool saltkey_has_shares(const struct saltkey_scheme *scheme);

/* The hot path: two shares to a bucket. */
static inline uint32_t saltkey_shares_bucket(const struct saltkey_scheme *scheme, uint32_t a,
                                             uint32_t b)
{
    return saltkey_mod_bucket(&scheme->salt.mod, (int32_t)(scheme->hash_base + a + b));
}

/* |n| keys of |len| bytes, |stride| bytes apart (stride >= len). */
struct saltkey_batch {
    const uint8_t *bytes;
    size_t stride, len, n;
};

/* Hashes and buckets of many keys: the same as one by one, eight at a time where the processor
   can. For SALTKEY_ABS_FIRST and _TRUNCATED as for SALTKEY_ABS: stray buckets aren't given here. */
void saltkey_hash31_batch(const struct saltkey_batch *keys, int32_t *hashes);
void saltkey_mod_batch(const struct saltkey_mod *mod, const int32_t *hashes, size_t n, uint32_t *buckets);

/* Keys in each bucket for every N from 1 to 256, in one pass: counts[saltkey_counts_at(N, bucket)]
   grows (none for a remainder that isn't in the list). Takes 0.3 MB of stack. */
#define SALTKEY_COUNTS (256 * 257 / 2)
static inline size_t saltkey_counts_at(uint32_t n, uint32_t bucket)
{
    return (size_t)n * (n - 1) / 2 + bucket;
}
void saltkey_count_buckets(enum saltkey_remainder remainder, const int32_t *hashes, size_t n,
                           uint64_t *counts);

/* A stored row in words, a line a field: the salt (and whether the key gives the same), then each
   field's name, kind and value. SALTKEY_EKEY with the byte's number where it doesn't fit. */
int saltkey_explain(const struct saltkey_scheme *scheme, struct saltkey_slice row, char *text,
                    size_t cap, struct saltkey_error *err);

/* What is known to be bad about a scheme, one sentence each: i = 0, 1, ...; NULL after the last. */
const char *saltkey_scheme_warning(const struct saltkey_scheme *scheme, size_t i);

/* 0 where two schemes build the same rows, else why they don't. Fields' names don't count. */
int saltkey_schemes_agree(const struct saltkey_scheme *writer, const struct saltkey_scheme *reader,
                          struct saltkey_error *err);

/* OpenTSDB's row as it builds it from a point, for every width (5 to 8 repeat the low bytes there) and
   N; a global annotation (all-zero metric) isn't salted. saltkey_salt_parse takes only what keeps
   buckets apart and in order: widths to 8 and as many buckets as 1 to 4 bytes tell apart, from width 5
   on as many as width - 4 do. */
struct saltkey_opentsdb { uint32_t width, buckets; };
struct saltkey_opentsdb_point {
    struct saltkey_slice metric, tags; /* UIDs; tags sorted: key, value, key, value ... */
    int64_t time;                      /* seconds or milliseconds, as OpenTSDB tells them apart */
};
int saltkey_opentsdb_row(const struct saltkey_opentsdb *config,
                         const struct saltkey_opentsdb_point *point, struct saltkey_buf *row);

/* Tables named base_yyyyMM: the month of |today| (yyyymmdd) less a retention, below which a month
   is wholly older (SALTKEY_ERANGE where |today| is no day of the years 1 to 9999, or the retention goes
   back before them); and a table's month, SALTKEY_ETEXT unless its name is exactly of that form. */
int saltkey_month_cutoff(uint32_t today, uint32_t retention_days, uint32_t *yyyymm);
int saltkey_month_of_table(const char *table, const char *base, uint32_t *yyyymm);

struct saltkey_keys; /* see lists of keys below */

/* ---- Phoenix: the row key of a typed primary key ---- */

enum saltkey_phoenix_type {
    SALTKEY_PHOENIX_VARCHAR, SALTKEY_PHOENIX_CHAR, SALTKEY_PHOENIX_VARBINARY, SALTKEY_PHOENIX_BINARY,
    SALTKEY_PHOENIX_DECIMAL, SALTKEY_PHOENIX_BIGINT, SALTKEY_PHOENIX_INTEGER, SALTKEY_PHOENIX_SMALLINT,
    SALTKEY_PHOENIX_TINYINT, SALTKEY_PHOENIX_UNSIGNED_LONG, SALTKEY_PHOENIX_UNSIGNED_INT,
    SALTKEY_PHOENIX_UNSIGNED_DATE, SALTKEY_PHOENIX_DATE, SALTKEY_PHOENIX_TIME, SALTKEY_PHOENIX_TIMESTAMP,
    SALTKEY_PHOENIX_BOOLEAN, SALTKEY_PHOENIX_FLOAT, SALTKEY_PHOENIX_DOUBLE,
    SALTKEY_PHOENIX_UNSIGNED_SMALLINT, SALTKEY_PHOENIX_UNSIGNED_TINYINT, SALTKEY_PHOENIX_UNSIGNED_TIME,
    SALTKEY_PHOENIX_UNSIGNED_TIMESTAMP, SALTKEY_PHOENIX_UNSIGNED_FLOAT, SALTKEY_PHOENIX_UNSIGNED_DOUBLE
};

/* Phoenix's name of a type ("UNSIGNED_LONG"). */
const char *saltkey_phoenix_type_name(enum saltkey_phoenix_type type);

struct saltkey_phoenix_column {
    enum saltkey_phoenix_type type;
    uint32_t width; /* bytes; 0 where it varies */
    bool not_null, desc, row_timestamp;
    uint32_t most;  /* VARCHAR(n): UTF-16 units, VARBINARY(n): bytes, DECIMAL(p, s): p digits; 0: no limit */
    uint32_t scale; /* DECIMAL(p, s): digits behind the point, while |most| */
};

/* A plain value. */
struct saltkey_phoenix {
    uint32_t n_columns, buckets; /* SALT_BUCKETS: 0 is unsalted, 1 has a salt byte that is always 0 */
    struct saltkey_phoenix_column columns[SALTKEY_FIELDS_MAX];
};

/* Reads `CHAR(2)!, TIMESTAMP! DESC, VARCHAR`: the key's columns as CREATE TABLE has them, in upper or
   lower case: [name] TYPE[(n)] with NOT NULL (or `!`), NULL, ASC, DESC, ROW_TIMESTAMP. |buckets| is 0 to
   256. What Phoenix 5.2.1 refuses fails with SALTKEY_ETEXT, |err| having Phoenix's error number: among
   several columns one of fixed width that may be null, VARBINARY that is DESC or not the last, a second
   ROW_TIMESTAMP or one of a type that isn't a time. Arrays aren't supported. */
int saltkey_phoenix_parse(const char *text, uint32_t buckets, struct saltkey_phoenix *key,
                          struct saltkey_error *err);

/* The stored row, salt byte first. Numbers, dates and times (milliseconds) come as numbers,
   TIMESTAMP's nanoseconds of the second in |nanos|, BOOLEAN as 0 or 1, FLOAT and DOUBLE as REAL,
   the rest, DECIMAL in decimal text too, as bytes; an empty value is null. Trailing nulls are cut
   before the salt is computed. As in Phoenix, a DECIMAL of more than 38 digits is rounded to 38 (half
   up), digits beyond the scale are cut off, and NaN is one value. Refused though Phoenix writes it,
   since no one can read it back: \x00 in a VARCHAR and -1E+124 to -9E+125 in a DECIMAL with a separator
   behind, \xFF or 1E+124 at the start of a DESC column that may be null (SALTKEY_EDELIMITER), a DECIMAL
   beyond 9E+125 or below 1E-128 (SALTKEY_ERANGE: its first byte wraps round), a DESC one that its scale
   cuts (SALTKEY_EUNSUPPORTED: stored as if ascending). |err| has the column's number. */
int saltkey_phoenix_row(const struct saltkey_phoenix *key, const struct saltkey_value *values,
                        struct saltkey_buf *row, struct saltkey_error *err);

/* And back; texts may lie in |scratch| (row.len x 128 + 192 bytes suffice). 0, or 1 where the row is
   whole but its salt isn't the one that the key gives; SALTKEY_EKEY, with the byte's number from 1 in
   |err|, where it isn't a row that Phoenix writes: what is read encodes back to the same bytes. A
   CHAR's padding is cut; one of blanks only comes as one blank. */
int saltkey_phoenix_row_read(const struct saltkey_phoenix *key, struct saltkey_slice row,
                             struct saltkey_value *values, struct saltkey_buf *scratch,
                             struct saltkey_error *err);

/* The same without a reason: 0 or negative; |salted_right| (may be NULL): the salt is the key's own. */
int saltkey_phoenix_row_parse(const struct saltkey_phoenix *key, struct saltkey_slice row,
                              struct saltkey_value *values, struct saltkey_buf *scratch,
                              bool *salted_right);

/* Split points of CREATE TABLE: 01..N-1, each padded with \x00 to the schema's shortest row; and the
   same padding for points of SPLIT ON, which replace those of the buckets. On failure |keys| is empty,
   |points| as they were. */
int saltkey_phoenix_splits(const struct saltkey_phoenix *key, struct saltkey_keys *keys,
                           struct saltkey_error *err);
int saltkey_phoenix_pad(const struct saltkey_phoenix *key, struct saltkey_keys *points,
                        struct saltkey_error *err);

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
   sorted and unique: regions - 1 of them. On failure it is empty. More than SALTKEY_REGIONS_MAX
   regions are refused (SALTKEY_ERANGE): no table is created so, and a slip of the pen shall not take
   all memory. */
#define SALTKEY_REGIONS_MAX 100000

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

/* Quantiles of a sample of rows, which is sorted in place: up to regions - 1 points, fewer where one
   key fills a region. */
int saltkey_split_quantiles(struct saltkey_keys *sample, uint32_t regions, struct saltkey_keys *keys,
                            struct saltkey_error *err);

/* The same inner points of the natural key in every bucket, and the buckets' own. */
int saltkey_split_cross(const struct saltkey_salt *salt, const struct saltkey_keys *inner,
                        struct saltkey_keys *keys, struct saltkey_error *err);

enum saltkey_fit_fault {
    SALTKEY_FIT_OK, SALTKEY_FIT_ONE_TAKES_ALL, SALTKEY_FIT_LAST_TAKES_ALL, SALTKEY_FIT_WRONG_ALPHABET,
    SALTKEY_FIT_EMPTY_REGIONS, SALTKEY_FIT_UNEVEN
};
struct saltkey_fit {
    enum saltkey_fit_fault fault;
    size_t regions, empty, fullest; /* fullest: a region's index */
    uint64_t keys;
    double largest_share;           /* of all keys, in the fullest region */
};

/* Which region each of |rows| falls into: counts[0 .. splits->count] are filled (the caller's), and
   the fault is named. Or the same for what a salt's buckets could hold: a bucket counts in each
   region that its range touches. */
int saltkey_splits_fit(const struct saltkey_keys *splits, const struct saltkey_keys *rows,
                       uint64_t *counts, struct saltkey_fit *fit);
int saltkey_splits_fit_salt(const struct saltkey_keys *splits, const struct saltkey_salt *salt,
                            uint64_t *counts, struct saltkey_fit *fit);
const char *saltkey_fit_text(enum saltkey_fit_fault fault);

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

/* Turns a range round for Scan.setReversed: it then begins at |start|, not included (empty: at the
   table's end), and ends with |stop|, included: withStartRow(start, false), withStopRow(stop, true). */
void saltkey_range_reverse(struct saltkey_range *range);

/* How to read the newest K rows by a time field: 0 forward, 1 reversed (then merge with |reverse|),
   each scan limited to K; SALTKEY_EUNSUPPORTED where the fields before it aren't all fixed by
   |equal_fields| (one bit a field), since time order then isn't key order. */
int saltkey_newest(const struct saltkey_scheme *scheme, uint32_t time_field, uint32_t equal_fields);

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
    uint64_t source_limit; /* rows to take from each stream; 0: limit + offset if there is a limit */
    bool drop_duplicates;  /* of rows with one natural key only the lowest stream's comes out */
};

struct saltkey_merge;

/* Opens a merge of |n| sources (copied; their contexts stay the caller's). Ties between streams go
   to the lowest index: give them in bucket order. Free with saltkey_merge_close. */
int saltkey_merge_open(const struct saltkey_source *sources, size_t n,
                       const struct saltkey_merge_options *options, struct saltkey_merge **merge);

/* Next row in natural-key order and its stream: 1, 0 at the end, or negative: SALTKEY_EORDER for
   an unsorted stream, SALTKEY_EKEY for a row that is shorter than |skip| or lacks the |delimiter|,
   SALTKEY_ESOURCE; saltkey_merge_error tells which stream and row. The row is
   valid until the next call. A failed merge stays failed. */
int saltkey_merge_next(struct saltkey_merge *merge, struct saltkey_row *row, size_t *source);

/* Why the merge failed: |source| (from 0) and the row's number in it (from 1). */
void saltkey_merge_error(const struct saltkey_merge *merge, size_t *source, uint64_t *row);

/* Whether the row handed out last has the natural key of the one before it (a salt that isn't a
   function of the key, two values of N in one table), and how many did so far, dropped or not. */
bool saltkey_merge_is_duplicate(const struct saltkey_merge *merge);
uint64_t saltkey_merge_duplicates(const struct saltkey_merge *merge);

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
