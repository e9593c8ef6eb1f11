/* SPDX-License-Identifier: GPL-3.0-or-later */
/* From the candidates' figures to the plan: inside the room. Each part fills its fields of
   work->res->plan. Returns 0 or an enum sim_error throughout. */
#ifndef PLAN_CONCLUDE_H
#define PLAN_CONCLUDE_H

#include "plan/trial.h"

/* Trials that were made, so that none is made twice. */
struct plan_set {
    struct plan_trial *trial;
    size_t len, cap;
};

struct plan_end {
    const struct plan_work *work;
    struct plan_set set;              /* room for some more trials than candidates */
    struct result *res;
    const struct result_candidate *chosen; /* NULL = nothing is feasible */
    const struct plan_trial *shown;   /* of the chosen N, else of the scenario's own */
    unsigned jobs;
    struct sim_end *end;
};

/* The trial of |n|, made where it is missing; NULL with |*rc|. */
const struct plan_trial *plan_trial_of(struct plan_end *pe, int n, int *rc);

/* The smallest feasible candidate; NULL if none. */
const struct result_candidate *plan_smallest(const struct result_candidate *cand, size_t len);

/* Adds to plan->query_costs what the trial's run tells of each query, or those of |from| with |n|. */
int plan_note_query_costs(const struct plan_trial *trial, struct result_plan *plan);
int plan_copy_query_costs(const struct result_plan *from, int n, struct result_plan *plan);

int plan_verdict(struct plan_end *pe);      /* recommended N, reasons, neighbours, first break */
int plan_special(struct plan_end *pe);      /* no salt, no help, layout */
int plan_stages(struct plan_end *pe);
int plan_gates(struct plan_end *pe);
int plan_assumptions(struct plan_end *pe);

/* The sentence for the chosen N: before its run, after a run that misses a target, after one that doesn't
   carry the load. */
enum plan_confirmation { PLAN_CHOSEN, PLAN_PLACED, PLAN_SHORT };
void plan_say_choice(struct plan_text *t, const struct plan_end *pe, enum plan_confirmation by);

/* After a run that was not interrupted: what it and the gates say against the recommended N, and by how much it was cut. */
int plan_confirmed(struct plan_end *pe);
int plan_interrupted(struct plan_end *pe);  /* what is known is kept, nothing is decided */

/* One to two times the servers, a power of two, at most 256. */
int plan_rule_of_thumb_n(const struct spec *sp);

/* What would change the answer: cases 0 ... PLAN_CASES - 1, in any order and at the same time. */
#define PLAN_CASES 9
struct plan_varied {
    const struct plan_end *pe;
    struct result_variation found[PLAN_CASES];
    bool made[PLAN_CASES];
};
int plan_try_case(struct plan_varied *all, size_t i);

/* Moves the cases that were made into the plan where |rc| is 0, else releases them. Returns |rc|, or
   SIM_NO_MEMORY. */
int plan_keep_cases(struct plan_varied *all, int rc);

/* Adds a gate, level "ok", "warn" or "stop"; |hint| may be NULL. */
struct plan_gate_words {
    const char *id, *level, *source, *hint;
};
int plan_add_gate(struct result_plan *plan, struct plan_gate_words words, const struct plan_text *text);

/* Gates that belong to Phoenix, to keys and to layouts. */
int plan_gates_keys(struct plan_end *pe);

/* Whether every query that asks for a part of its table reads the whole of it, whatever N is; false
   without such a query. |name| receives one of them. */
bool plan_layout_scans_all(const struct spec *sp, const char **name);

#endif
