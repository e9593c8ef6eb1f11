/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "truth_rules.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hbase/rules/compaction_policy.h"
#include "hbase/rules/normalizer.h"

/* Which files a compaction takes, and the normalizer's plans. */

enum { MAX_FILES = 256 };

static size_t parse_list(const char *s, uint64_t *out, size_t cap)
{
    size_t n = 0;

    while (s && *s && n < cap) {
        char *end;

        out[n] = strtoull(s, &end, 10);
        if (end == s)
            break;
        n++;
        s = *end == ',' ? end + 1 : end;
    }
    return n;
}

static uint64_t size_or_max(const char *s)
{
    return s && strcmp(s, "max") == 0 ? UINT64_MAX : s ? strtoull(s, NULL, 10) : UINT64_MAX;
}

static void indices_text(const struct compaction_request *r, char *out, size_t cap)
{
    size_t k = 0;

    snprintf(out, cap, "none");
    for (size_t i = 0; i < r->count && k < cap; i++)
        k += (size_t)snprintf(out + k, cap - k, "%s%zu", i ? "," : "", r->first + i);
}

static void config_of(const struct truth_table *t, size_t i, struct compaction_config *c)
{
    const char *ratio = truth_cell(t, i, "ratio"), *policy = truth_cell(t, i, "policy");

    compaction_config_default(c);
    c->min_bytes = size_or_max(truth_cell(t, i, "min_size"));
    c->max_bytes = size_or_max(truth_cell(t, i, "max_size"));
    c->blocking_store_files = (uint32_t)truth_number(t, i, "blocking_files");
    c->min_files = (uint32_t)truth_number(t, i, "min_files");
    c->max_files = (uint32_t)truth_number(t, i, "max_files");
    if (ratio)
        c->ratio = strtod(ratio, NULL);
    if (policy && strstr(policy, "RatioBased"))
        c->policy = COMPACTION_RATIO_BASED;
}

static void check_request(struct truth_report *r, const struct truth_table *t, size_t i,
                          const struct compaction_request *q)
{
    if (q->count == 0)
        return;
    truth_check_text(r, "major", truth_cell(t, i, "major"), q->major ? "true" : "false");
    truth_check_text(r, "all_files", truth_cell(t, i, "all_files"), q->all_files ? "true" : "false");
    truth_check(r, "request_priority", strtod(truth_cell(t, i, "request_priority"), NULL), q->priority, 0);
}

static void judge_selection(struct truth_report *r, const struct truth_table *t, size_t i)
{
    struct compaction_config c;
    struct compaction_file files[MAX_FILES] = {0};
    uint64_t bytes[MAX_FILES];
    struct compaction_input in = {.files = files, .now_us = 1, .ttl_ms = UINT64_MAX};
    struct compaction_request q;
    char ours[1024];
    const char *second = truth_cell(t, i, "selected_2nd");

    truth_case(r, truth_cell(t, i, "case"));
    config_of(t, i, &c);
    in.count = parse_list(truth_cell(t, i, "file_bytes"), bytes, MAX_FILES);
    for (size_t k = 0; k < in.count; k++)
        files[k] = (struct compaction_file){.file_bytes = bytes[k], .modified_us = 1};
    truth_check(r, "files", (double)truth_number(t, i, "files"), (double)in.count, 0);
    truth_check(r, "store_priority", strtod(truth_cell(t, i, "store_priority"), NULL),
                compaction_store_priority(&c, in.count), 0);
    q = compaction_select(&c, &in);
    check_request(r, t, i, &q);
    if (second && strcmp(second, "-") != 0) {
        struct compaction_request q2;

        for (size_t k = 0; k < q.count; k++)
            files[q.first + k].compacting = true;
        q2 = compaction_select(&c, &in);
        indices_text(&q2, ours, sizeof ours);
        truth_check_text(r, "selected_2nd", second, ours);
    }
    indices_text(&q, ours, sizeof ours);
    truth_check_text(r, "selected", truth_cell(t, i, "selected"), ours);
    truth_case_end(r, "selected", truth_cell(t, i, "selected"), ours, "exact");
}

static void judge_selections(const struct truth_table *t, void *r)
{
    for (size_t i = 0; i < t->rows; i++)
        judge_selection(r, t, i);
}

int truth_selection(const char *dir, struct truth_report *r)
{
    return truth_each_table(dir, "select", judge_selections, r);
}

/* ---- normalizer ---- */

static int64_t setting(const char *settings, const char *name, int64_t otherwise)
{
    const char *p = strstr(settings, name);
    size_t n = strlen(name);

    if (!p || p[n] != '=')
        return otherwise;
    return strcmp(p + n + 1, "false") == 0 || strncmp(p + n + 1, "false,", 6) == 0 ? 0 : strtoll(p + n + 1, NULL, 10);
}

