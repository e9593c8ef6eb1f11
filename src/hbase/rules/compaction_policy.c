/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "hbase/rules/compaction_policy.h"

#include <math.h>
#include <string.h>

void compaction_config_default(struct compaction_config *c)
{
    memset(c, 0, sizeof *c);
    c->policy = COMPACTION_EXPLORING;
    c->min_files = 3;
    c->max_files = 10;
    c->min_bytes = UINT64_C(134217728);
    c->max_bytes = UINT64_MAX;
    c->ratio = 1.2;
    c->ratio_offpeak = 5.0;
    c->blocking_store_files = 16;
    c->throttle_bytes = UINT64_C(2684354560);
    c->major_period_us = UINT64_C(604800000000);
    c->major_jitter = 0.5;
}

/* A run of files, oldest first. */
struct window {
    size_t first, count;
    uint64_t bytes;
};

struct chooser {
    const struct compaction_config *c;
    const struct compaction_file *files;
    uint32_t min_files;
    uint64_t max_bytes;
    double ratio;
    bool stuck;
};

static bool in_ratio(const struct chooser *s, const struct window *w)
{
    for (size_t i = w->first; i < w->first + w->count; i++) {
        uint64_t one = s->files[i].file_bytes;

        if ((double)one > (double)(w->bytes - one) * s->ratio)
            return false;
    }
    return true;
}

static bool better(const struct chooser *s, const struct window *best, const struct window *w)
{
    if (s->stuck && best->bytes > 0 && w->bytes > 0)
        return (double)best->count / (double)best->bytes * 1.05 < (double)w->count / (double)w->bytes;
    return w->count > best->count || (w->count == best->count && w->bytes < best->bytes);
}

/* ExploringCompactionPolicy.applyCompactionPolicy: all windows, oldest start first, shortest first. */
static struct window explore(const struct chooser *s, size_t first, size_t end)
{
    struct window best = {0}, smallest = {0};

    smallest.bytes = UINT64_MAX;
    for (size_t start = first; start < end; start++) {
        struct window w = {start, 0, 0};

        for (size_t i = start; i < end && w.count < s->c->max_files; i++) {
            w.count++;
            w.bytes += s->files[i].file_bytes;
            if (w.count < s->min_files)
                continue;
            if (w.bytes < smallest.bytes)
                smallest = w;
            if (w.bytes > s->max_bytes)
                continue;
            if (w.bytes >= s->c->min_bytes && !in_ratio(s, &w))
                continue;
            if (better(s, &best, &w))
                best = w;
        }
    }
    if (best.count == 0 && s->stuck && smallest.count > 0)
        return smallest;
    return best;
}

/* RatioBasedCompactionPolicy.applyCompactionPolicy: skip old files that are larger than the next ones
   together. */
static struct window by_ratio(const struct chooser *s, size_t first, size_t end)
{
    struct window w = {first, 0, 0};

    while (end - w.first >= s->min_files) {
        uint64_t sum = 0;
        size_t stop = w.first + s->c->max_files;
        double limit;

        for (size_t i = w.first + 1; i < end && i < stop; i++)
            sum += s->files[i].file_bytes;
        limit = floor((double)sum * s->ratio);
        if (limit < (double)s->c->min_bytes)
            limit = (double)s->c->min_bytes;
        if ((double)s->files[w.first].file_bytes <= limit)
            break;
        w.first++;
    }
    if (w.first >= end && s->stuck && end - first >= s->min_files)
        w.first = end - s->min_files;
    w.count = end - w.first;
    return w;
}

uint64_t compaction_major_age_us(const struct compaction_config *c, double u)
{
    double jitter;

    if (c->major_period_us == 0 || c->major_jitter <= 0)
        return c->major_period_us;
    jitter = round((double)c->major_period_us * c->major_jitter);
    return (uint64_t)((double)c->major_period_us + jitter - round(2 * jitter * u));
}

static uint64_t oldest_modified_us(const struct compaction_input *in, size_t first)
{
    uint64_t oldest = UINT64_MAX;

    for (size_t i = first; i < in->count; i++)
        if (in->files[i].modified_us < oldest)
            oldest = in->files[i].modified_us;
    return oldest;
}

/* RatioBasedCompactionPolicy.shouldPerformMajorCompaction. */
static bool major_is_due(const struct compaction_config *c, const struct compaction_input *in, size_t first)
{
    const uint64_t age = compaction_major_age_us(c, in->major_u), oldest = oldest_modified_us(in, first);
    const struct compaction_file *only;
    uint64_t cell_age;

    if (first >= in->count || age == 0)
        return false;
    if (in->now_us < age || oldest >= in->now_us - age)
        return false;
    if (in->count - first > 1)
        return true;
    /* One file alone is rewritten only to get rid of what has expired. */
    only = &in->files[first];
    cell_age = in->now_ms_epoch > only->min_timestamp_ms ? in->now_ms_epoch - only->min_timestamp_ms : 0;
    return in->ttl_ms != UINT64_MAX && cell_age > in->ttl_ms;
}

bool compaction_major_is_due(const struct compaction_config *c, const struct compaction_input *in)
{
    return major_is_due(c, in, 0);
}

