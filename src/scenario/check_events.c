/* SPDX-License-Identifier: GPL-3.0-or-later */
/* [event]s and the state file against the cluster: each server that is named must be there at that
   time, and one must always be left. */
#include <stdlib.h>
#include <string.h>

#include "scenario/build.h"

enum presence { SERVER_NOT_YET, SERVER_UP, SERVER_DRAINED, SERVER_GONE };

struct presence_at {
    enum presence state;
    const struct ini_section *by;     /* the event that made it so; NULL = there from the start */
};

struct cast {
    struct build *bld;
    struct presence_at *servers;
    size_t len;
    size_t up;                        /* that may hold regions */
};

struct timed {
    const struct spec_event *ev;
    const struct ini_section *sec;
    size_t nth;
};

static int by_time(const void *a, const void *b)
{
    const struct timed *x = a, *y = b;

    if (x->ev->at_ns != y->ev->at_ns)
        return x->ev->at_ns < y->ev->at_ns ? -1 : 1;
    return (x->nth > y->nth) - (x->nth < y->nth);
}

/* The server that |t| names is up; |verb| says what is done with it. */
static bool must_be_up(struct cast *cast, const struct timed *t, bool drained_too, const char *verb)
{
    const struct scenario_place at = build_place(t->sec, "do");
    const struct presence_at *p;
    char place[100];
    int n = t->ev->server;

    if ((size_t)n >= cast->len || cast->servers[n].state == SERVER_NOT_YET) {
        diags_error(cast->bld->dgs, at, "do: there is no rs%02d at that time to %s", n, verb);
        diags_hint(cast->bld->dgs, "the cluster begins with rs00 to rs%02d; each 'add server' brings the next",
                   cast->bld->sc->spec.cluster.servers - 1);
        return false;
    }
    p = &cast->servers[n];
    if (p->state == SERVER_UP || (drained_too && p->state == SERVER_DRAINED))
        return true;
    diags_error(cast->bld->dgs, at, "do: can't %s rs%02d: it was %s at %s", verb, n,
                p->state == SERVER_GONE ? "lost" : "drained",
                build_place_text(build_place(p->by, "do"), place, sizeof place));
    return false;
}

static void take_away(struct cast *cast, const struct timed *t, enum presence state)
{
    struct presence_at *p = &cast->servers[t->ev->server];

    if (p->state == SERVER_UP && cast->up == 1) {
        diags_error(cast->bld->dgs, build_place(t->sec, "do"), "do: rs%02d is the last server; none would be left",
                    t->ev->server);
        return;
    }
    cast->up -= p->state == SERVER_UP;
    *p = (struct presence_at){state, t->sec};
}

static void add_servers(struct cast *cast, const struct timed *t)
{
    size_t n = 0;

    while (cast->servers[n].state != SERVER_NOT_YET)
        n++;
    for (int k = 0; k < t->ev->count; k++, n++)
        cast->servers[n] = (struct presence_at){SERVER_UP, t->sec};
    cast->up += (size_t)t->ev->count;
}

static void check_table(struct cast *cast, const struct timed *t, const char *form)
{
    struct build *bld = cast->bld;

    if (spec_table_by_name(&bld->sc->spec, t->ev->table) || build_lost_table(bld, t->ev->table))
        return;
    diags_error(bld->dgs, build_place(t->sec, "do"), "do: unknown table '%s'", t->ev->table);
    diags_hint(bld->dgs, "write %s", form);
}

static void check_move(struct cast *cast, const struct timed *t)
{
    struct build *bld = cast->bld;

    check_table(cast, t, "move TABLE,KEY RS");
    if (t->ev->server >= 0)
        must_be_up(cast, t, false, "move a region to");
    else if (cast->up < 2)
        diags_error(bld->dgs, build_place(t->sec, "do"), "do: there is no other server to move a region to");
}

