/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "result/csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "result/number.h"

static void cell(struct csv *csv)
{
    if (csv->inside)
        fputc(',', csv->to);
    csv->inside = true;
}

void csv_text(struct csv *csv, const char *text)
{
    cell(csv);
    if (!text)
        return;
    bool plain = strpbrk(text, ",\"\r\n") == NULL && text[0] != ' ' &&
                 (!text[0] || text[strlen(text) - 1] != ' ');
    if (plain) {
        fputs(text, csv->to);
        return;
    }
    fputc('"', csv->to);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', csv->to);
        fputc(*text, csv->to);
    }
    fputc('"', csv->to);
}

void csv_number(struct csv *csv, double value)
{
    char text[RESULT_NUMBER_CAP];
    cell(csv);
    if (isfinite(value))
        fwrite(text, 1, result_number_text(value, text), csv->to);
}

void csv_end_row(struct csv *csv)
{
    fputc('\n', csv->to);
    csv->inside = false;
}

void csv_header(struct csv *csv, const struct result_field *fields)
{
    static const char *const ends[] = {"mean", "lo", "hi"};
    for (const struct result_field *f = fields; f->name; f++) {
        if (f->kind != RESULT_FIGURE) {
            csv_text(csv, f->name);
            continue;
        }
        for (size_t i = 0; i < 3; i++) {
            cell(csv);
            fprintf(csv->to, "%s_%s", f->name, ends[i]);
        }
    }
}

void csv_fields(struct csv *csv, const struct result_field *fields, const void *base)
{
    for (const struct result_field *f = fields; f->name; f++) {
        const void *at = (const char *)base + f->offset;
        bool has = result_field_has_value(f, base);
        const struct result_figure *fig = at;
        switch (f->kind) {
        case RESULT_NUMBER:
            csv_number(csv, *(const double *)at);
            break;
        case RESULT_INTEGER:
            csv_number(csv, has ? *(const int *)at : (double)NAN);
            break;
        case RESULT_FLAG:
            csv_text(csv, *(const bool *)at ? "true" : "false");
            break;
        case RESULT_TEXT:
        case RESULT_STATIC_TEXT:
            csv_text(csv, *(const char *const *)at);
            break;
        case RESULT_FIGURE:
            csv_number(csv, fig->mean);
            csv_number(csv, fig->lo);
            csv_number(csv, fig->hi);
            break;
        }
    }
}

void result_csv_servers(const struct result *res, FILE *to)
{
    struct csv csv = {to, false};
    csv_text(&csv, "role");
    csv_text(&csv, "run_buckets");
    csv_header(&csv, result_server_fields);
    csv_end_row(&csv);
    const struct result_run *run;
    for (size_t r = 0; (run = result_run_at(res, r)); r++) {
        for (size_t i = 0; i < run->servers_len; i++) {
            csv_text(&csv, run->role);
            csv_number(&csv, run->buckets);
            csv_fields(&csv, result_server_fields, &run->servers[i]);
            csv_end_row(&csv);
        }
    }
}

/* A number that stands in many rows, as text: turning it into digits is what a large table costs. */
struct digits {
    char text[RESULT_NUMBER_CAP];
};

static void set_digits(struct digits *digits, double value)
{
    digits->text[0] = '\0';
    if (isfinite(value))
        result_number_text(value, digits->text);
}

/* |times|: room for the columns + 1 times, NULL = each is turned into digits where it stands. */
static void keyspace_rows(struct csv *csv, const struct result_run *run, struct digits *times)
{
    const struct result_keyspace *ks = &run->keyspace;
    struct digits rate, share;
    double last = -1;
    for (size_t c = 0; times && c <= ks->columns; c++)
        set_digits(&times[c], ks->times_s[c]);
    for (size_t at = 0; at < ks->rows * ks->columns; at++) {
        size_t r = at / ks->columns, c = at % ks->columns;
        if (!(ks->cells[at] > 0))
            continue;
        if (ks->cells[at] != last) {
            last = ks->cells[at];
            set_digits(&rate, last);
            set_digits(&share, last / run->server_capacity_per_s);
        }
        csv_text(csv, run->role);
        csv_number(csv, run->buckets);
        csv_number(csv, ks->row_bucket[r]);
        csv_text(csv, ks->edges[r]);
        for (size_t end = 0; end < 2; end++) {
            if (times)
                csv_text(csv, times[c + end].text);
            else
                csv_number(csv, ks->times_s[c + end]);
        }
        csv_text(csv, rate.text);
        csv_text(csv, share.text);
        csv_text(csv, result_server_name(run, ks->server[at]));
        csv_end_row(csv);
    }
}

void result_csv_keyspace(const struct result *res, FILE *to)
{
    static const char *const header[] = {"role", "run_buckets", "bucket", "row_start", "begin_s", "end_s", "rows_per_s",
                                         "share_of_server_capacity", "server"};
    struct csv csv = {to, false};
    for (size_t i = 0; i < sizeof header / sizeof *header; i++)
        csv_text(&csv, header[i]);
    csv_end_row(&csv);
    const struct result_run *run;
    for (size_t r = 0; (run = result_run_at(res, r)); r++) {
        if ((run->role && strcmp(run->role, "twice") == 0) || run->keyspace.rows == 0)
            continue;
        struct digits *times = malloc((run->keyspace.columns + 1) * sizeof *times);
        keyspace_rows(&csv, run, times);
        free(times);
    }
}
