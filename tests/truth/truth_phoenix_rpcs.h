/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Phoenix's queries whose scans need several RPCs, from phoenix-reads/rpcs-1kb.tsv. */
#ifndef TRUTH_PHOENIX_RPCS_H
#define TRUTH_PHOENIX_RPCS_H

#include "truth_phoenix.h"

void truth_phoenix_rpcs(struct verdicts *v, const char *dir);

#endif
