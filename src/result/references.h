/* SPDX-License-Identifier: GPL-3.0-or-later */
/* That each index in a run points at something that is there: report and charts rely on it. */
#ifndef RESULT_REFERENCES_H
#define RESULT_REFERENCES_H

#include "result/json_reader.h"

/* The first reference that points at nothing becomes |rd|'s fault. */
void result_check_references(struct reader *rd, const struct result_run *run);

#endif
