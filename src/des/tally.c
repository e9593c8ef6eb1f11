/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "des/tally.h"

void des_tally_add(struct des_tally *t, double value)
{
    const double from_old = value - t->mean;

    if (t->count == 0 || value < t->min)
        t->min = value;
    if (t->count == 0 || value > t->max)
        t->max = value;
    t->count++;
    t->mean += from_old / (double)t->count;
    t->m2 += from_old * (value - t->mean);
}

void des_tally_merge(struct des_tally *t, const struct des_tally *other)
{
    double n, m, apart;

    if (other->count == 0)
        return;
    if (t->count == 0) {
        *t = *other;
        return;
    }
    n = (double)t->count;
    m = (double)other->count;
    apart = other->mean - t->mean;
    t->count += other->count;
    t->mean += apart * (m / (n + m));
    t->m2 += other->m2 + apart * apart * (n * m / (n + m));
    t->min = other->min < t->min ? other->min : t->min;
    t->max = other->max > t->max ? other->max : t->max;
}

int des_tally_mean(const struct des_tally *t, double *mean)
{
    if (t->count == 0)
        return DES_TOO_FEW;
    *mean = t->mean;
    return DES_OK;
}

int des_tally_variance(const struct des_tally *t, double *variance)
{
    if (t->count < 2)
        return DES_TOO_FEW;
    *variance = t->m2 / (double)(t->count - 1);
    return DES_OK;
}

void des_timeavg_init(struct des_timeavg *t, des_time now, double value)
{
    *t = (struct des_timeavg){
        .start = now, .last = now, .value = value, .min = value, .max = value,
    };
}

/* Lets the present value last until |now|. */
static int advance(struct des_timeavg *t, des_time now)
{
    double before, lasted, from_old;

    if (now < t->last)
        return DES_PAST;
    if (now == t->last)
        return DES_OK;
    before = (double)(t->last - t->start);
    lasted = (double)(now - t->last);
    from_old = t->value - t->mean;
    t->integral += t->value * lasted;
    t->mean += from_old * (lasted / (before + lasted));
    t->m2 += from_old * (t->value - t->mean) * lasted;
    t->last = now;
    return DES_OK;
}

int des_timeavg_set(struct des_timeavg *t, des_time now, double value)
{
    const int error = advance(t, now);

    if (error)
        return error;
    t->value = value;
    t->min = value < t->min ? value : t->min;
    t->max = value > t->max ? value : t->max;
    return DES_OK;
}

int des_timeavg_add(struct des_timeavg *t, des_time now, double change)
{
    return des_timeavg_set(t, now, t->value + change);
}

/* The state at |now| without changing |t|. */
static int at_time(const struct des_timeavg *t, des_time now, struct des_timeavg *out)
{
    struct des_timeavg copy = *t;
    const int error = advance(&copy, now);

    if (error)
        return error;
    if (now == t->start)
        return DES_TOO_FEW;
    *out = copy;
    return DES_OK;
}

int des_timeavg_mean(const struct des_timeavg *t, des_time now, double *mean)
{
    struct des_timeavg state;
    const int error = at_time(t, now, &state);

    if (error)
        return error;
    *mean = state.integral / (double)(now - t->start);
    return DES_OK;
}

int des_timeavg_variance(const struct des_timeavg *t, des_time now, double *variance)
{
    struct des_timeavg state;
    const int error = at_time(t, now, &state);

    if (error)
        return error;
    *variance = state.m2 / (double)(now - t->start);
    return DES_OK;
}
