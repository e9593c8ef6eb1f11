/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "scenario/suggest.h"

#include <string.h>

#define WORD_MAX 96

static char folded(char c)
{
    if (c >= 'A' && c <= 'Z')
        return (char)(c - 'A' + 'a');
    return c == '-' ? '_' : c;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Three rows of the usual matrix are enough: the one before last serves the transposition. */
size_t suggest_distance(const char *a, const char *b)
{
    size_t rows[3][WORD_MAX + 1];
    size_t alen = strlen(a), blen = strlen(b);

    if (alen > WORD_MAX || blen > WORD_MAX)
        return alen > blen ? alen : blen;
    for (size_t j = 0; j <= blen; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= alen; i++) {
        size_t *now = rows[i % 3];
        const size_t *before = rows[(i + 2) % 3], *two_before = rows[(i + 1) % 3];

        now[0] = i;
        for (size_t j = 1; j <= blen; j++) {
            size_t cost = folded(a[i - 1]) != folded(b[j - 1]);

            now[j] = least(least(before[j] + 1, now[j - 1] + 1), before[j - 1] + cost);
            if (i > 1 && j > 1 && folded(a[i - 1]) == folded(b[j - 2]) && folded(a[i - 2]) == folded(b[j - 1]))
                now[j] = least(now[j], two_before[j - 2] + 1);
        }
    }
    return rows[alen % 3][blen];
}

void suggest_begin(struct suggest *sug, const char *word)
{
    size_t most = strlen(word) / 3;

    sug->word = word;
    sug->name = NULL;
    sug->distance = (most > 1 ? most : 1) + 1;
}

void suggest_offer(struct suggest *sug, const char *name)
{
    size_t distance = suggest_distance(sug->word, name);

    if (distance < sug->distance) {
        sug->distance = distance;
        sug->name = name;
    }
}
