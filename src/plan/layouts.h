/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Other layouts of a scenario's key, each with the scenario's writes and queries: time first, entity first, the same
   with the newest row first, a hashed prefix; and where no key serves all queries two tables, the own and
   the layout that serves most of the others: each row is written to both, each query reads the one that serves it.
   The table is that of the first query. What a layout can't serve as a range is read whole and filtered, at that
   cost. */
#ifndef PLAN_LAYOUTS_H
#define PLAN_LAYOUTS_H

#include "plan/trial.h"
#include "result/layouts.h"

/* Runs all layouts. |out| is initialised here, the caller frees it in any case. 0 or an enum sim_error;
   |end| has the words of one. */
int plan_layouts(const struct spec *sp, const struct sim_control *control, struct result_layouts *out,
                 struct sim_end *end);

#endif
