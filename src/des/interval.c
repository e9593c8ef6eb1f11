/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des/interval.h"

#include <math.h>

#include <gsl/gsl_cdf.h>

int des_tally_interval(const struct des_tally *t, double confidence, struct des_interval *out)
{
    double half;

    if (!(confidence > 0 && confidence < 1) || !isfinite(t->mean) || !isfinite(t->m2))
        return DES_DOMAIN;
    if (t->count < 2)
        return DES_TOO_FEW;
    half = gsl_cdf_tdist_Pinv(0.5 + confidence / 2, (double)(t->count - 1)) *
           sqrt(t->m2 / (double)(t->count - 1) / (double)t->count);
    *out = (struct des_interval){t->mean, t->mean - half, t->mean + half};
    return DES_OK;
}

int des_summary(const double *x, size_t n, double confidence, struct des_interval *out)
{
    struct des_tally t = {0};

    for (size_t i = 0; i < n; i++)
        des_tally_add(&t, x[i]);
    return des_tally_interval(&t, confidence, out);
}

int des_summary_paired(const double *x, const double *y, size_t n, double confidence,
                       struct des_interval *out)
{
    struct des_tally t = {0};

    for (size_t i = 0; i < n; i++)
        des_tally_add(&t, x[i] - y[i]);
    return des_tally_interval(&t, confidence, out);
}

void des_batches_add(struct des_batches *b, double value)
{
    if (b->length == 0)
        b->length = 1;
    b->open_sum += value;
    if (++b->in_open < b->length)
        return;
    b->mean[b->batches++] = b->open_sum / (double)b->length;
    b->open_sum = 0;
    b->in_open = 0;
    if (b->batches < DES_BATCHES_MAX)
        return;
    for (uint32_t i = 0; i < DES_BATCHES_MAX / 2; i++)
        b->mean[i] = (b->mean[2 * i] + b->mean[2 * i + 1]) / 2;
    b->batches = DES_BATCHES_MAX / 2;
    b->length *= 2;
}

int des_batches_interval(const struct des_batches *b, double confidence, struct des_interval *out)
{
    if (b->batches < DES_BATCHES_MAX / 2)
        return DES_TOO_FEW;
    return des_summary(b->mean, b->batches, confidence, out);
}

int des_batches_correlation(const struct des_batches *b, double *correlation)
{
    struct des_tally t = {0};
    double together = 0;

    if (b->batches < DES_BATCHES_MAX / 2)
        return DES_TOO_FEW;
    for (uint32_t i = 0; i < b->batches; i++)
        des_tally_add(&t, b->mean[i]);
    if (!(t.m2 > 0))
        return DES_TOO_FEW;
    for (uint32_t i = 1; i < b->batches; i++)
        together += (b->mean[i - 1] - t.mean) * (b->mean[i] - t.mean);
    *correlation = together / t.m2;
    return DES_OK;
}
