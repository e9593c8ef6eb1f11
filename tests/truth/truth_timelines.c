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

    for (uint64_t sent = 0; sent < s->rows && tl->model->error == 0; sent += 1000) {
        tl->step = sent + 1000;
        timeline_put(tl, sent, 1000);
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
    struct truth_table t, events;
    struct timeline_settings s;
    struct timeline tl;
    struct timeline_events real = {NULL, 0, 0};
    struct key_source source;
    char path[8300];

    truth_case(r, name);
    snprintf(path, sizeof path, "%s.regions.tsv", base);
    if (truth_table_read(path, &t) != 0)
        return;
    snprintf(path, sizeof path, "%s.events.tsv", base);
    if (truth_table_read(path, &events) != 0) {
        truth_table_free(&t);
        return;
    }
    if (timeline_read_header(&t, &s) == 0) {
        snprintf(s.table, sizeof s.table, "%.*s", (int)strcspn(name, "_"), name);
        source = timeline_source(&s);
        s.first_server = timeline_first_server(&events, &s);
        if (timeline_open(&tl, &s, &source) == 0) {
            run_steps(&t, &s, &tl, r);
            timeline_read_events(&events, false, s.family[0].name, &real);
            timeline_events_check(r, &real, &tl.events);
            timeline_end_case(&t, &events, &tl, r);
        } else {
            truth_check_text(r, "model", "begins", "does not");
            truth_case_end(r, "model", "-", "-", "exact");
        }
        timeline_close(&tl);
    }
    timeline_events_free(&real);
    truth_table_free(&events);
    truth_table_free(&t);
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
    printf("timelines: %u cases, %u failed, %u values\n", r.cases, r.failed, r.values);
    return r.cases == 0 || r.failed > 0;
}
