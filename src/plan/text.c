/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/text.h"

#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "result/format.h"

void plan_say(struct plan_text *t, const char *fmt, ...)
{
    va_list ap;
    int n;

    va_start(ap, fmt);
    n = vsnprintf(t->bytes + t->len, sizeof t->bytes - t->len, fmt, ap);
    va_end(ap);
    if (n > 0)
        t->len = t->len + (size_t)n < sizeof t->bytes ? t->len + (size_t)n : sizeof t->bytes - 1;
}

static bool ends(const char *text, const char *with)
{
    const size_t n = strlen(text), m = strlen(with);

    return n >= m && strcmp(text + n - m, with) == 0;
}

void plan_say_value(struct plan_text *t, const char *metric, double value)
{
    char text[FORMAT_CAP];

    if (ends(metric, "_per_s"))
        plan_say(t, "%s", format_rate(value, text));
    else if (ends(metric, "_us") || ends(metric, ".p50") || ends(metric, ".p95") ||
             ends(metric, ".p99") || ends(metric, ".p999"))
        plan_say(t, "%s", format_latency(value, text));
    else
        plan_say(t, "%.4g", value);
}

void plan_say_n(struct plan_text *t, int n)
{
    if (n == 0)
        plan_say(t, "no salt");
    else
        plan_say(t, "N = %d", n);
}

char *plan_copy_text(const char *s)
{
    char *p = malloc(strlen(s) + 1);

    return p ? strcpy(p, s) : NULL;
}
