/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Replies of scans over rows of several cells and families, from reads/cells.tsv. */
#ifndef TRUTH_READS_CELLS_H
#define TRUTH_READS_CELLS_H

#include "truth_reads.h"

void truth_reads_cells(struct verdicts *v, const char *dir);

#endif
