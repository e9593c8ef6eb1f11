/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Special keys of [hbase] about the balancer. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/key.h"
#include "scenario/suggest.h"
#include "spec/spec.h"

#define MS INT64_C(1000000)
#define BALANCER_PACKAGE "org.apache.hadoop.hbase.master.balancer."

/* By enum spec_balancer. */
static const char *const balancers[] = {"StochasticLoadBalancer", "SimpleLoadBalancer", "off"};

bool read_balancer(struct key_reader *rd, void *target)
{
    const char *name = rd->value;
    struct suggest best;

    if (strncmp(name, BALANCER_PACKAGE, strlen(BALANCER_PACKAGE)) == 0)
        name += strlen(BALANCER_PACKAGE);
    suggest_begin(&best, name);
    for (size_t i = 0; i < sizeof balancers / sizeof balancers[0]; i++) {
        suggest_offer(&best, balancers[i]);
        if (strcmp(name, balancers[i]) != 0)
            continue;
        ((struct spec_hbase *)target)->balance.balancer = (enum spec_balancer)i;
        return true;
    }
    if (best.name)
        return reader_error(rd, 0, "unknown balancer '%.80s'; did you mean '%s'?", name, best.name);
    return reader_error(rd, 0, "unknown balancer '%.80s'; write %s", name, rd->key->form);
}

bool write_balancer(const void *target, size_t i, struct text *out)
{
    if (i > 0)
        return false;
    text_add(out, "%s", balancers[((const struct spec_hbase *)target)->balance.balancer]);
    return true;
}

/* HBase takes a negative slop for "no such limit". */
bool read_slop(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct word wd = words_rest(&wds);
    const bool minus = wd.len > 0 && wd.chars[0] == '-';
    double number;

    if (minus) {
        wd.chars++;
        wd.len--;
        wd.at++;
    }
    if (!reader_real(rd, UNIT_NUMBER, wd, &number) || !reader_in_bounds(rd, minus ? -number : number))
        return false;
    ((struct spec_hbase *)target)->regions_slop = minus ? -number : number;
    return true;
}

bool write_slop(const void *target, size_t i, struct text *out)
{
    const double slop = ((const struct spec_hbase *)target)->regions_slop;
    char text[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    unit_write_real(UNIT_NUMBER, fabs(slop), text);
    text_add(out, "%s%s", slop < 0 ? "-" : "", text);
    return true;
}

bool read_overall_slop(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    double number = (double)NAN;

    if (strcmp(rd->value, rd->key->dflt) != 0 &&
        (!reader_real(rd, UNIT_NUMBER, words_rest(&wds), &number) || !reader_in_bounds(rd, number)))
        return false;
    ((struct spec_hbase *)target)->balance.overall_slop = number;
    return true;
}

bool write_overall_slop(const void *target, size_t i, struct text *out)
{
    const double slop = ((const struct spec_hbase *)target)->balance.overall_slop;
    char text[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    if (isnan(slop)) {
        text_add(out, "as hbase.regions.slop");
        return true;
    }
    unit_write_real(UNIT_NUMBER, slop, text);
    text_add(out, "%s", text);
    return true;
}

bool read_max_balancing(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    long long ms = -1;

    if (strcmp(rd->value, rd->key->dflt) != 0) {
        if (!word_number(words_rest(&wds), INT64_MAX / MS, &ms))
            return reader_error(rd, 0, "'%.40s' is not a bare number, as HBase wants it", rd->value);
        if (!reader_in_bounds(rd, (double)(ms * MS)))
            return false;
    }
    ((struct spec_hbase *)target)->balance.max_balancing_ns = ms < 0 ? -1 : ms * MS;
    return true;
}

bool write_max_balancing(const void *target, size_t i, struct text *out)
{
    const int64_t ns = ((const struct spec_hbase *)target)->balance.max_balancing_ns;

    if (i > 0)
        return false;
    if (ns < 0)
        text_add(out, "as hbase.balancer.period");
    else
        text_add(out, "%" PRId64, ns / MS);
    return true;
}
