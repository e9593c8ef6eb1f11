/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdarg.h>
#include <string.h>

#include "report/plan.h"
#include "result/format.h"

#define LABEL_WIDTH 9
#define MONTH_S (365.0 * 86400 / 12)
#define LINE_MAX_BYTES 200

struct lines {
    FILE *to;
    int left, written;
};

static void put_line(struct lines *ls, const char *label, char *text)
{
    for (char *at = text; *at; at++)
        if ((unsigned char)*at < 0x20)
            *at = ' ';
    fprintf(ls->to, "%-*s %s\n", LABEL_WIDTH, label, text);
    ls->left--;
    ls->written++;
}

__attribute__((format(printf, 3, 4)))
static void say(struct lines *ls, const char *label, const char *fmt, ...)
{
    char text[1024];
    va_list args;

    if (ls->left <= 0)
        return;
    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (strlen(text) > LINE_MAX_BYTES)
        strcpy(text + LINE_MAX_BYTES - 3, "...");
    put_line(ls, label, text);
}

static const char *n_name(int n, char text[FORMAT_CAP])
{
    if (n > 0)
        snprintf(text, FORMAT_CAP, "N = %d", n);
    else
        strcpy(text, "no salt");
    return text;
}

static void neighbours(struct lines *ls, const struct result_plan *plan)
{
    char n[FORMAT_CAP];

    if (plan->smaller_n >= 0 && plan->smaller_why)
        say(ls, "not less", "%s: %s", n_name(plan->smaller_n, n), plan->smaller_why);
    if (plan->larger_n >= 0 && plan->larger_why)
        say(ls, "not more", "%s %s", n_name(plan->larger_n, n), plan->larger_why);
    if (plan->breaks_first)
        say(ls, "breaks", "%s", plan->breaks_first);
    if (plan->even_text)
        say(ls, "even", "%s", plan->even_text);
    if (plan->rule_of_thumb)
        say(ls, "advice", "%s", plan->rule_of_thumb);
}

/* The shown N over the sizes of the cluster, in one line. */
static void growth(struct lines *ls, const struct result_plan *plan)
{
    char text[LINE_MAX_BYTES] = "", ratio[FORMAT_CAP];
    size_t len = 0;
    double servers = 0;

    for (size_t i = 0; i < plan->stages_len; i++) {
        const struct result_stage *st = &plan->stages[i];

        if (st->n != plan->stages[0].n || st->servers == servers || len + 60 > sizeof text)
            continue;
        servers = st->servers;
        len += (size_t)snprintf(text + len, sizeof text - len, "%s%.0f servers %s%s", len ? ", " : "", st->servers,
                                format_ratio(st->hot_server_ratio, ratio), st->meets ? "" : " (misses)");
    }
    if (len > 0)
        say(ls, "growth", "%s: %s", n_name(plan->stages[0].n, ratio), text);
}

/* However full the page is. */
static void gates(struct lines *ls, const struct result_plan *plan, const char *level)
{
    char text[1024];

    for (size_t i = 0; i < plan->gates_len; i++) {
        const struct result_gate *g = &plan->gates[i];

        if (!g->level || strcmp(g->level, level) != 0)
            continue;
        snprintf(text, sizeof text, "%s: %s", g->id ? g->id : "-", g->text ? g->text : "");
        put_line(ls, level, text);
    }
}

static void variations(struct lines *ls, const struct result_plan *plan)
{
    char text[LINE_MAX_BYTES] = "", n[FORMAT_CAP];
    size_t len = 0, same = 0;

    for (size_t i = 0; i < plan->variations_len; i++) {
        const struct result_variation *var = &plan->variations[i];

        if (var->recommended_n == plan->recommended_n) {
            same++;
            continue;
        }
        if (len + 60 < sizeof text)
            len += (size_t)snprintf(text + len, sizeof text - len, "%s%.30s: %s", len ? "; " : "", var->name ? var->name : "-",
                                    var->recommended_n < 0 ? "nothing" : n_name(var->recommended_n, n));
    }
    if (plan->variations_len > 0)
        say(ls, "otherwise", "%s%s%zu of %zu cases give the same N", text, len ? "; " : "", same, plan->variations_len);
}

int report_plan_lines(const struct result *res, FILE *to, int most)
{
    struct lines ls = {to, most, 0};

    neighbours(&ls, &res->plan);
    growth(&ls, &res->plan);
    gates(&ls, &res->plan, "stop");
    variations(&ls, &res->plan);
    gates(&ls, &res->plan, "warn");
    return ls.written;
}
