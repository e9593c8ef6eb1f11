/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "page/page.h"

#include <string.h>

#include "chart/chart.h"
#include "page/html.h"
#include "page/sections.h"
#include "page/svg.h"
#include "report/report.h"
#include "result/format.h"

static void put_style(FILE *to)
{
    fputs("<style>\n", to);
    svg_style(to);
    fprintf(to,
            ":root{color-scheme:light dark}\n"
            "body{margin:0 auto;padding:1rem;max-width:1200px;background:var(--c%d);color:var(--c%d);"
            "font:16px/1.45 \"DejaVu Sans\",Verdana,sans-serif}\n"
            "h1{font-size:1.5rem;line-height:1.2;margin:.5rem 0}h1,h2{color:var(--c%d)}h2{font-size:1.15rem;margin:2rem 0 .5rem}\n"
            ".from,footer{color:var(--c%d);font-size:.85rem}\n"
            ".verdict{border-left:6px solid var(--c%d);padding:.5rem 1rem;font-size:1.1rem}\n"
            ".verdict.bad{border-color:var(--c%d)}\n"
            "figure{margin:1.5rem 0;overflow-x:auto}figure svg{display:block;width:100%%;min-width:800px;height:auto}\n"
            ".defs{position:absolute}svg text{white-space:pre}\n"
            ".wide{overflow-x:auto}table{border-collapse:collapse;font-size:.85rem}\n"
            "th,td{padding:.25rem .6rem;text-align:left;vertical-align:top;border-bottom:1px solid var(--c%d)}\n"
            ".n{text-align:right}\n"
            "td.n{font-variant-numeric:tabular-nums;white-space:nowrap}tr.chosen td{background:var(--c%d)}\n"
            "summary{cursor:pointer}\n",
            COLOUR_PAGE, COLOUR_TEXT, COLOUR_TITLE, COLOUR_MUTED, COLOUR_GREEN, COLOUR_BASELINE, COLOUR_GRID,
            COLOUR_CHOSEN_LIGHT);
    fputs("@page{size:A4;margin:14mm}\n"
          "@media print{body{padding:0;max-width:none;font-size:9.5pt}figure{break-inside:avoid;overflow:visible}"
          "figure svg{min-width:0}tr{break-inside:avoid}h2{break-after:avoid}.wide{overflow:visible}table{font-size:7.5pt}"
          "th,td{padding:.15rem .35rem}}\n"
          "</style>\n", to);
}

static void put_head(const struct result *res, FILE *to)
{
    const char *title = res->title ? res->title : "saltplan";
    char duration[FORMAT_CAP], window[FORMAT_CAP];
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n", to);
    html_element(to, "title", NULL, title);
    put_style(to);
    fputs("</head>\n<body>\n", to);
    svg_definitions(to);
    fputs("<header>\n", to);
    html_element(to, "h1", NULL, title);
    fputs("<p class=\"from\">", to);
    html_text(to, res->base_name);
    fprintf(to, ", %s in windows of %s, seed %llu, detail ", format_time(res->run.duration_s, duration),
            format_time(res->run.window_s, window), (unsigned long long)res->seed);
    html_text(to, res->run.detail);
    fputs(", saltplan ", to);
    html_text(to, res->version);
    fputs(res->partial ? "; interrupted: partial result</p>\n" : "</p>\n", to);
}

static bool is_good(const struct result *res)
{
    const bool keeps_up = !res->run.servers_len || result_keeps_up(&res->run);

    return keeps_up && (!res->plan.present || res->plan.recommended_n >= 0);
}

static void put_verdict(const struct result *res, FILE *to)
{
    char verdict[1024];
    report_verdict(res, verdict, sizeof verdict);
    html_element(to, "p", is_good(res) ? "verdict" : "verdict bad", verdict);
    fputs("</header>\n<main>\n", to);
}

/* The layout's title says what the picture shows. */
static const char *title_of(const struct layout *lay, const char *other)
{
    for (size_t i = 0; i < lay->len; i++)
        if (lay->items[i].kind == ITEM_TEXT && strcmp(lay->items[i].name, "title") == 0)
            return lay->items[i].text;
    return other;
}

static int put_pictures(const struct result *res, FILE *to)
{
    struct canvas *canvas = canvas_open();
    int rc = canvas ? 0 : -1;
    for (const struct chart_picture *pic = chart_pictures; pic->name && rc == 0; pic++) {
        struct layout lay;
        if (!pic->applies(res) || strcmp(pic->name, "summary") == 0) /* that one is for elsewhere */
            continue;
        layout_init(&lay, canvas_measurer(canvas));
        pic->layout(res, &lay);
        fprintf(to, "<figure id=\"%s\">\n", pic->name);
        rc = svg_write(&lay, title_of(&lay, pic->about), to);
        fputs("</figure>\n", to);
        layout_free(&lay);
    }
    canvas_close(canvas);
    return rc;
}

int page_write(const struct result *res, FILE *to)
{
    put_head(res, to);
    put_verdict(res, to);
    section_numbers(res, to);
    section_patterns(res, to);
    section_candidates(res, to);
    html_element(to, "h2", NULL, "Pictures");
    int rc = put_pictures(res, to);
    section_queries(res, to);
    section_servers(res, to);
    section_events(res, to);
    section_notes(res, to);
    section_scenario(res, to);
    fputs("</main>\n<footer><p>Made by saltplan ", to);
    html_text(to, res->version);
    fputs(" from the figures of result.json.</p></footer>\n</body>\n</html>\n", to);
    return rc == 0 && !ferror(to) ? 0 : -1;
}
