/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chance/chance.h"

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_BALLS 512
#define NORMAL_PER_BIN 1000
#define STEPS 400

/* P(no bin has more than |most|), exactly: counts are Poisson variables on condition of their sum. */
static double exact_below(unsigned balls, unsigned bins, unsigned most, double *work)
{
    const double mean = (double)balls / bins;
    double *now = work, *next = work + balls + 1;

    memset(now, 0, (balls + 1) * sizeof *now);
    now[0] = 1;
    for (unsigned b = 0; b < bins; b++) {
        double *swap;

        memset(next, 0, (balls + 1) * sizeof *next);
        for (unsigned k = 0; k <= most && k <= balls; k++) {
            const double p = gsl_ran_poisson_pdf(k, mean);

            for (unsigned n = 0; n + k <= balls; n++)
                next[n + k] += p * now[n];
        }
        swap = now;
        now = next;
        next = swap;
    }
    return now[balls] / gsl_ran_poisson_pdf(balls, balls);
}

static double near_below(double balls, double bins, double most)
{
    const double p = 1 / bins, mean = balls * p, sd = sqrt(balls * p * (1 - p));

    if (bins <= 1)
        return most >= balls;
    if (mean >= NORMAL_PER_BIN)
        return pow(gsl_cdf_gaussian_P(most + 0.5 - mean, sd), bins);
    return pow(gsl_cdf_binomial_P((unsigned)most, p, (unsigned)balls), bins);
}

int chance_fullest(double balls, double bins, struct chance_range *out)
{
    const double mean = balls / bins, sd = sqrt(mean);
    const double first = fmax(ceil(mean) - 1, floor(mean - 10 * sd)), last = fmin(balls, ceil(mean + 40 + 12 * sd));
    const double step = fmax(1, floor((last - first) / STEPS));
    const bool exact = balls <= EXACT_BALLS && bins <= EXACT_BALLS;
    struct chance_range made = {first, NAN, NAN};
    double *work;

    if (!(balls >= 1) || !(bins >= 1))
        return -1;
    work = malloc(2 * (EXACT_BALLS + 1) * sizeof *work);
    if (!work)
        return -1;
    for (double most = first; most <= last; most += step) {
        const double p = exact ? exact_below((unsigned)balls, (unsigned)bins, (unsigned)most, work)
                               : near_below(balls, bins, most);

        if (p < 1)
            made.mean += step * (1 - p);
        if (isnan(made.lo) && p >= 0.025)
            made.lo = most;
        if (isnan(made.hi) && p >= 0.975)
            made.hi = most;
        if (p > 1 - 1e-9)
            break;
    }
    free(work);
    if (isnan(made.lo) || isnan(made.hi))
        made.lo = made.hi = last;
    *out = made;
    return 0;
}
