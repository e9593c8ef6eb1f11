/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The summary's fourth panel: choosing N where there is a plan, else writes over time. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "chart/frame.h"
#include "chart/pictures.h"
#include "chart/series.h"
#include "result/format.h"

#define WINDOW(member) offsetof(struct result_window, member)

/* What each candidate carries, and what is demanded. */
static void put_candidates(struct layout *lay, const struct result *res, struct box box)
{
    const struct result_plan *plan = &res->plan;
    const double needed = result_plan_needed_per_s(plan);
    double most = isfinite(needed) ? needed : 1;
    char name[40], text[FORMAT_CAP], label[60];
    for (size_t i = 0; i < plan->candidates_len; i++)
        most = isfinite(plan->candidates[i].max_write_rate_per_s.mean) ? fmax(most, plan->candidates[i].max_write_rate_per_s.mean) : most;
    const struct scale y = scale_make(SCALE_LINEAR, 0, most * 1.12, box.y + box.h, box.y);
    frame_y_axis(lay, &(struct axis){"choice.y", box, y, 5, true});
    if (needed <= y.hi) {
        const double at = scale_at(&y, needed);
        layout_line(lay, "choice.needed.0", (struct point){box.x, at}, (struct point){box.x + box.w, at},
                    (struct line_style){2, COLOUR_LIMIT, DASH_LONG, 1});
        snprintf(label, sizeof label, "needed %s", format_rate(needed, text));
        layout_text_if_free(lay, "choice.needed.label", (struct point){box.x + box.w, at - 5}, label,
                            (struct text_style){SIZE_TICK, COLOUR_TITLE, ANCHOR_END, false, true});
    }
    for (size_t i = 0; i < plan->candidates_len; i++) {
        const struct result_candidate *cand = &plan->candidates[i];
        const bool chosen = cand->n == plan->recommended_n, good = chosen || cand->feasible;
        const double x = floor(box.x + box.w * ((double)i + 0.5) / (double)plan->candidates_len);
        const double at = scale_at(&y, cand->max_write_rate_per_s.mean);
        frame_item_name(name, "choice", "point", i);
        if (at >= y.to && at <= y.from)
            layout_mark(lay, name, (struct point){x, at}, good ? MARK_CIRCLE : MARK_CROSS, good ? COLOUR_CHOSEN : COLOUR_OTHER);
        frame_item_name(name, "choice", "n", i);
        if (cand->n == 0)
            snprintf(text, sizeof text, "none");
        else
            format_count(cand->n, text);
        layout_text_if_free(lay, name, (struct point){x, box.y + box.h + 19}, text,
                            (struct text_style){SIZE_TICK, COLOUR_TEXT, ANCHOR_MIDDLE, chosen, false});
    }
    layout_line(lay, "choice.axis.0", (struct point){box.x, box.y + box.h}, (struct point){box.x + box.w, box.y + box.h},
                (struct line_style){1, COLOUR_AXIS, DASH_NONE, 1});
}

static bool latency_range(const struct result_run *run, const struct series *ser, double *lo, double *hi)
{
    double least, most;
    if (!run || !series_range(run, ser, true, &least, &most))
        return false;
    *lo = fmin(*lo, least);
    *hi = fmax(*hi, most);
    return true;
}

/* p99 of the scenario and of the unsalted run; rates where the runs know no latency. */
static void put_writes(struct layout *lay, const struct result *res, struct box box, char title[80])
{
    const struct result_run *none = result_comparison(res, "none");
    struct series with = {"over.with", "", WINDOW(p99_us), 1000, false, {2, COLOUR_CHOSEN, DASH_NONE, 1}};
    struct series without = {"over.none", "", WINDOW(p99_us), 1000, false, {2, COLOUR_BASELINE, DASH_LONG, 1}};
    const struct scale x = scale_make(SCALE_TIME, 0, res->run.duration_s, box.x, box.x + box.w);
    double lo = (double)INFINITY, hi = 0;
    struct scale y;
    const bool any = latency_range(&res->run, &with, &lo, &hi), before = latency_range(none, &without, &lo, &hi);
    if (any || before) {
        snprintf(title, 80, "p99 of a write, ms, log scale");
        y = scale_make(SCALE_LOG10, fmax(lo / 1.5, hi / 1e9), hi * 1.5, box.y + box.h, box.y);
    } else {
        snprintf(title, 80, "rows/s done");
        with.offset = without.offset = WINDOW(done);
        with.per = without.per = 1;
        with.per_s = without.per_s = true;
        lo = hi = 0;
        latency_range(&res->run, &with, &lo, &hi);
        latency_range(none, &without, &lo, &hi);
        y = scale_make(SCALE_LINEAR, 0, hi > 0 ? hi * 1.1 : 1, box.y + box.h, box.y);
    }
    frame_y_axis(lay, &(struct axis){"over.y", box, y, 5, true});
    frame_x_axis(lay, &(struct axis){"over.x", box, x, 4, false});
    const double before_end = none ? series_draw(lay, none, &without, &x, &y) : (double)NAN;
    const double end = series_draw(lay, &res->run, &with, &x, &y);
    char name[RESULT_NAME_CAP];
    if (none)
        layout_text_if_free(lay, "over.none.label", (struct point){box.x + box.w, isfinite(before_end) ? before_end - 7 : box.y + 12},
                            "unsalted", (struct text_style){SIZE_TICK, COLOUR_BASELINE_TEXT, ANCHOR_END, false, true});
    layout_text_if_free(lay, "over.with.label", (struct point){box.x + box.w, isfinite(end) ? end - 7 : box.y + 28},
                        result_run_name(&res->run, name), (struct text_style){SIZE_TICK, COLOUR_CHOSEN, ANCHOR_END, false, true});
}

void summary_panel(struct layout *lay, const struct result *res, struct box box)
{
    char title[80];
    if (plan_applies(res)) {
        snprintf(title, sizeof title, "rows/s that N buckets carry");
        put_candidates(lay, res, box);
    } else {
        put_writes(lay, res, box, title);
    }
    frame_panel_title(lay, "fourth.title.0", (struct point){box.x - 40, box.y - 44}, title, box.w + 40);
}
