/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Special keys of [plan]. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenario/key.h"
#include "scenario/suggest.h"
#include "spec/spec.h"

#define BUCKETS_MAX 256
#define LINE_ITEMS 20

static bool add_candidate(struct key_reader *rd, struct spec_plan *plan, int n, size_t at)
{
    int *all;

    for (size_t i = 0; i < plan->candidates_len; i++) {
        if (plan->candidates[i] != n)
            continue;
        return n > 0 ? reader_error(rd, at, "%d stands twice among the candidates", n)
                     : reader_error(rd, at, "none stands twice among the candidates");
    }
    all = realloc(plan->candidates, (plan->candidates_len + 1) * sizeof *all);
    if (!all) {
        rd->no_memory = true;
        return false;
    }
    plan->candidates = all;
    all[plan->candidates_len++] = n;
    return true;
}

static bool bucket_count(struct key_reader *rd, struct word wd, long long *out)
{
    if (word_number(wd, 1000000, out) && *out >= 1 && *out <= BUCKETS_MAX)
        return true;
    return reader_error(rd, wd.at, "'%.*s' is not a bucket count: none, or 1 to %d", (int)(wd.len < 60 ? wd.len : 60),
                        wd.chars, BUCKETS_MAX);
}

/* `1..64` and `1..64 x2`. */
static bool read_candidate_range(struct key_reader *rd, struct spec_plan *plan, struct word item, size_t dots)
{
    struct word low = {item.chars, dots, item.at};
    struct word high = {item.chars + dots + 2, 0, item.at + dots + 2};
    struct word factor;
    size_t end = dots + 2;
    long long from, to, times = 0;

    while (end < item.len && item.chars[end] != ' ' && item.chars[end] != '\t')
        end++;
    high.len = end - dots - 2;
    while (end < item.len && (item.chars[end] == ' ' || item.chars[end] == '\t'))
        end++;
    factor = (struct word){item.chars + end, item.len - end, item.at + end};
    if (!bucket_count(rd, low, &from) || !bucket_count(rd, high, &to))
        return false;
    if (to < from)
        return reader_error(rd, high.at, "the range ends before it begins");
    if (factor.len > 0) {
        struct word number = {factor.chars + 1, factor.len - 1, factor.at + 1};

        if (factor.chars[0] != 'x' || !word_number(number, BUCKETS_MAX, &times) || times < 2)
            return reader_error(rd, factor.at, "'%.*s' is not a factor, as x2", (int)factor.len, factor.chars);
    }
    for (long long n = from; n <= to; n = times ? n * times : n + 1) {
        if (!add_candidate(rd, plan, (int)n, item.at))
            return false;
    }
    return true;
}

bool read_candidates(struct key_reader *rd, void *target)
{
    struct spec_plan *plan = target;
    struct words wds = words_of(rd->value);
    struct word item;

    while (words_next_item(&wds, &item)) {
        size_t dots = 0;
        long long n = 0;

        while (dots + 1 < item.len && memcmp(item.chars + dots, "..", 2) != 0)
            dots++;
        if (item.len > 1 && dots + 1 < item.len) {
            if (!read_candidate_range(rd, plan, item, dots))
                return false;
            continue;
        }
        if (!word_is(item, "none") && !bucket_count(rd, item, &n))
            return false;
        if (!add_candidate(rd, plan, (int)n, item.at))
            return false;
    }
    return true;
}

bool write_candidates(const void *target, size_t i, struct text *out)
{
    const struct spec_plan *plan = target;
    size_t from = i * LINE_ITEMS;

    if (from >= plan->candidates_len)
        return false;
    for (size_t k = from; k < plan->candidates_len && k < from + LINE_ITEMS; k++) {
        if (k > from)
            text_add(out, ",");
        if (plan->candidates[k] > 0)
            text_add(out, "%d", plan->candidates[k]);
        else
            text_add(out, "none");
    }
    return true;
}

/* Figures of the summary that a bound makes sense for. Times are bounded by a duration; the spec
   holds microseconds, as the figure does. */
