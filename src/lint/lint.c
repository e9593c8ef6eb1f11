/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "lint/lint.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "lint/subject.h"
#include "spec/scheme.h"

#define SUM_MAX 1000000               /* terms of a zipf sum that are added one by one */

void lint_add(struct lint_subject *s, struct lint_words words, const char *format, ...)
{
    char why[500], name[120], what[300];
    va_list args;

    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    snprintf(name, sizeof name, "%s", words.field);
    snprintf(what, sizeof what, "%s", words.todo);
    if (s->rc == 0)
        s->rc = result_findings_add(s->out, &(struct result_finding){words.rule, name, why, what});
}

/* Share of the most written entity. */
static double hottest(const struct spec_stream *st)
{
    double sum = 0;

    switch (st->popularity) {
    case SPEC_POPULARITY_HOT:
        return st->hot_entities > 0 ? st->hot_share / (double)st->hot_entities : 0;
    case SPEC_POPULARITY_ZIPF:
        for (int64_t i = 1; i <= st->entities && i <= SUM_MAX; i++)
            sum += pow((double)i, -st->zipf_exponent);
        return 1 / sum;
    default:
        return st->entities > 0 ? 1 / (double)st->entities : 0;
    }
}

static void look(struct lint_subject *s)
{
    double hot = 0;

    for (size_t i = 0; i < s->sp->streams_len; i++) {
        const struct spec_stream *st = &s->sp->streams[i];

        for (size_t k = 0; k < st->tables_len; k++) {
            if (strcmp(st->tables[k], s->table->name) != 0)
                continue;
            s->rate_per_s += st->rate_per_s;
            if (st->keys_file)
                continue;
            s->entities = fmax(s->entities, (double)st->entities);
            hot = fmax(hot, st->rate_per_s * hottest(st));
        }
    }
    s->hot_share = s->rate_per_s > 0 ? hot / s->rate_per_s : 0;
}

/* Digits that the field's largest number has. */
static double digits_of(const struct lint_subject *s, const struct saltkey_field *f)
{
    if (spec_field_is_time(f))
        return 13;
    if (strcmp(f->name, "seq") == 0)
        return 12;
    return s->entities > 10 ? floor(log10(s->entities - 1) + 1e-12) + 1 : s->entities > 0 ? 1 : 10;
}

static bool is_text(const struct saltkey_field *f)
{
    return f->kind == SALTKEY_TEXT || f->kind == SALTKEY_RAWTEXT || f->kind == SALTKEY_FIXED;
}

/* A number that is written with as many digits as it has. */
static void number(struct lint_subject *s, const struct saltkey_field *f)
{
    const double digits = digits_of(s, f);
    const char *rule = "variable-width-number";
    char todo[160];

    snprintf(todo, sizeof todo, "%s:be64 (8 bytes, in order), or %s:dec(%.0f), padded with zeros", f->name, f->name, digits);
    if (f->kind == SALTKEY_NUM && f->digits < digits && spec_field_is_time(f))
        lint_add(s, (struct lint_words){rule, f->name, todo},
                 "its digits stand as they are: in order only while all have 13 of them, as milliseconds "
                 "have from 2001 to 2286; seconds, or a test's small numbers, sort wrong");
    else if (f->kind == SALTKEY_NUM && f->digits < digits)
        lint_add(s, (struct lint_words){rule, f->name, todo},
                 "its digits are %s: 10 sorts before 9, and a range of numbers is no range of keys",
                 f->digits > 0 ? "padded to fewer than it can have" : "as many as the number has");
    else if (spec_field_counts(f) && is_text(f))
        lint_add(s, (struct lint_words){rule, f->name, todo},
                 "it is a number in text: here its digits are padded with zeros to twelve, but bare ones "
                 "sort 10 before 9");
    else if (is_text(f) && lint_named_number(f->name))
        lint_add(s, (struct lint_words){rule, f->name, todo},
                 "it is named as a number and stands in text: bare digits sort 10 before 9");
}

/* A digest's bytes or digits, whatever they are named after. */
static bool is_digest(const struct saltkey_field *f)
{
    return (f->kind == SALTKEY_HEX || f->kind == SALTKEY_BYTES) && f->width >= 8;
}

static void person(struct lint_subject *s, const struct saltkey_field *f)
{
    if (lint_named_person(f->name) && !is_digest(f))
        lint_add(s, (struct lint_words){"personal-data", f->name,
                 "a number that another table maps to it, or a keyed hash (HMAC) in bytes(16); a plain hash "
                 "of what can be guessed hides nothing"},
                 "named as what tells a person, in the clear in the key: keys stand in HFiles, "
                 "WALs, hbase:meta (region boundaries), logs and the web pages, and can't be masked by column%s",
                 spec_scheme_hashed_prefix(&s->scheme) ? "; the hashed prefix only stands before it" : "");
}

static void mark_text(uint8_t mark, char text[8])
{
    snprintf(text, 8, mark > 0x20 && mark < 0x7f ? "'%c'" : "\\x%02X", mark);
}

/* Text that ends at a byte. \x00 and escaped marks are safe; the others are refused here, an application that just
   joins its fields lets them through. */
static void delimiter(struct lint_subject *s, const struct saltkey_field *f)
{
    const uint8_t mark = f->desc ? (uint8_t)~f->mark : f->mark;
    char text[8];

    if (!f->marked || f->escaped || f->width > 0 || f->kind == SALTKEY_OB_TEXT || f->kind == SALTKEY_OB_BLOB)
        return;
    mark_text(mark, text);
    if (f->kind == SALTKEY_RAWTEXT)
        lint_add(s, (struct lint_words){"delimiter", f->name,
                 "text with an escape (name:text+_~\\x5C), a fixed width, or \\x00 as the end mark of text that "
                 "has none"},
                 "it ends at %s, which nobody looks for inside: a value with it moves all fields behind, and two rows can "
                 "have one key", text);
    else if (f->kind == SALTKEY_NUM || spec_field_counts(f) ? mark == '-' || (mark >= '0' && mark <= '9') : mark != 0)
        lint_add(s, (struct lint_words){"delimiter", f->name,
                 "\\x00 as the end mark (the default), an escape (name:text+_~\\x5C), or a fixed width"},
                 "it ends at %s, which %s may hold: such rows are refused here; an application that just joins its fields writes "
                 "ambiguous keys", text, f->kind == SALTKEY_REVLABELS && mark == '.' ? "each value" : "its values");
}

int lint_table(const struct spec *sp, const struct spec_table *table, struct result_findings *out)
{
    struct lint_subject s = {.sp = sp, .table = table, .out = out};

    if (spec_table_scheme(table, &s.scheme, NULL) != 0)
        return -1;
    look(&s);
    lint_leading(&s);
    for (uint32_t i = 0; i < s.scheme.layout.n_fields; i++) {
        const struct saltkey_field *f = &s.scheme.layout.fields[i];

        number(&s, f);
        person(&s, f);
        delimiter(&s, f);
    }
    lint_rows(&s);
    return s.rc;
}
