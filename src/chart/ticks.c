/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "chart/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define MINUS "\xE2\x88\x92"          /* U+2212 */

static const double STEPS[] = {1, 5, 2, 2.5, 4, 3};
#define STEPS_LEN 6

/* One labelling: the whole numbers start ... start + (len - 1) * skip times unit. */
struct labelling {
    double score, start, unit;
    int skip, len;
};

struct search {
    double lo, hi;
    int target;
    struct labelling best;
};

static double weigh(double simplicity, double coverage, double density)
{
    return 0.25 * simplicity + 0.2 * coverage + 0.5 * density + 0.05;
}

static double coverage_at_most(const struct search *s, double span)
{
    double range = s->hi - s->lo;
    if (span <= range)
        return 1;
    double half = (span - range) / 2;
    return 1 - half * half / (0.01 * range * range);
}

static void try_starts(struct search *s, size_t q, int skip, int len, double step)
{
    double unit = step / skip;
    double first = floor(s->hi / step) * skip - (len - 1.0) * skip;
    double last = ceil(s->lo / step) * skip;
    for (double start = first; start <= last && last - first < 1000; start++) {
        double from = start * unit, to = (start + (len - 1.0) * skip) * unit, range = s->hi - s->lo;
        if (from < s->lo - range * 1e-9 || to > s->hi + range * 1e-9)
            continue; /* every label stands inside the axis */
        bool zero = fmod(start, skip) == 0 && from <= 0 && to >= 0;
        double simplicity = 1 - (double)q / (STEPS_LEN - 1) - skip + (zero ? 1 : 0);
        double coverage = 1 - 0.5 * (pow(s->hi - to, 2) + pow(s->lo - from, 2)) / pow(0.1 * range, 2);
        double have = (len - 1) / (to - from), want = (s->target - 1) / (fmax(to, s->hi) - fmin(from, s->lo));
        double density = 2 - fmax(have / want, want / have);
        double score = weigh(simplicity, coverage, density);
        if (score > s->best.score)
            s->best = (struct labelling){score, start, unit, skip, len};
    }
}

/* All step sizes for one q, skip and number of labels, from the finest that can cover the range. */
static void try_sizes(struct search *s, size_t q, int skip, int len)
{
    double simplicity = 1 - (double)q / (STEPS_LEN - 1) - skip + 1;
    double density = len >= s->target ? 2 - (len - 1.0) / (s->target - 1.0) : 1;
    double finest = (s->hi - s->lo) / (len + 1) / skip / STEPS[q];
    int power = (int)ceil(log10(finest));
    for (int tries = 0; tries < 40; tries++, power++) {
        double step = skip * STEPS[q] * pow(10, power);
        if (weigh(simplicity, coverage_at_most(s, step * (len - 1)), density) < s->best.score)
            return;
        try_starts(s, q, skip, len, step);
    }
}

static void search_labels(struct search *s)
{
    s->best.score = -2;
    for (int skip = 1; skip < 20; skip++) {
        for (size_t q = 0; q < STEPS_LEN; q++) {
            double simplicity = 1 - (double)q / (STEPS_LEN - 1) - skip + 1;
            if (weigh(simplicity, 1, 1) < s->best.score)
                return;
            for (int len = 2; len <= TICKS_MAX; len++) {
                double density = len >= s->target ? 2 - (len - 1.0) / (s->target - 1.0) : 1;
                if (weigh(simplicity, 1, density) < s->best.score)
                    break;
                try_sizes(s, q, skip, len);
            }
        }
    }
}

static void add_tick(struct ticks *ticks, double value)
{
    if (ticks->len < TICKS_MAX)
        ticks->at[ticks->len++] = (struct tick){.value = value};
}

static void put_label(struct tick *tick, double value, int decimals, const char *unit)
{
    char number[48];
    snprintf(number, sizeof number, "%.*f", decimals, fabs(value));
    char *point = strpbrk(number, ",");
    if (point)
        *point = '.';
    bool zero = strspn(number, "0.") == strlen(number);
    snprintf(tick->label, sizeof tick->label, "%s%.14s%s", value < 0 && !zero ? MINUS : "",
             zero ? "0" : number, zero ? "" : unit);
}