static const struct {
    const char *name;
    enum unit_family family;
} figures[] = {
    {"hot_server_ratio", UNIT_NUMBER},   {"hot_server_ratio_total", UNIT_NUMBER},
    {"hot_region_share", UNIT_RATIO},    {"hot_region_ratio", UNIT_NUMBER},
    {"write_tails", UNIT_NUMBER},        {"effective_tails", UNIT_NUMBER},
    {"tails_per_server_max", UNIT_NUMBER}, {"servers_idle", UNIT_NUMBER},
    {"max_write_rate_per_s", UNIT_RATE}, {"write_refusals", UNIT_COUNT},
    {"writes_rejected", UNIT_COUNT},     {"writes_queued", UNIT_COUNT},
    {"regions_end", UNIT_COUNT},         {"splits", UNIT_COUNT},
    {"write_p50_us", UNIT_DURATION},     {"write_p95_us", UNIT_DURATION},
    {"write_p99_us", UNIT_DURATION},     {"write_p999_us", UNIT_DURATION},
};

#define FIGURES (sizeof figures / sizeof figures[0])

/* Figures of a query, as window.p99, by result_query_figure's names; check.c looks whether there is such a query. */
static const struct {
    const char *name;
    enum unit_family family;
} query_figures[] = {
    {"scans", UNIT_COUNT},  {"rpcs", UNIT_COUNT},   {"regions", UNIT_COUNT}, {"rows_scanned", UNIT_COUNT},
    {"p50", UNIT_DURATION}, {"p95", UNIT_DURATION}, {"p99", UNIT_DURATION},  {"p999", UNIT_DURATION},
};

#define QUERY_FIGURES (sizeof query_figures / sizeof query_figures[0])

/* Place of the figure in query_figures; QUERY_FIGURES where it is none. */
static size_t query_figure(const char *name, size_t name_len)
{
    size_t i = 0;

    for (; i < QUERY_FIGURES; i++) {
        const size_t len = strlen(query_figures[i].name);

        if (name_len > len + 1 && name[name_len - len - 1] == '.' &&
            memcmp(name + name_len - len, query_figures[i].name, len) == 0)
            break;
    }
    return i;
}

static bool unknown_figure(struct key_reader *rd, struct word wd)
{
    struct suggest best;
    char name[60];

    snprintf(name, sizeof name, "%.*s", (int)wd.len, wd.chars);
    if (strchr(name, '.'))
        return reader_error(rd, wd.at, "'%s': of a query there are scans, rpcs, regions, rows_scanned, p50, p95, p99 and p999",
                            name);
    suggest_begin(&best, name);
    for (size_t i = 0; i < FIGURES; i++)
        suggest_offer(&best, figures[i].name);
    if (best.name)
        return reader_error(rd, wd.at, "unknown figure '%s'; did you mean '%s'?", name, best.name);
    reader_error(rd, wd.at, "unknown figure '%s'", name);
    diags_hint(rd->dgs, "write a name of result.json's summary, as hot_server_ratio <= 1.6");
    return false;
}

static bool read_bound(struct key_reader *rd, enum unit_family family, struct word wd, double *out)
{
    int64_t whole;

    if (wd.len == 0)
        return reader_error(rd, wd.at, "the bound is missing");
    if (family != UNIT_DURATION && family != UNIT_COUNT)
        return reader_real(rd, family, wd, out);
    if (!reader_whole(rd, family, wd, &whole))
        return false;
    *out = family == UNIT_DURATION ? (double)whole / 1000 : (double)whole;
    return true;
}

/* No cluster keeps a bound below 1 of what is 1 at least: a hottest share over the mean, calls of a query. */
static bool reachable(struct key_reader *rd, struct word item, const struct spec_target *target)
{
    static const char *const at_least_1[] = {"hot_server_ratio", "hot_server_ratio_total", "hot_region_ratio", "write_tails",
                                             "effective_tails"};
    const char *dot = strrchr(target->metric, '.');
    bool one = dot && (strcmp(dot, ".scans") == 0 || strcmp(dot, ".rpcs") == 0 || strcmp(dot, ".regions") == 0);

    for (size_t i = 0; i < sizeof at_least_1 / sizeof at_least_1[0]; i++)
        one = one || strcmp(target->metric, at_least_1[i]) == 0;
    if (!one || !target->at_most || target->bound >= 1)
        return true;
    return reader_error(rd, item.at, "nothing keeps %s <= %.6g: it is 1 at least", target->metric, target->bound);
}

