/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Why something happened in a run: each logged decision in words, with HBase's class and property,
   and asked again: the pure function of src/hbase that took it is called with the logged inputs. */
#ifndef WHY_WHY_H
#define WHY_WHY_H

#include <stddef.h>
#include <stdio.h>

#include "result/result.h"

enum why_answer {
    WHY_SAME,                         /* the function gives what was done */
    WHY_DIFFERENT,                    /* it does not: the log or the model is wrong */
    WHY_NOTHING_TO_ASK                /* something that happened, or was ordered by the scenario */
};

/* The i-th kind of event that a run may log, several times the same; NULL behind the last. */
const char *why_kind(size_t i);

/* Asks again. |text| gets what the function said, in a few words. */
enum why_answer why_ask(const struct result_event *ev, char *text, size_t cap);

/* Writes the whole story of an event of |run|. 0, or -1 when the stream reported an error. */
int why_tell(const struct result_run *run, const struct result_event *ev, FILE *to);

#endif
