/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/model/neighbours.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Keys of a group that tell its size: a sample may have been thinned to every so-manyth of its sorted keys, so that
   close ones are too few. */
#define GROUP_ENOUGH 4
/* Keys whose groups are looked at. */
#define LOOKED_AT 128

/* Bytes that the keys i - 1 and i share. */
static size_t common(const struct key_sample *s, size_t i)
{
    size_t left_len, right_len, n = 0;
    const uint8_t *left = sample_key(s, i - 1, &left_len), *right = sample_key(s, i, &right_len);

    while (n < left_len && n < right_len && left[n] == right[n])
        n++;
    return n;
}

/* The least share of pairs that agree at a position, by the kind of text that stands there. */
static double least_agreement(const uint64_t seen[256])
{
    bool digits = true, hex = true;

    for (int b = 0; b < 256; b++) {
        digits &= seen[b] == 0 || (b >= '0' && b <= '9');
        hex &= seen[b] == 0 || (b >= '0' && b <= '9') || (b >= 'a' && b <= 'f');
    }
    return 1.0 / (digits ? 10 : hex ? 16 : 256);
}

/* Share of all pairs that have the same byte at |at|, whatever stands before it. */
static double agreement(const struct sample_part *p, size_t at)
{
    uint64_t seen[256] = {0}, all = 0;
    double same = 0;

    for (size_t i = p->lo; i < p->hi; i++) {
        size_t len;
        const uint8_t *key = sample_key(p->sample, i, &len);

        if (at < len) {
            seen[key[at]]++;
            all++;
        }
    }
    if (all < 2)
        return 0;
    for (int b = 0; b < 256; b++)
        same += (double)seen[b] * ((double)seen[b] - 1);
    return fmax(same / ((double)all * ((double)all - 1)), least_agreement(seen));
}

/* Of the sorted keys, what each shares with the one before it. */
struct shared {
    const uint16_t *bytes;
    size_t n, len;
};

/* Keys of the sample that share so many bytes with key |i|, itself among them. */
static void count_group(const struct shared *s, size_t i, double *group)
{
    size_t least = s->len;

    for (size_t l = 0; l <= s->len; l++)
        group[l] = 1;
    for (size_t j = i; j > 0; j--) {
        least = s->bytes[j] < least ? s->bytes[j] : least;
        group[least]++;
    }
    least = s->len;
    for (size_t j = i + 1; j < s->n; j++) {
        least = s->bytes[j] < least ? s->bytes[j] : least;
        group[least]++;
    }
    for (size_t l = s->len; l > 0; l--)
        group[l - 1] += group[l] - 1;
}

static void add_key(const struct shared *s, size_t i, const double *agree, double rows_each, struct neighbours *out)
{
    double group[NEIGHBOURS_KEY_MAX + 1], rows = rows_each * (double)s->n;
    bool known = true;

    count_group(s, i, group);
    for (size_t l = 1; l <= s->len; l++) {
        known = known && group[l] >= GROUP_ENOUGH;
        rows = known ? rows_each * group[l] : rows * agree[l];
        if (rows < 1e-6)
            return;
        out->at_least[l] += 1 + expm1(-rows) / rows;
    }
}

int neighbours_of(const struct sample_part *p, uint64_t rows, struct neighbours *out)
{
    const size_t n = p->sample ? p->hi - p->lo : 0, step = n / LOOKED_AT + 1;
    double agree[NEIGHBOURS_KEY_MAX + 1], looks = 0;
    uint16_t *bytes = malloc((n + 1) * sizeof *bytes);
    struct shared s = {bytes, n, 0};

    if (!bytes)
        return -1;
    memset(out, 0, sizeof *out);
    for (size_t i = 0; i < n; i++) {
        out->len = p->sample->lens[p->lo + i] > out->len ? p->sample->lens[p->lo + i] : out->len;
        bytes[i] = (uint16_t)(i > 0 ? common(p->sample, p->lo + i) : 0);
    }
    out->len = out->len < NEIGHBOURS_KEY_MAX ? out->len : NEIGHBOURS_KEY_MAX;
    s.len = out->len;
    for (size_t l = 1; n > 1 && l <= out->len; l++)
        agree[l] = agreement(p, l - 1);
    for (size_t i = step / 2; n > 1 && i < n; i += step, looks++)
        add_key(&s, i, agree, (double)rows / (double)n, out);
    for (size_t l = 1; l <= out->len && looks > 0; l++)
        out->at_least[l] /= looks;
    out->at_least[0] = 1;
    free(bytes);
    return 0;
}
