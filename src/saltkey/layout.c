/* SPDX-License-Identifier: Apache-2.0 */
/* The layout line: `ts:be64 device:fixed(16)`. One row of the table below is one word. */
#include "internal.h"

struct kind_word {
    const char *name;
    uint32_t width;   /* bytes; 0 where the argument says, or where it varies */
    uint32_t max_arg; /* 0: takes no argument */
    bool optional;    /* the argument may be left out */
};

static const struct kind_word kinds[] = {
    [SALTKEY_BE8] = {"be8", 1, 0, false},
    [SALTKEY_BE16] = {"be16", 2, 0, false},
    [SALTKEY_BE24] = {"be24", 3, 0, false},
    [SALTKEY_BE32] = {"be32", 4, 0, false},
    [SALTKEY_BE64] = {"be64", 8, 0, false},
    [SALTKEY_I8] = {"i8", 1, 0, false},
    [SALTKEY_I16] = {"i16", 2, 0, false},
    [SALTKEY_I32] = {"i32", 4, 0, false},
    [SALTKEY_I64] = {"i64", 8, 0, false},
    [SALTKEY_FIXED] = {"fixed", 0, 32767, false},
    [SALTKEY_BYTES] = {"bytes", 0, 32767, false},
    [SALTKEY_TEXT] = {"text", 0, 0, false},
    [SALTKEY_RAWTEXT] = {"rawtext", 0, 0, false},
    [SALTKEY_NUM] = {"num", 0, 20, true},
    [SALTKEY_DEC] = {"dec", 0, 20, false},
    [SALTKEY_REVDEC] = {"revdec", 0, 20, false},
    [SALTKEY_HEX] = {"hex", 0, 16, false},
    [SALTKEY_RTS] = {"rts", 8, 0, false},
    [SALTKEY_RTS19] = {"rts19", 19, 0, false},
    [SALTKEY_REVTEXT] = {"revtext", 0, 0, false},
    [SALTKEY_REVLABELS] = {"revlabels", 0, 0, false},
    [SALTKEY_UUID] = {"uuid", 16, 0, false},
    [SALTKEY_OB_I8] = {"ob-i8", 2, 0, false},
    [SALTKEY_OB_I16] = {"ob-i16", 3, 0, false},
    [SALTKEY_OB_I32] = {"ob-i32", 5, 0, false},
    [SALTKEY_OB_I64] = {"ob-i64", 9, 0, false},
    [SALTKEY_OB_F64] = {"ob-f64", 9, 0, false},
    [SALTKEY_OB_TEXT] = {"ob-text", 0, 0, false},
    [SALTKEY_OB_BLOB] = {"ob-blob", 0, 0, false},
};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

const char *saltkey_kind_name(enum saltkey_kind kind)
{
    return (size_t)kind < N_KINDS ? kinds[kind].name : "unknown";
}

bool saltkey__needs_mark(enum saltkey_kind kind)
{
    return kind == SALTKEY_TEXT || kind == SALTKEY_RAWTEXT || kind == SALTKEY_NUM ||
           kind == SALTKEY_REVTEXT || kind == SALTKEY_REVLABELS;
}

int saltkey_layout_find(const struct saltkey_layout *layout, const char *name)
{
    uint32_t i;

    for (i = 0; i < layout->n_fields; i++)
        if (strcmp(layout->fields[i].name, name) == 0)
            return (int)i;
    return SALTKEY_EFIELD;
}

/* A field's word while it is read: what is left of it, and its column. */
struct word {
    struct saltkey_slice left;
    size_t column;
};

static void eat(struct word *w, size_t n)
{
    w->left.bytes += n;
    w->left.len -= n;
    w->column += n;
}

static bool is_name_char(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-';
}

static int read_name(struct word *w, struct saltkey_field *field, struct saltkey_error *err)
{
    size_t n = 0;

    while (n < w->left.len && is_name_char(w->left.bytes[n]))
        n++;
    if (n == w->left.len)
        return saltkey__fail(err, SALTKEY_ETEXT, w->column, "a field is written name:kind");
    if (w->left.bytes[n] != ':')
        return saltkey__fail(err, SALTKEY_ETEXT, w->column + n,
                             "field names are made of letters, digits, '_' and '-'");
    if (n == 0)
        return saltkey__fail(err, SALTKEY_ETEXT, w->column, "a field needs a name before ':'");
    if (n > SALTKEY_NAME_MAX)
        return saltkey__fail(err, SALTKEY_ETEXT, w->column, "field name longer than %d characters",
                             SALTKEY_NAME_MAX);
    memcpy(field->name, w->left.bytes, n);
    field->name[n] = '\0';
    eat(w, n + 1);
    return 0;
}

