/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A random scenario as a list of lines' choices, so that it can be shrunk, and its text. */
#ifndef TESTS_RANDOM_DRAW_H
#define TESTS_RANDOM_DRAW_H

#include <stddef.h>
#include <stdint.h>

/* Each number is one choice; 0 or the smallest value is the plainest. */
struct drawn {
    uint64_t seed;
    int servers, background;
    int layout, salt, buckets, splits;
    int value_bytes, families;
    int rate_per_s, clients, buffered, popularity;
    int seconds;
    int flush_kib, max_file_mib, policy, blocking_files, disk_kb_per_s, capacity_per_s;
    int event, query, period_s;
};

void draw_scenario(uint64_t seed, struct drawn *out);

/* Writes its INI; the text is cut at |cap|. Returns the length. */
size_t draw_text(const struct drawn *d, char *text, size_t cap);

/* The k-th way to make |d| plainer into |*out|; 0 when there is no k-th one, 1 when it is one, -1 when
   that choice is as plain as can be already. */
int draw_plainer(const struct drawn *d, size_t k, struct drawn *out);

#endif
