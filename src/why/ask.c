/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/balance/balancer.h"
#include "hbase/rules/compaction_policy.h"
#include "hbase/rules/flush_policy.h"
#include "hbase/rules/memstore.h"
#include "hbase/rules/memstore_pressure.h"
#include "hbase/rules/split_policy.h"
#include "why/why.h"

/* Inputs are counts and bytes below 2^53; what is missing counts as 0. */
static uint64_t count_of(double v)
{
    return v >= 0 && v < 9.1e18 ? (uint64_t)v : 0;
}

static uint32_t small_of(double v)
{
    return v >= 0 ? v < 4294967295.0 ? (uint32_t)v : UINT32_MAX : 0;
}

static uint64_t whole(const struct result_event *ev, const char *name)
{
    return count_of(result_event_input(ev, name));
}

static uint32_t small(const struct result_event *ev, const char *name)
{
    return small_of(result_event_input(ev, name));
}

/* An input in seconds. */
static uint64_t microseconds(const struct result_event *ev, const char *name)
{
    return count_of(result_event_input(ev, name) * 1e6 + 0.5);
}

static enum why_answer answer(bool same)
{
    return same ? WHY_SAME : WHY_DIFFERENT;
}

static enum why_answer ask_split(const struct result_event *ev, char *text, size_t cap)
{
    const int policy = split_policy_from_name(ev->rule);
    const uint64_t bytes = whole(ev, "store_bytes");
    struct split_policy_config c;
    struct split_verdict v;

    if (policy < 0)
        return WHY_NOTHING_TO_ASK;
    split_policy_config_default(&c);
    c.policy = (enum split_policy)policy;
    c.site_flush_bytes = whole(ev, "flush_bytes");
    c.max_file_bytes = whole(ev, "max_file_bytes");
    v = split_should_split(&c, &(struct split_input){.store_bytes = &bytes,
                                                     .stores = 1,
                                                     .regions_on_server = small(ev, "regions_of_table_on_server")});
    snprintf(text, cap, "%s at %.0f bytes", v.split ? "split" : "no split", (double)v.threshold_bytes);
    return answer(v.split && (double)v.threshold_bytes == ev->threshold);
}

/* The rule that the event names, the other one switched off. */
static enum why_answer ask_periodic(const struct result_event *ev, char *text, size_t cap)
{
    const uint64_t age_us = microseconds(ev, "oldest_edit_s");
    const bool old = age_us > 0;
    const bool due = flush_periodic_due(&(struct flush_periodic_input){
        .oldest_edit_age_us = age_us, .last_flush_age_us = age_us, .edits_since_flush = whole(ev, "edits"),
        .interval_us = old ? count_of(ev->threshold * 1e6 + 0.5) : 0, .per_changes = old ? 0 : count_of(ev->threshold)});

    snprintf(text, cap, "%s", due ? "flush" : "no flush");
    return answer(due);
}

/* Too many files of the log. */
static enum why_answer ask_log(const struct result_event *ev, char *text, size_t cap)
{
    const bool many = wal_too_many_logs(&(struct wal_limits){.max_logs = small_of(ev->threshold)}, small(ev, "log_files"));

    snprintf(text, cap, "%s", many ? "flush" : "no flush");
    return answer(many);
}

/* The sum of a server's memstores against the low mark. */
static enum why_answer ask_low_mark(const struct result_event *ev, char *text, size_t cap)
{
    const struct memstore_pressure_limits l = {.limit_bytes = UINT64_MAX, .low_mark_bytes = count_of(ev->threshold)};
    const bool above = memstore_pressure(&l, whole(ev, "server_heap_bytes")) != MEMSTORE_PRESSURE_NONE;

    snprintf(text, cap, "%s", above ? "flush" : "no flush");
    return answer(above);
}

/* The same against the limit. */
static enum why_answer ask_blocked(const struct result_event *ev, char *text, size_t cap)
{
    const struct memstore_pressure_limits l = {.limit_bytes = count_of(ev->threshold)};
    const bool blocked = memstore_pressure(&l, whole(ev, "heap_bytes")) == MEMSTORE_PRESSURE_LIMIT;

    snprintf(text, cap, "%s", blocked ? "writes wait" : "writes go on");
    return answer(blocked);
}

static enum why_answer ask_flush(const struct result_event *ev, char *text, size_t cap)
{
    bool due;

    if (isnan(ev->threshold))
        return WHY_NOTHING_TO_ASK;
    if (!isnan(result_event_input(ev, "delay_s")))
        return ask_periodic(ev, text, cap);
    if (!isnan(result_event_input(ev, "log_files")))
        return ask_log(ev, text, cap);
    if (!isnan(result_event_input(ev, "server_heap_bytes")))
        return ask_low_mark(ev, text, cap);
    due = memstore_flush_due(whole(ev, "region_heap_bytes"), count_of(ev->threshold));
    snprintf(text, cap, "%s", due ? "flush" : "no flush");
    return answer(due);
}

static enum why_answer ask_refusal(const struct result_event *ev, char *text, size_t cap)
{
    const bool busy =
        memstore_too_busy(whole(ev, "region_heap_bytes"), whole(ev, "flush_bytes"), small(ev, "multiplier"));

    snprintf(text, cap, "%s", busy ? "too busy" : "not too busy");
    return answer(busy);
}

static enum why_answer ask_postponed(const struct result_event *ev, char *text, size_t cap)
{
    const struct flush_gate_input in = {.store_files = small(ev, "store_files"),
                                        .blocking_store_files = small_of(ev->threshold),
                                        .waited_us = microseconds(ev, "waited_s"),
                                        .blocking_wait_us = microseconds(ev, "blocking_wait_s")};
    const bool waits = flush_gate(&in) != FLUSH_NOW;

