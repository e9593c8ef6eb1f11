/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DES_POOL_H
#define DES_POOL_H

#include <stddef.h>

/* Runs independent jobs (replications, candidates) on several threads. Job i writes only what
   belongs to i, so nothing depends on the number of threads or on their speed. */

/* 0, or a negative error. Called for each i at most once, at the same time as others. */
typedef int des_job(void *context, size_t i);

/* Calls |job| for i = 0 ... n - 1 on up to |threads| threads, the caller's among them (0: one a
   processor), and returns when all have ended. 0, or the error of the smallest i that failed, at
   any number of threads; after an error jobs that haven't begun are left out, those of smaller i
   always run. With fewer threads than wanted (the system has no more) it goes on with those. */
int des_pool_run(unsigned threads, size_t n, des_job *job, void *context);

/* Processors that are online, at least 1. */
unsigned des_pool_processors(void);

#endif
