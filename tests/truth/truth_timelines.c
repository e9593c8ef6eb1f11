/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recorded timelines of one-region tables against the model: every region after every step, every
   event of every store. Usage: truth_timelines DIR. Exit status 1 when a value is off. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "truth_timelines.h"

static void run_steps(const struct truth_table *t, const struct timeline_settings *s, struct timeline *tl,
                      struct truth_report *r)
{
    struct timeline_state state = {.table = t, .families_len = 1};

    for (uint64_t sent = 0; sent < s->rows && tl->model->error == 0; sent += s->list_rows) {
        const uint64_t left = s->rows - sent, list = left < s->list_rows ? left : s->list_rows;

        tl->step = sent + list;
        timeline_put(tl, sent, list);
        if (s->moved)
            timeline_move_all(tl);
        timeline_state_advance(&state, tl->step);
        timeline_state_check(r, &state, tl);
    }
    truth_check(r, "model errors", 0, tl->model->error, 0);
    truth_check(r, "refused region batches", 0, tl->failed_actions, 0);
    timeline_state_free(&state);
}

void truth_split_timelines(const char *base, const char *name, struct truth_report *r)
{
    struct truth_table pair[2];
    struct timeline_settings s;
    struct timeline tl;
    struct timeline_events real = {NULL, 0, 0};
    struct key_source source;

    truth_case(r, name);
    if (!timeline_read_pair(base, ".regions.tsv", pair, r))
        return;
    timeline_read_settings(&pair[0], &s);
    if (timeline_check_settings(&s, r) == 0) {
        snprintf(s.table, sizeof s.table, "%.*s", (int)strcspn(name, "_"), name);
        source = timeline_source(&s);
        s.first_server = timeline_first_server(&pair[1], &s);
        if (timeline_open(&tl, &s, &source) == 0) {
            run_steps(&pair[0], &s, &tl, r);
            timeline_read_events(&pair[1], false, s.family[0].name, &real);
            timeline_events_check(r, &real, &tl.events);
            timeline_end_case(&pair[0], &pair[1], &tl, r);
        } else {
            timeline_refuse(r, "settings of the model", "refused");
        }
        timeline_close(&tl);
    }
    timeline_events_free(&real);
    truth_table_free(&pair[1]);
    truth_table_free(&pair[0]);
}

int main(int argc, char **argv)
{
    static const char *const folders[] = {"split-timelines", "split-timelines-salted"};
    void (*const ways[])(const char *, const char *, struct truth_report *) = {
        truth_split_timelines, truth_sampled_timelines, truth_thinned_timelines};
    struct truth_report r = {0};
    char dir[4096];

    if (argc != 2) {
        fprintf(stderr, "usage: %s DIR\n", argv[0]);
        return 2;
    }
    for (size_t k = 0; k < sizeof ways / sizeof ways[0]; k++)
        for (size_t i = 0; i < sizeof folders / sizeof folders[0]; i++) {
            snprintf(dir, sizeof dir, "%s/%s", argv[1], folders[i]);
            r.folder = folders[i];
            timeline_each(&(struct timeline_folder){dir, ".regions.tsv", ways[k]}, &r);
        }
    snprintf(dir, sizeof dir, "%s/families", argv[1]);
    r.folder = "families";
    timeline_each(&(struct timeline_folder){dir, ".stores.tsv", truth_families}, &r);
    snprintf(dir, sizeof dir, "%s/wide-rows", argv[1]);
    r.folder = "wide-rows";
    timeline_each(&(struct timeline_folder){dir, ".regions.tsv", truth_wide_rows}, &r);
    snprintf(dir, sizeof dir, "%s/operations", argv[1]);
    r.folder = "operations";
    timeline_each(&(struct timeline_folder){dir, ".tsv", truth_operations}, &r);
    snprintf(dir, sizeof dir, "%s/expiry", argv[1]);
    r.folder = "expiry";
    timeline_each(&(struct timeline_folder){dir, ".tsv", truth_expiry}, &r);
    snprintf(dir, sizeof dir, "%s/pressure", argv[1]);
    r.folder = "pressure";
    timeline_each(&(struct timeline_folder){dir, ".tsv", truth_pressure}, &r);
    snprintf(dir, sizeof dir, "%s/too-busy", argv[1]);
    r.folder = "too-busy";
    timeline_each(&(struct timeline_folder){dir, "too_many_files.tsv", truth_too_many_files}, &r);
    printf("timelines: %u cases, %u failed, %u values\n", r.cases, r.failed, r.values);
    return r.cases == 0 || r.failed > 0;
}
