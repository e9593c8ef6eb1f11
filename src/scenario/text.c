/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void text_free(struct text *txt)
{
    free(txt->chars);
    memset(txt, 0, sizeof *txt);
}

void text_clear(struct text *txt)
{
    txt->len = 0;
    if (txt->chars)
        txt->chars[0] = '\0';
}

static bool text_room(struct text *txt, size_t more)
{
    size_t cap = txt->cap ? txt->cap : 64;
    char *chars;

    if (txt->failed)
        return false;
    while (cap < txt->len + more + 1)
        cap *= 2;
    if (cap == txt->cap)
        return true;
    chars = realloc(txt->chars, cap);
    if (!chars) {
        txt->failed = true;
        return false;
    }
    txt->chars = chars;
    txt->cap = cap;
    return true;
}

void text_add(struct text *txt, const char *fmt, ...)
{
    va_list ap;
    int len;

    va_start(ap, fmt);
    len = vsnprintf(NULL, 0, fmt, ap);
    va_end(ap);
    if (len < 0 || !text_room(txt, (size_t)len))
        return;
    va_start(ap, fmt);
    vsnprintf(txt->chars + txt->len, (size_t)len + 1, fmt, ap);
    va_end(ap);
    txt->len += (size_t)len;
}

char *text_dup(const char *from, size_t len)
{
    char *to = malloc(len + 1);

    if (!to)
        return NULL;
    memcpy(to, from, len);
    to[len] = '\0';
    return to;
}

struct words words_of(const char *value)
{
    struct words wds = {value, 0};

    return wds;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

static struct word piece(const struct words *wds, size_t from, size_t to)
{
    struct word wd;

    while (from < to && is_blank(wds->value[from]))
        from++;
    while (to > from && is_blank(wds->value[to - 1]))
        to--;
    wd.chars = wds->value + from;
    wd.len = to - from;
    wd.at = from;
    return wd;
}

bool words_next(struct words *wds, struct word *out)
{
    size_t from = wds->next, to;

    while (is_blank(wds->value[from]))
        from++;
    to = from;
    while (wds->value[to] && !is_blank(wds->value[to]))
        to++;
    wds->next = to;
    *out = piece(wds, from, to);
    return to > from;
}

struct word words_rest(struct words *wds)
{
    size_t from = wds->next;

    wds->next = strlen(wds->value);
    return piece(wds, from, wds->next);
}

bool words_next_item(struct words *wds, struct word *out)
{
    size_t from = wds->next, to = from;

    /* The offset just behind the text stands for "the last item was read". */
    if (from > strlen(wds->value))
        return false;
    while (wds->value[to] && wds->value[to] != ',')
        to++;
    wds->next = to + 1;
    *out = piece(wds, from, to);
    return true;
}

bool word_is(struct word wd, const char *text)
{
    return strlen(text) == wd.len && memcmp(wd.chars, text, wd.len) == 0;
}

bool word_number(struct word wd, long long max, long long *out)
{
    long long number = 0;

    if (wd.len == 0)
        return false;
    for (size_t i = 0; i < wd.len; i++) {
        int digit = wd.chars[i] - '0';

        if (digit < 0 || digit > 9 || digit > max || number > (max - digit) / 10)
            return false;
        number = number * 10 + digit;
    }
    *out = number;
    return true;
}