static bool labels_differ(const struct ticks *ticks)
{
    for (int i = 1; i < ticks->len; i++)
        if (strcmp(ticks->at[i].label, ticks->at[i - 1].label) == 0)
            return false;
    return true;
}

/* One unit for the whole axis, from its largest tick; as many decimals as the step asks for. */
static void label_all(struct ticks *ticks, double base, const char *const *units)
{
    double largest = 0, size = 1;
    int unit = 0;
    for (int i = 0; i < ticks->len; i++)
        largest = fmax(largest, fabs(ticks->at[i].value));
    while (units[unit + 1] && largest >= size * base) {
        size *= base;
        unit++;
    }
    if (largest >= 1e18 || (largest > 0 && largest < 1e-4)) {
        for (int i = 0; i < ticks->len; i++)
            snprintf(ticks->at[i].label, TICK_LABEL_CAP, "%.3g", ticks->at[i].value);
        return;
    }
    for (int decimals = 0; decimals <= 9; decimals++) {
        bool exact = true;
        for (int i = 0; i < ticks->len; i++) {
            double shown = ticks->at[i].value / size * pow(10, decimals);
            put_label(&ticks->at[i], ticks->at[i].value / size, decimals, units[unit]);
            exact = exact && fabs(shown - floor(shown + 0.5)) < 1e-6 * fmax(1, fabs(shown));
        }
        if (exact && labels_differ(ticks))
            return;
    }
}

static const char *const THOUSANDS[] = {"", " k", " M", " G", " T", " P", NULL};

void ticks_linear(double lo, double hi, int target, struct ticks *ticks)
{
    /* In units of the range's own size: 1e-300 and 1e300 then take the same path. */
    double size = fmax(fabs(lo), fabs(hi)), power = pow(10, floor(log10(size)));
    struct search s = {.lo = lo / power, .hi = hi / power, .target = target};
    search_labels(&s);
    for (int i = 0; i < s.best.len; i++) {
        double value = (s.best.start + (double)i * s.best.skip) * s.best.unit * power;
        double slack = (hi / 2 - lo / 2) * 2e-9;
        if (value >= lo - slack && value <= hi + slack)
            add_tick(ticks, fabs(value) <= slack ? 0 : value);
    }
    if (ticks->len == 0)
        add_tick(ticks, lo);
    label_all(ticks, 1000, THOUSANDS);
}

static void add_multiples(struct ticks *ticks, double lo, double hi, double step)
{
    double slack = step * 1e-9;
    for (double k = ceil((lo - slack) / step); k * step <= hi + slack && ticks->len < TICKS_MAX; k++)
        add_tick(ticks, k * step);
    if (ticks->len == 0)
        add_tick(ticks, lo);
}

void ticks_bytes(double lo, double hi, int target, struct ticks *ticks)
{
    static const char *const units[] = {" B", " KiB", " MiB", " GiB", " TiB", " PiB", NULL};
    double step = exp2(floor(log2(hi / target - lo / target)));
    if ((hi - lo) / step > target * 1.5)
        step *= 2;
    add_multiples(ticks, lo, hi, step);
    label_all(ticks, 1024, units);
}

enum { MINUTE = 60, HOUR = 3600, DAY = 86400, YEAR = 31536000 };

/* The two units that can tell |step| apart: days and hours for a step of hours, and so on. */
static void label_time(struct tick *tick, double step)
{
    static const struct {
        double size, step;
        const char *unit, *next;
    } units[] = {{YEAR, YEAR, "y", ""}, {DAY, HOUR, "d", "h"}, {HOUR, MINUTE, "h", "m"}, {MINUTE, 1, "m", "s"}};
    double value = fabs(tick->value);
    const char *sign = tick->value < 0 ? MINUS : "";
    if (value == 0) {
        snprintf(tick->label, sizeof tick->label, "0");
        return;
    }
    for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
        if (step < units[i].step || value < units[i].size * (1 - 1e-12))
            continue;
        double whole = floor(value / units[i].size + 1e-9), rest = value - whole * units[i].size;
        double next = rest / (i ? units[i].step : YEAR);
        if (next > 0.5)
            snprintf(tick->label, sizeof tick->label, "%s%.0f%s%02.0f%s", sign, whole, units[i].unit, next, units[i].next);
        else
            snprintf(tick->label, sizeof tick->label, "%s%.0f%s", sign, whole, units[i].unit);
        return;
    }
    snprintf(tick->label, sizeof tick->label, "%s%.*fs", sign, step < 1 ? 1 : 0, value);
}

