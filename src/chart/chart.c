/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/chart.h"

#include <string.h>

#include "chart/draw.h"
#include "chart/pictures.h"
#include "result/atomic.h"
#include "result/csv.h"

const struct chart_picture chart_pictures[] = {
    {"keyspace", "key space over time, unsalted and salted: where the writes go", keyspace_layout, result_csv_keyspace,
     keyspace_applies},
    {"servers", "load by server for no salt, N and 2N buckets", servers_layout, result_csv_servers, servers_applies},
    {"writes", "rates and latency of writes over time, with flushes, compactions, splits and moves", writes_layout,
     result_csv_timeline, writes_applies},
    {"plan", "the plan's candidates: hot server ratio, capacity and scans against N", plan_layout, result_csv_candidates,
     plan_applies},
    {"choice", "choosing N: the write rate that the table sustains against what a query opens", choice_layout,
     result_csv_candidates, choice_applies},
    {"latency", "latency of queries against N, of a plan that timed them (plan --latency, or a time as target)",
     latency_layout, latency_csv, latency_applies},
    {"layouts", "layouts of the key against queries: which is a range, at what cost (plan --layouts)", layouts_layout,
     layouts_csv, layouts_applies},
    {"tornado", "what would change the plan's answer: margin and room for each case", tornado_layout, tornado_csv,
     tornado_applies},
    {"regions", "regions over time: birth, split, move, server, size", regions_layout, result_csv_regions,
     regions_applies},
    {"tails", "write tails on each server over time", tails_layout, tails_csv, tails_applies},
    {"calibration", "model against measurement: the model's figures beside those of a real cluster", calibration_layout,
     calibration_csv, calibration_applies},
    {"summary", "one page: verdict, key space, servers, numbers", summary_layout, result_csv_summary, summary_applies},
    {NULL, NULL, NULL, NULL, NULL}
};

const struct chart_picture *chart_picture_by_name(const char *name)
{
    for (const struct chart_picture *pic = chart_pictures; pic->name; pic++)
        if (strcmp(pic->name, name) == 0)
            return pic;
    return NULL;
}

static bool wanted(const struct chart_picture *pic, const struct result *res, const char *const *names)
{
    bool named = names == NULL;
    for (size_t i = 0; names && names[i]; i++)
        named = named || strcmp(names[i], pic->name) == 0;
    return named && pic->applies(res);
}

const char *const chart_endings[3] = {[DRAW_PNG] = "png", [DRAW_SVG] = "svg", [DRAW_PDF] = "pdf"};

/* Where the files go, and what paints them. */
struct studio {
    const char *dir;
    struct canvas *canvas;
    double zoom;
    struct theme theme;
    char *message;
    size_t cap;
};

static int open_file(struct studio *st, const char *name, const char *ending, struct atomic_file *file)
{
    char path[4096];
    int len = snprintf(path, sizeof path, "%s/%s.%s", st->dir, name, ending);
    if (len < 0 || (size_t)len >= sizeof path) {
        snprintf(st->message, st->cap, "%s.%s: the path is too long", name, ending);
        return -1;
    }
    int rc = atomic_open(file, path);
    if (rc != 0)
        snprintf(st->message, st->cap, "%s", file->message);
    return rc;
}

static int close_file(struct studio *st, struct atomic_file *file)
{
    int rc = atomic_commit(file);
    if (rc != 0)
        snprintf(st->message, st->cap, "%s", file->message);
    return rc;
}

static int write_file(struct studio *st, const struct layout *lay, const char *name, enum draw_format format)
{
    struct atomic_file file;
    struct drawing how = {format, st->zoom, &st->theme};
    int rc = open_file(st, name, chart_endings[format], &file);
    if (rc == 0 && canvas_write(st->canvas, lay, &how, file.stream) != 0 && !ferror(file.stream)) {
        atomic_discard(&file);
        snprintf(st->message, st->cap, "%s.%s: no memory to draw it", name, chart_endings[format]);
        rc = -1;
    } else if (rc == 0) {
        rc = close_file(st, &file);
    }
    return rc;
}

static int write_formats(struct studio *st, const struct result *res, const struct chart_picture *pic,
                         const struct chart_style *style)
{
    bool none = !style->formats[DRAW_PNG] && !style->formats[DRAW_SVG] && !style->formats[DRAW_PDF];
    struct layout lay;
    int rc = 0;
    layout_init(&lay, canvas_measurer(st->canvas));
    lay.font_family = canvas_font_family(st->canvas);
    pic->layout(res, &lay);
    for (int format = DRAW_PNG; format <= DRAW_PDF && rc == 0; format++)
        if (style->formats[format] || (none && format == DRAW_PNG))
            rc = write_file(st, &lay, pic->name, (enum draw_format)format);
    layout_free(&lay);
    return rc;
}

static int write_csv(struct studio *st, const struct result *res, const struct chart_picture *pic)
{
    struct atomic_file file;
    if (open_file(st, pic->name, "csv", &file) != 0)
        return -1;
    pic->csv(res, file.stream);
    return close_file(st, &file);
}

int chart_write(const struct result *res, const struct chart_job *job, char *message, size_t cap)
{
    struct studio st = {.dir = job->dir, .message = message, .cap = cap};
    if (atomic_make_folder(job->dir, message, cap) != 0)
        return -1;
    st.canvas = canvas_open();
    if (!st.canvas) {
        snprintf(message, cap, "%s: no memory to draw", job->dir);
        return -1;
    }
    st.zoom = job->style.zoom > 0 ? job->style.zoom : 1;
    if (job->style.dark)
        theme_dark(&st.theme);
    else
        theme_light(&st.theme);
    message[0] = '\0';
    if (strncmp(canvas_font_family(st.canvas), "DejaVu", 6) != 0)
        snprintf(message, cap, "font DejaVu Sans is not installed: texts are drawn in '%s' (package fonts-dejavu-core)",
                 canvas_font_family(st.canvas));
    int rc = 0;
    for (const struct chart_picture *pic = chart_pictures; pic->name && rc == 0; pic++) {
        if (!wanted(pic, res, job->names))
            continue;
        rc = write_formats(&st, res, pic, &job->style);
        if (rc == 0)
            rc = write_csv(&st, res, pic);
    }
    canvas_close(st.canvas);
    return rc;
}

int chart_write_all(const struct result *res, const char *dir, char *message, size_t cap)
{
    return chart_write(res, &(struct chart_job){.dir = dir}, message, cap);
}

int chart_dump(const struct result *res, const char *const *names, FILE *to)
{
    for (const struct chart_picture *pic = chart_pictures; pic->name; pic++) {
        struct layout lay;
        char message[300];
        if (!wanted(pic, res, names))
            continue;
        layout_init(&lay, &measurer_stub);
        pic->layout(res, &lay);
        fprintf(to, "picture %s %.0f x %.0f\n", pic->name, lay.page.w, lay.page.h);
        layout_dump(&lay, to);
        if (layout_check(&lay, message, sizeof message) != 0)
            fprintf(to, "wrong %s\n", message);
        bool failed = lay.failed;
        layout_free(&lay);
        if (failed)
            return -1;
    }
    return ferror(to) ? -1 : 0;
}
