/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What an administrator asks of a cluster, and what a test needs to drive one step by step. Nothing
   here takes time by itself: it is carried out by the calendar's next events. */
#ifndef HBASE_MODEL_ADMIN_H
#define HBASE_MODEL_ADMIN_H

#include "hbase/model/model.h"
#include "hbase/rules/merge.h"

/* Nothing queued or running: no flush, no compaction, no region on its way, no call inside. */
bool model_quiet(const struct model *m);

/* The discharger's work on all stores, now (HStore.closeAndArchiveCompactedFiles). */
void model_discharge(struct model *m);

/* The CatalogJanitor's: merged regions without references may be merged again. */
void model_catalog_janitor(struct model *m);

/* Admin.move. False where it is there already, or not open. */
bool model_move(struct model *m, struct region *r, int server);

/* Admin.flush of one region: neither a split nor a compaction follows. */
void model_flush(struct model *m, struct region *r);

/* Admin.compact or majorCompact of one region. */
void model_compact(struct model *m, struct region *r, bool major);

/* compactionSwitch: what is asked for while it is off is dropped, what runs goes on. */
void model_compaction_switch(struct model *m, bool on);

/* Admin.split: at |key|, or without one (len 0) at the midkey of the largest file, for which the
   region is flushed if it has no file that could tell. The answer is the refusal; SPLIT_POINT_FOUND
   also where the flush comes first and the split after it. */
enum split_refusal model_split(struct model *m, struct region *r, struct saltkey_slice key);

/* Admin.mergeRegionsAsync. */
enum merge_refusal model_merge(struct model *m, struct region *const *regions, size_t n, bool forcible);

/* Admin.disableTable and enableTable: each region comes back on the server that it was on. */
void model_disable_table(struct model *m, struct table *t);
void model_enable_table(struct model *m, struct table *t);

#endif