uint64_t compaction_major_due_us(const struct compaction_config *c, const struct compaction_input *in)
{
    const uint64_t age = compaction_major_age_us(c, in->major_u);
    uint64_t by_age, expires_ms, by_ttl = in->now_us;

    if (in->count == 0 || age == 0)
        return UINT64_MAX;
    by_age = oldest_modified_us(in, 0) + age;
    if (in->count > 1)
        return by_age;
    if (in->ttl_ms == UINT64_MAX || in->files[0].min_timestamp_ms > UINT64_MAX - in->ttl_ms)
        return UINT64_MAX;
    expires_ms = in->files[0].min_timestamp_ms + in->ttl_ms;
    if (expires_ms > in->now_ms_epoch)
        by_ttl += (expires_ms - in->now_ms_epoch) * 1000;
    return by_age > by_ttl ? by_age : by_ttl;
}

size_t compaction_drop_expired(const struct compaction_input *in, bool *drop)
{
    uint64_t cut = in->ttl_ms < in->now_ms_epoch ? in->now_ms_epoch - in->ttl_ms : 0;
    size_t n = 0;

    for (size_t i = 0; i < in->count; i++) {
        drop[i] = i + 1 < in->count && !in->files[i].compacting && in->files[i].max_timestamp_ms < cut;
        n += drop[i];
    }
    return n;
}

static bool any_reference(const struct compaction_input *in, size_t first)
{
    for (size_t i = first; i < in->count; i++)
        if (in->files[i].reference)
            return true;
    return false;
}

struct candidates {
    size_t first;        /* files older than the newest one that compacts are out */
    size_t compacting;
    bool stuck;
};

static struct candidates eligible(const struct compaction_config *c, const struct compaction_input *in)
{
    struct candidates e = {0};

    for (size_t i = 0; i < in->count; i++)
        if (in->files[i].compacting) {
            e.compacting++;
            e.first = i + 1;
        }
    e.stuck = in->count - e.compacting + (e.compacting > 0 ? 1 : 0) >= c->blocking_store_files;
    return e;
}

static size_t skip_large(const struct compaction_input *in, size_t first, uint64_t max_bytes)
{
    while (first < in->count && !in->files[first].reference && in->files[first].file_bytes > max_bytes)
        first++;
    return first;
}

static void fill_request(const struct compaction_config *c, const struct compaction_input *in,
                         struct compaction_request *r)
{
    r->bytes = 0;
    for (size_t i = r->first; i < r->first + r->count; i++)
        r->bytes += in->files[i].file_bytes;
    r->all_files = r->count == in->count;
    r->major = r->major && r->all_files;
    r->offpeak = in->offpeak && r->count > 0 && !r->all_files;
    r->large = compaction_is_large(c, r->bytes);
    r->priority = r->after_split ? COMPACTION_PRIORITY_AFTER_SPLIT
                  : in->user     ? COMPACTION_PRIORITY_USER
                                 : compaction_store_priority(c, in->count);
}

struct compaction_request compaction_select(const struct compaction_config *c, const struct compaction_input *in)
{
    struct candidates e = eligible(c, in);
    struct compaction_request r = {0};
    struct chooser s = {c, in->files, c->min_files < 2 ? 2 : c->min_files, c->max_bytes, c->ratio, e.stuck};
    bool all = e.first == 0, forced;

    if (in->offpeak) {
        s.ratio = c->ratio_offpeak;
        s.max_bytes = c->max_bytes_offpeak > 0 ? c->max_bytes_offpeak : c->max_bytes;
    }
    if (!(in->force_major && all))
        e.first = skip_large(in, e.first, s.max_bytes);
    all = e.first == 0;
    forced = in->force_major && all;
    r.major = (forced && in->user) || ((forced || major_is_due(c, in, e.first)) && in->count - e.first < c->max_files);
    r.after_split = any_reference(in, e.first);
    r.first = e.first;
    r.count = in->count - e.first;
    if (!r.major && !r.after_split && r.count > 0) {
        struct window w = c->policy == COMPACTION_EXPLORING ? explore(&s, e.first, in->count)
                                                            : by_ratio(&s, e.first, in->count);

        r.first = w.first;
        r.count = w.count < s.min_files ? 0 : w.count;
    }
    if (r.count > c->max_files && !(r.major && in->user))
        r.count = c->max_files;
    fill_request(c, in, &r);
    return r;
}

bool compaction_needed(const struct compaction_config *c, size_t files, size_t compacting)
{
    return files - compacting >= (c->min_files < 2 ? 2 : c->min_files);
}

int32_t compaction_store_priority(const struct compaction_config *c, size_t files)
{
    const int32_t p = (int32_t)c->blocking_store_files - (int32_t)files;

    return p == COMPACTION_PRIORITY_USER ? p + 1 : p;
}

bool compaction_is_large(const struct compaction_config *c, uint64_t bytes)
{
    return bytes > c->throttle_bytes;
}

enum compaction_next compaction_follow_up(int32_t region_priority, int32_t store_priority)
{
    if (region_priority < COMPACTION_PRIORITY_USER && store_priority <= 0)
        return COMPACTION_NEXT_AGAIN;
    return store_priority <= 0 ? COMPACTION_NEXT_SPLIT_ELSE_AGAIN : COMPACTION_NEXT_SPLIT_ELSE_NOTHING;
}