static const struct kind_word *find_kind(struct saltkey_slice word)
{
    size_t i;

    for (i = 0; i < N_KINDS; i++)
        if (saltkey__is(word, kinds[i].name))
            return &kinds[i];
    return NULL;
}

static int read_kind(struct word *w, struct saltkey_field *field, struct saltkey_error *err)
{
    struct saltkey_slice word = w->left;
    const struct kind_word *k;
    size_t n = 0;

    while (n < word.len && is_name_char(word.bytes[n]))
        n++;
    word.len = n;
    k = find_kind(word);
    if (!k)
        return saltkey__fail(err, SALTKEY_ETEXT, w->column, "unknown kind '%.*s'", (int)word.len,
                             (const char *)word.bytes);
    eat(w, n);
    field->kind = (enum saltkey_kind)(k - kinds);
    field->width = k->width;
    return 0;
}

static int read_width(struct word *w, struct saltkey_field *field, struct saltkey_error *err)
{
    const struct kind_word *k = &kinds[field->kind];
    struct saltkey_slice arg;
    const uint8_t *close;
    uint64_t width = 0;

    if (!w->left.len || w->left.bytes[0] != '(')
        return !k->max_arg || k->optional
                   ? 0
                   : saltkey__fail(err, SALTKEY_ETEXT, w->column, "%s needs a width: %s(n)", k->name, k->name);
    if (!k->max_arg)
        return saltkey__fail(err, SALTKEY_ETEXT, w->column, "%s takes no width", k->name);
    close = memchr(w->left.bytes, ')', w->left.len);
    if (!close)
        return saltkey__fail(err, SALTKEY_ETEXT, w->column + w->left.len, "')' is missing");
    eat(w, 1);
    arg = saltkey__slice(w->left.bytes, (size_t)(close - w->left.bytes));
    if (!saltkey__number(arg, k->max_arg, &width) || width == 0)
        return saltkey__fail(err, SALTKEY_ETEXT, w->column, "width of %s is a number from 1 to %u",
                             k->name, (unsigned)k->max_arg);
    eat(w, arg.len + 1);
    if (field->kind == SALTKEY_NUM)
        field->digits = (uint8_t)width;
    else
        field->width = (uint32_t)width;
    return 0;
}

/* One character, or \xHH. */
static int read_byte(struct word *w, uint8_t *byte, struct saltkey_error *err)
{
    uint8_t one[4];
    struct saltkey_buf out = {one, sizeof(one), 0};
    size_t n = w->left.len >= 4 && w->left.bytes[0] == '\\' && w->left.bytes[1] == 'x' ? 4 : 1;

    if (w->left.len == 0)
        return saltkey__fail(err, SALTKEY_ETEXT, w->column, "a character or \\xHH is missing");
    if (n == 1) {
        *byte = w->left.bytes[0];
    } else {
        int rc = saltkey_to_bytes_binary_strict(saltkey__slice(w->left.bytes, n), &out, err);

        if (rc < 0) {
            if (err)
                err->column = w->column;
            return rc;
        }
        *byte = one[0];
    }
    eat(w, n);
    return 0;
}

static bool takes(struct word *w, const char *text)
{
    size_t n = strlen(text);

    if (w->left.len < n || memcmp(w->left.bytes, text, n) != 0)
        return false;
    eat(w, n);
    return true;
}

