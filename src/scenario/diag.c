/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/diag.h"

#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void diags_free(struct scenario_diags *dgs)
{
    for (size_t i = 0; i < dgs->len; i++) {
        free(dgs->items[i].file);
        free(dgs->items[i].message);
        free(dgs->items[i].hint);
    }
    free(dgs->items);
    memset(dgs, 0, sizeof *dgs);
}

static char *printed(const char *fmt, va_list ap) __attribute__((format(printf, 1, 0)));

static char *printed(const char *fmt, va_list ap)
{
    va_list again;
    int len;
    char *text = NULL;

    va_copy(again, ap);
    len = vsnprintf(NULL, 0, fmt, ap);
    if (len >= 0)
        text = malloc((size_t)len + 1);
    if (text)
        vsnprintf(text, (size_t)len + 1, fmt, again);
    va_end(again);
    return text;
}

static bool make_room(struct scenario_diags *dgs)
{
    size_t cap = dgs->cap ? 2 * dgs->cap : 16;
    struct scenario_diag *items;

    if (dgs->len < dgs->cap)
        return true;
    items = realloc(dgs->items, cap * sizeof *items);
    if (!items)
        return false;
    dgs->items = items;
    dgs->cap = cap;
    return true;
}

/* Takes |message|, which may be NULL for want of memory. */
static void add(struct scenario_diags *dgs, enum scenario_severity severity, struct scenario_place at, char *message)
{
    char *file = NULL;
    struct scenario_diag *dg;

    if (severity == SCENARIO_ERROR)
        dgs->errors++;
    if (at.file) {
        file = malloc(strlen(at.file) + 1);
        if (file)
            strcpy(file, at.file);
    }
    if (!message || (at.file && !file) || !make_room(dgs)) {
        free(message);
        free(file);
        dgs->no_memory = true;
        return;
    }
    dg = &dgs->items[dgs->len++];
    dg->severity = severity;
    dg->file = file;
    dg->line = at.line;
    dg->column = at.column;
    dg->message = message;
    dg->hint = NULL;
}

void diags_error(struct scenario_diags *dgs, struct scenario_place at, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    add(dgs, SCENARIO_ERROR, at, printed(fmt, ap));
    va_end(ap);
}

void diags_warning(struct scenario_diags *dgs, struct scenario_place at, const char *fmt, ...)
{
    va_list ap;

    va_start(ap, fmt);
    add(dgs, SCENARIO_WARNING, at, printed(fmt, ap));
    va_end(ap);
}

void diags_hint(struct scenario_diags *dgs, const char *fmt, ...)
{
    va_list ap;
    char *hint;

    if (dgs->len == 0 || dgs->no_memory)
        return;
    va_start(ap, fmt);
    hint = printed(fmt, ap);
    va_end(ap);
    if (!hint) {
        dgs->no_memory = true;
        return;
    }
    free(dgs->items[dgs->len - 1].hint);
    dgs->items[dgs->len - 1].hint = hint;
}

static bool after(const struct scenario_diag *a, const struct scenario_diag *b)
{
    int aline = a->line > 0 ? a->line : INT_MAX, bline = b->line > 0 ? b->line : INT_MAX;

    return aline > bline || (aline == bline && a->column > b->column);
}

/* By insertion: the lists are short, and equal places must keep their order. */
void diags_sort(struct scenario_diags *dgs)
{
    for (size_t i = 1; i < dgs->len; i++) {
        struct scenario_diag dg = dgs->items[i];
        size_t j = i;

        for (; j > 0 && after(&dgs->items[j - 1], &dg); j--)
            dgs->items[j] = dgs->items[j - 1];
        dgs->items[j] = dg;
    }
}
