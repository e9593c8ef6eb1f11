/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where the ticks of each kind of scale stand; scale_ticks picks the function. The domain must be
   drawable (scale_make). A tick is a whole number times the step, never a sum of steps. */
#ifndef CHART_TICKS_H
#define CHART_TICKS_H

#include "chart/scale.h"

/* The extended Wilkinson algorithm of Talbot, Lin and Hanrahan (InfoVis 2010): steps 1 5 2 2.5 4 3,
   weights simplicity 0.25, coverage 0.2, density 0.5, legibility 0.05. */
void ticks_linear(double lo, double hi, int target, struct ticks *ticks);

void ticks_bytes(double lo, double hi, int target, struct ticks *ticks);
void ticks_time(double lo, double hi, int target, struct ticks *ticks);
void ticks_log10(double lo, double hi, int target, struct ticks *ticks);
void ticks_log2(double lo, double hi, int target, struct ticks *ticks);
void ticks_percentile(double lo, double hi, struct ticks *ticks);

#endif
