/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an administrator asks of a cluster, and what a test needs to drive one step by step. Nothing
   here takes time by itself: it is carried out by the calendar's next events. */
#ifndef HBASE_MODEL_ADMIN_H
#define HBASE_MODEL_ADMIN_H

#include "hbase/model/model.h"

/* Nothing queued or running: no flush, no compaction, no region on its way, no call inside. */
bool model_quiet(const struct model *m);

/* The discharger's work on all stores, now (HStore.closeAndArchiveCompactedFiles). */
void model_discharge(struct model *m);

/* Admin.move. False where it is there already, or not open. */
bool model_move(struct model *m, struct region *r, int server);

#endif
