/* SPDX-License-Identifier: GPL-3.0-or-later */
/* key vectors: rows of a scheme, pinned, for writers in other languages to check themselves with. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "cli/cmd_key.h"
#include "cli/cmd_key_table.h"
#include "cli/cmd_key_vectors.h"
#include "result/atomic.h"

#define ROWS 64
#define TEXT_CAP 64
#define KEY_CAP 4096

static const char *const hash_names[] = {
    [SALTKEY_HASH_NONE] = "none",       [SALTKEY_HASH_ARRAYS] = "arrays-hash", [SALTKEY_HASH_STRING] = "string-hash",
    [SALTKEY_HASH_MURMUR3] = "murmur3", [SALTKEY_HASH_MURMUR] = "murmur",      [SALTKEY_HASH_MURMUR2] = "murmur2",
    [SALTKEY_HASH_JENKINS] = "jenkins", [SALTKEY_HASH_CRC32] = "crc32",        [SALTKEY_HASH_CRC32C] = "crc32c",
    [SALTKEY_HASH_MD5] = "md5",         [SALTKEY_HASH_SHA256] = "sha256",      [SALTKEY_HASH_MD5HEX] = "md5hex",
    [SALTKEY_HASH_SHA256HEX] = "sha256hex", [SALTKEY_HASH_XXH32] = "xxh32",    [SALTKEY_HASH_XXH64] = "xxh64",
    [SALTKEY_HASH_XXH3] = "xxh3",       [SALTKEY_HASH_FOLD] = "fold",          [SALTKEY_HASH_GIVEN] = "given",
};

static const char *const prefix_names[] = {
    [SALTKEY_PREFIX_NONE] = "none", [SALTKEY_PREFIX_BYTES] = "bytes",
    [SALTKEY_PREFIX_HEX] = "hex",   [SALTKEY_PREFIX_DEC] = "dec",
};

static const char *remainder_name(const struct saltkey_salt *s)
{
    static const char *const names[] = {
        [SALTKEY_FLOOR] = "floorMod", [SALTKEY_ABS] = "abs", [SALTKEY_ABS_FIRST] = "absFirst",
        [SALTKEY_UNSIGNED] = "unsigned", [SALTKEY_TRUNCATED] = "truncated"};

    if (s->hash == SALTKEY_HASH_NONE || s->hash == SALTKEY_HASH_MD5HEX || s->hash == SALTKEY_HASH_SHA256HEX)
        return "-";
    return names[s->mod.remainder];
}

/* Row |i|'s bits for field |k|: spread, and the same everywhere. */
static uint64_t mixed(size_t i, uint32_t k)
{
    uint64_t x = (i + 1) * UINT64_C(0x9e3779b97f4a7c15) + (k + 1) * UINT64_C(0xbf58476d1ce4e5b9);

    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Largest number of a field, or 0 for one that isn't a number. */
static uint64_t most(const struct saltkey_field *f)
{
    uint64_t top = 1;

    switch (f->kind) {
    case SALTKEY_BE8: case SALTKEY_BE16: case SALTKEY_BE24: case SALTKEY_BE32: case SALTKEY_BE64:
        return f->width == 8 ? UINT64_MAX : (UINT64_C(1) << 8 * f->width) - 1;
    case SALTKEY_I8: case SALTKEY_I16: case SALTKEY_I32: case SALTKEY_I64:
        return (UINT64_C(1) << (8 * f->width - 1)) - 1;
    case SALTKEY_OB_I8: return INT8_MAX;
    case SALTKEY_OB_I16: return INT16_MAX;
    case SALTKEY_OB_I32: return INT32_MAX;
    case SALTKEY_OB_I64: case SALTKEY_NUM: case SALTKEY_RTS: case SALTKEY_RTS19:
        return INT64_MAX;
    case SALTKEY_DEC: case SALTKEY_REVDEC:
        for (uint32_t i = 0; i < f->width && i < 19; i++)
            top *= 10;
        return top - 1;
    case SALTKEY_HEX:
        return f->width >= 16 ? UINT64_MAX : (UINT64_C(1) << 4 * f->width) - 1;
    default:
        return 0;
    }
}

static bool takes_negatives(enum saltkey_kind kind)
{
    return (kind >= SALTKEY_I8 && kind <= SALTKEY_I64) || (kind >= SALTKEY_OB_I8 && kind <= SALTKEY_OB_I64) ||
           kind == SALTKEY_NUM || kind == SALTKEY_RTS;
}

/* Row 0 has the smallest values, row 1 the largest, then what writers trip over. */
static struct saltkey_value number_of(const struct saltkey_field *f, size_t i, uint32_t k)
{
    const uint64_t top = most(f);
    uint64_t n = i == 0 ? 0 : i == 1 ? top : i == 2 ? (top < 255 ? top : 255) : i == 3 ? top / 2 + 1 : mixed(i, k);

    if (i > 3 && top >= UINT32_MAX && i % 2)
        n = UINT64_C(1700000000000) + i * 1000; /* times in ms, where they fit */
    if (n > top)
        n = top == UINT64_MAX ? n : n % (top + 1);
    if (takes_negatives(f->kind))
        return saltkey_int(i % 4 == 2 ? -(int64_t)n - (n < top) : (int64_t)n);
    return saltkey_uint(n);
}

static struct saltkey_value text_of(const struct saltkey_field *f, size_t i, uint32_t k, char text[TEXT_CAP])
{
    static const char *const odd[] = {"", "a", "Aa", "BB", "gr\xc3\xbc\xc3\x9f", "\xe6\x97\xa5\xe6\x9c\xac",
                                      "\xf0\x9f\x98\x80", "www.example.org", "0", "zzzzzzzz",
                                      "polygenelubricants"}; /* String.hashCode gives the smallest int */
    const bool exact = f->kind == SALTKEY_BYTES || f->kind == SALTKEY_UUID;
    size_t len, room = f->kind == SALTKEY_FIXED || exact ? f->width : TEXT_CAP - 1;

    if (exact) {
        len = room < TEXT_CAP ? room : TEXT_CAP;
        for (size_t b = 0; b < len; b++)
            text[b] = (char)(i == 0 ? 0 : i == 1 ? 0xff : mixed(i + b, k) >> 24);
        return saltkey_bytes(text, len);
    }
    if (i < sizeof odd / sizeof odd[0] && strlen(odd[i]) <= room)
        snprintf(text, TEXT_CAP, "%s", odd[i]);
    else
        snprintf(text, TEXT_CAP, "dev%zu", i);
    len = strlen(text);
    return saltkey_bytes(text, len < room ? len : room);
}

static struct saltkey_value value_of(const struct saltkey_field *f, size_t i, uint32_t k, char text[TEXT_CAP])
{
    static const double reals[] = {0.0, 1.0, -1.0, 0.1, -1e300, 1e-300};

    if (f->kind == SALTKEY_OB_F64)
        return saltkey_real(i < 6 ? reals[i] : (double)(int64_t)(mixed(i, k) >> 20) / 1024.0);
    return most(f) > 0 ? number_of(f, i, k) : text_of(f, i, k, text);
}

static void print_hex(struct saltkey_slice s, FILE *out)
{
    if (s.len == 0)
        fputc('-', out);
    else
        key_print(KEY_HEX, s, out);
}

/* KIND[(width)][:desc][+mark]=value: numbers in decimal, bytes in hexadecimal digits. */
static void print_field(const struct saltkey_field *f, const struct saltkey_value *v, FILE *out)
{
    fputs(saltkey_kind_name(f->kind), out);
    if (f->kind == SALTKEY_NUM && f->digits > 0)
        fprintf(out, "(%u)", (unsigned)f->digits);
    if (f->kind == SALTKEY_FIXED || f->kind == SALTKEY_BYTES || f->kind == SALTKEY_DEC ||
        f->kind == SALTKEY_REVDEC || f->kind == SALTKEY_HEX)
        fprintf(out, "(%" PRIu32 ")", f->width);
    fputs(f->desc ? ":desc" : "", out);
    if (f->marked)
        fprintf(out, f->escaped ? "+%02x~%02x" : "+%02x", (unsigned)f->mark, (unsigned)f->escape);
    fputc('=', out);
    if (v->kind == SALTKEY_VALUE_UINT)
        fprintf(out, "%" PRIu64, v->number);
    else if (v->kind == SALTKEY_VALUE_INT)
        fprintf(out, "%" PRId64, (int64_t)v->number);
    else if (v->kind == SALTKEY_VALUE_REAL)
        fprintf(out, "bits:%016" PRIx64, v->number);
    else
        print_hex(v->bytes, out);
}

/* What the salt is computed over: its fields' bytes, with the marks that count. */
static int input_of(const struct saltkey_scheme *s, const struct saltkey_value *v, struct saltkey_buf *over)
{
    for (uint32_t i = 0; i < s->layout.n_fields; i++) {
        struct saltkey_buf one = {over->bytes + over->len, over->cap - over->len, 0};
        int rc;

        if (!(s->over >> i & 1))
            continue;
        rc = saltkey_field_encode(&s->layout, i, &v[i], &one, NULL);
        if (rc < 0)
            return rc;
        over->len += one.len - (s->layout.fields[i].marked && !(s->over_marks >> i & 1));
    }
    return 0;
}

struct vector {
    struct saltkey_value values[SALTKEY_FIELDS_MAX];
    char texts[SALTKEY_FIELDS_MAX][TEXT_CAP];
    uint8_t room[3][KEY_CAP];
    struct saltkey_buf natural, over, row;
    uint64_t bucket;
};

/* Row |i|; negative where its values don't make a key (an escape, UTF-8 cut by a width). */
static int make_vector(const struct saltkey_scheme *s, size_t i, struct vector *vec, struct saltkey_error *err)
{
    int rc;

    for (uint32_t k = 0; k < s->layout.n_fields; k++)
        vec->values[k] = value_of(&s->layout.fields[k], i, k, vec->texts[k]);
    vec->natural = (struct saltkey_buf){vec->room[0], KEY_CAP, 0};
    vec->over = (struct saltkey_buf){vec->room[1], KEY_CAP, 0};
    vec->row = (struct saltkey_buf){vec->room[2], KEY_CAP, 0};
    rc = saltkey_natural(&s->layout, vec->values, &vec->natural, err);
    if (rc == 0)
        rc = input_of(s, vec->values, &vec->over);
    if (rc == 0)
        rc = saltkey_salted(s, vec->values, &vec->row, err);
    if (rc == 0)
        rc = saltkey_bucket(s, (struct saltkey_slice){vec->natural.bytes, vec->natural.len}, &vec->bucket);
    return rc;
}

static struct saltkey_slice slice_of(const struct saltkey_buf *b)
{
    return (struct saltkey_slice){b->bytes, b->len};
}

/* The remainder, or `zero` for a row that OpenTSDB doesn't salt. */
static const char *row_remainder(const struct saltkey_scheme *s, const struct vector *vec)
{
    struct saltkey_scheme plain = *s;
    uint64_t bucket = vec->bucket;

    plain.salt.zero_unsalted = false;
    if (s->salt.zero_unsalted && saltkey_bucket(&plain, slice_of(&vec->natural), &bucket) == 0 && bucket != vec->bucket)
        return "zero";
    return remainder_name(&s->salt);
}

static void print_tsv(const struct saltkey_scheme *s, const struct vector *vec, FILE *out)
{
    fprintf(out, "%s\t%s\t%" PRId64 "\t%" PRIu64 "\t%s\t%" PRIu32 "\t", hash_names[s->salt.hash],
            row_remainder(s, vec), s->salt.seed, s->salt.buckets, prefix_names[s->salt.prefix], s->salt.width);
    for (uint32_t k = 0; k < s->layout.n_fields; k++) {
        fputs(k ? "|" : "", out);
        print_field(&s->layout.fields[k], &vec->values[k], out);
    }
    fputc('\t', out);
    print_hex(slice_of(&vec->over), out);
    fputc('\t', out);
    print_hex(slice_of(&vec->natural), out);
    fprintf(out, "\t%" PRIu64 "\t", vec->bucket);
    print_hex(slice_of(&vec->row), out);
    fputc('\n', out);
}

static void print_json(const struct saltkey_scheme *s, const struct vector *vec, FILE *out)
{
    fputs("    {\"fields\": [", out);
    for (uint32_t k = 0; k < s->layout.n_fields; k++) {
        fputs(k ? ", \"" : "\"", out);
        print_field(&s->layout.fields[k], &vec->values[k], out);
        fputc('"', out);
    }
    fputs("], \"over_hex\": \"", out);
    key_print(KEY_HEX, slice_of(&vec->over), out);
    fputs("\", \"natural_hex\": \"", out);
    key_print(KEY_HEX, slice_of(&vec->natural), out);
    fprintf(out, "\", \"bucket\": %" PRIu64 ", \"row_hex\": \"", vec->bucket);
    key_print(KEY_HEX, slice_of(&vec->row), out);
    fputs("\"}", out);
}

/* How many rows' values make a key of this layout, and why one doesn't. */
static size_t count_vectors(const struct saltkey_scheme *s, struct vector *vec, struct saltkey_error *err)
{
    size_t n = 0;

    for (size_t i = 0; i < ROWS; i++)
        n += make_vector(s, i, vec, err) == 0;
    return n;
}

static void print_all(const struct saltkey_scheme *s, bool json, struct vector *vec, FILE *out)
{
    size_t rows = 0;

    if (json)
        fprintf(out, "{\n  \"hash\": \"%s\", \"remainder\": \"%s\", \"seed\": %" PRId64 ", \"buckets\": %" PRIu64
                     ",\n  \"prefix\": \"%s\", \"width\": %" PRIu32 ",\n  \"vectors\": [\n",
                hash_names[s->salt.hash], remainder_name(&s->salt), s->salt.seed, s->salt.buckets,
                prefix_names[s->salt.prefix], s->salt.width);
    else
        fputs("hash\tremainder\tseed\tbuckets\tprefix\twidth\tfields\tover_hex\tnatural_hex\tbucket\trow_hex\n", out);
    for (size_t i = 0; i < ROWS; i++) {
        if (make_vector(s, i, vec, NULL) < 0)
            continue;
        if (json && rows > 0)
            fputs(",\n", out);
        (json ? print_json : print_tsv)(s, vec, out);
        rows++;
    }
    if (json)
        fputs("\n  ]\n}\n", out);
}

/* One file of the folder: vectors, or the text of a test. */
static enum cli_exit write_file(const char *path, const struct saltkey_scheme *s, struct vector *vec,
                                const char *const *lines)
{
    struct atomic_file file;

    if (atomic_open(&file, path) == 0) {
        for (; lines && *lines; lines++)
            fputs(*lines, file.stream);
        if (vec)
            print_all(s, strstr(path, ".json") != NULL, vec, file.stream);
        if (atomic_commit(&file) == 0)
            return CLI_DONE;
    }
    cli_error("%s", file.message);
    return CLI_FILE;
}

static enum cli_exit write_folder(const struct saltkey_scheme *s, struct vector *vec, const char *dir)
{
    const struct {
        const char *name;
        const char *const *lines;
    } files[] = {{"vectors.tsv", NULL}, {"vectors.json", NULL}, {"SaltVectors.java", vectors_java},
                 {"salt_vectors.py", vectors_python}, {"salt_vectors.go", vectors_go}};
    char message[512], path[4096];
    enum cli_exit code = CLI_DONE;

    if (atomic_make_folder(dir, message, sizeof message) != 0) {
        cli_error("%s", message);
        return CLI_FILE;
    }
    for (size_t i = 0; i < sizeof files / sizeof files[0] && code == CLI_DONE; i++) {
        if (snprintf(path, sizeof path, "%s/%s", dir, files[i].name) >= (int)sizeof path) {
            cli_error("%s: the name is too long", dir);
            return CLI_FILE;
        }
        code = write_file(path, s, files[i].lines ? NULL : vec, files[i].lines);
    }
    return code;
}

/* The tests of other languages know all hashes but these, and all kinds of fields. */
static void warn_unknown(const struct saltkey_scheme *s)
{
    switch (s->salt.hash) {
    case SALTKEY_HASH_XXH32: case SALTKEY_HASH_XXH64: case SALTKEY_HASH_XXH3:
        key_warning("the Java, Python and Go tests don't compute %s: they check the keys only, say so, and exit with 1",
                    hash_names[s->salt.hash]);
        break;
    default:
        break;
    }
}

enum cli_exit key_vectors(const struct cli_args *args, struct key_words words)
{
    const char *dir = cli_option_text(args, "output");
    struct saltkey_error err = {0};
    struct key_table kt;
    struct vector *vec;
    enum cli_exit code;
    size_t rows = 0;

    if (words.len > 0) {
        cli_error("unexpected operand '%s'", words.at[0]);
        return CLI_USAGE;
    }
    code = key_table_open(&kt, args, true);
    if (code != CLI_DONE)
        return code;
    key_table_warn(&kt);
    vec = calloc(1, sizeof *vec);
    if (!vec) {
        cli_error("not enough memory");
        code = CLI_INTERNAL;
    } else if (kt.scheme.salt.hash == SALTKEY_HASH_GIVEN) {
        cli_error("this salt isn't a function of the key: there is nothing to pin");
        code = CLI_USAGE;
    } else if ((rows = count_vectors(&kt.scheme, vec, &err)) == 0) {
        cli_error("none of the values tried makes a row: %s", err.reason[0] ? err.reason : saltkey_status_text(err.status));
        code = CLI_USAGE;
    }
    if (code == CLI_DONE && rows < ROWS)
        key_warning("%zu of %d rows are left out, as their values make no key: %s", ROWS - rows, ROWS, err.reason);
    if (code == CLI_DONE && dir) {
        warn_unknown(&kt.scheme);
        code = write_folder(&kt.scheme, vec, dir);
    } else if (code == CLI_DONE) {
        print_all(&kt.scheme, cli_option_given(args, "json"), vec, stdout);
    }
    free(vec);
    key_table_close(&kt);
    return code;
}