static void play(struct cast *cast, const struct timed *t)
{
    switch (t->ev->kind) {
    case SPEC_EVENT_ADD:
        add_servers(cast, t);
        break;
    case SPEC_EVENT_LOSE:
        if (must_be_up(cast, t, true, "lose"))
            take_away(cast, t, SERVER_GONE);
        break;
    case SPEC_EVENT_DRAIN:
        if (must_be_up(cast, t, false, "drain"))
            take_away(cast, t, SERVER_DRAINED);
        break;
    case SPEC_EVENT_RESTART:
        if (must_be_up(cast, t, true, "restart") && cast->up < 2)
            diags_error(cast->bld->dgs, build_place(t->sec, "do"),
                        "do: rs%02d is the last server; none would be left", t->ev->server);
        break;
    case SPEC_EVENT_ROLLING_RESTART:
        if (cast->up < 2)
            diags_error(cast->bld->dgs, build_place(t->sec, "do"), "do: a restart of the only server leaves none");
        break;
    case SPEC_EVENT_MOVE:
        check_move(cast, t);
        break;
    case SPEC_EVENT_SPLIT:
        check_table(cast, t, "split TABLE,KEY");
        break;
    case SPEC_EVENT_MERGE:
        check_table(cast, t, "merge TABLE,KEY TABLE,KEY");
        break;
    case SPEC_EVENT_CREATE_TABLE:
        check_table(cast, t, "create TABLE, with a section [table TABLE]");
        break;
    case SPEC_EVENT_DROP_TABLE:
        check_table(cast, t, "drop TABLE");
        break;
    case SPEC_EVENT_FLUSH:
    case SPEC_EVENT_COMPACT:
    case SPEC_EVENT_MAJOR_COMPACT:
        check_table(cast, t, "flush TABLE, or flush TABLE,KEY");
        break;
    default:
        break;
    }
}

static bool in_time(struct build *bld, const struct timed *t)
{
    const struct ini_section *run = build_section(bld, "scenario", "");
    const int64_t end = bld->sc->spec.duration_ns;
    char text[UNIT_TEXT_CAP], at[UNIT_TEXT_CAP];

    if (t->ev->at_ns < end || (run && !build_good(run, "duration")))
        return true;
    unit_write_whole(UNIT_DURATION, t->ev->at_ns, at);
    unit_write_whole(UNIT_DURATION, end, text);
    diags_error(bld->dgs, build_place(t->sec, "at"), "at: %s is not before the end of the run, %s", at, text);
    return false;
}

static void check_state(struct build *bld)
{
    const struct spec_cluster *cl = &bld->sc->spec.cluster;
    const struct ini_section *sec = build_section(bld, "cluster", "");

    if (!sec || !build_given(sec, "state") || !build_good(sec, "state") || !build_good(sec, "servers"))
        return;
    for (size_t i = 0; i < cl->state_len; i++) {
        int most = cl->state[i].server;

        for (size_t k = 0; k < cl->state[i].local_len; k++)
            most = cl->state[i].local[k] > most ? cl->state[i].local[k] : most;
        if (most < cl->servers)
            continue;
        diags_error(bld->dgs, build_place(sec, "state"), "state: %s has a server rs%02d, but the cluster has %d",
                    cl->state_name, most, cl->servers);
        return;
    }
    for (size_t t = 0; t < bld->sc->spec.tables_len; t++) {
        const char *name = bld->sc->spec.tables[t].name;
        size_t regions = 0;
        bool first = false;

        for (size_t i = 0; i < cl->state_len; i++) {
            if (strcmp(cl->state[i].table, name) != 0)
                continue;
            regions++;
            first |= cl->state[i].start.len == 0;
        }
        if (regions > 0 && !first)
            diags_error(bld->dgs, build_place(sec, "state"), "state: no region of '%s' starts with the empty key (-)",
                        name);
    }
}

void build_check_events(struct build *bld)
{
    const struct spec *sp = &bld->sc->spec;
    struct cast cast = {bld, NULL, (size_t)sp->cluster.servers, (size_t)sp->cluster.servers};
    const struct ini_section *cluster = build_section(bld, "cluster", "");
    struct timed *all;
    size_t n = 0;

    check_state(bld);
    if (cluster && !build_good(cluster, "servers"))
        return; /* nobody knows then who is there */
    all = calloc(sp->events_len + 1, sizeof *all);
    for (size_t i = 0; i < sp->events_len; i++)
        cast.len += sp->events[i].kind == SPEC_EVENT_ADD ? (size_t)sp->events[i].count : 0;
    cast.servers = calloc(cast.len + 1, sizeof *cast.servers);
    if (!all || !cast.servers) {
        bld->no_memory = true;
        goto out;
    }
    for (int s = 0; s < sp->cluster.servers; s++)
        cast.servers[s].state = SERVER_UP;
    for (size_t i = 0; i < bld->ini.sections_len; i++) {
        const struct ini_section *sec = &bld->ini.sections[i];

        if (strcmp(sec->kind, "event") != 0 || sec->index == BUILD_NOWHERE || sec->double_section ||
            !build_given(sec, "at") || !build_good(sec, "at") || !build_given(sec, "do") || !build_good(sec, "do"))
            continue;
        all[n] = (struct timed){&sp->events[sec->index], sec, n};
        n += in_time(bld, &all[n]);
    }
    qsort(all, n, sizeof *all, by_time);
    for (size_t i = 0; i < n; i++)
        play(&cast, &all[i]);
out:
    free(cast.servers);
    free(all);
}