void ticks_time(double lo, double hi, int target, struct ticks *ticks)
{
    static const double steps[] = {
        0.1, 0.2, 0.5, 1, 2, 5, 10, 15, 30, MINUTE, 2 * MINUTE, 5 * MINUTE, 10 * MINUTE, 15 * MINUTE, 30 * MINUTE,
        HOUR, 2 * HOUR, 3 * HOUR, 6 * HOUR, 12 * HOUR, DAY, 2.0 * DAY, 5.0 * DAY, 10.0 * DAY, 20.0 * DAY, 30.0 * DAY,
        60.0 * DAY, 90.0 * DAY, 180.0 * DAY, YEAR, 2.0 * YEAR, 5.0 * YEAR, 10.0 * YEAR, 20.0 * YEAR, 50.0 * YEAR
    };
    size_t pick = 0, len = sizeof steps / sizeof *steps;
    double wanted = (hi - lo) / target;
    while (pick + 1 < len && wanted * wanted > steps[pick] * steps[pick + 1])
        pick++; /* the nearest step by ratio */
    double step = steps[pick];
    if (wanted > step * 2 || (hi - lo) / step < 1) {
        ticks_linear(lo, hi, target, ticks);
        return;
    }
    add_multiples(ticks, lo, hi, step);
    for (int i = 0; i < ticks->len; i++)
        label_time(&ticks->at[i], step);
}

static void label_short(struct tick *tick)
{
    static const char *const words[] = {"", "k", "M", "G", "T", "P"};
    double value = tick->value;
    int word = 0;
    while (word < 5 && value >= 1000 * (1 - 1e-12)) {
        value /= 1000;
        word++;
    }
    if (value >= 1000 || value < 1e-3)
        snprintf(tick->label, sizeof tick->label, "%.0e", tick->value);
    else
        snprintf(tick->label, sizeof tick->label, "%g%s%s", value, word ? " " : "", words[word]);
}

void ticks_log10(double lo, double hi, int target, struct ticks *ticks)
{
    static const double within[] = {1, 2, 5};
    double from = floor(log10(lo) + 1e-9), to = ceil(log10(hi) - 1e-9), decades = log10(hi) - log10(lo);
    double stride = ceil(decades / (1.5 * target));
    int parts = decades >= 2 && decades >= target / 2.0 ? 1 : 3;
    stride = stride < 1 ? 1 : stride;
    for (double power = from; power <= to && ticks->len < TICKS_MAX; power += stride) {
        for (int i = 0; i < parts; i++) {
            double value = within[i] * pow(10, power);
            if (value >= lo * (1 - 1e-9) && value <= hi * (1 + 1e-9))
                add_tick(ticks, value);
        }
    }
    for (int i = 0; i < ticks->len; i++)
        label_short(&ticks->at[i]);
}

void ticks_log2(double lo, double hi, int target, struct ticks *ticks)
{
    double from = ceil(log2(lo) - 1e-9), to = floor(log2(hi) + 1e-9);
    double stride = ceil((to - from + 1) / (1.5 * target));
    for (double power = from; power <= to && ticks->len < TICKS_MAX; power += stride < 1 ? 1 : stride) {
        add_tick(ticks, exp2(power));
        struct tick *tick = &ticks->at[ticks->len - 1];
        if (power < 0 && power > -40)
            snprintf(tick->label, sizeof tick->label, "1/%.0f", exp2(-power));
        else if (power >= 0 && power <= 14)
            snprintf(tick->label, sizeof tick->label, "%.0f", exp2(power));
        else
            snprintf(tick->label, sizeof tick->label, "2^%.0f", power);
    }
}

void ticks_percentile(double lo, double hi, struct ticks *ticks)
{
    static const double at[] = {0, 0.5, 0.9, 0.99, 0.999, 0.9999, 0.99999, 0.999999};
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        if (at[i] < lo - 1e-12 || at[i] > hi + 1e-12)
            continue;
        add_tick(ticks, at[i]);
        snprintf(ticks->at[ticks->len - 1].label, TICK_LABEL_CAP, "%.6g %%", at[i] * 100);
    }
}
