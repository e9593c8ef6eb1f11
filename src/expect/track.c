/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "expect/track.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/fields.h"

/* The server with the most of |values|; -1 where nothing is. */
static int most_of(const double *values, size_t len)
{
    int at = -1;
    double most = 0;

    for (size_t s = 0; s < len; s++) {
        if (values[s] > most) {
            most = values[s];
            at = (int)s;
        }
    }
    return at;
}

static int who(const struct spec_figure *fig, const struct result_run *run, const struct result_window *win)
{
    if (strcmp(fig->name, "hot_server_ratio") == 0)
        return most_of(win->server_writes, run->servers_len);
    if (strcmp(fig->name, "tails_per_server_max") == 0)
        return most_of(win->server_tails, run->servers_len);
    return -1;
}

int track_make(const struct spec_figure *figure, const struct result_run *run, int server, struct track *out)
{
    const struct result_field *field =
        figure->scope == SPEC_SCOPE_SERVER ? NULL : result_field_find(result_window_fields, figure->name);
    const bool tails = strcmp(figure->name, "tails") == 0;

    out->figure = figure;
    out->len = run->windows_len;
    out->points = calloc(out->len + 1, sizeof *out->points);
    if (!out->points)
        return -1;
    for (size_t i = 0; i < out->len; i++) {
        const struct result_window *win = &run->windows[i];
        struct track_point *pt = &out->points[i];

        *pt = (struct track_point){win->begin_s, win->end_s, NAN, server, 0};
        if (server >= 0) {
            pt->value = tails ? win->server_tails[server] : win->server_writes[server];
        } else if (field) {
            memcpy(&pt->value, (const char *)win + field->offset, sizeof pt->value);
            pt->server = who(figure, run, win);
        }
    }
    return 0;
}

bool track_counts(const struct track_point *pt)
{
    return !isnan(pt->value) && 2 * pt->inside_s >= pt->end_s - pt->begin_s;
}

size_t track_cut(struct track *trk, double begin_s, double end_s)
{
    size_t n = 0;

    for (size_t i = 0; i < trk->len; i++) {
        struct track_point *pt = &trk->points[i];

        pt->inside_s = fmax(0, fmin(end_s, pt->end_s) - fmax(begin_s, pt->begin_s));
        n += track_counts(pt);
    }
    return n;
}

static int by_value(const void *a, const void *b)
{
    const double x = ((const struct track_point *)a)->value, y = ((const struct track_point *)b)->value;

    return (x > y) - (x < y);
}

/* The value below and above which half of the time lies; the lower one of two. */
static double median(const struct track *trk)
{
    struct track_point *all = malloc((trk->len + 1) * sizeof *all);
    double total = 0, below = 0, value = NAN;
    size_t n = 0;

    if (!all)
        return NAN;
    for (size_t i = 0; i < trk->len; i++) {
        if (!track_counts(&trk->points[i]))
            continue;
        all[n++] = trk->points[i];
        total += trk->points[i].inside_s;
    }
    qsort(all, n, sizeof *all, by_value);
    for (size_t i = 0; i < n && isnan(value); i++) {
        below += all[i].inside_s;
        if (2 * below >= total)
            value = all[i].value;
    }
    free(all);
    return value;
}

double track_value(const struct track *trk)
{
    double sum = 0, weight = 0, most = -INFINITY;

    if (trk->figure->over == SPEC_OVER_MEDIAN)
        return median(trk);
    for (size_t i = 0; i < trk->len; i++) {
        const struct track_point *pt = &trk->points[i];
        const double length = pt->end_s - pt->begin_s;

        if (trk->figure->over == SPEC_OVER_SUM && !isnan(pt->value) && length > 0) {
            sum += pt->value * (pt->inside_s / length);
        } else if (track_counts(pt)) {
            sum += pt->value * pt->inside_s;
            weight += pt->inside_s;
            most = fmax(most, pt->value);
        }
    }
    if (trk->figure->over == SPEC_OVER_SUM)
        return sum;
    if (weight <= 0)
        return NAN;
    return trk->figure->over == SPEC_OVER_MAX ? most : sum / weight;
}

size_t track_worst(const struct track *trk, bool at_most)
{
    size_t worst = trk->len;

    for (size_t i = 0; i < trk->len; i++) {
        const double v = trk->points[i].value;

        if (!track_counts(&trk->points[i]))
            continue;
        if (worst == trk->len || (at_most ? v > trk->points[worst].value : v < trk->points[worst].value))
            worst = i;
    }
    return worst;
}

double track_since(const struct track *trk, size_t at, bool at_most, double bound)
{
    double since = NAN;

    for (size_t i = at + 1; i-- > 0;) {
        const double v = trk->points[i].value;

        if (isnan(v))
            continue;
        if (at_most ? v <= bound : v >= bound)
            break;
        since = trk->points[i].begin_s;
    }
    return since;
}
