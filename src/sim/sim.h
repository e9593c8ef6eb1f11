/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One run: builds the cluster that a spec describes, wires its streams and clients to it on one
   clock, lets it go to the end and fills a result. The same spec gives the same result, whatever
   else the process does. */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "result/result.h"
#include "spec/spec.h"

struct model;

enum sim_error {
    SIM_OK = 0,
    SIM_NO_MEMORY = -1,
    SIM_BAD_SPEC = -2,        /* something that src/scenario should have refused; |message| says what */
    SIM_BAD_FILE = -3,        /* a key file can't be read */
    SIM_BROKEN = -4           /* an invariant doesn't hold: a fault of the program */
};

/* What the caller may want of a run under way. All may be zero. */
struct sim_control {
    const volatile sig_atomic_t *stop;   /* not 0: end soon, partial */
    void (*progress)(void *context, double share); /* 0 to 1, at each sample window */
    void *context;
    /* The cluster stands, nothing has happened: for comparisons that set what a scenario can't. */
    void (*built)(void *context, struct model *m);
    bool no_reads;            /* queries are neither timed nor a load: only their scans and regions are told */
    bool summary_only;        /* queries are a load and aren't timed: 8 walks of each are kept instead of 200, and the
                                 load is found at 64 moments instead of 125 of 2,000; no matrix of the key space, and
                                 shares of buckets from fewer rows */
};

/* |control| may be NULL. */
static inline bool sim_asked_to_stop(const struct sim_control *control)
{
    return control && control->stop && *control->stop;
}

/* How a run ended. */
struct sim_end {
    bool partial;             /* |stop| ended it */
    char message[400];        /* a sentence where it failed, else empty */
};

/* Runs |sp|; |run| must be initialised by result_run_init and is the caller's to free in any case.
   |control| may be NULL. */
int sim_run(const struct spec *sp, const struct sim_control *control, struct result_run *run,
            struct sim_end *end);

/* The scenario's run and those that pictures compare with ([scenario] compare), on |jobs| threads,
   into |res| (initialised by result_init). */
int sim_all(const struct spec *sp, unsigned jobs, const struct sim_control *control, struct result *res,
            struct sim_end *end);

#endif
