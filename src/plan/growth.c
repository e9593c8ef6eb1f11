/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "plan/growth.h"

#include <math.h>

#define COMPOUND_HORIZON_S (2 * 365.0 * 86400)
#define N_MAX 256

static double seconds(int64_t ns)
{
    return (double)ns / 1e9;
}

/* Servers are added (or taken away) one by one at equal spans between two steps. */
static int servers_at(const struct spec *sp, double at_s)
{
    const struct spec_growth *g = &sp->plan.growth;
    double whole, part;
    int from, to;

    if (g->servers_len == 0)
        return sp->cluster.servers;
    part = modf(fmin(at_s / seconds(g->servers_in_ns), 1) * (double)(g->servers_len - 1) + 1e-9, &whole);
    if (whole >= (double)(g->servers_len - 1))
        return g->servers[g->servers_len - 1];
    from = g->servers[(size_t)whole];
    to = g->servers[(size_t)whole + 1];
    return to >= from ? from + (int)((to - from) * part + 1e-6) : from - (int)((from - to) * part + 1e-6);
}

static double factor_at(const struct spec *sp, double at_s)
{
    const struct spec_growth *g = &sp->plan.growth;
    double factor = 1;

    if (g->rate_factor > 0)
        factor *= 1 + (g->rate_factor - 1) * fmin(at_s / seconds(g->rate_in_ns), 1);
    if (g->rate_gain > 0)
        factor *= pow(1 + g->rate_gain, at_s / seconds(g->rate_every_ns));
    return factor;
}

static double horizon_of(const struct spec_growth *g)
{
    double s = 0;

    if (g->servers_len > 0)
        s = fmax(s, seconds(g->servers_in_ns));
    if (g->rate_factor > 0)
        s = fmax(s, seconds(g->rate_in_ns));
    if (g->rate_gain > 0 && s == 0)
        s = COMPOUND_HORIZON_S;
    return s;
}

void plan_growth_of(const struct spec *sp, struct plan_growth *out)
{
    size_t steps;
    double step;

    *out = (struct plan_growth){.horizon_s = horizon_of(&sp->plan.growth)};
    steps = (size_t)ceil(out->horizon_s / PLAN_MONTH_S - 1e-9);
    if (steps > PLAN_POINTS_MAX - 1)
        steps = PLAN_POINTS_MAX - 1;
    step = steps > 0 ? out->horizon_s / (double)steps : 0;
    for (size_t k = 0; k <= steps; k++) {
        struct plan_point *p = &out->point[out->points++];
        size_t i = 0;

        p->at_s = k == steps ? out->horizon_s : step * (double)k;
        p->servers = servers_at(sp, p->at_s);
        p->rate_factor = factor_at(sp, p->at_s);
        while (i < out->sizes_len && out->sizes[i] != p->servers)
            i++;
        p->size = i;
        if (i == out->sizes_len)
            out->sizes[out->sizes_len++] = p->servers;
        out->factor_max[i] = fmax(out->factor_max[i], p->rate_factor);
    }
}

int plan_even_n(const struct spec *sp)
{
    const struct spec_growth *g = &sp->plan.growth;
    const size_t len = g->servers_len > 0 ? g->servers_len : 1;
    long n = 1;

    for (size_t i = 0; i < len; i++) {
        const long s = g->servers_len > 0 ? g->servers[i] : sp->cluster.servers;
        long a = n, b = s;

        while (b) {
            const long r = a % b;

            a = b;
            b = r;
        }
        n = n / a * s;
        if (n > N_MAX)
            return -1;
    }
    return (int)n;
}
