/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Special keys of [scenario], [cluster] and [hbase]. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "scenario/key.h"
#include "scenario/suggest.h"
#include "spec/spec.h"

bool read_compare(struct key_reader *rd, void *target)
{
    struct spec *sp = target;
    struct words wds = words_of(rd->value);
    struct word wd;
    unsigned compare = 0;
    bool no = false;

    for (int i = 0; words_next(&wds, &wd); i++) {
        if (word_is(wd, "none") && !(compare & SPEC_COMPARE_NONE))
            compare |= SPEC_COMPARE_NONE;
        else if (word_is(wd, "twice") && !(compare & SPEC_COMPARE_TWICE))
            compare |= SPEC_COMPARE_TWICE;
        else if (word_is(wd, "no") && i == 0)
            no = true;
        else
            return reader_error(rd, wd.at, "'%.*s' is not expected here; write %s", (int)wd.len, wd.chars,
                                rd->key->form);
    }
    if (no && compare)
        return reader_error(rd, 0, "no stands alone");
    sp->compare = compare;
    return true;
}

bool write_compare(const void *target, size_t i, struct text *out)
{
    static const char *const words[] = {"no", "none", "twice", "none twice"};

    if (i > 0)
        return false;
    text_add(out, "%s", words[((const struct spec *)target)->compare & 3U]);
    return true;
}

bool read_window(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct word wd = words_rest(&wds);
    int64_t window = 0;

    if (!word_is(wd, "auto") &&
        (!reader_whole(rd, UNIT_DURATION, wd, &window) || !reader_in_bounds(rd, (double)window)))
        return false;
    ((struct spec *)target)->window_ns = window;
    return true;
}

bool write_window(const void *target, size_t i, struct text *out)
{
    int64_t window = ((const struct spec *)target)->window_ns;
    char text[UNIT_TEXT_CAP] = "auto";

    if (i > 0)
        return false;
    if (window > 0)
        unit_write_whole(UNIT_DURATION, window, text);
    text_add(out, "%s", text);
    return true;
}

static const char *const detail_words[] = {"auto", "write", "tick", "flow"};

bool read_detail(struct key_reader *rd, void *target)
{
    for (int i = 0; i < 4; i++) {
        if (strcmp(rd->value, detail_words[i]) != 0)
            continue;
        ((struct spec *)target)->detail = (enum spec_detail)i;
        return true;
    }
    return reader_error(rd, 0, "unknown level '%.40s'; write %s", rd->value, rd->key->form);
}

bool write_detail(const void *target, size_t i, struct text *out)
{
    if (i > 0)
        return false;
    text_add(out, "%s", detail_words[((const struct spec *)target)->detail]);
    return true;
}

/* `50 regions per server`, or the number alone. */
bool read_background(struct key_reader *rd, void *target)
{
    static const char *const phrase[] = {"regions", "per", "server"};
    struct words wds = words_of(rd->value);
    struct word wd;
    int64_t regions;

    words_next(&wds, &wd);
    if (!reader_whole(rd, UNIT_COUNT, wd, &regions))
        return false;
    for (int i = 0; i < 3 && words_next(&wds, &wd); i++) {
        if (!word_is(wd, phrase[i]) && !(i == 0 && word_is(wd, "region")))
            return reader_error(rd, wd.at, "'%.*s' is not expected here; write %s", (int)wd.len, wd.chars,
                                rd->key->form);
    }
    if (!reader_end(rd, &wds) || !reader_in_bounds(rd, (double)regions))
        return false;
    ((struct spec_cluster *)target)->background_regions_per_server = (int)regions;
    return true;
}

bool write_background(const void *target, size_t i, struct text *out)
{
    if (i > 0)
        return false;
    text_add(out, "%d regions per server", ((const struct spec_cluster *)target)->background_regions_per_server);
    return true;
}

/* `none`, `200ms every 1m` */
bool read_gc_pause(struct key_reader *rd, void *target)
{
    struct spec_server *sv = target;
    struct words wds = words_of(rd->value);
    struct word wd;

    sv->gc_pause_ns = sv->gc_every_ns = 0;
    words_next(&wds, &wd);
    if (word_is(wd, "none"))
        return reader_end(rd, &wds);
    if (!reader_whole(rd, UNIT_DURATION, wd, &sv->gc_pause_ns))
        return false;
    if (!words_next(&wds, &wd) || !word_is(wd, "every") || !words_next(&wds, &wd))
        return reader_error(rd, wd.at, "how often? Write 200ms every 1m");
    if (!reader_whole(rd, UNIT_DURATION, wd, &sv->gc_every_ns))
        return false;
    if (sv->gc_pause_ns <= 0 || sv->gc_pause_ns >= sv->gc_every_ns)
        return reader_error(rd, 0, "a pause is above 0 and shorter than its period");
    return reader_end(rd, &wds);
}

