/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef HBASE_BALANCE_RUN_H
#define HBASE_BALANCE_RUN_H

#include "hbase/balance/view.h"

/* One run of a balancer, filling |out|. Without |draw| only the decisions are taken. */
struct balance_run {
    const struct balancer_cluster *cluster;
    const struct balancer_options *options;
    const struct balance_draw *draw;
    struct balance_view view;
    struct balancer_outcome out;
    size_t decisions_cap;
    size_t plans_cap;
};

/* Both work through the slices of run->view: 0 or a negative enum balance_error. */
int balance_run_stochastic(struct balance_run *run);
int balance_run_simple(struct balance_run *run);

#endif
