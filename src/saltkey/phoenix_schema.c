/* SPDX-License-Identifier: Apache-2.0 */
/* The columns of a Phoenix primary key from text, in CREATE TABLE's words. What Phoenix 5.2.1 refuses
   to create is refused here. */
#include "internal.h"
#include "phoenix.h"

#define KEY_MAX 32767 /* bytes of an HBase row key */

/* What the brackets behind a type's name mean. In Phoenix, those of the others mean nothing. */
enum argument { NO_ARGUMENT, WIDTH, LIMIT, PRECISION };

static const struct {
    const char *name;
    uint32_t width; /* 0: varies, or the argument says */
    enum argument argument;
    bool row_timestamp; /* may be a ROW_TIMESTAMP */
} types[] = {
    [SALTKEY_PHOENIX_VARCHAR] = {"VARCHAR", 0, LIMIT, false},
    [SALTKEY_PHOENIX_CHAR] = {"CHAR", 0, WIDTH, false},
    [SALTKEY_PHOENIX_VARBINARY] = {"VARBINARY", 0, LIMIT, false},
    [SALTKEY_PHOENIX_BINARY] = {"BINARY", 0, WIDTH, false},
    [SALTKEY_PHOENIX_DECIMAL] = {"DECIMAL", 0, PRECISION, false},
    [SALTKEY_PHOENIX_BIGINT] = {"BIGINT", 8, NO_ARGUMENT, true},
    [SALTKEY_PHOENIX_INTEGER] = {"INTEGER", 4, NO_ARGUMENT, false},
    [SALTKEY_PHOENIX_SMALLINT] = {"SMALLINT", 2, NO_ARGUMENT, false},
    [SALTKEY_PHOENIX_TINYINT] = {"TINYINT", 1, NO_ARGUMENT, false},
    [SALTKEY_PHOENIX_UNSIGNED_LONG] = {"UNSIGNED_LONG", 8, NO_ARGUMENT, true},
    [SALTKEY_PHOENIX_UNSIGNED_INT] = {"UNSIGNED_INT", 4, NO_ARGUMENT, false},
    [SALTKEY_PHOENIX_UNSIGNED_DATE] = {"UNSIGNED_DATE", 8, NO_ARGUMENT, true},
    [SALTKEY_PHOENIX_DATE] = {"DATE", 8, NO_ARGUMENT, true},
    [SALTKEY_PHOENIX_TIME] = {"TIME", 8, NO_ARGUMENT, true},
    [SALTKEY_PHOENIX_TIMESTAMP] = {"TIMESTAMP", 12, NO_ARGUMENT, true},
    [SALTKEY_PHOENIX_BOOLEAN] = {"BOOLEAN", 1, NO_ARGUMENT, false},
    [SALTKEY_PHOENIX_FLOAT] = {"FLOAT", 4, NO_ARGUMENT, false},
    [SALTKEY_PHOENIX_DOUBLE] = {"DOUBLE", 8, NO_ARGUMENT, false},
    [SALTKEY_PHOENIX_UNSIGNED_SMALLINT] = {"UNSIGNED_SMALLINT", 2, NO_ARGUMENT, false},
    [SALTKEY_PHOENIX_UNSIGNED_TINYINT] = {"UNSIGNED_TINYINT", 1, NO_ARGUMENT, false},
    [SALTKEY_PHOENIX_UNSIGNED_TIME] = {"UNSIGNED_TIME", 8, NO_ARGUMENT, true},
    [SALTKEY_PHOENIX_UNSIGNED_TIMESTAMP] = {"UNSIGNED_TIMESTAMP", 12, NO_ARGUMENT, true},
    [SALTKEY_PHOENIX_UNSIGNED_FLOAT] = {"UNSIGNED_FLOAT", 4, NO_ARGUMENT, false},
    [SALTKEY_PHOENIX_UNSIGNED_DOUBLE] = {"UNSIGNED_DOUBLE", 8, NO_ARGUMENT, false},
};

#define N_TYPES (sizeof(types) / sizeof(types[0]))

const char *saltkey_phoenix_type_name(enum saltkey_phoenix_type type)
{
    return (size_t)type < N_TYPES ? types[type].name : "unknown";
}

/* The text, and where its next token begins. */
struct tokens {
    const char *text, *at;
    struct saltkey_error *err;
    size_t types_at[SALTKEY_FIELDS_MAX]; /* where each column's type begins, from 1 */
};