bool write_gc_pause(const void *target, size_t i, struct text *out)
{
    const struct spec_server *sv = target;
    char pause[UNIT_TEXT_CAP], every[UNIT_TEXT_CAP];

    if (i > 0)
        return false;
    if (sv->gc_pause_ns == 0) {
        text_add(out, "none");
        return true;
    }
    unit_write_whole(UNIT_DURATION, sv->gc_pause_ns, pause);
    unit_write_whole(UNIT_DURATION, sv->gc_every_ns, every);
    text_add(out, "%s every %s", pause, every);
    return true;
}

/* Those that the site may name: a prefix policy without a table's prefix cuts no key. */
bool read_split_policy(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct word wd = words_rest(&wds);
    enum spec_split_policy policy;

    if (!reader_split_policy(rd, wd, &policy))
        return false;
    if (policy == SPEC_SPLIT_KEY_PREFIX || policy == SPEC_SPLIT_DELIMITED_KEY_PREFIX) {
        reader_error(rd, 0, "%s takes its prefix from the table", spec_split_policy_name(policy));
        diags_hint(rd->dgs, "write split_policy = %s in [table NAME]",
                   policy == SPEC_SPLIT_KEY_PREFIX ? "KeyPrefixRegionSplitPolicy 9" : "DelimitedKeyPrefixRegionSplitPolicy _");
        return false;
    }
    ((struct spec_hbase *)target)->split_policy = policy;
    return true;
}

bool write_split_policy(const void *target, size_t i, struct text *out)
{
    if (i > 0)
        return false;
    text_add(out, "%s", spec_split_policy_name(((const struct spec_hbase *)target)->split_policy));
    return true;
}

/* 0 in the spec stands for the default, ten times the handlers. */
bool read_callqueue(struct key_reader *rd, void *target)
{
    struct spec_hbase *hb = target;
    struct words wds = words_of(rd->value);
    long long number;

    if (strcmp(rd->value, rd->key->dflt) == 0) {
        hb->max_callqueue_length = 0;
        return true;
    }
    if (!word_number(words_rest(&wds), INT_MAX, &number))
        return reader_error(rd, 0, "'%.40s' is not a bare number, as HBase wants it", rd->value);
    if (!reader_in_bounds(rd, (double)number))
        return false;
    hb->max_callqueue_length = (int)number;
    return true;
}

/* An hour of hbase.offpeak.*: 0 to 23, or -1 for none. */
bool read_hour(struct key_reader *rd, void *target)
{
    int *hour = (int *)((char *)target + rd->key->offset);
    struct words wds = words_of(rd->value);
    struct word wd = words_rest(&wds);
    int64_t n = -1;

    if (!word_is(wd, "-1") && (!reader_whole(rd, UNIT_COUNT, wd, &n) || !reader_in_bounds(rd, (double)n)))
        return false;
    *hour = (int)n;
    return true;
}

bool write_offpeak_start(const void *target, size_t i, struct text *out)
{
    if (i > 0)
        return false;
    text_add(out, "%d", ((const struct spec_hbase *)target)->offpeak_start_hour);
    return true;
}

bool write_offpeak_end(const void *target, size_t i, struct text *out)
{
    if (i > 0)
        return false;
    text_add(out, "%d", ((const struct spec_hbase *)target)->offpeak_end_hour);
    return true;
}

bool write_callqueue(const void *target, size_t i, struct text *out)
{
    const struct spec_hbase *hb = target;

    if (i > 0)
        return false;
    text_add(out, "%d", hb->max_callqueue_length > 0 ? hb->max_callqueue_length : 10 * hb->handler_count);
    return true;
}

bool read_sample(struct key_reader *rd, void *target)
{
    struct words wds = words_of(rd->value);
    struct word wd = words_rest(&wds);
    int64_t keys = 0;

    if (!word_is(wd, "all") && (!reader_whole(rd, UNIT_COUNT, wd, &keys) || !reader_in_bounds(rd, (double)keys)))
        return false;
    ((struct spec *)target)->sample_keys = (int)keys;
    return true;
}

bool write_sample(const void *target, size_t i, struct text *out)
{
    const int keys = ((const struct spec *)target)->sample_keys;

    if (i > 0)
        return false;
    if (keys > 0)
        text_add(out, "%d", keys);
    else
        text_add(out, "all");
    return true;
}