static void normalizer_config_of(const char *s, struct normalizer_config *c)
{
    normalizer_config_default(c);
    c->split_enabled = setting(s, "split.enabled", 1) != 0;
    c->merge_enabled = setting(s, "merge.enabled", 1) != 0;
    c->merge_min_region_count = (uint32_t)setting(s, "merge.min.region.count", c->merge_min_region_count);
    c->merge_min_region_age_days = (uint32_t)setting(s, "merge.min_region_age.days", c->merge_min_region_age_days);
    c->merge_min_region_size_mb = (uint64_t)setting(s, "merge.min_region_size.mb", (int64_t)c->merge_min_region_size_mb);
    c->merge_max_regions =
        (uint32_t)setting(s, "merge.merge_request_max_number_of_regions", c->merge_max_regions);
    c->target_region_size_mb = setting(s, "NORMALIZER_TARGET_REGION_SIZE_MB", 0);
    c->target_region_count = (int32_t)setting(s, "NORMALIZER_TARGET_REGION_COUNT", 0);
}

static int by_first(const void *a, const void *b)
{
    const struct normalizer_plan *x = a, *y = b;

    if (x->first != y->first)
        return x->first < y->first ? -1 : 1;
    return (int)x->split - (int)y->split; /* the recording writes MERGE before SPLIT of one region */
}

static void plans_text(const struct normalizer_plan *p, size_t n, char *out, size_t cap)
{
    size_t k = 0;

    snprintf(out, cap, "none");
    for (size_t i = 0; i < n && k < cap; i++) {
        k += (size_t)snprintf(out + k, cap - k, "%s%s[", i ? " " : "", p[i].split ? "SPLIT" : "MERGE");
        for (size_t j = 0; j < p[i].count && k < cap; j++)
            k += (size_t)snprintf(out + k, cap - k, "%s%zu", j ? "+" : "", p[i].first + j);
        if (k < cap)
            k += (size_t)snprintf(out + k, cap - k, "]");
    }
}

/* The recording's order of plans that begin with the same region is not part of the rule: compare as sets. */
static void sort_words(char *s)
{
    char *word[64], copy[2048];
    size_t n = 0, k = 0;

    snprintf(copy, sizeof copy, "%s", s);
    for (char *save, *p = strtok_r(copy, " ", &save); p && n < 64; p = strtok_r(NULL, " ", &save))
        word[n++] = p;
    for (size_t i = 0; i < n; i++)
        for (size_t j = i + 1; j < n; j++)
            if (strcmp(word[i], word[j]) > 0) {
                char *swap = word[i];

                word[i] = word[j];
                word[j] = swap;
            }
    for (size_t i = 0; i < n; i++)
        k += (size_t)snprintf(s + k, sizeof copy - k, "%s%s", i ? " " : "", word[i]);
}

static void judge_plans(struct truth_report *r, const struct truth_table *t, size_t i)
{
    struct normalizer_config c;
    struct normalizer_region region[MAX_FILES] = {0};
    struct normalizer_plan plan[2 * MAX_FILES];
    uint64_t bytes[MAX_FILES], mb[MAX_FILES];
    size_t n = parse_list(truth_cell(t, i, "store_bytes"), bytes, MAX_FILES), count;
    char ours[2048], real[2048];

    truth_case(r, truth_cell(t, i, "state"));
    normalizer_config_of(truth_cell(t, i, "settings"), &c);
    truth_check(r, "regions", (double)truth_number(t, i, "regions"), (double)n, 0);
    n = parse_list(truth_cell(t, i, "reported_mb"), mb, MAX_FILES);
    for (size_t k = 0; k < n; k++) {
        truth_check(r, "reported_mb", (double)mb[k], (double)normalizer_reported_mb(bytes[k]), 0);
        region[k] = (struct normalizer_region){.size_mb = normalizer_reported_mb(bytes[k]), .open = true, .age_us = 1};
    }
    count = normalizer_plans(&c, region, n, plan);
    qsort(plan, count, sizeof *plan, by_first);
    plans_text(plan, count, ours, sizeof ours);
    snprintf(real, sizeof real, "%s", truth_cell(t, i, "plans"));
    sort_words(ours);
    sort_words(real);
    truth_check_text(r, "plans", real, ours);
    truth_case_end(r, "plans", real, ours, "exact");
}

static void judge_states(const struct truth_table *t, void *r)
{
    for (size_t i = 0; i < t->rows; i++)
        judge_plans(r, t, i);
}

int truth_normalizer(const char *dir, struct truth_report *r)
{
    return truth_each_table(dir, "plans", judge_states, r);
}
