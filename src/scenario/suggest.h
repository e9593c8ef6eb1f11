/* SPDX-License-Identifier: GPL-3.0-or-later */
/* "Did you mean": offers names to a mistyped word and keeps the nearest by the restricted
   Damerau-Levenshtein distance, when it is at most max(1, length / 3). Letter case and '-' for
   '_' do not count. Of equal names the first offered stays. */
#ifndef SCENARIO_SUGGEST_H
#define SCENARIO_SUGGEST_H

#include <stddef.h>

struct suggest {
    const char *word;
    const char *name;                 /* the nearest so far; NULL = none is near enough */
    size_t distance;
};

/* |word| stays the caller's and must live as long as the suggest. */
void suggest_begin(struct suggest *sug, const char *word);
void suggest_offer(struct suggest *sug, const char *name);

/* The distance itself; words beyond 96 bytes count as wholly different. */
size_t suggest_distance(const char *a, const char *b);

#endif