static size_t column_of(const struct tokens *t, const uint8_t *at)
{
    return (size_t)((const char *)at - t->text) + 1;
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* A word, or one other character; empty at the end. */
static struct saltkey_slice token(struct tokens *t)
{
    const char *from;

    while (*t->at == ' ' || *t->at == '\t' || *t->at == '\n' || *t->at == '\r')
        t->at++;
    from = t->at;
    while (is_word(*t->at))
        t->at++;
    if (t->at == from && *t->at)
        t->at++;
    return saltkey__slice(from, (size_t)(t->at - from));
}

static struct saltkey_slice peek(const struct tokens *t)
{
    struct tokens ahead = *t;

    return token(&ahead);
}

static char upper(uint8_t c)
{
    return (char)(c >= 'a' && c <= 'z' ? c - 32 : c);
}

static bool is(struct saltkey_slice word, const char *text)
{
    size_t i;

    for (i = 0; i < word.len; i++)
        if (!text[i] || upper(word.bytes[i]) != text[i])
            return false;
    return text[word.len] == '\0';
}

static size_t type_of(struct saltkey_slice word)
{
    size_t i = 0;

    while (i < N_TYPES && !is(word, types[i].name))
        i++;
    return i;
}

static int unexpected(struct tokens *t, struct saltkey_slice word)
{
    if (word.len == 0)
        return saltkey__fail(t->err, SALTKEY_ETEXT, column_of(t, word.bytes), "a type is missing at the end");
    if (is(word, "ARRAY"))
        return saltkey__fail(t->err, SALTKEY_ETEXT, column_of(t, word.bytes), "arrays in a key aren't built here");
    return saltkey__fail(t->err, SALTKEY_ETEXT, column_of(t, word.bytes), "unexpected '%.*s'", (int)word.len,
                         (const char *)word.bytes);
}

/* `n)` or `n,m)` behind an open bracket. */
static int read_numbers(struct tokens *t, uint64_t numbers[2], size_t *n)
{
    struct saltkey_slice word;

    for (*n = 0; *n < 2;) {
        word = token(t);
        if (!saltkey__number(word, INT32_MAX, &numbers[*n]))
            return saltkey__fail(t->err, SALTKEY_ETEXT, column_of(t, word.bytes), "a number is missing in the brackets");
        ++*n;
        word = token(t);
        if (is(word, ")"))
            return 0;
        if (!is(word, ","))
            break;
    }
    return saltkey__fail(t->err, SALTKEY_ETEXT, column_of(t, word.bytes), "')' is missing");
}

static int take_width(struct tokens *t, size_t column, struct saltkey_phoenix_column *c, uint64_t width)
{
    if (width > KEY_MAX)
        return saltkey__fail(t->err, SALTKEY_ETEXT, column, "a key has at most %d bytes: no row of %s(%lu) can be stored",
                             KEY_MAX, types[c->type].name, (unsigned long)width);
    c->width = (uint32_t)width;
    return 0;
}

/* What stands in brackets behind the type. */
static int read_argument(struct tokens *t, size_t column, struct saltkey_phoenix_column *c)
{
    enum argument kind = types[c->type].argument;
    uint64_t numbers[2] = {0, 0};
    size_t n = 0;
    int rc = 0;

    if (is(peek(t), "(")) {
        (void)token(t);
        rc = read_numbers(t, numbers, &n);
    } else if (kind == WIDTH) {
        return saltkey__fail(t->err, SALTKEY_ETEXT, column, "%s needs its width: %s(n) (Phoenix error 207)",
                             types[c->type].name, types[c->type].name);
    }
    if (rc < 0 || n == 0)
        return rc;
    if (kind == PRECISION && (numbers[0] == 0 || numbers[0] > 38))
        return saltkey__fail(t->err, SALTKEY_ETEXT, column,
                             "the precision of a DECIMAL is a number from 1 to 38 (Phoenix error 209)");
    if (numbers[0] == 0)
        return saltkey__fail(t->err, SALTKEY_ETEXT, column, "a width is a number from 1 on (Phoenix error 208)");
    if (kind == WIDTH)
        return take_width(t, column, c, numbers[0]);
    if (kind == LIMIT || kind == PRECISION)
        c->most = (uint32_t)numbers[0];
    if (kind == PRECISION) /* Phoenix cuts a scale beyond the precision to it */
        c->scale = (uint32_t)(numbers[1] > numbers[0] ? numbers[0] : numbers[1]);
    return 0;
}

/* `!`, NOT NULL, NULL: once. */
static int read_null(struct tokens *t, struct saltkey_slice word, struct saltkey_phoenix_column *c, bool *said)
{
    if (*said)
        return saltkey__fail(t->err, SALTKEY_ETEXT, column_of(t, word.bytes), "NULL or NOT NULL is there twice");
    *said = true;
    c->not_null = !is(word, "NULL");
    if (is(word, "NOT")) {
        word = token(t);
        if (!is(word, "NULL"))
            return unexpected(t, word);
    }
    return 0;
}

/* What Phoenix creates no table with. |column|: where the type stands in the text. */
static int judge(struct tokens *t, size_t column, const struct saltkey_phoenix *key)
{
    const struct saltkey_phoenix_column *c = &key->columns[key->n_columns - 1];
    uint32_t i;

    if (key->n_columns > 1 && c[-1].type == SALTKEY_PHOENIX_VARBINARY)
        return saltkey__fail(t->err, SALTKEY_ETEXT, column, "VARBINARY must be the last column (Phoenix error 1005)");
    if (c->type == SALTKEY_PHOENIX_VARBINARY && c->desc)
        return saltkey__fail(t->err, SALTKEY_ETEXT, column, "VARBINARY can't be DESC (Phoenix error 1056)");
    if (c->row_timestamp && !types[c->type].row_timestamp)
        return saltkey__fail(t->err, SALTKEY_ETEXT, column,
                             "ROW_TIMESTAMP is for DATE, TIME, TIMESTAMP and BIGINT (Phoenix error 530)");
    for (i = 0; c->row_timestamp && i + 1 < key->n_columns; i++)
        if (key->columns[i].row_timestamp)
            return saltkey__fail(t->err, SALTKEY_ETEXT, column, "a second ROW_TIMESTAMP (Phoenix error 527)");
    return 0;
}

/* Where the text stands behind one column. */
enum ending { AT_END, AT_COMMA };

/* [name] TYPE[(n[, m])] and then !, NOT NULL, NULL, ASC, DESC, ROW_TIMESTAMP in any order. */
static int read_column(struct tokens *t, struct saltkey_phoenix *key, struct saltkey_phoenix_column *c, bool *nullable)
{
    struct saltkey_slice word = token(t);
    bool null_said = false, ordered = false;
    size_t column;
    int rc;

    if (word.len && is_word((char)word.bytes[0]) && type_of(peek(t)) < N_TYPES)
        word = token(t); /* that was its name */
    column = t->types_at[key->n_columns - 1] = column_of(t, word.bytes);
    if (word.len == 0 || !is_word((char)word.bytes[0]))
        return unexpected(t, word);
    if (type_of(word) == N_TYPES)
        return saltkey__fail(t->err, SALTKEY_ETEXT, column, "unknown Phoenix type '%.*s'", (int)word.len,
                             (const char *)word.bytes);
    c->type = (enum saltkey_phoenix_type)type_of(word);
    c->width = types[c->type].width;
    rc = read_argument(t, column, c);
    while (rc == 0) {
        word = token(t);
        if (word.len == 0 || is(word, ","))
            break;
        if (is(word, "!") || is(word, "NOT") || is(word, "NULL")) {
            rc = read_null(t, word, c, &null_said);
        } else if (!ordered && (is(word, "DESC") || is(word, "ASC"))) {
            ordered = true;
            c->desc = is(word, "DESC");
        } else if (!c->row_timestamp && is(word, "ROW_TIMESTAMP")) {
            c->row_timestamp = true;
        } else {
            rc = unexpected(t, word);
        }
    }
    *nullable = null_said && !c->not_null;
    return rc < 0 ? rc : judge(t, column, key) < 0 ? SALTKEY_ETEXT : word.len ? AT_COMMA : AT_END;
}

/* One column is NOT NULL by itself; of several, those of a fixed width have to be. */
static int judge_nulls(struct tokens *t, struct saltkey_phoenix *key, bool first_nullable)
{
    uint32_t i;

    if (key->n_columns == 1 && first_nullable)
        return saltkey__fail(t->err, SALTKEY_ETEXT, t->types_at[0], "the only column can't be NULL (Phoenix error 1000)");
    if (key->n_columns == 1)
        key->columns[0].not_null = true;
    for (i = 0; i < key->n_columns; i++)
        if (key->columns[i].width && !key->columns[i].not_null)
            return saltkey__fail(t->err, SALTKEY_ETEXT, t->types_at[i],
                                 "column %u: %s must be NOT NULL: of several columns, Phoenix lets only those of "
                                 "varying width be null", (unsigned)i + 1, types[key->columns[i].type].name);
    return 0;
}

int saltkey_phoenix_parse(const char *text, uint32_t buckets, struct saltkey_phoenix *key,
                          struct saltkey_error *err)
{
    struct tokens t = {text, text, err, {0}};
    struct saltkey_phoenix made;
    bool nullable = false, first_nullable = false;
    int rc;

    memset(&made, 0, sizeof(made));
    made.buckets = buckets;
    if (buckets > 256)
        return saltkey__fail(err, SALTKEY_EBUCKETS, 0,
                             "SALT_BUCKETS is 0 (no salt) to 256 (Phoenix error 1021)");
    do {
        if (made.n_columns == SALTKEY_FIELDS_MAX)
            return saltkey__fail(err, SALTKEY_ETEXT, (size_t)(t.at - text) + 1, "more than %d columns",
                                 SALTKEY_FIELDS_MAX);
        made.n_columns++;
        rc = read_column(&t, &made, &made.columns[made.n_columns - 1], &nullable);
        if (rc < 0)
            return rc;
        if (made.n_columns == 1)
            first_nullable = nullable;
    } while (rc == AT_COMMA);
    rc = judge_nulls(&t, &made, first_nullable);
    if (rc == 0)
        *key = made;
    return rc;
}