/* `:desc`, `+M`, `~E`, and then nothing. */
static int read_suffixes(struct word *w, struct saltkey_field *field, struct saltkey_error *err)
{
    bool reversed = field->kind == SALTKEY_RTS || field->kind == SALTKEY_RTS19;
    size_t column = w->column;
    int rc = 0;

    if (takes(w, ":desc")) {
        if (reversed)
            return saltkey__fail(err, SALTKEY_ETEXT, column, "%s is reversed already",
                                 kinds[field->kind].name);
        field->desc = true;
    }
    if (takes(w, "+")) {
        field->marked = true;
        rc = read_byte(w, &field->mark, err);
        column = w->column;
        if (rc == 0 && takes(w, "~")) {
            if (field->kind != SALTKEY_TEXT)
                return saltkey__fail(err, SALTKEY_ETEXT, column, "only text has an escape");
            field->escaped = true;
            rc = read_byte(w, &field->escape, err);
            if (rc == 0 && field->escape == field->mark)
                return saltkey__fail(err, SALTKEY_ETEXT, column, "mark and escape are the same");
        }
    }
    if (rc == 0 && w->left.len)
        return saltkey__fail(err, SALTKEY_ETEXT, w->column, "unexpected '%.*s'", (int)w->left.len,
                             (const char *)w->left.bytes);
    return rc;
}

static int read_field(struct word w, struct saltkey_field *field, struct saltkey_error *err)
{
    int rc = read_name(&w, field, err);

    if (rc == 0)
        rc = read_kind(&w, field, err);
    if (rc == 0)
        rc = read_width(&w, field, err);
    return rc < 0 ? rc : read_suffixes(&w, field, err);
}

/* Default marks, offsets as far as widths are fixed, and the whole width. */
static int place_fields(struct saltkey_layout *layout, size_t last_column, struct saltkey_error *err)
{
    uint32_t offset = 0, i;
    bool fixed = true;

    for (i = 0; i < layout->n_fields; i++) {
        struct saltkey_field *f = &layout->fields[i];
        bool last = i + 1 == layout->n_fields;

        if (last && f->marked)
            return saltkey__fail(err, SALTKEY_ETEXT, last_column, "the last field has no end mark");
        if (!last && !f->marked && saltkey__needs_mark(f->kind))
            f->marked = true;
        if (f->marked && f->desc)
            f->mark = (uint8_t)~f->mark;
        f->fixed_offset = fixed;
        f->offset = fixed ? offset : 0;
        fixed = fixed && f->width > 0;
        offset += f->width + f->marked;
    }
    layout->width = fixed ? offset : 0;
    return 0;
}

int saltkey_layout_parse(const char *text, struct saltkey_layout *layout, struct saltkey_error *err)
{
    struct saltkey_scan scan = {text, text};
    struct saltkey_layout made;
    struct word w = {{NULL, 0}, 1};
    bool first = true;
    int rc;

    memset(&made, 0, sizeof(made));
    for (;; first = false) {
        struct saltkey_slice word = saltkey__word(&scan);
        struct saltkey_field field;

        if (word.len == 0)
            break;
        if (first && saltkey__is(word, "salt"))
            continue;
        w.left = word;
        w.column = saltkey__column(&scan, word);
        memset(&field, 0, sizeof(field));
        if (made.n_fields == SALTKEY_FIELDS_MAX)
            return saltkey__fail(err, SALTKEY_ETEXT, w.column, "more than %d fields",
                                 SALTKEY_FIELDS_MAX);
        rc = read_field(w, &field, err);
        if (rc < 0)
            return rc;
        if (saltkey_layout_find(&made, field.name) >= 0)
            return saltkey__fail(err, SALTKEY_ETEXT, w.column, "field '%s' is there twice",
                                 field.name);
        made.fields[made.n_fields++] = field;
    }
    if (made.n_fields == 0)
        return saltkey__fail(err, SALTKEY_ETEXT, 1, "a layout needs at least one field");
    rc = place_fields(&made, w.column, err);
    if (rc == 0)
        *layout = made;
    return rc;
}

int saltkey__layouts_agree(const struct saltkey_layout *a, const struct saltkey_layout *b,
                           struct saltkey_error *err)
{
    uint32_t i;

    for (i = 0; i < a->n_fields; i++) {
        const struct saltkey_field *f = &a->fields[i], *g = &b->fields[i];
        bool same = f->kind == g->kind && f->width == g->width && f->desc == g->desc &&
                    f->marked == g->marked && f->mark == g->mark && f->escaped == g->escaped &&
                    f->escape == g->escape && f->digits == g->digits;

        if (!same)
            return saltkey__fail(err, SALTKEY_EFIELD, i + 1, "field %u is another: '%s' and '%s'",
                                 (unsigned)i + 1, f->name, g->name);
    }
    return 0;
}
