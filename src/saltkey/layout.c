/* SPDX-License-Identifier: Apache-2.0 */
/* The layout line: `ts:be64 device:fixed(16)`. One row of the table below is one word. */
#include "internal.h"

struct kind_word {
    const char *name;
    uint32_t width;   /* bytes; 0 where the argument says, or where it varies */
    uint32_t max_arg; /* 0: takes no argument */
};

static const struct kind_word kinds[] = {
    [SALTKEY_BE8] = {"be8", 1, 0},
    [SALTKEY_BE16] = {"be16", 2, 0},
    [SALTKEY_BE32] = {"be32", 4, 0},
    [SALTKEY_BE64] = {"be64", 8, 0},
    [SALTKEY_I8] = {"i8", 1, 0},
    [SALTKEY_I16] = {"i16", 2, 0},
    [SALTKEY_I32] = {"i32", 4, 0},
    [SALTKEY_I64] = {"i64", 8, 0},
    [SALTKEY_FIXED] = {"fixed", 0, 32767},
    [SALTKEY_TEXT] = {"text", 0, 0},
    [SALTKEY_DEC] = {"dec", 0, 20},
    [SALTKEY_REVDEC] = {"revdec", 0, 20},
    [SALTKEY_HEX] = {"hex", 0, 16},
    [SALTKEY_RTS] = {"rts", 8, 0},
    [SALTKEY_RTS19] = {"rts19", 19, 0},
};

#define N_KINDS (sizeof(kinds) / sizeof(kinds[0]))

const char *saltkey_kind_name(enum saltkey_kind kind)
{
    return (size_t)kind < N_KINDS ? kinds[kind].name : "unknown";
}

int saltkey_layout_find(const struct saltkey_layout *layout, const char *name)
{
    uint32_t i;

    for (i = 0; i < layout->n_fields; i++)
        if (strcmp(layout->fields[i].name, name) == 0)
            return (int)i;
    return SALTKEY_EFIELD;
}

static bool is_name_char(uint8_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           c == '_' || c == '-' || c == '.';
}

static int read_name(struct saltkey_slice name, size_t column, struct saltkey_field *field,
                     struct saltkey_error *err)
{
    size_t i;

    if (name.len == 0)
        return saltkey__fail(err, SALTKEY_ETEXT, column, "a field needs a name before ':'");
    if (name.len > SALTKEY_NAME_MAX)
        return saltkey__fail(err, SALTKEY_ETEXT, column, "field name longer than %d characters",
                             SALTKEY_NAME_MAX);
    for (i = 0; i < name.len; i++)
        if (!is_name_char(name.bytes[i]))
            return saltkey__fail(err, SALTKEY_ETEXT, column + i,
                                 "field names are made of letters, digits, '_', '-' and '.'");
    memcpy(field->name, name.bytes, name.len);
    field->name[name.len] = '\0';
    return 0;
}

/* The kind's word and, in brackets, its argument. */
static int read_kind(struct saltkey_slice text, size_t column, struct saltkey_field *field,
                     struct saltkey_error *err)
{
    const uint8_t *open = memchr(text.bytes, '(', text.len);
    struct saltkey_slice word = text, arg = {NULL, 0};
    const struct kind_word *k = NULL;
    uint64_t width = 0;
    size_t i;

    if (open) {
        word.len = (size_t)(open - text.bytes);
        arg = saltkey__slice(open + 1, text.len - word.len - 1);
        if (arg.len == 0 || arg.bytes[arg.len - 1] != ')')
            return saltkey__fail(err, SALTKEY_ETEXT, column + text.len, "')' is missing");
        arg.len--;
    }
    for (i = 0; i < N_KINDS; i++)
        if (saltkey__is(word, kinds[i].name))
            k = &kinds[i];
    if (!k)
        return saltkey__fail(err, SALTKEY_ETEXT, column, "unknown kind '%.*s'", (int)word.len,
                             (const char *)word.bytes);
    if (open && !k->max_arg)
        return saltkey__fail(err, SALTKEY_ETEXT, column + word.len, "%s takes no width", k->name);
    if (!open && k->max_arg)
        return saltkey__fail(err, SALTKEY_ETEXT, column + word.len, "%s needs a width: %s(n)",
                             k->name, k->name);
    if (open && (!saltkey__number(arg, k->max_arg, &width) || width == 0))
        return saltkey__fail(err, SALTKEY_ETEXT, column + word.len + 1,
                             "width of %s is a number from 1 to %u", k->name,
                             (unsigned)k->max_arg);
    field->kind = (enum saltkey_kind)(k - kinds);
    field->width = open ? (uint32_t)width : k->width;
    return 0;
}

static int read_field(const struct saltkey_scan *scan, struct saltkey_slice word,
                      struct saltkey_field *field, struct saltkey_error *err)
{
    size_t column = saltkey__column(scan, word);
    const uint8_t *colon = memchr(word.bytes, ':', word.len);
    struct saltkey_slice name;
    int rc;

    if (!colon)
        return saltkey__fail(err, SALTKEY_ETEXT, column, "a field is written name:kind");
    name = saltkey__slice(word.bytes, (size_t)(colon - word.bytes));
    rc = read_name(name, column, field, err);
    if (rc < 0)
        return rc;
    return read_kind(saltkey__slice(colon + 1, word.len - name.len - 1), column + name.len + 1,
                     field, err);
}

/* Offsets, as far as widths are fixed, and the whole width. */
static void place_fields(struct saltkey_layout *layout)
{
    uint32_t offset = 0, i;
    bool fixed = true;

    for (i = 0; i < layout->n_fields; i++) {
        struct saltkey_field *f = &layout->fields[i];

        f->fixed_offset = fixed;
        f->offset = fixed ? offset : 0;
        fixed = fixed && f->width > 0;
        offset += f->width;
    }
    layout->width = fixed ? offset : 0;
}

int saltkey_layout_parse(const char *text, struct saltkey_layout *layout, struct saltkey_error *err)
{
    struct saltkey_scan scan = {text, text};
    struct saltkey_layout made = {0, 0, {{{0}, SALTKEY_BE8, 0, 0, false}}};

    for (;;) {
        struct saltkey_slice word = saltkey__word(&scan);
        struct saltkey_field field = {{0}, SALTKEY_BE8, 0, 0, false};
        int rc;

        if (word.len == 0)
            break;
        if (made.n_fields == SALTKEY_FIELDS_MAX)
            return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(&scan, word),
                                 "more than %d fields", SALTKEY_FIELDS_MAX);
        rc = read_field(&scan, word, &field, err);
        if (rc < 0)
            return rc;
        if (saltkey_layout_find(&made, field.name) >= 0)
            return saltkey__fail(err, SALTKEY_ETEXT, saltkey__column(&scan, word),
                                 "field '%s' is there twice", field.name);
        made.fields[made.n_fields++] = field;
    }
    if (made.n_fields == 0)
        return saltkey__fail(err, SALTKEY_ETEXT, 1, "a layout needs at least one field");
    place_fields(&made);
    *layout = made;
    return 0;
}
