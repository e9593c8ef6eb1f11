/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "emit/quote.h"

#include <stdint.h>
#include <string.h>

static bool plain(const char *s)
{
    for (; *s; s++) {
        if ((unsigned char)*s < 0x20 || (unsigned char)*s > 0x7e)
            return false;
    }
    return true;
}

/* The code point at |*s|, which moves behind it; -1 where it isn't well-formed UTF-8. */
static int32_t code_point(const char **s)
{
    const unsigned char *p = (const unsigned char *)*s;
    int more = p[0] < 0x80 ? 0 : p[0] >= 0xc2 && p[0] < 0xe0 ? 1 : p[0] >= 0xe0 && p[0] < 0xf0 ? 2
               : p[0] >= 0xf0 && p[0] < 0xf5 ? 3 : -1;
    static const int32_t least[] = {0, 0x80, 0x800, 0x10000};
    int32_t c = more <= 0 ? p[0] : p[0] & (0x3f >> more);

    if (more < 0)
        return -1;
    for (int i = 1; i <= more; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return -1;
        c = c << 6 | (p[i] & 0x3f);
    }
    if (c < least[more] || c > 0x10ffff || (c >= 0xd800 && c < 0xe000))
        return -1;
    *s += more + 1;
    return c;
}

static bool utf8(const char *s)
{
    while (*s) {
        if (code_point(&s) < 0)
            return false;
    }
    return true;
}

int quote_ruby(const char *name, FILE *out)
{
    if (plain(name)) {
        fputc('\'', out);
        for (; *name; name++) {
            if (*name == '\'' || *name == '\\')
                fputc('\\', out);
            fputc(*name, out);
        }
        fputc('\'', out);
        return 0;
    }
    if (!utf8(name))
        return -1;
    fputc('"', out);
    while (*name) {
        int32_t c = code_point(&name);

        if (c < 0x20 || c > 0x7e)
            fprintf(out, "\\u{%x}", (unsigned)c);
        else
            fprintf(out, c == '"' || c == '\\' || c == '#' ? "\\%c" : "%c", (int)c);
    }
    fputc('"', out);
    return 0;
}

/* \uXXXX of Java and its properties files, in UTF-16 units. */
static void java_unit(int32_t c, FILE *out)
{
    if (c > 0xffff)
        fprintf(out, "\\u%04x\\u%04x", (unsigned)(0xd800 + ((c - 0x10000) >> 10)),
                (unsigned)(0xdc00 + ((c - 0x10000) & 0x3ff)));
    else
        fprintf(out, "\\u%04x", (unsigned)c);
}

int quote_java(const char *name, FILE *out)
{
    if (!utf8(name))
        return -1;
    fputc('"', out);
    while (*name) {
        int32_t c = code_point(&name);

        /* \uXXXX is read before the quotes are: a control character needs an escape of the literal */
        if (c < 0x20 || c == 0x7f)
            fprintf(out, "\\%03o", (unsigned)c);
        else if (c > 0x7e)
            java_unit(c, out);
        else
            fprintf(out, c == '"' || c == '\\' ? "\\%c" : "%c", (int)c);
    }
    fputc('"', out);
    return 0;
}

void quote_sh(const char *word, FILE *out)
{
    fputc('\'', out);
    for (; *word; word++) {
        if (*word == '\'')
            fputs("'\\''", out);
        else
            fputc(*word, out);
    }
    fputc('\'', out);
}

int quote_sql_name(const char *name, FILE *out)
{
    if (name[0] == '\0' || strchr(name, '"'))
        return -1;
    fprintf(out, "\"%s\"", name);
    return 0;
}

int quote_property(const char *value, FILE *out)
{
    if (!utf8(value))
        return -1;
    for (bool first = true; *value; first = false) {
        int32_t c = code_point(&value);

        if (c < 0x20 || c > 0x7e)
            java_unit(c, out);
        else if (c == '\\' || (first && c == ' '))
            fprintf(out, "\\%c", (int)c);
        else
            fputc((int)c, out);
    }
    return 0;
}

void quote_key(struct saltkey_slice key, bool java, FILE *out)
{
    for (size_t i = 0; i < key.len; i++) {
        uint8_t c = key.bytes[i];

        if (c < 0x20 || c > 0x7e || c == '\\' || c == '\'' || c == '"' || c == '`')
            fprintf(out, java ? "\\\\x%02X" : "\\x%02X", c);
        else
            fputc(c, out);
    }
}

void quote_comment(const char *text, FILE *out)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if (c < 0x20 || c > 0x7e || c == '\\')
            fprintf(out, "\\x%02X", c);
        else
            fputc(c, out);
    }
}