/* A bound of the same figure that says the same again, or the contrary. */
static bool agrees(struct key_reader *rd, const struct spec_plan *plan, struct word item, const struct spec_target *with)
{
    for (size_t i = 0; i < plan->targets_len; i++) {
        const struct spec_target *other = &plan->targets[i];

        if (strcmp(other->metric, with->metric) != 0)
            continue;
        if (other->at_most == with->at_most)
            return reader_error(rd, item.at, "%s has two bounds of this kind", with->metric);
        if (other->at_most ? other->bound < with->bound : other->bound > with->bound)
            return reader_error(rd, item.at, "the targets contradict each other: nothing is both %s %.6g and %s %.6g",
                                other->at_most ? "<=" : ">=", other->bound, with->at_most ? "<=" : ">=", with->bound);
    }
    return true;
}

static bool read_target(struct key_reader *rd, struct spec_plan *plan, struct word item)
{
    struct word name = item, bound = item;
    struct spec_target *all;
    size_t figure = 0, sign = 0, asked;
    enum unit_family family;
    double value;

    while (sign < item.len && !strchr("<>=", item.chars[sign]))
        sign++;
    name.len = sign;
    while (name.len > 0 && (name.chars[name.len - 1] == ' ' || name.chars[name.len - 1] == '\t'))
        name.len--;
    if (name.len == 0)
        return reader_error(rd, item.at, "a target is written FIGURE <= BOUND or FIGURE >= BOUND");
    while (figure < FIGURES && !word_is(name, figures[figure].name))
        figure++;
    asked = query_figure(name.chars, name.len);
    if (figure == FIGURES && asked == QUERY_FIGURES)
        return unknown_figure(rd, name);
    family = figure < FIGURES ? figures[figure].family : query_figures[asked].family;
    if (sign + 1 >= item.len || item.chars[sign] == '=' || item.chars[sign + 1] != '=')
        return reader_error(rd, item.at + sign, "expected <= or >= after %.*s", (int)name.len, name.chars);
    for (bound.len = sign + 2; bound.len < item.len && item.chars[bound.len] == ' ';)
        bound.len++;
    bound = (struct word){item.chars + bound.len, item.len - bound.len, item.at + bound.len};
    if (!read_bound(rd, family, bound, &value))
        return false;
    all = realloc(plan->targets, (plan->targets_len + 1) * sizeof *all);
    if (!all) {
        rd->no_memory = true;
        return false;
    }
    plan->targets = all;
    all[plan->targets_len].metric = NULL;
    all[plan->targets_len].at_most = item.chars[sign] == '<';
    all[plan->targets_len].bound = value;
    if (!reader_copy(rd, name, &all[plan->targets_len].metric))
        return false;
    if (!reachable(rd, item, &all[plan->targets_len]) || !agrees(rd, plan, item, &all[plan->targets_len])) {
        free(all[plan->targets_len].metric);
        return false;
    }
    plan->targets_len++;
    return true;
}

bool read_targets(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct word item;

    while (words_next_item(&wds, &item)) {
        if (!read_target(rd, target, item))
            return false;
    }
    return true;
}

bool write_targets(const void *target, size_t i, struct text *out)
{
    const struct spec_plan *plan = target;
    const struct spec_target *tgt = &plan->targets[i];
    char text[UNIT_TEXT_CAP];
    size_t figure = 0;
    enum unit_family family;

    if (i >= plan->targets_len)
        return false;
    while (figure < FIGURES && strcmp(figures[figure].name, tgt->metric) != 0)
        figure++;
    family = figure < FIGURES ? figures[figure].family
                              : query_figures[query_figure(tgt->metric, strlen(tgt->metric))].family;
    if (family == UNIT_DURATION)
        unit_write_whole(UNIT_DURATION, (int64_t)(tgt->bound * 1000 + 0.5), text);
    else if (family == UNIT_COUNT)
        unit_write_whole(UNIT_COUNT, (int64_t)tgt->bound, text);
    else
        unit_write_real(family, tgt->bound, text);
    text_add(out, "%s %s %s", tgt->metric, tgt->at_most ? "<=" : ">=", text);
    return true;
}
