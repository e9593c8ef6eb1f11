/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/cost.h"

#include <stdio.h>

#include "cli/commands.h"
#include "echo/query.h"
#include "result/format.h"

/* From here on a run is announced, and is worth a cheaper level. */
#define ANNOUNCED_S 20.0
#define LONG_S 120.0
/* A cheaper level saves so much at least. */
#define SAVES 3.0

/* Of the levels below |detail| the finest that saves enough; |detail| where none does. */
static enum spec_detail cheaper(const struct spec *sp, const struct echo *echo, enum spec_detail detail)
{
    const double s = echo_cost_s(sp, echo, detail);

    if (detail == SPEC_DETAIL_WRITE && SAVES * echo_cost_s(sp, echo, SPEC_DETAIL_TICK) <= s)
        return SPEC_DETAIL_TICK;
    if (detail != SPEC_DETAIL_FLOW && SAVES * echo_cost_s(sp, echo, SPEC_DETAIL_FLOW) <= s)
        return SPEC_DETAIL_FLOW;
    return detail;
}

static unsigned comparisons(const struct spec *sp)
{
    return (sp->compare & SPEC_COMPARE_NONE ? 1 : 0) + (sp->compare & SPEC_COMPARE_TWICE ? 1 : 0);
}

/* What the estimate doesn't know: rows that a filter reads, and scanner opens by the ten thousand, are walked too. */
#define SCANS_PER_S 10000.0

static bool has_heavy_queries(const struct spec *sp)
{
    for (size_t i = 0; i < sp->queries_len; i++) {
        struct echo_query q;

        if (echo_query_fill(sp, &sp->queries[i], &q) == 0 &&
            (!q.is_range || q.scans * sp->queries[i].rate_per_s > SCANS_PER_S))
            return true;
    }
    return false;
}

void cli_cost_print(const struct spec *sp, const struct echo *echo)
{
    const enum spec_detail detail = echo_cost_detail(sp);
    const unsigned more = comparisons(sp);
    char rows[FORMAT_CAP], time[ECHO_COST_CAP];

    printf("  takes      %s at detail %s, %s rows", echo_cost_text(echo_cost_s(sp, echo, detail), time),
           echo_cost_detail_name(detail), format_count(echo_cost_rows(sp), rows));
    if (more > 0)
        printf("; pictures compare with %u more run%s", more, more > 1 ? "s" : "");
    if (has_heavy_queries(sp))
        printf("; queries that filter, or open many scans, may make it many times that");
    printf("\n");
}

size_t cli_cost_warn(const char *operand, const struct spec *sp, const struct echo *echo)
{
    const enum spec_detail detail = echo_cost_detail(sp), other = cheaper(sp, echo, detail);
    char time[ECHO_COST_CAP], less[ECHO_COST_CAP];

    if (sp->detail == SPEC_DETAIL_AUTO || echo_cost_s(sp, echo, detail) < LONG_S || other == detail)
        return 0;
    cli_error("%s: warning: detail = %s takes %s; detail = %s takes %s", operand, echo_cost_detail_name(detail),
              echo_cost_text(echo_cost_s(sp, echo, detail), time), echo_cost_detail_name(other),
              echo_cost_text(echo_cost_s(sp, echo, other), less));
    return 1;
}

void cli_cost_announce(const char *operand, const struct spec *sp)
{
    const enum spec_detail detail = echo_cost_detail(sp);
    char rows[FORMAT_CAP], time[ECHO_COST_CAP], less[ECHO_COST_CAP];
    enum spec_detail other;
    struct echo echo;
    double s;

    if (echo_fill(sp, NULL, &echo) != 0)
        return;
    s = echo_cost_s(sp, &echo, detail);
    if (s < ANNOUNCED_S)
        return;
    other = cheaper(sp, &echo, detail);
    if (other == detail)
        cli_error("%s: %s rows at detail %s: %s", operand, format_count(echo_cost_rows(sp), rows),
                  echo_cost_detail_name(detail), echo_cost_text(s, time));
    else
        cli_error("%s: %s rows at detail %s: %s (--detail %s: %s)", operand, format_count(echo_cost_rows(sp), rows),
                  echo_cost_detail_name(detail), echo_cost_text(s, time), echo_cost_detail_name(other),
                  echo_cost_text(echo_cost_s(sp, &echo, other), less));
}