    snprintf(text, cap, "%s", waits ? "wait" : "flush now");
    return answer(waits);
}

/* "90734924r 375771c": NULL where it is none, or without memory. */
static struct compaction_file *read_files(const char *text, size_t *len)
{
    struct compaction_file *files = calloc(strlen(text) / 2 + 2, sizeof *files);
    const char *at = text;

    *len = 0;
    while (files && *at) {
        char *end;
        struct compaction_file *f = &files[*len];

        f->file_bytes = strtoull(at, &end, 10);
        if (end == at)
            break;
        for (at = end; *at == 'r' || *at == 'c'; at++) {
            f->reference |= *at == 'r';
            f->compacting |= *at == 'c';
        }
        while (*at == ' ')
            at++;
        (*len)++;
    }
    if (files && *at) {
        free(files);
        return NULL;
    }
    return files;
}

static enum why_answer ask_compaction(const struct result_event *ev, char *text, size_t cap)
{
    struct compaction_config c;
    struct compaction_request req;
    struct compaction_file *files;
    struct compaction_input in;
    const double most = result_event_input(ev, "max_bytes");
    size_t len;

    if (!ev->files)
        return WHY_NOTHING_TO_ASK;
    files = read_files(ev->files, &len);
    if (!files) {
        snprintf(text, cap, "the list of files can't be read");
        return WHY_DIFFERENT;
    }
    compaction_config_default(&c);
    c.min_files = small_of(ev->threshold);
    c.max_files = small(ev, "max_files");
    c.min_bytes = whole(ev, "min_bytes");
    c.max_bytes = isnan(most) ? UINT64_MAX : count_of(most);
    c.ratio = result_event_input(ev, "ratio");
    c.blocking_store_files = small(ev, "blocking_store_files");
    in = (struct compaction_input){.files = files,
                                   .count = len,
                                   .user = result_event_input(ev, "user") > 0,
                                   .force_major = result_event_input(ev, "force_major") > 0,
                                   .now_us = microseconds(ev, "oldest_age_s"),
                                   .ttl_ms = UINT64_MAX,
                                   .major_u = 0.5};
    req = compaction_select(&c, &in); /* all files are written at 0, so the oldest has the logged age */
    free(files);
    snprintf(text, cap, "files %zu to %zu of %zu", req.first + 1, req.first + req.count, len);
    return answer(req.count == whole(ev, "files") && req.first == whole(ev, "first"));
}

static enum why_answer ask_balancer(const struct result_event *ev, char *text, size_t cap)
{
    struct balancer_decision d = {0};
    enum balancer_gate gate;
    bool needed;

    if (!isnan(result_event_input(ev, "switched_on"))) {
        const struct balancer_master master = {result_event_input(ev, "switched_on") > 0, small(ev, "regions_in_transition"),
                                               small(ev, "dead_servers")};

        gate = balancer_may_run(&master);
        snprintf(text, cap, "%s", balancer_gate_name(gate));
        return answer(strcmp(balancer_gate_name(gate), ev->rule) == 0);
    }
    if (isnan(result_event_input(ev, "count_min")))
        return WHY_NOTHING_TO_ASK;
    d.servers = small(ev, "servers");
    d.regions = small(ev, "regions");
    d.count_min = small(ev, "count_min");
    d.count_max = small(ev, "count_max");
    d.count_floor = small(ev, "count_floor");
    d.count_ceil = small(ev, "count_ceil");
    d.imbalance = result_event_input(ev, "imbalance");
    d.multiplier_sum = result_event_input(ev, "multiplier_sum");
    d.threshold = ev->threshold;
    d.simple = !isnan(result_event_input(ev, "overall_most"));
    d.overall_least = result_event_input(ev, "overall_least");
    d.overall_most = result_event_input(ev, "overall_most");
    d.overall_floor = result_event_input(ev, "overall_floor");
    d.overall_ceil = result_event_input(ev, "overall_ceil");
    gate = balancer_gate_of(&d, &needed);
    snprintf(text, cap, "%s: %s", balancer_gate_name(gate), needed ? "run" : "don't run");
    return answer(strcmp(balancer_gate_name(gate), ev->rule) == 0 &&
                  (needed || result_event_input(ev, "moves_planned") == 0));
}

/* It was due by its size. That no key cuts it isn't among the inputs. */
static enum why_answer ask_split_refused(const struct result_event *ev, char *text, size_t cap)
{
    bool due;

    if (isnan(ev->threshold))
        return WHY_NOTHING_TO_ASK;
    due = result_event_input(ev, "store_bytes") > ev->threshold;
    snprintf(text, cap, "%s", due ? "a split is due" : "no split is due");
    return answer(due);
}

enum why_answer why_ask(const struct result_event *ev, char *text, size_t cap)
{
    static const struct {
        const char *kind;
        enum why_answer (*ask)(const struct result_event *ev, char *text, size_t cap);
    } kinds[] = {
        {"split", ask_split},           {"flush", ask_flush},           {"refusal", ask_refusal},
        {"flush postponed", ask_postponed}, {"compaction", ask_compaction}, {"balancer", ask_balancer},
        {"log flush", ask_log},         {"updates blocked", ask_blocked}, {"split refused", ask_split_refused},
    };

    text[0] = '\0';
    for (size_t i = 0; ev->rule && i < sizeof kinds / sizeof kinds[0]; i++) {
        if (strcmp(ev->kind, kinds[i].kind) == 0)
            return kinds[i].ask(ev, text, cap);
    }
    return WHY_NOTHING_TO_ASK;
}
