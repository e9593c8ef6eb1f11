/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What it takes to give a table another bucket count: which rows change their key, what must be
   rewritten, how long that takes and what it does to the live cluster; and whether something cheaper
   does as well. */
#ifndef PLAN_MIGRATE_H
#define PLAN_MIGRATE_H

#include "result/result.h"
#include "spec/spec.h"

/* What is asked; sizes 0 = from the scenario's rate and |age_s|. */
struct plan_migrate_ask {
    size_t table;                     /* index in the spec; its salt takes buckets */
    int from, to;                     /* bucket counts; 0 = unsalted */
    double size_bytes;                /* of the table on disk, one copy */
    double age_s;                     /* how long it has been written */
    double rewrite_per_s;             /* bytes that one server may rewrite beside its work; 0: a quarter of its disk */
    double retention_s;               /* rows older than this are gone; INFINITY = kept; 0 = as the families' TTLs say */
};

struct plan_migration {
    const struct spec_table *table;   /* of the spec */
    int from, to;
    double moved;                     /* share of sampled rows whose key changes, exact for the hash */
    double moved_formula;             /* 1 - gcd / max; 1 to or from unsalted, 0 where nothing changes */
    uint64_t sampled;
    int splits_into;                  /* to / from where it is a whole number, so that each old bucket feeds
                                         so many new ones; 0 otherwise */
    bool splits_hold;                 /* and new bucket mod from = old bucket for every sampled row */
    double retention_s;               /* what holds of the ask and the TTLs */
    double size_bytes, row_bytes, rows; /* on disk, compressed where the families are */
    double hfiles;                    /* bulk load: files cut at the new table's borders */
    double regions;                   /* of the new table at its creation */
    double copy_s;                    /* all servers rewriting at |rewrite_per_s| */
    double rewrite_per_s, disk_share; /* share of each disk that it takes while it runs */
    double dual_rate_per_s;           /* writes at the peak while both tables are written */
    double dual_load;                 /* of the hottest server then, 1 = full */
    double ratio_from, ratio_to;      /* hot server ratios, means over placements */
    int servers, even_servers;        /* servers at which |from| is even, at or above those there are */
    bool dont;                        /* something cheaper does as well */
    char advice[1024];
};

/* 0 or an enum sim_error; SIM_BAD_SPEC where the table's salt takes no buckets. */
int plan_migrate(const struct spec *sp, const struct plan_migrate_ask *ask, struct plan_migration *out);

#endif
