/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Time-partitioned tables, `partition = every 30d keep 90d`: written out as tables, streams and events. */
#ifndef SIM_PARTITION_H
#define SIM_PARTITION_H

#include "spec/spec.h"

bool partition_wanted(const struct spec *sp);

/* |sp| with each partitioned table as NAME_001, NAME_002, ..., created when its span begins and dropped
   when it was kept long enough, each written by a copy of its streams for its span. The first takes the
   table's place. 0, or -1 without memory; the caller frees |out| with spec_free in either case. */
int partition_expand(const struct spec *sp, struct spec *out);

#endif
