/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an expectation names must be there: a table, a query, a stretch of time inside the run. What
   only the run can tell is src/expect's business. */
#include <stdio.h>
#include <string.h>

#include "scenario/build.h"
#include "scenario/suggest.h"

static void check_window(struct build *bld, const struct ini_section *sec, const struct spec_expect *exp)
{
    const struct spec *sp = &bld->sc->spec;
    const struct ini_section *run = build_section(bld, "scenario", "");
    struct spec_figure fig;
    const bool known = exp->metric && spec_figure_find(exp->scope, exp->metric, strlen(exp->metric), &fig);
    const struct scenario_place at = build_place(sec, "window");
    char window[UNIT_TEXT_CAP], duration[UNIT_TEXT_CAP];
    int64_t needed = exp->last_ns > 0 ? exp->last_ns : exp->to_ns > 0 ? exp->to_ns : exp->from_ns;

    if (!build_good(sec, "window"))
        return;
    if (known && fig.over == SPEC_OVER_RUN && (exp->last_ns > 0 || exp->from_ns > 0 || exp->to_ns > 0)) {
        diags_error(bld->dgs, at, "%s is known for the whole run only, not for a window", fig.name);
        diags_hint(bld->dgs, "remove the window");
        return;
    }
    if (run && !build_good(run, "duration"))
        return;
    unit_write_whole(UNIT_DURATION, needed, window);
    unit_write_whole(UNIT_DURATION, sp->duration_ns, duration);
    if (exp->last_ns > sp->duration_ns)
        diags_error(bld->dgs, at, "a window of %s is longer than the run of %s", window, duration);
    else if (exp->to_ns > sp->duration_ns)
        diags_error(bld->dgs, at, "the window ends at %s, the run at %s", window, duration);
    else if (exp->from_ns > 0 && exp->from_ns >= sp->duration_ns)
        diags_error(bld->dgs, at, "the window begins at %s, the run ends at %s", window, duration);
}

static void check_table(struct build *bld, const struct scenario_place at, const char *name)
{
    const struct spec *sp = &bld->sc->spec;
    char table[200];
    struct suggest best;

    snprintf(table, sizeof table, "%.*s", (int)strcspn(name, ","), name);
    if (spec_table_by_name(sp, table) || build_lost_table(bld, table))
        return;
    suggest_begin(&best, table);
    for (size_t i = 0; i < sp->tables_len; i++)
        suggest_offer(&best, sp->tables[i].name);
    if (best.name)
        diags_error(bld->dgs, at, "unknown table '%s'; did you mean '%s'?", table, best.name);
    else
        diags_error(bld->dgs, at, "unknown table '%s'", table);
}

static void check_query(struct build *bld, const struct scenario_place at, const char *name)
{
    const struct spec *sp = &bld->sc->spec;
    struct suggest best;

    suggest_begin(&best, name);
    for (size_t i = 0; i < sp->queries_len; i++) {
        if (strcmp(sp->queries[i].name, name) == 0)
            return;
        suggest_offer(&best, sp->queries[i].name);
    }
    if (bld->odd_heads > 0)
        return;
    if (best.name)
        diags_error(bld->dgs, at, "unknown query '%s'; did you mean '%s'?", name, best.name);
    else
        diags_error(bld->dgs, at, "unknown query '%s'", name);
}

void build_check_expects(struct build *bld)
{
    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];
        const struct spec_expect *exp;

        if (strcmp(sec->kind, "expect") != 0 || sec->index == BUILD_NOWHERE || sec->double_section)
            continue;
        exp = &bld->sc->spec.expects[sec->index];
        check_window(bld, sec, exp);
        if (!exp->scope_name)
            continue;
        if (exp->scope == SPEC_SCOPE_TABLE || exp->scope == SPEC_SCOPE_REGION)
            check_table(bld, build_place(sec, "scope"), exp->scope_name);
        else if (exp->scope == SPEC_SCOPE_QUERY)
            check_query(bld, build_place(sec, "metric"), exp->scope_name);
    }
}
