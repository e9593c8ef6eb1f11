/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef TRUTH_REPLAY_H
#define TRUTH_REPLAY_H

#include "spec/spec.h"
#include "truth_rules.h"

/* Recorded streams written through whole runs: the stream's natural rows in a key file, and how the scenario
   salts them. */
struct truth_way {
    const char *stream, *natural, *layout, *salt, *over;
};
/* NULL: no such stream. */
const struct truth_way *truth_way_of(const char *stream);
/* The natural rows of the stream that the header names, as a binary key file; their width, or 0. */
size_t truth_write_keys(const struct truth_table *t, const struct truth_way *way, const char *path);
/* Adds the spec's one stream: |path|'s rows for table "t" at |rate_per_s|. */
void truth_replay_stream(struct spec *sp, const char *path, size_t width, double rate_per_s);
/* Gives the spec its one table "t", of one family with one column |family|:|qualifier|, salted as |way| says. */
struct spec_table *truth_replay_table(struct spec *sp, const struct truth_table *t, const struct truth_way *way,
                                      const char *family, const char *qualifier);
char *truth_copy(const char *s);

#endif
